/* Finds new files in a trial directory and reads them, in workers; the trial merges the results and
 * knows no files.
 *
 *   sm_tail_list    exclusive: scans folders, reads collections files, queues new index files
 *   sm_tail_read    several at a time: reads a range of that queue; changes nothing
 *   sm_tail_settle  in the loop's thread, while no list runs: records the fate of a range
 *
 * An index file is taken when its event file exists and is long enough. Otherwise it is *late*: not
 * remembered, so that each list finds it again, and taken with a problem once it will provably stay
 * incomplete (the same worker has written a later step since, or the job has ended). The cost of a
 * list does not grow with history: it reads the newest two folders, those with late files, and one
 * old folder in turn. */
#ifndef SM_TAIL_H
#define SM_TAIL_H

#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/format/collections_json.h"
#include "reader/problem.h"
#include "reader/source/source.h"
#include "reader/trial.h"

struct sm_tail;
struct sm_tail *sm_tail_new(struct sm_source *source, const struct sm_trial_options *o,
                            struct sm_err *err);
void sm_tail_free(struct sm_tail *t);
/* Makes the next list scan all folders, not only the newest, and retry bad files. */
void sm_tail_everything(struct sm_tail *t);

/* ---- list ---- */

struct sm_news_collections {
    const char *worker;
    int64_t time_us; /* mtime */
    struct sm_collections_def def;
};
struct sm_news {
    bool exists, ended, claimed; /* the directory; its end marker; claim.smd */
    bool emptied;                /* the files taken have gone, and there are no new ones */
    bool recreated;     /* removed and created again: files taken before are of another directory */
    bool late;          /* a collections file is still incomplete */
    bool board;         /* TensorBoard's files, not smdebug's */
    bool archive;       /* a trial or part of one in a single file: nothing will be added */
    bool no_memory;     /* incomplete for lack of memory */
    size_t n_files;     /* queued files: read [0, n_files) in ranges */
    int64_t folders[2]; /* the newest two of index/; -1 if none */
    struct sm_arena arena;                   /* memory of the collections */
    struct sm_news_collections *collections; /* sorted by file name */
    size_t n_collections, cap_collections;
    struct sm_problems problems;
};
struct sm_news *sm_tail_list(struct sm_tail *t); /* NULL if there is no memory */
void sm_news_free(struct sm_news *n);

/* ---- read ---- */

enum sm_fate { SM_FATE_TAKEN, SM_FATE_LATE, SM_FATE_BAD, SM_FATE_UNWANTED };
struct sm_batch_file {
    enum sm_fate fate;
    uint64_t size_bytes;
    int64_t time_us;
};
/* One index file; its lists are ranges of the batch's arrays. */
struct sm_batch_part {
    int64_t step, mode_step, time_us;
    int mode;
    uint32_t session; /* number in the archived trial, from 1; 0: derived from the steps */
    bool adds;        /* extends an existing part of the step: files without an index grow */
    uint32_t worker, event_file; /* ids in the batch's names; event_file NONE if none */
    size_t first_value, n_values, first_shape, n_shapes;
};
struct sm_batch_value {
    uint64_t offset, length;
    uint32_t name;
    uint16_t value; /* index in the record */
};
struct sm_batch_shape {
    uint32_t name;
    size_t first_dim; /* position in dims of the number of dims, followed by the dims */
};
struct sm_batch {
    struct sm_names *names; /* of tensors, workers and files; ids are local to this batch */
    size_t first, n_files;  /* the range of the queue that was read */
    struct sm_batch_file *files;
    struct sm_batch_part *parts; /* one per file taken, in order */
    struct sm_batch_value *values;
    struct sm_batch_shape *shapes;
    uint64_t *dims;
    size_t n_parts, cap_parts, n_values, cap_values, n_shapes, cap_shapes, n_dims, cap_dims;
    struct sm_problems problems;
};
/* NULL if there is no memory */
struct sm_batch *sm_tail_read(const struct sm_tail *t, size_t from, size_t to);
/* a batch for those files; NULL if there is no memory */
struct sm_batch *sm_batch_new(size_t from, size_t to);
void sm_batch_free(struct sm_batch *b);

/* n_merged: how many of b's parts the trial has taken; the others are found again. */
void sm_tail_settle(struct sm_tail *t, const struct sm_batch *b, size_t n_merged);
/* After lack of memory: unsettled files and all collections files are found again. */
void sm_tail_unread(struct sm_tail *t);

#endif
