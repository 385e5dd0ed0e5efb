/* How the parts of the hook share it: settings.c and params.c read settings, plan.c decides what is
 * saved, hook.c counts steps, save.c takes tensors in, queue.c hands them to the thread that
 * writes. */
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

/* Of one mode, or (mode 0) of all. */
struct hook_when {
    bool has_interval, has_start, has_end, has_steps;
    int64_t interval, start, end, *steps;
    size_t n_steps;
};
struct hook_params {
    struct hook_when when[5]; /* by mode; 0: any */
    bool raw, shape, histogram, has_histogram;
    char *reductions;               /* as given; NULL: none */
    int codes[HOOK_REDUCTIONS_MAX]; /* enum sm_reduction */
    size_t n_codes;
};
/* False with SM_ERR_USAGE; *known false: no such name. */
bool hook_params_set(struct hook_params *p, const char *name, const char *value, bool *known,
                     struct sm_err *err);
/* reductions or shapes stand for values, unless raw too */
bool hook_params_reduce(const struct hook_params *p);
void hook_params_clear(struct hook_params *p);
bool hook_parse_bool(const char *value, bool *out, struct sm_err *err);
bool hook_parse_int(const char *value, int64_t *out, struct sm_err *err);
/* The rule of a mode, from the collection's parameters and then the hook's. Its steps are borrowed.
 */
struct sm_save_rule hook_save_rule(const struct hook_params *collection,
                                   const struct hook_params *hook, int mode);

/* ---- plan.c ---- */

struct hook_collection {
    char *name, **regexes, **names;
    pcre2_code **codes;
    size_t n_regexes, cap_regexes, n_names, cap_names, cap_codes;
    struct hook_params params;
    bool saved; /* was set; its tensors are written */
};
struct hook_plan {
    struct hook_collection *items; /* at most HOOK_COLLECTIONS_MAX */
    size_t n, cap;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    struct sm_names *tensors; /* seen so far */
    uint64_t *member;         /* of each: bit i: collection i */
    size_t n_member, cap_member;
};
bool hook_plan_init(struct hook_plan *p, struct sm_err *err); /* with the built-in collections */
void hook_plan_clear(struct hook_plan *p);
/* old or new */
struct hook_collection *hook_plan_collection(struct hook_plan *p, const char *name,
                                             struct sm_err *err);
bool hook_collection_regexes(struct hook_collection *c, const char *list, struct sm_err *err);
bool hook_collection_name(struct hook_collection *c, const char *tensor, struct sm_err *err);
/* The collections a tensor is in, seen before or not. False: no memory. */
bool hook_plan_member(struct hook_plan *p, const char *tensor, size_t n, uint64_t *mask);
/* losses, metrics and the like are never reduced */
bool hook_plan_is_raw(const struct hook_collection *c);
bool hook_plan_is_metric(const struct hook_collection *c); /* SageMaker gets its means */
bool hook_plan_histogram(const struct hook_collection *c, const struct hook_params *hook);
/* The collections file. False: no memory. */
bool hook_plan_json(const struct hook_plan *p, const struct hook_params *hook, int64_t num_workers,
                    struct sm_str *out);

/* ---- queue.c ---- */

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
    int64_t step, mode_step; /* STEP; mode_step and mode also of a metric */
    int mode;
    bool metric;     /* also a line for SageMaker */
    char *name;      /* TENSOR, BOARD, METRIC, SHAPE: owned */
    bool scalar;     /* TENSOR and BOARD, for TensorBoard: as a scalar */
    char *histogram; /* as a histogram of this name; NULL: not. Owned */
    enum sm_dtype dtype;
    unsigned n_dims;
    uint64_t dims[SM_DIMS_MAX], n;
    double wall_time;
    uint8_t *data; /* bytes of them, owned; room allocated */
    size_t bytes, room;
    struct hook_item *next;
};
struct hook_queue {
    pthread_mutex_t lock;
    pthread_cond_t filled, drained;
    pthread_t thread;
    bool started, busy, closing;
    struct hook_item *first, *last;
    size_t n, due;           /* items in it, and how many of them may be written now */
    unsigned waiting;        /* threads that wait for room */
    bool asked, crowded;     /* in this step: whether processors are free */
    struct hook_item *spare; /* with buffers, for the next ones: fresh pages are slow */
    size_t queued_bytes, spare_bytes, limit_bytes;
    bool drop;
};
bool hook_queue_init(struct hook_queue *q, struct sm_err *err);
/* An item with room for so many bytes; NULL: no memory. */
struct hook_item *hook_queue_item(struct hook_queue *q, enum hook_item_kind kind, const char *name,
                                  size_t bytes);
void hook_queue_give_back(struct hook_queue *q, struct hook_item *x);
/* False: full, and told to drop; the item is given back. */
bool hook_queue_push(struct smdbg_hook *h, struct hook_item *x);
void hook_queue_flush(struct smdbg_hook *h);
void hook_queue_close(struct smdbg_hook *h); /* writes what is left, joins */

/* ---- board.c: TensorBoard's files, one for each step, by the writing thread ---- */

struct hook_board;
/* NULL: no memory. dir and the folders it is in are made with the first file. */
struct hook_board *hook_board_new(const char *dir);
void hook_board_free(struct hook_board *b);
void hook_board_begin_step(struct hook_board *b, int64_t step, int mode);
/* What x is to be there; nothing if it has no numbers for it. */
bool hook_board_add(struct hook_board *b, const struct hook_item *x, struct sm_err *err);
bool hook_board_end_step(struct hook_board *b, struct sm_err *err);

/* ---- metrics.c: SageMaker's file of metrics, a line each (doc/formats.md "Metrics"), by the
 * writing thread ---- */

struct hook_metrics;
bool hook_in_sagemaker(void);
/* NULL, which is fine below: this is no job of SageMaker's, or it wants no metrics, or there is no
 * memory. */
struct hook_metrics *hook_metrics_new(void);
void hook_metrics_free(struct hook_metrics *m);
bool hook_metrics_add(struct hook_metrics *m, const struct hook_item *x, struct sm_err *err);

/* ---- config.c ---- */

bool hook_config_text(const char *path, struct sm_str *out, struct sm_err *err);
/* LocalPath of a small configuration of SageMaker's, which a variable names or which lies at the
 * usual place: *dir is the caller's, NULL: it names none. */
bool hook_config_path(const char *variable, const char *usual, char **dir, bool *found,
                      struct sm_err *err);

/* ---- state.c: how far a job came by its last checkpoint, beside the checkpoints (doc/formats.md
 * "Restarts") ---- */

struct hook_progress {
    int64_t run, saved, last[5]; /* last step that was saved, of all modes, of each; -1: none */
};
struct hook_state;
/* NULL: no checkpoints are configured, or err says what is wrong. Moves *next, of five, to where
 * the job was interrupted. */
struct hook_state *hook_state_new(int64_t *next, struct sm_err *err);
void hook_state_free(struct hook_state *s);
/* Writes an item's progress if there are new checkpoints. By the writing thread. */
bool hook_state_update(struct hook_state *s, const struct hook_item *x, struct sm_err *err);

/* ---- settings.c ---- */

/* a copy in the place of another */
bool hook_set_text(char **to, const char *value, struct sm_err *err);

/* ---- hook.c ---- */

struct smdbg_hook {
    pthread_mutex_t lock; /* of all below but the queue */
    char *dir, *worker;
    bool include_all, save_all, dry_run, disabled;
    bool reports;       /* metrics go to SageMaker */
    bool platform_ends; /* SageMaker says itself that the job has ended */
    int64_t rank, world_size;
    struct hook_params params;
    struct hook_plan plan;
    bool started; /* the first step has begun: settings are closed */
    bool in_step, wrote_collections, saved_step;
    int mode;
    int64_t step, mode_step, next[5]; /* of each mode, 0: of all */
    int64_t last_saved;               /* step; -1: none */
    atomic_uint_least64_t saving;     /* collections that are saved at this step */
    struct hook_item *scalars, *last_scalar;
    struct hook_queue queue;
    struct sm_writer *writer; /* the writing thread's */
    char *board_dir;          /* NULL: where the trial is */
    bool export_board;
    struct hook_board *board; /* the writing thread's; made at the start when there is to be one */
    struct hook_metrics *metrics; /* the writing thread's, too */
    struct hook_state *state;     /* and this */
    struct sm_str error;          /* error, untold and counts: under the queue's lock */
    atomic_bool untold;           /* an error that no call has returned yet */
    smdbg_counts counts;
};
/* Of all these but hook_fail, hook_tell and hook_refuse: the lock is held. */
void hook_fail(struct smdbg_hook *h, const struct sm_err *err); /* remembers and counts */
int hook_tell(struct smdbg_hook *h); /* what a call returns: -1 once for each error */
int hook_refuse(struct smdbg_hook *h, const struct sm_err *err); /* fails, and tells it now */
bool hook_writes(const struct smdbg_hook *h);                    /* this worker saves at all */
bool hook_push(struct smdbg_hook *h, struct hook_item *x); /* NULL: there was no memory for it */
void hook_push_step(struct smdbg_hook *h);
double hook_now(void);

/* reduce.c: one number of a tensor as PyTorch's hook computes it (std and variance divide by n -
 * 1), the median as numpy's. s: all of t. False: no memory. */
bool hook_reduce(const struct sm_tensor *t, const struct sm_stats *s, int reduction, double *out,
                 struct sm_err *err);

/* reduce_typed.c: reductions in the types they are saved in (doc/hook.md "Reductions"), one for
 * each code. */
struct hook_reduced {
    enum sm_dtype dtype;
    uint8_t bytes[16]; /* as many of them as the type has */
};
bool hook_reduce_typed(const struct sm_tensor *t, const int *codes, size_t n,
                       struct hook_reduced *out, struct sm_err *err);
void hook_reduced_set(struct hook_reduced *r, enum sm_dtype dtype, double re, double im);
/* reduce_complex.c: the same of complex numbers; they are ordered by real part, then by imaginary
 * part, as numpy does. */
bool hook_reduce_complex(const struct sm_tensor *t, const int *codes, size_t n,
                         struct hook_reduced *out, struct sm_err *err);
#endif
