/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the elements of any tensor. */
#include "reader/tensor/statistic_list.h"
#include "rules/builtin/close.h"
#include "rules/builtin/rule_list.h"

#include <math.h>
#include <stdlib.h>

#define COLLECTIONS                                                                                \
    {                                                                                              \
        .name = "collection_names", .type = SM_RULE_NAMES, .help = "collections to inspect"        \
    }
#define PATTERNS                                                                                   \
    {                                                                                              \
        .name = "tensor_regex", .type = SM_RULE_PATTERN,                                           \
        .help = "patterns of tensor names to inspect"                                              \
    }

/* ---- ExplodingTensor ---- */

enum { ONLY_NAN = 2 };

/* If no value was saved, saved reductions can show NaN and infinity too. */
static void judge_saved_reductions(struct sm_rule_at *x, const struct sm_rule_item *it)
{
    static const int reductions[] = {SM_REDUCE_MEAN, SM_REDUCE_SUM, SM_REDUCE_L1,
                                     SM_REDUCE_L2,   SM_REDUCE_MIN, SM_REDUCE_MAX};
    for (size_t k = 0; k < sizeof reductions / sizeof *reductions; k++) {
        struct sm_entry e = sm_trial_entry(x->trial, it->tensor, x->step.step, it->worker,
                                           SM_ENTRY_REDUCTION, reductions[k]);
        double v;
        if (!sm_entry_exists(&e) || !sm_rule_scalar_of(x, &e, &v))
            continue;
        bool bad = isnan(v) || (isinf(v) && !x->p[ONLY_NAN].number);
        char text[32];
        sm_format_double(v, 6, text);
        sm_rule_note(x, it, v, 0, bad, "%s is %s (saved reduction)",
                     sm_reduction_name(reductions[k]), text);
    }
}

/* args: only NaN. Number: flat index of the first NaN or infinite element. */
static void find_nonfinite(const struct sm_tensor *const *t, const double *args,
                           struct sm_numbers *out)
{
    struct sm_elements e = sm_elements(t[0]);
    double block[SM_BLOCK_ELEMENTS];
    if (!sm_numbers_alloc(out, 1))
        return;
    uint64_t at = 0;
    for (size_t n; (n = sm_elements_read(&e, at, block)) > 0; at += n)
        for (size_t i = 0; i < n; i++)
            if (isnan(block[i]) || (isinf(block[i]) && !args[0])) {
                uint64_t element = (at + i) / (e.n / t[0]->n);
                out->v[0] = (double)element;
                return;
            }
}

static void judge_exploding_item(struct sm_rule_at *x, const struct sm_rule_item *it)
{
    double only_nan = x->p[ONLY_NAN].number;
    const struct sm_facts *f;
    const struct sm_numbers *first;
    if (!sm_entry_exists(&it->value)) {
        judge_saved_reductions(x, it);
        return;
    }
    if (!sm_rule_facts(x, it, &f) || !f->has_stats || !f->n)
        return;
    uint64_t bad = f->stats.nan + (only_nan ? 0 : f->stats.pos_inf + f->stats.neg_inf);
    struct sm_str where = {0};
    if (bad && f->n > 1) {
        if (!sm_rule_measure(x, find_nonfinite, &only_nan, 1, &it->value, 1, &first))
            return;
        sm_str_add(&where, "; first at [");
        sm_rule_add_index(&where, f, (uint64_t)first->v[0]);
        sm_str_add(&where, "]");
    }
    sm_rule_note(x, it, (double)bad, 0, bad > 0, "%llu NaN, %llu +Inf, %llu -Inf of %llu%s",
                 (unsigned long long)f->stats.nan, (unsigned long long)f->stats.pos_inf,
                 (unsigned long long)f->stats.neg_inf, (unsigned long long)f->n,
                 sm_str_text(&where));
    sm_str_clear(&where);
}

static void judge_exploding(struct sm_rule_at *x)
{
    for (size_t i = 0; i < x->picks[0].n; i++)
        judge_exploding_item(x, &x->picks[0].items[i]);
}

/* By worker, then in the order in which they were written: the first finding is where it began. */
static int by_writing(const void *a, const void *b)
{
    const struct sm_rule_item *x = *(const struct sm_rule_item *const *)a,
                              *y = *(const struct sm_rule_item *const *)b;
    if (x->worker != y->worker)
        return x->worker < y->worker ? -1 : 1;
    unsigned at_x = sm_entry_exists(&x->value) ? x->value.seq : UINT16_MAX,
             at_y = sm_entry_exists(&y->value) ? y->value.seq : UINT16_MAX;
    return (at_x > at_y) - (at_x < at_y);
}

static void judge_in_order(struct sm_rule_at *x)
{
    size_t n = x->picks[0].n;
    const struct sm_rule_item **order = sm_xalloc((n + 1) * sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = &x->picks[0].items[i];
    qsort(order, n, sizeof *order, by_writing);
    for (size_t i = 0; i < n; i++)
        if (strncmp(order[i]->name, "callbacks.", strlen("callbacks.")) != 0)
            judge_exploding_item(x, order[i]);
    sm_free(order);
}

/* All of them are finite. */
static bool count_finite(struct sm_rule_at *x, const struct sm_rule_stretch *s)
{
    for (size_t k = 0; k < s->n; k++)
        sm_rule_count(x, s->spans[k].to - s->spans[k].from);
    return true;
}

static const struct sm_rule_auto auto_exploding = {
    .differs = "the tensors of a step are judged in the order in which they were written, so that "
               "the first finding is where it began; state of callbacks (Lightning's best score "
               "is infinite at first) is left out",
    .judge = judge_in_order,
};

static const struct sm_rule_param exploding_params[] = {
    COLLECTIONS,
    PATTERNS,
    {.name = "only_nan",
     .type = SM_RULE_BOOL,
     .initial = "False",
     .help = "report NaN only, not infinities"},
    {0},
};
const struct sm_rule sm_rule_exploding_tensor = {
    .name = "exploding_tensor",
    .class_name = "ExplodingTensor",
    .fatal = true,
    .summary = "A tensor holds NaN or infinite values",
    .fires =
        "an element of a selected tensor is NaN, or infinite unless only_nan is set; by default "
        "all tensors except those of collection trees are selected. Saved reductions are used "
        "where no value was saved",
    .advice =
        "Lower the learning rate, clip gradients; check the loss for log(0) and division by 0.",
    .saves = "the tensors to inspect",
    .automatic = "",
    .params = exploding_params,
    .picks = {{.collections = "collection_names",
               .regex = "tensor_regex",
               .all = true,
               .except = "trees"}},
    .judge = judge_exploding,
    .judge_stretch = count_finite,
    .how_auto = &auto_exploding,
};

/* ---- AllZero ---- */

enum { ZERO_THRESHOLD = 2 };

/* 1 if the reduction was saved, -1 while it is being read. */
static int read_saved(struct sm_rule_at *x, const struct sm_rule_item *it, int reduction,
                      double *out)
{
    struct sm_entry e = sm_trial_entry(x->trial, it->tensor, x->step.step, it->worker,
                                       SM_ENTRY_REDUCTION, reduction);
    return !sm_entry_exists(&e) ? 0 : sm_rule_scalar_of(x, &e, out) ? 1 : -1;
}

/* A saved minimum and maximum that are 0 prove that all elements are 0, as does a maximum of |x|.
 */
static void judge_zero_maximum(struct sm_rule_at *x, const struct sm_rule_item *it)
{
    double least, most, limit = x->p[ZERO_THRESHOLD].number;
    int low = limit == 100 ? read_saved(x, it, SM_REDUCE_MIN, &least) : 0,
        high = limit == 100 ? read_saved(x, it, SM_REDUCE_MAX, &most) : 0;
    if (low && high) {
        if (low > 0 && high > 0)
            sm_rule_note(x, it, least == 0 && most == 0 ? 100 : 0, limit, least == 0 && most == 0,
                         "smallest %.6g, largest %.6g (saved reductions)", least, most);
        return;
    }
    if (limit == 100 && sm_rule_reduction(x, it, SM_REDUCE_MAX | SM_REDUCE_ABS, &most))
        sm_rule_note(x, it, most == 0 ? 100 : 0, limit, most == 0,
                     "largest |x| is %.6g (saved reduction)", most);
}

static void judge_all_zero(struct sm_rule_at *x)
{
    double limit = x->p[ZERO_THRESHOLD].number;
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        const struct sm_facts *f;
        if (!sm_entry_exists(&it->value)) {
            judge_zero_maximum(x, it);
            continue;
        }
        if (!sm_rule_facts(x, it, &f) || !f->has_stats || !f->n)
            continue;
        double share = 100 * (double)f->stats.zero / (double)f->n;
        sm_rule_note(x, it, share, limit, share >= limit,
                     "%.1f%% of %llu values are zero, limit %g%%", share, (unsigned long long)f->n,
                     limit);
    }
}

static const struct sm_rule_param all_zero_params[] = {
    COLLECTIONS,
    PATTERNS,
    {.name = "threshold",
     .type = SM_RULE_NUMBER,
     .initial = "100",
     .max = 100,
     .unit = "%",
     .help = "fires from this share of zeros"},
    {0},
};
const struct sm_rule sm_rule_all_zero = {
    .name = "all_zero",
    .class_name = "AllZero",
    .summary = "All or most elements of a tensor are zero",
    .fires = "at least threshold percent of a selected tensor's elements are 0 (-0.0 is zero, NaN "
             "is not)",
    .advice = "Check for dead activations, a wrong initialiser or a masked input.",
    .saves = "the tensors to inspect",
    .automatic = "collection_names=gradients tensor_regex=_output",
    .params = all_zero_params,
    .picks = {{.collections = "collection_names", .regex = "tensor_regex", .required = true}},
    .judge = judge_all_zero,
    .how_auto = &sm_auto_all_zero,
};

/* ---- TensorVariance ---- */

enum { VARIANCE_MAX = 2, VARIANCE_MIN };

static void judge_variance(struct sm_rule_at *x)
{
    const struct sm_rule_value *most = &x->p[VARIANCE_MAX], *least = &x->p[VARIANCE_MIN];
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        const struct sm_facts *f;
        double v;
        if (sm_entry_exists(&it->value) && (!sm_rule_facts(x, it, &f) || f->n == 1))
            continue;
        if (!sm_rule_reduction(x, it, SM_REDUCE_VARIANCE, &v))
            continue;
        bool high = most->set && v > most->number, low = least->set && v < least->number;
        double limit = high || !least->set ? most->number : least->number;
        sm_rule_note(x, it, v, limit, high || low, "variance %.6g %s %g", v,
                     high  ? ">"
                     : low ? "<"
                           : "is within",
                     limit);
    }
}

static bool check_variance(const struct sm_rule_value *p, struct sm_err *err)
{
    return p[VARIANCE_MAX].set || p[VARIANCE_MIN].set ||
           sm_err_set(err, SM_ERR_USAGE, "nothing to check: give max_threshold or min_threshold");
}

static const struct sm_rule_param variance_params[] = {
    COLLECTIONS,
    PATTERNS,
    {.name = "max_threshold", .type = SM_RULE_NUMBER, .help = "largest variance allowed"},
    {.name = "min_threshold", .type = SM_RULE_NUMBER, .help = "smallest variance allowed"},
    {0},
};
const struct sm_rule sm_rule_tensor_variance = {
    .name = "tensor_variance",
    .class_name = "TensorVariance",
    .summary = "A tensor's variance is too high or too low",
    .fires = "the population variance of a selected tensor is above max_threshold or below "
             "min_threshold; scalars are left out",
    .advice =
        "Too high leads to saturation or explosion; too low means that neurons hardly differ.",
    .saves = "weights (500)",
    .automatic = "collection_names=weights max_threshold=10 min_threshold=1e-5",
    .params = variance_params,
    .picks = {{.collections = "collection_names", .regex = "tensor_regex", .required = true}},
    .check = check_variance,
    .judge = judge_variance,
    .how_auto = &sm_auto_tensor_variance,
};

/* ---- UnchangedTensor ---- */

enum { UNCHANGED_STEPS = 2, UNCHANGED_RTOL, UNCHANGED_ATOL, UNCHANGED_NAN };

/* 1: all earlier values are close to the current one; 0: one is not, or there are too few; -1:
 * waiting. */
static int is_unchanged(struct sm_rule_at *x, const struct sm_rule_item *it, enum sm_mode mode,
                        int64_t *first)
{
    double args[] = {x->p[UNCHANGED_RTOL].number, x->p[UNCHANGED_ATOL].number,
                     x->p[UNCHANGED_NAN].number};
    int unchanged = 1;
    int64_t below = sm_rule_current_step(x, mode);
    for (int64_t k = 1; k < (int64_t)x->p[UNCHANGED_STEPS].number; k++) {
        struct sm_entry e = sm_rule_previous_entry(x, it, mode, below);
        const struct sm_numbers *r;
        if (!sm_entry_exists(&e))
            return unchanged < 0 ? -1 : 0;
        below = sm_rule_entry_step(x->trial, &e, mode);
        *first = sm_rule_entry_step(x->trial, &e, SM_MODE_GLOBAL);
        if (!sm_rule_measure(x, sm_measure_all_close, args, 3, (struct sm_entry[]){e, it->value}, 2,
                             &r))
            unchanged = x->waiting ? -1 : 0;
        else if (unchanged > 0 && !r->v[SM_CLOSE_YES])
            unchanged = 0;
        if (unchanged == 0)
            return 0;
    }
    return unchanged;
}

static void judge_unchanged(struct sm_rule_at *x)
{
    enum sm_mode mode = sm_rule_training_mode(x);
    if (mode != SM_MODE_ANY && x->step.mode != mode)
        return;
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        int64_t first = 0;
        if (!sm_entry_exists(&it->value)) {
            sm_rule_skip(x, "needs the whole tensor, only reductions or a shape were saved");
            continue;
        }
        int same = is_unchanged(x, it, mode, &first);
        if (same >= 0)
            sm_rule_note(x, it, same, 1, same,
                         "%s over %.0f saved steps, %lld to %lld (rtol %g atol %g)",
                         same ? "unchanged" : "changed", x->p[UNCHANGED_STEPS].number,
                         (long long)first, (long long)x->step.step.n, x->p[UNCHANGED_RTOL].number,
                         x->p[UNCHANGED_ATOL].number);
    }
}

static const struct sm_rule_param unchanged_params[] = {
    COLLECTIONS,
    PATTERNS,
    {.name = "num_steps",
     .type = SM_RULE_INT,
     .initial = "3",
     .min = 2,
     .max = 1000,
     .unit = "saved steps",
     .help = "values compared, including the current one"},
    {.name = "rtol",
     .type = SM_RULE_NUMBER,
     .initial = "1e-5",
     .max = INFINITY,
     .help = "relative tolerance, as numpy.allclose"},
    {.name = "atol",
     .type = SM_RULE_NUMBER,
     .initial = "1e-8",
     .max = INFINITY,
     .help = "absolute tolerance"},
    {.name = "equal_nan", .type = SM_RULE_BOOL, .initial = "False", .help = "NaN equals NaN"},
    {0},
};
const struct sm_rule sm_rule_unchanged_tensor = {
    .name = "unchanged_tensor",
    .class_name = "UnchangedTensor",
    .summary = "A tensor stays the same over several saved steps",
    .fires = "each of the last num_steps saved values of a tensor is allclose to the current one; "
             "only TRAIN steps, if there are any",
    .advice = "Check whether the parameter is trained (frozen, not given to the optimizer, zero "
              "gradient) and whether the loss is stuck.",
    .saves = "the tensors to inspect",
    .automatic = "collection_names=weights",
    .params = unchanged_params,
    .picks = {{.collections = "collection_names", .regex = "tensor_regex", .required = true}},
    .judge = judge_unchanged,
    .how_auto = &sm_auto_unchanged_tensor,
};
