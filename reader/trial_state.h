/* Inside of a trial: for trial*.c alone. */
#ifndef SM_TRIAL_STATE_H
#define SM_TRIAL_STATE_H

#include "reader/source/watch.h"
#include "reader/tail.h"
#include "reader/trial.h"

#define NO_PART UINT32_MAX
enum { ARRIVALS = 16, RANGES = 4, RANGE_FILES = 128 };

/* A collection: what its files say, and which saved tensors it has, extended as names come. */
struct collection {
    struct sm_collection_def def; /* in one of the trial's arenas */
    struct sm_names *listed;      /* union of tensor_names of all files */
    void **regexes; /* pcre2_code, parallel to def.regexes; NULL where the pattern is broken */
    size_t n_regexes;
    uint32_t *tensors; /* name ids, natural order once sorted */
    size_t n_tensors, cap_tensors;
    uint8_t *member; /* bit by name id */
    size_t cap_member;
    uint32_t seen;   /* names below this id have been looked at */
    uint64_t births; /* the trial's when all had been */
    bool unborn;     /* among them were names without entries */
    bool sorted;
};

struct list_job {
    struct sm_job job;
    struct sm_trial *trial;
    struct sm_news *news;
};
struct read_job {
    struct sm_job job;
    struct sm_trial *trial;
    size_t from, to;
    struct sm_batch *batch;
    bool done;
};

/* A scan (trial_scan.c): one list, then ranges of its queue, several at once, merged in their
 * order. */
struct scan {
    struct list_job list;
    struct read_job ranges[RANGES]; /* a ring */
    size_t first_range, n_ranges;   /* submitted and not merged */
    size_t n_files, next_file;      /* of the queue; the next to submit */
    bool listing, due, refresh_asked, news, late, failed;
    unsigned failures; /* scans in a row that ran out of memory */
    int64_t deadline_us, retry_us, quiet_since_us;
    int64_t folders[2];
    bool watching[4]; /* root, index, collections, newest folder */
    int64_t watched_folders[2];
};

/* Invariants: steps ascend; the parts of a step are linked from first_part in worker order,
 * replaced ones left out; tensors[id] belongs to name id (without entries until one came); entries
 * ascend by (step, worker, part, seq). */
struct sm_trial {
    struct sm_source *source;
    struct sm_pool *pool;
    struct sm_trial_options options;
    char *worker_option, *name;
    struct sm_names *names, *paths;

    struct sm_trial_tensor *tensors; /* by name id */
    size_t n_tensors, cap_tensors;
    uint32_t *room; /* by name id, all 0 between parts: entries a part is about to add */
    size_t cap_room;
    uint32_t *order; /* ids of those with entries, natural order */
    size_t n_order, cap_order;
    bool order_stale;
    uint64_t births; /* tensors that got their first entry */

    struct sm_part *parts;
    uint32_t *next_part; /* of the same step */
    size_t n_parts, cap_parts, cap_next;
    struct sm_trial_step *steps;
    size_t n_steps, cap_steps;
    char **workers;                     /* natural order */
    int64_t *worker_last, *worker_time; /* newest step of each in this session, and when it came */
    size_t n_workers, cap_workers, cap_last, cap_time;
    uint64_t *dims; /* of shapes */
    size_t n_dims, cap_dims;

    struct collection *collections;
    size_t n_collections, cap_collections;
    struct sm_arena *arenas; /* of the collections files read so far */
    size_t n_arenas, cap_arenas;
    char *first_collections; /* the worker whose file counts where files differ */
    int64_t num_workers;
    bool has_collections;

    struct sm_trial_session *sessions;
    size_t n_sessions, cap_sessions;
    bool new_session; /* the next part begins one */
    struct sm_problems problems;

    int64_t last_complete;  /* -1: none */
    size_t completed;       /* steps[0 .. completed) are complete by last_complete */
    bool board;             /* TensorBoard's files */
    bool archive;           /* its source is one, and has been listed */
    uint32_t given_session; /* that the newest part says; 0: none */
    bool exists, emptied, ended, claimed, after_end;
    bool end_read; /* what was there when the end was seen has been read */
    int64_t newest_us;
    uint64_t bytes, index_files, version, arrivals_seen;
    struct {
        int64_t us[ARRIVALS]; /* when the newest new steps came, by their files' times */
        size_t n;
    } arrivals;

    struct sm_tail *tail;
    struct sm_watch *watch;
    struct scan scan;
    bool closing, scanned, changed;
};

/* Of a tensor's i-th entry. */
static inline int64_t sm_trial_entry_step(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                          size_t i)
{
    return t->parts[x->entries[i].part].step.n;
}

/* trial_merge.c */
void sm_trial_merge_news(struct sm_trial *t, struct sm_news *n);
/* parts taken; fewer than there are: out of memory */
size_t sm_trial_merge(struct sm_trial *t, const struct sm_batch *b);
uint32_t sm_trial_add_worker(struct sm_trial *t, const char *name); /* UINT32_MAX: no memory */
/* trial_collections.c */
bool sm_trial_merge_collections(struct sm_trial *t, struct sm_news *n); /* takes the arena over */
void sm_trial_clear_collections(struct sm_trial *t);
/* trial_scan.c */
void sm_trial_begin_scans(struct sm_trial *t);
bool sm_trial_is_scanning(const struct sm_trial *t);
/* trial.c: when closing and the last job has come back */
void sm_trial_free(struct sm_trial *t);
/* ids, by the natural order of their texts; for qsort_r */
int sm_trial_compare_names(const void *a, const void *b, void *names);

#endif
