/* Finds what is new in a trial directory, in a worker: lists folders, reads new index and collections files, and hands
 * over a batch. Its state belongs to the job that runs; the trial merges batches and knows nothing of files.
 *
 * An index file is taken when its event file is there and long enough. Otherwise it is *not yet*: kept aside, looked at
 * again in each scan, and taken with a problem once it is provably bad (the same worker has written a later step, or the
 * job has ended). */
#ifndef SM_TAIL_H
#define SM_TAIL_H

#include "reader/trial.h"

/* One index file, its lists as ranges of the batch's arrays. */
struct sm_batch_part {
    int64_t step, mode_step, time_us;
    int mode;
    uint32_t worker, event_file;         /* ids in the batch's names; event_file NONE: none */
    bool replaces;                       /* the same step and worker were taken before from another file */
    size_t first_value, n_values, first_shape, n_shapes;
};
struct sm_batch_value {
    uint64_t offset, length;
    uint32_t name;
};
struct sm_batch_shape {
    uint32_t name;
    size_t first_dim;                    /* in dims: the number of dims, then the dims */
};
struct sm_batch_collections {
    uint32_t worker;
    struct sm_collections_def def;
};
struct sm_batch {
    struct sm_names *names;              /* of tensors, workers and files: ids of this batch alone */
    struct sm_arena arena;               /* of the collections */
    struct sm_batch_part *parts;
    struct sm_batch_value *values;
    struct sm_batch_shape *shapes;
    uint64_t *dims;
    struct sm_batch_collections *collections;
    size_t n_parts, cap_parts, n_values, cap_values, n_shapes, cap_shapes, n_dims, cap_dims, n_collections, cap_collections;
    struct sm_problems problems;
    bool exists, ended, claimed;         /* the directory; its end marker; claim.smd */
    bool more;                           /* stopped at its budget: scan again at once */
    bool waiting;                        /* some index files are not yet complete */
    int64_t newest_folder;               /* of index/; -1: none */
    bool failed;                         /* out of memory: what is here is whole, the rest comes again */
};
void sm_batch_free(struct sm_batch *b);

struct sm_tail;
struct sm_tail *sm_tail_new(struct sm_source *source, const struct sm_trial_options *o, struct sm_err *err);
void sm_tail_free(struct sm_tail *t);
/* Everything is looked at in the next scan, not only the newest folders. */
void sm_tail_everything(struct sm_tail *t);
/* Reads at most `budget` index files. NULL only without memory. */
struct sm_batch *sm_tail_scan(struct sm_tail *t, size_t budget);

#endif
