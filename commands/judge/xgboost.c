/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/xgboost.h"

#include "rules/builtin/classes.h"

#include <math.h>
#include <string.h>

enum { HISTOGRAM_BINS = 20, GUESS_CLASSES = 50, IN_FLIGHT = 8 };

const char *sm_xgb_task_name(enum sm_xgb_task t)
{
    static const char *const names[] = {"binary classification", "classification", "regression",
                                        "ranking"};
    return names[t];
}

/* ---- one step, in a worker ---- */

struct step_work {
    struct sm_work work;
    struct sm_tensor *labels, *predictions; /* predictions: NULL if not saved */
    enum sm_xgb_task task;
    double cut, lo, hi; /* BINARY: scores above cut mean class 1; lo, hi: all labels */
    bool newest;
    struct sm_xgb_step out;
};

static double *numbers_of(const struct sm_tensor *t, uint64_t first, uint64_t stride, uint64_t n)
{
    double *v = sm_alloc_zero((size_t)n + 1, sizeof *v);
    struct sm_elements e = sm_elements(t);
    size_t size = sm_dtype_info(e.dtype)->size_bytes;
    for (uint64_t i = 0; v && i < n; i++)
        v[i] = sm_dtype_load(e.dtype, e.data + (first + i * stride) * size);
    return v;
}

/* The scores of class 1: one score per label, or the second of two. */
static void judge_binary(struct step_work *w, const double *labels, uint64_t n)
{
    bool pairs = w->predictions->n == 2 * n;
    double *scores = numbers_of(w->predictions, pairs, 1 + pairs, n),
           *classes = scores ? sm_alloc_zero((size_t)n + 1, sizeof *classes) : NULL;
    for (uint64_t i = 0; classes && i < n; i++)
        classes[i] = isnan(scores[i]) ? (double)NAN : scores[i] > w->cut;
    w->out.scored = classes && sm_confusion_count(labels, classes, (size_t)n, &w->out.confusion);
    if (w->out.scored && w->newest)
        sm_roc_curve(labels, scores, (size_t)n, &w->out.roc);
    sm_free(scores);
    sm_free(classes);
}

static void judge_classes(struct step_work *w)
{
    const struct sm_tensor *t[] = {w->labels, w->predictions};
    struct sm_numbers r = {0};
    sm_measure_classes(t, (const double[]){0, 1}, &r);
    size_t n = r.v ? (size_t)r.v[SM_CLASSES_LABELS] : 0;
    if (r.v && r.v[SM_CLASSES_PREDICTIONS] > 0) {
        w->out.scored = true;
        sm_confusion_count(r.v + SM_CLASSES_HEAD, r.v + SM_CLASSES_HEAD + n, n, &w->out.confusion);
    }
    sm_free(r.v);
}

static void add_residuals(struct step_work *w, const double *labels, const double *predictions,
                          uint64_t n)
{
    struct sm_tensor *t;
    struct sm_err err;
    double *v = sm_alloc_zero((size_t)n + 1, sizeof *v);
    for (uint64_t i = 0; v && i < n; i++)
        v[i] = labels[i] - predictions[i];
    if (v && sm_tensor_new(SM_DTYPE_FLOAT64, 1, &n, v, &t, &err)) {
        sm_stats_of(t, &w->out.residual, &err);
        sm_histogram_numpy(t, HISTOGRAM_BINS, &w->out.residuals, &err);
        sm_tensor_unref(t);
    }
    sm_free(v);
}

static void judge_numbers(struct step_work *w, const double *labels, uint64_t n)
{
    double *predictions = numbers_of(w->predictions, 0, 1, n);
    w->out.scored = predictions != NULL;
    if (predictions)
        sm_bin_errors(labels, predictions, (size_t)n, w->lo, w->hi, &w->out.errors);
    if (predictions && w->newest)
        add_residuals(w, labels, predictions, n);
    sm_free(predictions);
}

static void describe_labels(struct step_work *w, const double *labels, uint64_t n)
{
    struct sm_err err;
    if (w->task == SM_XGB_BINARY || w->task == SM_XGB_CLASSES)
        sm_confusion_count(labels, labels, (size_t)n, &w->out.classes);
    sm_histogram_numpy(w->labels, HISTOGRAM_BINS, &w->out.labels, &err);
}

static bool predictions_fit(const struct step_work *w)
{
    uint64_t n = w->labels->n, m = w->predictions ? w->predictions->n : 0;
    return m == n || (w->task == SM_XGB_BINARY && m == 2 * n);
}

static void run_step(struct sm_work *work)
{
    struct step_work *w = (struct step_work *)work;
    uint64_t n = w->labels->n;
    double *labels = numbers_of(w->labels, 0, 1, n);
    if (labels && w->newest)
        describe_labels(w, labels, n);
    if (labels && w->predictions && w->task == SM_XGB_CLASSES)
        judge_classes(w);
    else if (labels && predictions_fit(w) && w->task == SM_XGB_BINARY)
        judge_binary(w, labels, n);
    else if (labels && predictions_fit(w) && w->task == SM_XGB_NUMBERS)
        judge_numbers(w, labels, n);
    sm_free(labels);
    sm_tensor_unref(w->labels);
    sm_tensor_unref(w->predictions);
    w->labels = w->predictions = NULL;
}

static void free_step(struct sm_work *work)
{
    struct step_work *w = (struct step_work *)work;
    sm_tensor_unref(w->labels);
    sm_tensor_unref(w->predictions);
    sm_confusion_clear(&w->out.confusion);
    sm_confusion_clear(&w->out.classes);
    sm_roc_clear(&w->out.roc);
    sm_histogram_clear(&w->out.labels);
    sm_histogram_clear(&w->out.residuals);
    sm_free(w);
}

/* ---- the steps ---- */

struct reading {
    struct sm_xgb xgb;
    struct sm_step *steps;           /* the steps with labels at the start of the call */
    const struct sm_xgb_step **done; /* of each step; NULL until it is known */
    bool *unread;
    size_t n;
    bool knows_task, knows_range;
};

/* The tensor with that name, else the first tensor of the collection with that name, or NULL. */
static const struct sm_trial_tensor *tensor_of(const struct sm_trial *t, const char *name)
{
    const struct sm_trial_tensor *x = sm_trial_find(t, name, strlen(name));
    for (size_t i = 0; !x && i < sm_trial_collection_count(t); i++) {
        size_t n;
        const uint32_t *ids = sm_trial_collection_tensors(t, i, &n);
        if (n && strcmp(sm_trial_collection(t, i)->name, name) == 0)
            x = sm_trial_find(t, sm_names_text(sm_trial_names(t), ids[0]),
                              sm_names_length(sm_trial_names(t), ids[0]));
    }
    return x;
}

static struct sm_entry value_at(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                struct sm_step step)
{
    return x ? sm_trial_entry(t, x, step, SM_WORKER_ANY, SM_ENTRY_VALUE, 0) : sm_entry_none();
}

static struct reading *new_reading(struct sm_call *c)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_trial_tensor *labels = tensor_of(t, "labels");
    size_t n = sm_trial_step_count(t);
    struct reading *r = sm_arena_xalloc(&c->arena, sizeof *r);
    *r = (struct reading){.xgb = {.lo = (double)INFINITY, .hi = -(double)INFINITY}};
    r->steps = sm_arena_xalloc(&c->arena, (n + 1) * sizeof *r->steps);
    for (size_t i = 0; i < n; i++) {
        struct sm_entry e = value_at(t, labels, sm_trial_step(t, i)->step);
        if (sm_entry_exists(&e))
            r->steps[r->n++] = sm_trial_step(t, i)->step;
    }
    r->done = sm_arena_xalloc(&c->arena, (r->n + 1) * sizeof *r->done);
    r->unread = sm_arena_xalloc(&c->arena, r->n + 1);
    r->xgb.steps = sm_arena_xalloc(&c->arena, (r->n + 1) * sizeof *r->xgb.steps);
    return r;
}

/* ---- the task ---- */

static enum sm_xgb_task task_of(const char *objective)
{
    if (strncmp(objective, "binary:", 7) == 0)
        return SM_XGB_BINARY;
    if (strncmp(objective, "multi:", 6) == 0)
        return SM_XGB_CLASSES;
    return strncmp(objective, "rank:", 5) == 0 ? SM_XGB_RANKS : SM_XGB_NUMBERS;
}

/* Integers with at most GUESS_CLASSES different values are classes. */
static enum sm_xgb_task guess_task(const struct sm_tensor *labels)
{
    double seen[GUESS_CLASSES];
    size_t n = 0;
    struct sm_elements e = sm_elements(labels);
    size_t size = sm_dtype_info(e.dtype)->size_bytes;
    for (uint64_t i = 0; i < labels->n; i++) {
        double v = sm_dtype_load(e.dtype, e.data + i * size);
        size_t k = 0;
        while (k < n && seen[k] != v)
            k++;
        if (v != floor(v) || (k == n && n == GUESS_CLASSES))
            return SM_XGB_NUMBERS;
        if (k == n)
            seen[n++] = v;
    }
    bool binary = n == 2 && seen[0] + seen[1] == 1 && seen[0] * seen[1] == 0;
    return binary ? SM_XGB_BINARY : SM_XGB_CLASSES;
}

/* The newest saved objective, in the call's arena, or NULL. Returns false with SM_ERR_WAIT. */
static bool read_objective(struct sm_call *c, const char **out, struct sm_err *err)
{
    static const char name[] = "hyperparameters/objective";
    struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_trial_tensor *x = sm_trial_find(t, name, strlen(name));
    struct sm_entry e = x ? value_at(t, x, x->last) : sm_entry_none();
    struct sm_tensor *value = NULL;
    *out = NULL;
    if (sm_entry_exists(&e) && !sm_fetch_tensor(c->session->fetch, t, &e, &value, err))
        return err->code != SM_ERR_WAIT;
    if (value && value->dtype == SM_DTYPE_STRING && value->n)
        *out = sm_arena_xstrndup(&c->arena, value->strings[0].p, value->strings[0].n);
    sm_tensor_unref(value);
    return true;
}

static bool has_numbers(const struct sm_tensor *t)
{
    enum sm_dtype_kind kind = sm_dtype_info(t->dtype)->kind;
    return kind != SM_KIND_STRING && kind != SM_KIND_OTHER && kind != SM_KIND_COMPLEX;
}

static bool find_task(struct sm_call *c, struct reading *r, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_tensor *labels = NULL;
    if (!r->n || r->knows_task)
        return true;
    if (!read_objective(c, &r->xgb.objective, err))
        return false;
    struct sm_entry e = value_at(t, tensor_of(t, "labels"), r->steps[r->n - 1]);
    if (!r->xgb.objective && sm_entry_exists(&e) &&
        !sm_fetch_tensor(c->session->fetch, t, &e, &labels, err) && err->code == SM_ERR_WAIT)
        return false;
    r->xgb.guessed = !r->xgb.objective;
    r->xgb.task = r->xgb.objective                ? task_of(r->xgb.objective)
                  : labels && has_numbers(labels) ? guess_task(labels)
                                                  : SM_XGB_RANKS;
    sm_tensor_unref(labels);
    return r->knows_task = true;
}

static bool find_range(struct sm_call *c, struct reading *r, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_trial_tensor *labels = tensor_of(t, "labels");
    bool waiting = false;
    for (size_t i = 0; i < r->n && !r->knows_range; i++) {
        struct sm_entry e = value_at(t, labels, r->steps[i]);
        const struct sm_facts *f;
        if (sm_entry_exists(&e) && sm_fetch_stats(c->session->fetch, t, &e, &f, err)) {
            r->xgb.lo = f->stats.finite && f->stats.min < r->xgb.lo ? f->stats.min : r->xgb.lo;
            r->xgb.hi = f->stats.finite && f->stats.max > r->xgb.hi ? f->stats.max : r->xgb.hi;
        } else {
            waiting = waiting || (sm_entry_exists(&e) && err->code == SM_ERR_WAIT);
        }
    }
    r->knows_range = !waiting;
    return !waiting || sm_err_set(err, SM_ERR_WAIT, "reading the labels");
}

/* ---- judging them ---- */

static double threshold_of(const char *objective)
{
    return objective && strcmp(objective, "binary:logitraw") == 0 ? 0 : 0.5;
}

/* Takes ownership of both references. */
static bool start_step(struct sm_call *c, struct reading *r, size_t i, struct sm_tensor *labels,
                       struct sm_tensor *predictions, struct sm_err *err)
{
    struct step_work *w = sm_xalloc_zero(1, sizeof *w);
    w->work = (struct sm_work){.run = run_step,
                               .free = free_step,
                               .what = &r->steps[i],
                               .elements = labels->n + (predictions ? predictions->n : 0)};
    w->labels = labels;
    w->predictions = predictions;
    w->task = r->xgb.task;
    w->cut = threshold_of(r->xgb.objective);
    w->lo = r->xgb.lo;
    w->hi = r->xgb.hi;
    w->newest = i + 1 == r->n;
    w->out.step = r->steps[i];
    return sm_work_start(&c->works, &w->work, err);
}

/* *out: NULL if the value was not saved or has no numbers. Returns false with SM_ERR_WAIT. */
static bool fetch_numbers(struct sm_call *c, const char *name, struct sm_step step,
                          struct sm_tensor **out, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_entry e = value_at(t, tensor_of(t, name), step);
    *out = NULL;
    if (sm_entry_exists(&e) && !sm_fetch_tensor(c->session->fetch, t, &e, out, err))
        return err->code != SM_ERR_WAIT;
    if (*out && !has_numbers(*out)) {
        sm_tensor_unref(*out);
        *out = NULL;
    }
    return true;
}

/* Returns false with SM_ERR_WAIT. */
static bool judge_step(struct sm_call *c, struct reading *r, size_t i, struct sm_err *err)
{
    struct sm_work *w = sm_work_find(&c->works, &r->steps[i], NULL);
    struct sm_tensor *labels, *predictions;
    if (!w) {
        bool known = fetch_numbers(c, "labels", r->steps[i], &labels, err);
        if (!fetch_numbers(c, "predictions", r->steps[i], &predictions, err) || !known || !labels) {
            sm_tensor_unref(labels);
            sm_tensor_unref(predictions);
            r->unread[i] = known && !labels;
            return r->unread[i];
        }
        if (!start_step(c, r, i, labels, predictions, err))
            return false;
        w = sm_work_find(&c->works, &r->steps[i], NULL);
    }
    if (!sm_work_check_done(w, err))
        return false;
    r->done[i] = &((struct step_work *)w)->out;
    return true;
}

static bool judge_steps(struct sm_call *c, struct reading *r, struct sm_err *err)
{
    size_t waiting = 0;
    sm_fetch_set_background(c->session->fetch, true);
    for (size_t i = 0; i < r->n && waiting < IN_FLIGHT; i++)
        if (!r->done[i] && !r->unread[i])
            waiting += !judge_step(c, r, i, err);
    sm_fetch_set_background(c->session->fetch, false);
    return !waiting || sm_err_set(err, SM_ERR_WAIT, "judging the predictions");
}

bool sm_xgb_read(struct sm_call *c, const struct sm_xgb **out, struct sm_err *err)
{
    struct reading *r = c->state = c->state ? c->state : new_reading(c);
    if (!find_task(c, r, err) || !find_range(c, r, err) || !judge_steps(c, r, err))
        return false;
    r->xgb.n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->done[i])
            r->xgb.steps[r->xgb.n++] = r->done[i];
    *out = &r->xgb;
    return true;
}
