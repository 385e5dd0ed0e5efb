/* SPDX-License-Identifier: Apache-2.0 */
/* Interfaces between the files of reader/hook, which writes trials. The folder has two parts:
 *
 * 1. libsmdbg-hook (smdbg_hook.h, python/), linked by training programs:
 *    config.c, settings.c, params.c    read settings
 *    entry.c, hook_errors.c            who may call; errors and counts
 *    directory.c, hook_lock.c, earlier_run.c   take and lock the directory; what it holds
 *    hook.c, plan.c                    count steps; map tensors to collections
 *    save*.c, reduce*.c, unsaved.c     copy or reduce values; what was never saved
 *    queue*.c                          write the results, or pass them to the writing thread
 *    hook_board.c, metrics.c, restart_state.c   TensorBoard files, SageMaker's metrics, the
 *                                      progress of a restartable job
 * 2. writer.h and replay.h, used by the program itself, too: writer*.c write the files of a trial,
 *    replay.c writes a finished trial again as a live run (--replay).
 *
 * Only smdbg_hook.h is public. Functions named hook_* are called only inside this folder. */
#ifndef SM_HOOK_PRIVATE_H
#define SM_HOOK_PRIVATE_H

#include "reader/base/map.h"
#include "reader/hook/smdbg_hook.h"
#include "reader/hook/writer.h"
#include "reader/tensor/stats.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <pthread.h>
#include <stdatomic.h>

enum { HOOK_COLLECTIONS_MAX = 64, HOOK_REDUCTIONS_MAX = 32 };

/* ---- params.c ---- */

/* Steps to save in one mode, or in all (index 0). */
struct hook_schedule {
    bool has_interval, has_start, has_end, has_steps;
    int64_t interval, start, end, *steps;
    size_t n_steps;
};
struct hook_params {
    struct hook_schedule schedules[5]; /* by mode; 0: all modes */
    bool raw, shape, histogram, has_histogram;
    char *reductions; /* those that the original library knows, for its file; NULL if none */
    int codes[HOOK_REDUCTIONS_MAX]; /* enum sm_reduction */
    size_t n_codes;
};
/* False: SM_ERR_USAGE. *known is false if there is no such setting. */
bool hook_params_set(struct hook_params *p, const char *name, const char *value, bool *known,
                     struct sm_err *err);
/* Whether reductions or the shape are saved instead of the value (besides it, if raw is set). */
bool hook_params_has_reductions(const struct hook_params *p);
void hook_params_clear(struct hook_params *p);
bool hook_parse_bool(const char *value, bool *out, struct sm_err *err);
bool hook_parse_int(const char *value, int64_t *out, struct sm_err *err);
/* The steps to save in a mode. The collection's parameters override the hook's. The result points
 * to their arrays of steps. */
struct sm_save_rule hook_save_rule(const struct hook_params *collection,
                                   const struct hook_params *hook, int mode);

/* ---- plan.c ---- */

struct hook_collection {
    char *name, **regexes, **names;
    pcre2_code **codes;
    size_t n_regexes, cap_regexes, n_names, cap_names, cap_codes;
    struct hook_params params;
    bool saved;   /* its tensors are written */
    bool named;   /* by the program */
    bool emptied; /* its regular expressions were removed */
};
enum { HOOK_OFFERED = 1, HOOK_SAVED = 2 };
struct hook_plan {
    struct hook_collection *items; /* at most HOOK_COLLECTIONS_MAX */
    size_t n, cap;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    struct sm_names *tensors; /* seen so far */
    uint64_t *member;         /* for each tensor a mask; bit i: in collection i */
    uint8_t *state;           /* for each tensor what happened to it: HOOK_OFFERED, HOOK_SAVED */
    size_t n_member, cap_member, cap_state;
    uint64_t default_bit; /* mask of the collection "default" */
    bool configured;      /* the program has named a collection */
    size_t n_joined;      /* memberships since the collections file was written last */
};
/* Adds the built-in collections. */
bool hook_plan_init(struct hook_plan *p, struct sm_err *err);
void hook_plan_clear(struct hook_plan *p);
struct hook_collection *hook_plan_find(struct hook_plan *p, const char *name); /* NULL: none */
/* Finds or adds a collection. */
struct hook_collection *hook_plan_collection(struct hook_plan *p, const char *name,
                                             struct sm_err *err);
/* Adds expressions, separated by commas. An empty list removes all. */
bool hook_collection_regexes(struct hook_collection *c, const char *list, struct sm_err *err);
bool hook_collection_name(struct hook_collection *c, const char *tensor, struct sm_err *err);
/* Makes the tensor a member of a collection of the plan. Unlike hook_collection_name it may be used
 * after the first step, and takes no longer with many names. */
bool hook_plan_join(struct hook_plan *p, const struct hook_collection *c, const char *tensor,
                    struct sm_err *err);
/* Sets *mask to the collections of a tensor, and adds the tensor if it is new. */
bool hook_plan_member(struct hook_plan *p, const char *tensor, uint64_t *mask, struct sm_err *err);
/* The same for a tensor that the program saves by itself: without a collection it gets into
 * "default". *mask: those of them that are saved now. */
bool hook_plan_offer(struct hook_plan *p, const char *tensor, uint64_t saving, uint64_t *mask,
                     struct sm_err *err);
/* The mask with "default", if hook_plan_offer would add it. */
uint64_t hook_plan_default(const struct hook_plan *p, uint64_t mask);
/* Whether the collection is never reduced: losses, metrics, sm_metrics, ... */
bool hook_plan_is_raw(const struct hook_collection *c);
/* Whether SageMaker's metrics include the means of the collection's tensors. */
bool hook_plan_is_metric(const struct hook_collection *c);
bool hook_plan_histogram(const struct hook_collection *c, const struct hook_params *hook);
/* Writes the text of the collections file. False: no memory. */
bool hook_plan_json(const struct hook_plan *p, const struct hook_params *hook, int64_t num_workers,
                    struct sm_str *out);

/* ---- queue.c, queue_item.c, queue_write.c ---- */

enum hook_item_kind {
    HOOK_CLAIM,
    HOOK_STEP,
    HOOK_TENSOR,
    HOOK_BOARD,
    HOOK_METRIC,
    HOOK_SHAPE,
    HOOK_END_STEP,
    HOOK_COLLECTIONS,
    HOOK_STATE,
    HOOK_END
};
struct hook_item {
    enum hook_item_kind kind;
    int64_t step, mode_step; /* STEP; METRIC has mode_step and mode */
    int mode;
    bool metric;     /* append a line to SageMaker's metrics */
    char *name;      /* TENSOR, BOARD, METRIC, SHAPE: owned */
    bool scalar;     /* TENSOR and BOARD: write a TensorBoard scalar */
    char *histogram; /* name of the TensorBoard histogram, owned; NULL if none */
    enum sm_dtype dtype;
    unsigned n_dims;
    uint64_t dims[SM_DIMS_MAX], n;
    double wall_time;
    uint8_t *data;      /* owned */
    size_t bytes, room; /* used and allocated bytes of data */
    size_t cost;        /* all that the item takes while it is queued */
    struct hook_item *next;
};
struct hook_queue {
    pthread_mutex_t lock;
    pthread_cond_t filled, drained;
    pthread_t thread;
    bool started, busy, closing;
    bool makes_files; /* the thread shall make files ahead */
    struct hook_item *first, *last;
    size_t n, n_ready;            /* items in the queue; of these, items to be written now */
    unsigned waiting;             /* threads that wait for space */
    bool cpus_checked, cpus_busy; /* in this step: whether the load was read; no CPU is idle */
    struct hook_item *spare;      /* items whose buffers are reused: fresh pages are slow */
    size_t queued_bytes, spare_bytes, limit_bytes;
    uint64_t small_steps; /* that the caller has written */
    size_t step_bytes;    /* cost of what was pushed since the last HOOK_STEP */
    bool drop;
};
/* Of the step being written. */
struct hook_step_totals {
    uint64_t tensors, bytes;
};
bool hook_queue_init(struct hook_queue *q, struct sm_err *err);
/* An item with a buffer of `bytes` bytes. NULL: no memory. */
struct hook_item *hook_queue_item(struct hook_queue *q, enum hook_item_kind kind, const char *name,
                                  size_t bytes);
void hook_queue_recycle(struct hook_queue *q, struct hook_item *x);
void hook_queue_free_spares(struct hook_queue *q); /* items that are kept to be used again */
/* What an item takes of the memory: its buffer, its texts and itself, each with malloc's header. */
size_t hook_item_cost(const struct hook_item *x);
/* Writes an item, by the thread that has set `busy`. Errors go to hook_fail. */
void hook_item_write(struct smdbg_hook *h, const struct hook_item *x);
/* Takes the item over. False: the queue is full and when_full is drop; the item is recycled. */
bool hook_queue_push(struct smdbg_hook *h, struct hook_item *x);
/* Called after HOOK_END_STEP: writes the step, and what is queued before it, if it costs less than
 * 1 MiB. Then only larger steps are lost with the process. */
void hook_queue_end_step(struct smdbg_hook *h);
void hook_queue_flush(struct smdbg_hook *h); /* writes all that is queued */
void hook_queue_close(struct smdbg_hook *h); /* the same, and joins the thread */

/* ---- hook_board.c: TensorBoard files, one for a run and worker. Used by who writes ---- */

struct hook_board;
/* NULL: no memory. dir/worker and its parents are created with the first file. */
struct hook_board *hook_board_new(const char *dir, const char *worker);
void hook_board_free(struct hook_board *b);
void hook_board_begin_step(struct hook_board *b, int64_t step, int mode);
/* Adds the scalar and the histogram of x that its members ask for, if its type is numeric. */
bool hook_board_add(struct hook_board *b, const struct hook_item *x, struct sm_err *err);
bool hook_board_end_step(struct hook_board *b, struct sm_err *err);

/* ---- metrics.c: SageMaker's metrics, one line each (doc/formats.md "Metrics"). Used by the
 * writing thread ---- */

struct hook_metrics;
bool hook_in_sagemaker(void);
/* NULL: not a SageMaker job, SAGEMAKER_METRICS_DIRECTORY is not set, or no memory. The functions
 * below accept NULL. */
struct hook_metrics *hook_metrics_new(void);
void hook_metrics_free(struct hook_metrics *m);
bool hook_metrics_add(struct hook_metrics *m, const struct hook_item *x, struct sm_err *err);

/* ---- config.c ---- */

bool hook_config_text(const char *path, struct sm_str *out, struct sm_err *err);
/* Reads LocalPath of a SageMaker configuration file. The environment variable has its path, else
 * it is default_path; *found: the file exists or the variable is set. The caller frees *dir; NULL
 * if the file has no LocalPath. */
bool hook_config_path(const char *variable, const char *default_path, char **dir, bool *found,
                      struct sm_err *err);

/* ---- restart_state.c: the steps a job had reached at its checkpoints, in a file beside them
 * (doc/formats.md "Restarts") ---- */

struct hook_progress {
    int64_t run;     /* number of the run, from 0 */
    int64_t saved;   /* last step that was saved; -1: none */
    int64_t last[5]; /* last step of all modes (0) and of each mode; -1: none */
};
struct hook_state;
/* Sets the 5 elements of next to the steps that follow the last checkpoint of an interrupted run.
 * NULL: no checkpoints are configured, or err is set. */
struct hook_state *hook_state_new(int64_t *next, struct sm_err *err);
void hook_state_free(struct hook_state *s);
/* Writes the progress in x if there are new checkpoints. Called by the writing thread. */
bool hook_state_update(struct hook_state *s, const struct hook_item *x, struct sm_err *err);

/* ---- hook_lock.c: one run in a directory at a time, or the workers of one ---- */

struct hook_lock {
    int fd;
    bool held, shared;
};
/* shared: other workers may have it, too; worker: a number that no other of them has. False: errno
 * is EBUSY if another process (or hook) has it. */
bool hook_lock_take(struct hook_lock *l, const char *dir, bool shared, int64_t worker,
                    struct sm_err *err);
void hook_lock_release(struct hook_lock *l, const char *dir); /* may not be held */
void hook_lock_forked(void); /* in a forked child: the locks stay with the parent */

/* ---- earlier_run.c: what a directory holds of an earlier run. worker: of this one only; NULL: of
 * all ---- */

bool hook_run_exists(const char *dir); /* it has files of steps */
bool hook_run_has_worker(const char *dir, const char *worker);
/* Removes the end marker and claim.smd. */
bool hook_run_remove_marks(const char *dir, struct sm_err *err);
/* beyond: also of worker_N for all N from this on, which the new run has not; 0: not. */
bool hook_run_remove(const char *dir, const char *worker, int64_t beyond, struct sm_err *err);
/* Raises the 5 elements of next (of all modes, and of each mode) above the steps that are there. */
bool hook_run_next_steps(const char *dir, const char *worker, int64_t *next, struct sm_err *err);

/* ---- directory.c ---- */

enum hook_if_exists {
    HOOK_IF_UNSAID, /* error, except for a job that says that it goes on */
    HOOK_IF_ERROR,
    HOOK_IF_NEW,
    HOOK_IF_OVERWRITE,
    HOOK_IF_RESUME
};
bool hook_set_if_exists(struct smdbg_hook *h, const char *value, struct sm_err *err);
/* Makes h->dir and its parents, and tries whether files may be made there. Sets h->dir_errno. */
bool hook_directory_make(struct smdbg_hook *h, struct sm_err *err);
/* Locks the directory and treats an earlier run as if_exists says, once, if this worker writes.
 * first_step: the number that the caller gives the first step; 0: none. Sets h->dir_errno. */
bool hook_directory_take(struct smdbg_hook *h, int64_t first_step, struct sm_err *err);
void hook_directory_release(struct smdbg_hook *h); /* it may be taken again */
void hook_directory_leave(struct smdbg_hook *h);   /* at the end */

/* ---- entry.c: who may call, and with which texts ---- */

/* Forks between the process that started and this one; counted from the first hook on. */
unsigned hook_forks(void);
/* Why a public function must not use h: NULL, a hook of the parent process, or a call from a signal
 * handler that has interrupted another call of this thread (which may hold any lock). NULL: it may.
 */
const char *hook_refusal(const struct smdbg_hook *h);
/* Every public function calls enter first and returns an error if it is false; otherwise it calls
 * leave at its end. Between the two a call from a signal handler of this thread is refused. */
bool hook_enter(const struct smdbg_hook *h);
void hook_leave(void);
/* False: NULL, or not UTF-8, which neither JSON nor protobuf can hold. What: "tensor name". */
bool hook_check_text(const char *text, const char *what, struct sm_err *err);
/* The same, and not empty. */
bool hook_check_name(const char *name, const char *what, struct sm_err *err);

/* ---- settings.c ---- */

/* Replaces *to by a copy of value. */
bool hook_set_text(char **to, const char *value, struct sm_err *err);

/* ---- hook.c ---- */

struct smdbg_hook {
    pthread_mutex_t lock; /* for all members except the queue and where noted */
    unsigned forks;       /* hook_forks() when it was made: what differs is a forked child */
    char *dir, *worker;
    bool include_all, save_all, dry_run, disabled;
    bool share_files; /* steps of reductions and other single elements share event files, too */
    enum hook_if_exists if_exists;
    bool made_dir, taken; /* we have made the directory; we have locked it */
    int dir_errno;        /* why it cannot be used; 0: it can */
    struct hook_lock lock_file;
    bool restarted;     /* the step numbers are those of an interrupted job */
    bool reports;       /* metrics are written for SageMaker */
    bool platform_ends; /* SageMaker writes the end marker */
    int64_t rank, world_size;
    struct hook_params params;
    struct hook_plan plan;
    bool started; /* the first step has started; settings cannot change */
    bool in_step, wrote_collections, saved_step;
    bool told_early, ended;
    uint64_t ever_saving; /* mask of the collections that were saved at some step */
    int mode;
    int64_t step, mode_step, next[5]; /* next: of all modes (0) and of each mode */
    uint64_t joined_steps;        /* steps since a collection got a member that is not written */
    int64_t last_saved;           /* step; -1: none */
    atomic_uint_least64_t saving; /* mask of the collections saved at this step */
    struct hook_item *early, *last_early; /* scalars saved before the first step */
    size_t n_early;
    struct hook_queue queue;
    char *board_dir; /* NULL: the folder tensorboard of the trial */
    bool export_board;
    int64_t sample_ms; /* between samples of the machine; 0: it is not recorded */
    /* Used by who writes (queue_write.c). */
    struct hook_step_totals totals;
    struct sm_writer *writer;
    struct hook_spares *spares; /* files made ahead by the writing thread; NULL: not yet */
    struct hook_board *board;   /* created at the start; NULL if not exported */
    struct hook_metrics *metrics;
    struct hook_state *state;
    /* Under the lock of the queue. */
    struct sm_str error;
    atomic_bool unreported; /* no call has returned the error yet */
    smdbg_counts counts;
};
/* Stores the error and counts it. */
void hook_fail(struct smdbg_hook *h, const struct sm_err *err);
/* What a call returns: -1 if there is an error that no call has returned yet. */
int hook_result(struct smdbg_hook *h);
int hook_fail_now(struct smdbg_hook *h, const struct sm_err *err); /* both */
smdbg_counts hook_counts_of(struct smdbg_hook *h);
/* For the following functions the caller holds the lock. */
bool hook_writes(const struct smdbg_hook *h); /* whether this worker saves anything */
/* Queues x; NULL: an error, out of memory. */
bool hook_push(struct smdbg_hook *h, struct hook_item *x);
void hook_push_step(struct smdbg_hook *h);

/* ---- save.c, save_scalar.c; the caller holds the lock ---- */

uint64_t hook_saved_now(struct smdbg_hook *h); /* mask of collections; needs no lock */
/* Sets *mask to the collections of the tensor that are saved at this step. */
bool hook_collections_saving(struct smdbg_hook *h, const char *tensor, uint64_t *mask,
                             struct sm_err *err);
/* unsaved.c: sets *mask to the collections for which a tensor that the program saves is saved now,
 * and notes it. False: an error, also once if the first step has not begun. */
bool hook_offer(struct smdbg_hook *h, const char *tensor, uint64_t *mask, struct sm_err *err);
/* False: err says what was asked for and never saved. */
bool hook_tell_unsaved(const struct smdbg_hook *h, struct sm_err *err);
/* The scalars that were saved before the first step: queues them for the step that has just begun,
 * or frees them. */
void hook_early_push(struct smdbg_hook *h);
void hook_early_free(struct smdbg_hook *h);

/* hook_sampler.c: records the machine into the folder profiler-output of the trial, if a setting
 * says so. False: the program cannot be started. */
bool hook_sampler_start(const struct smdbg_hook *h, struct sm_err *err);

/* reduce.c: one reduction, computed as PyTorch's hook does (std and variance divide by n - 1), the
 * median as numpy does. s: statistics of the whole of t. False: no memory. */
bool hook_reduce(const struct sm_tensor *t, const struct sm_stats *s, int reduction, double *out,
                 struct sm_err *err);

/* reduce_typed.c: reductions in the types they are saved in (doc/hook.md "What is saved, and
 * when"); out has one for each code. */
struct hook_reduced {
    enum sm_dtype dtype;
    uint8_t bytes[16]; /* as many as the type has */
};
bool hook_reduce_typed(const struct sm_tensor *t, const int *codes, size_t n,
                       struct hook_reduced *out, struct sm_err *err);
void hook_reduced_set(struct hook_reduced *r, enum sm_dtype dtype, double re, double im);
/* reduce_complex.c: the same for complex numbers, which are ordered by real part, then by imaginary
 * part, as in numpy. */
bool hook_reduce_complex(const struct sm_tensor *t, const int *codes, size_t n,
                         struct hook_reduced *out, struct sm_err *err);

/* save_reduced.c: a reduction to be written. NULL: no memory. */
struct hook_item *hook_reduction_item(struct smdbg_hook *h, const char *tensor, int code,
                                      const struct hook_reduced *r);
#endif
