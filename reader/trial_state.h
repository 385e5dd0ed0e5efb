/* Inside of a trial: for trial*.c alone. */
#ifndef SM_TRIAL_STATE_H
#define SM_TRIAL_STATE_H

#include "reader/source/watch.h"
#include "reader/tail.h"

#define NO_PART UINT32_MAX
enum { ARRIVALS = 16 };

/* A collection: what its files say, and which saved tensors it has, extended as names come. */
struct collection {
    struct sm_collection_def def;
    struct sm_names *listed;             /* union of tensor_names of all files */
    void **regexes;                      /* pcre2_code, parallel to def.regexes; NULL where the pattern is broken */
    uint32_t *tensors;                   /* name ids, natural order once sorted */
    size_t n_tensors, cap_tensors;
    uint8_t *member;                     /* bit by name id */
    size_t cap_member;
    uint32_t seen;                       /* names below this id have been looked at */
    bool sorted;
};

struct scan_job {
    struct sm_job job;
    struct sm_trial *trial;
    struct sm_batch *batch;
};

/* Invariants: steps ascend; the parts of a step are linked from first_part in worker order, replaced ones left out;
 * tensors[id] belongs to name id; entries ascend by (step, worker, part, seq). */
struct sm_trial {
    struct sm_source *source;
    struct sm_pool *pool;
    struct sm_trial_options options;
    char *worker_option, *name;
    struct sm_names *names, *paths;

    struct sm_trial_tensor *tensors;     /* by name id */
    size_t n_tensors, cap_tensors;
    uint32_t *order;                     /* ids in natural order; rebuilt when names came */
    size_t n_order, cap_order;

    struct sm_part *parts;
    uint32_t *next_part;                 /* of the same step */
    size_t n_parts, cap_parts, cap_next;
    struct sm_trial_step *steps;
    size_t n_steps, cap_steps;
    char **workers;
    int64_t *worker_last;                /* newest step of each */
    size_t n_workers, cap_workers, cap_worker_last;
    uint64_t *dims;                      /* of shapes */
    size_t n_dims, cap_dims;

    struct collection *collections;
    size_t n_collections, cap_collections;
    char *first_collections_worker;      /* whose file num_workers is from */
    int64_t num_workers;
    bool has_collections;

    struct sm_trial_session *sessions;
    size_t n_sessions, cap_sessions;
    struct sm_problems problems;

    int64_t last_complete;               /* -1: none */
    size_t completed;                    /* steps[0 .. completed) are complete by last_complete */
    bool exists, ended, claimed, after_end;
    int64_t newest_us, bytes;
    uint64_t index_files, version;
    struct {
        int64_t us[ARRIVALS];            /* when the newest new steps came, by their own times */
        size_t n;
    } arrivals;

    struct sm_tail *tail;
    struct scan_job *running;            /* NULL: none */
    struct sm_watch *watch;
    bool closing, scanned, due, changed, refresh_asked, waiting;
    int64_t deadline_us, quiet_us;       /* next heartbeat; how long nothing came */
    int64_t watched_folder;
};

bool sm_trial_merge(struct sm_trial *t, struct sm_batch *b);           /* trial_merge.c; false: out of memory */
bool sm_trial_merge_collections(struct sm_trial *t, const struct sm_batch *b);      /* trial_collections.c */
void sm_trial_collections_clear(struct sm_trial *t);
uint32_t sm_trial_worker_index(struct sm_trial *t, const char *name);  /* adds; UINT32_MAX: no memory */

#endif
