/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that compare training and validation losses. */
#include "reader/base/grow.h"
#include "reader/kind/loss_names.h"
#include "rules/builtin/fit.h"
#include "rules/builtin/rule_list.h"

#include <math.h>
#include <string.h>

/* ---- which losses belong together ---- */

void sm_fit_names_clear(struct sm_fit_names *names)
{
    sm_free(names->training);
    sm_free(names->keys);
    sm_map_clear(&names->places);
    sm_map_clear(&names->pairs);
    sm_map_clear(&names->validations);
    *names = (struct sm_fit_names){0};
}

static uint64_t key_of(const struct sm_rule_item *it)
{
    return (uint64_t)it->tensor->name << 16 | it->worker;
}

static void put_key(struct sm_map *m, const struct sm_rule_item *it, uint64_t at)
{
    if (!sm_map_put(m, key_of(it), at))
        sm_xalloc(SIZE_MAX); /* stops the program, as for lack of memory elsewhere */
}

static size_t training_at(struct sm_fit_names *names, const struct sm_rule_item *it)
{
    uint64_t at;
    if (sm_map_get(&names->places, key_of(it), &at))
        return (size_t)at;
    SM_GROW(names->training, names->n, names->cap);
    names->training[names->n] = (struct sm_fit_name){it->tensor->name, 0, it->worker};
    put_key(&names->places, it, names->n);
    return names->n++;
}

static bool is_known(const struct sm_fit_names *names, const struct sm_rule_item *it)
{
    uint64_t at;
    return sm_map_get(&names->places, key_of(it), &at) ||
           sm_map_get(&names->validations, key_of(it), &at);
}

/* Of the losses of training that have none yet. Each two names are compared once. */
static void pair_validation(const struct sm_rule_at *x, struct sm_fit_names *names,
                            const struct sm_rule_item *it)
{
    uint64_t seen = 0;
    sm_map_get(&names->pairs, key_of(it), &seen);
    for (size_t i = (size_t)seen; i < names->n; i++) {
        struct sm_fit_name *t = &names->training[i];
        if (t->validation || t->worker != it->worker ||
            !sm_name_validates(it->name, sm_names_text(sm_trial_names(x->trial), t->name)))
            continue;
        t->validation = 1 + it->tensor->name;
        put_key(&names->validations, it, i);
        names->validated = true;
    }
    if (seen != names->n)
        put_key(&names->pairs, it, names->n);
}

/* Whether the step has the losses of the one before: most have, and nothing is new then. */
static bool has_same_losses(const struct sm_rule_at *x, struct sm_fit_names *names)
{
    size_t n = x->picks[0].n, same = 0;
    while (same < n && same < names->n_keys &&
           names->keys[same] == key_of(&x->picks[0].items[same]))
        same++;
    if (same == n && n == names->n_keys)
        return true;
    for (names->n_keys = 0; names->n_keys < n; names->n_keys++) {
        SM_GROW(names->keys, names->n_keys, names->cap_keys);
        names->keys[names->n_keys] = key_of(&x->picks[0].items[names->n_keys]);
    }
    return false;
}

/* Without modes a name of validation is never one of training; with them it may be one of both,
 * such as that of a layer, if there is no loss that it validates. */
static void note_names(struct sm_rule_at *x, struct sm_fit_names *names, bool by_name)
{
    if (has_same_losses(x, names))
        return;
    for (size_t i = 0; i < x->picks[0].n; i++)
        if (!sm_name_is_of_validation(x->picks[0].items[i].name))
            training_at(names, &x->picks[0].items[i]);
    for (size_t i = 0; i < x->picks[0].n; i++)
        if (sm_name_is_of_validation(x->picks[0].items[i].name))
            pair_validation(x, names, &x->picks[0].items[i]);
    for (size_t i = 0; !by_name && i < x->picks[0].n; i++)
        if (!is_known(names, &x->picks[0].items[i]))
            training_at(names, &x->picks[0].items[i]);
}

/* Items are sorted by name, then worker. */
static const struct sm_rule_item *item_of(const struct sm_rule_at *x, uint32_t name,
                                          uint16_t worker)
{
    const struct sm_rule_item *items = x->picks[0].items;
    const char *wanted = sm_names_text(sm_trial_names(x->trial), name);
    size_t from = 0, to = x->picks[0].n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int order = strcmp(items[middle].name, wanted);
        if (order < 0 || (order == 0 && items[middle].worker < worker))
            from = middle + 1;
        else
            to = middle;
    }
    bool found =
        from < x->picks[0].n && items[from].tensor->name == name && items[from].worker == worker;
    return found ? &items[from] : NULL;
}

/* In EVAL a loss of the same name is that of validation, whatever the name says. */
static bool read_losses(struct sm_rule_at *x, const struct sm_fit_name *t, bool by_name,
                        struct sm_fit_losses *out)
{
    bool evaluates = !by_name && x->step.mode == SM_MODE_EVAL;
    const struct sm_rule_item *own = item_of(x, t->name, t->worker),
                              *train = evaluates ? NULL : own, *eval = evaluates ? own : NULL;
    if (!eval && t->validation)
        eval = item_of(x, t->validation - 1, t->worker);
    *out = (struct sm_fit_losses){.by_name = by_name || (eval && !evaluates)};
    if (!train && !eval)
        return false;
    out->it = (struct sm_rule_item){.tensor = sm_trial_tensor_of(x->trial, t->name),
                                    .name = sm_names_text(sm_trial_names(x->trial), t->name),
                                    .worker = t->worker};
    out->has_train = train && sm_rule_scalar(x, train, &out->train);
    out->has_eval = eval && sm_rule_scalar(x, eval, &out->eval);
    return out->has_train || out->has_eval;
}

/* A run of TensorBoard may be called after a mode: then all its steps are of that one. */
static bool has_no_modes(const struct sm_rule_at *x)
{
    return x->step.mode == SM_MODE_GLOBAL ||
           (x->step.mode == SM_MODE_TRAIN && sm_trial_traits(x->trial)->runs &&
            !sm_trial_has_mode(x->trial, SM_MODE_EVAL));
}

struct sm_fit_losses *sm_fit_losses_read(struct sm_rule_at *x, struct sm_fit_names *names,
                                         size_t *n)
{
    bool by_name = has_no_modes(x);
    *n = 0;
    if (!by_name && x->step.mode != SM_MODE_TRAIN && x->step.mode != SM_MODE_EVAL)
        return sm_xalloc_zero(1, sizeof(struct sm_fit_losses));
    note_names(x, names, by_name);
    struct sm_fit_losses *all = sm_xalloc_zero(names->n + 1, sizeof *all);
    for (size_t i = 0; i < names->n; i++)
        *n += read_losses(x, &names->training[i], by_name, &all[*n]);
    if (!x->waiting)
        return all;
    sm_free(all);
    return NULL;
}

bool sm_fit_window_add(struct sm_fit_window *w, const struct sm_fit_losses *l, double *train,
                       double *eval)
{
    struct sm_fit_window with = *w;
    with.train += l->has_train ? l->train : 0;
    with.eval += l->has_eval ? l->eval : 0;
    with.n_train += l->has_train;
    with.n_eval += l->has_eval;
    const struct sm_fit_window *of = l->by_name ? &with : w;
    bool ends = of->n_train && of->n_eval && (l->by_name || (w->validated && l->has_train));
    *train = ends ? of->train / (double)of->n_train : (double)NAN;
    *eval = ends ? of->eval / (double)of->n_eval : (double)NAN;
    if (ends && l->by_name)
        with = (struct sm_fit_window){0};
    else if (ends)
        with = (struct sm_fit_window){.train = l->train, .n_train = 1};
    with.exceeded = w->exceeded;
    with.validated = l->has_eval;
    *w = with;
    return ends;
}

struct fit_state {
    struct sm_rule_records tensors;
    struct sm_fit_names names;
};

static void clear_fit(void *state)
{
    sm_memory_clear(&((struct fit_state *)state)->tensors);
    sm_fit_names_clear(&((struct fit_state *)state)->names);
}

/* ---- Overfit ---- */

static void note_ratio(struct sm_rule_at *x, const struct sm_rule_item *it, struct sm_fit_window *w,
                       double train, double eval)
{
    double limit = x->p[SM_OVERFIT_RATIO].number, ratio = (eval - train) / fabs(train);
    if (train == 0 && !(eval > 0))
        return;
    ratio = train == 0 ? (double)INFINITY : ratio;
    w->exceeded = ratio > limit ? w->exceeded + 1 : 0;
    sm_rule_note(
        x, it, ratio, limit, (double)w->exceeded >= x->p[SM_OVERFIT_PATIENCE].number,
        "mean val %.6g, mean train %.6g, ratio %.6g, limit %g (%llu in a row, patience %g)", eval,
        train, ratio, limit, (unsigned long long)w->exceeded, x->p[SM_OVERFIT_PATIENCE].number);
}

static void judge_fit(struct sm_rule_at *x, const struct sm_fit_losses *l)
{
    struct fit_state *s = x->state;
    struct sm_fit_window *w = sm_rule_record_of(&s->tensors, &l->it, sizeof *w);
    double train, eval;
    if (sm_fit_window_add(w, l, &train, &eval))
        note_ratio(x, &l->it, w, train, eval);
}

void sm_fit_note_missing(struct sm_rule_at *x, const struct sm_fit_names *names)
{
    if (!names->validated && !sm_trial_has_mode(x->trial, SM_MODE_EVAL))
        sm_rule_skip(x, "no EVAL step was saved, so there is nothing to compare with");
}

static void judge_overfit(struct sm_rule_at *x)
{
    size_t n;
    if ((double)x->step.step.n < x->p[SM_OVERFIT_START].number)
        return;
    struct fit_state *s = x->state;
    struct sm_fit_losses *all = sm_fit_losses_read(x, &s->names, &n);
    for (size_t i = 0; all && i < n; i++)
        judge_fit(x, &all[i]);
    if (all)
        sm_fit_note_missing(x, &s->names);
    sm_free(all);
}

static const struct sm_rule_param overfit_params[] = {
    {.name = "tensor_regex",
     .type = SM_RULE_PATTERN,
     .help = "patterns of losses; default: collection losses"},
    {.name = "start_step",
     .type = SM_RULE_INT,
     .initial = "0",
     .max = 1e15,
     .unit = "steps",
     .help = "ignore everything before this step"},
    {.name = "patience",
     .type = SM_RULE_INT,
     .initial = "1",
     .min = 1,
     .max = 1e9,
     .unit = "evaluations",
     .help = "consecutive evaluations above the limit"},
    {.name = "ratio_threshold",
     .type = SM_RULE_NUMBER,
     .initial = "0.1",
     .help = "limit of (mean validation - mean train) / |mean train|"},
    {0},
};
const struct sm_rule sm_rule_overfit = {
    .name = "overfit",
    .class_name = "Overfit",
    .summary = "The validation loss is far above the training loss",
    .fires = "(E - T)/|T| > ratio_threshold at `patience` consecutive evaluations; T and E are the "
             "means of a loss in TRAIN and EVAL since the last evaluation, and an evaluation takes "
             "place at the first saved TRAIN step after EVAL steps. A loss of EVAL belongs to the "
             "one of "
             "the same name in TRAIN, else the names tell: a "
             "loss and its val_loss, train/X and eval/X, train-X and validation-X. Where both are "
             "in TRAIN or there are no modes, each value of validation is an evaluation",
    .advice = "Regularise, use more data, augmentation or early stopping.",
    .saves = "losses, TRAIN and EVAL (100/10)",
    .automatic = "",
    .params = overfit_params,
    .picks = {{.regex = "tensor_regex", .collection = "losses"}},
    .state_size = sizeof(struct fit_state),
    .judge = judge_overfit,
    .clear = clear_fit,
    .how_auto = &sm_auto_overfit,
};

/* ---- Overtraining ---- */

enum { OVERTRAIN_TRAIN, OVERTRAIN_VALIDATION, OVERTRAIN_DELTA };

struct best {
    bool any;
    double value;
    int64_t step;
    uint64_t without; /* values since the best one */
};
struct bests {
    struct best train, eval;
};

/* NaN and infinities are no improvement, and never the best. */
static void update_best(struct best *b, double v, double delta, int64_t step)
{
    bool better = isfinite(v) && (!b->any || v < b->value - delta);
    b->without = better ? 0 : b->without + 1;
    b->value = better ? v : b->value;
    b->step = better ? step : b->step;
    b->any = b->any || better;
}

static void add_best(struct sm_str *out, const char *what, const struct best *b)
{
    if (b->any)
        sm_str_printf(out, "best %s %.6g @ %lld", what, b->value, (long long)b->step);
    else
        sm_str_printf(out, "no finite %s", what);
}

static void note_bests(struct sm_rule_at *x, const struct sm_rule_item *it, const struct bests *b,
                       bool over)
{
    struct sm_str text = {0};
    if (sm_rule_wants_text(x, over)) {
        add_best(&text, "train", &b->train);
        sm_str_add(&text, ", ");
        add_best(&text, "val", &b->eval);
    }
    sm_rule_note(
        x, it, (double)b->eval.without, x->p[OVERTRAIN_VALIDATION].number, over,
        "no improvement > %g for %llu saved TRAIN and %llu saved EVAL steps, limits %g and "
        "%g (%s)",
        x->p[OVERTRAIN_DELTA].number, (unsigned long long)b->train.without,
        (unsigned long long)b->eval.without, x->p[OVERTRAIN_TRAIN].number,
        x->p[OVERTRAIN_VALIDATION].number, sm_str_text(&text));
    sm_str_clear(&text);
}

static void judge_losses(struct sm_rule_at *x, bool remarks)
{
    struct fit_state *s = x->state;
    double delta = x->p[OVERTRAIN_DELTA].number;
    size_t n;
    struct sm_fit_losses *all = sm_fit_losses_read(x, &s->names, &n);
    for (size_t i = 0; all && i < n; i++) {
        struct bests *b = sm_rule_record_of(&s->tensors, &all[i].it, sizeof *b);
        if (all[i].has_train)
            update_best(&b->train, all[i].train, delta, x->step.step.n);
        if (all[i].has_eval)
            update_best(&b->eval, all[i].eval, delta, x->step.step.n);
        if (all[i].by_name && !b->eval.any && !b->eval.without)
            continue; /* no loss of validation was seen yet */
        bool over = (double)b->train.without >= x->p[OVERTRAIN_TRAIN].number &&
                    (double)b->eval.without >= x->p[OVERTRAIN_VALIDATION].number;
        if (remarks && over)
            sm_rule_remark(x, &all[i].it, 0, "improves neither in TRAIN nor in EVAL any more");
        note_bests(x, &all[i].it, b, over && !remarks);
    }
    sm_free(all);
}

static void judge_overtraining(struct sm_rule_at *x)
{
    judge_losses(x, false);
}

static void judge_leniently(struct sm_rule_at *x)
{
    judge_losses(x, true);
}

static const struct sm_rule_auto auto_overtraining = {
    .differs = "it never fires: that a loss improves no more is a remark",
    .state_size = sizeof(struct fit_state),
    .judge = judge_leniently,
    .clear = clear_fit,
};

static const struct sm_rule_param overtraining_params[] = {
    {.name = "patience_train",
     .type = SM_RULE_INT,
     .initial = "5",
     .min = 1,
     .max = 1e9,
     .unit = "saved values",
     .help = "TRAIN losses without improvement"},
    {.name = "patience_validation",
     .type = SM_RULE_INT,
     .initial = "10",
     .min = 1,
     .max = 1e9,
     .unit = "saved values",
     .help = "EVAL losses without improvement"},
    {.name = "delta",
     .type = SM_RULE_NUMBER,
     .initial = "0.01",
     .max = INFINITY,
     .help = "smallest improvement that counts"},
    {0},
};
const struct sm_rule sm_rule_overtraining = {
    .name = "overtraining",
    .class_name = "Overtraining",
    .summary = "Neither the training nor the validation loss improves any more",
    .fires = "a loss has not improved by more than delta for patience_train saved TRAIN values and "
             "patience_validation saved EVAL values",
    .advice = "Stop early; use the checkpoint closest to the best validation step.",
    .saves = "losses, TRAIN and EVAL",
    .automatic = "",
    .params = overtraining_params,
    .picks = {{.collection = "losses"}},
    .state_size = sizeof(struct fit_state),
    .judge = judge_overtraining,
    .clear = clear_fit,
    .how_auto = &auto_overtraining,
};
