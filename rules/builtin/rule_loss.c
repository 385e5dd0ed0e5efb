/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about a single loss. */
#include "rules/builtin/rule_list.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* ---- LossNotDecreasing ---- */

enum {
    LND_COLLECTIONS,
    LND_REGEX,
    LND_USE_LOSSES,
    LND_STEPS,
    LND_DIFF,
    LND_INCREASE,
    LND_MODE,
    LND_STALL
};

/* The last check of a tensor. */
struct loss_record {
    bool begun;
    enum sm_mode mode;
    int64_t last; /* step, counted in the mode */
    double lowest;
    unsigned stalled; /* consecutive checks without a new lowest loss */
};
struct losses_state {
    struct sm_rule_records tensors;
};
/* The values of one check, read before the record is changed. */
struct check {
    struct loss_record *record;
    double now, before;
    int64_t then;
    bool due;
};

/* auto: the first of EVAL, TRAIN and GLOBAL in which the tensor has been saved. */
static enum sm_mode mode_for(const struct sm_rule_value *asked, const struct sm_trial_tensor *t)
{
    if (asked->number != SM_MODE_ANY)
        return (enum sm_mode)asked->number;
    return t->modes & 1 << SM_MODE_EVAL    ? SM_MODE_EVAL
           : t->modes & 1 << SM_MODE_TRAIN ? SM_MODE_TRAIN
                                           : SM_MODE_GLOBAL;
}

/* Reads the values of a check; not due if this is not a step for one, or values are missing. */
static struct check read_check(struct sm_rule_at *x, const struct sm_rule_item *it)
{
    struct losses_state *s = x->state;
    struct check c = {.record = sm_rule_record_of(&s->tensors, it, sizeof *c.record)};
    enum sm_mode mode = mode_for(&x->p[LND_MODE], it->tensor);
    int64_t steps = (int64_t)x->p[LND_STEPS].number, here = sm_rule_current_step(x, mode);
    if (c.record->mode != mode)
        *c.record = (struct loss_record){.mode = mode};
    if (mode != SM_MODE_GLOBAL && x->step.mode != mode)
        return c;
    if (c.record->begun && here - c.record->last < steps)
        return c;
    if (!sm_rule_scalar(x, it, &c.now))
        return c;
    struct sm_entry e = sm_rule_previous_entry(x, it, mode, here - steps + 1);
    c.due = sm_entry_exists(&e) && sm_rule_scalar_of(x, &e, &c.before);
    c.then = sm_entry_exists(&e) ? sm_rule_entry_step(x->trial, &e, SM_MODE_GLOBAL) : 0;
    return c;
}

/* Counts consecutive checks without a new lowest loss; true from stall_checks on. */
static bool is_stalled(const struct sm_rule_at *x, const struct check *c)
{
    struct loss_record *m = c->record;
    double lowest = m->begun ? m->lowest : c->before;
    if (!isfinite(lowest)) /* NaN and infinities are no losses to compare with */
        lowest = isfinite(c->before) ? c->before : DBL_MAX;
    bool lower = c->now < lowest - fabs(lowest) * x->p[LND_DIFF].number / 100;
    m->stalled = lower ? 0 : m->stalled + 1;
    m->lowest = c->now < lowest ? c->now : lowest;
    return x->p[LND_STALL].number > 0 && m->stalled >= x->p[LND_STALL].number;
}

static bool is_rising(const struct sm_rule_at *x, const struct check *c, double change)
{
    if (!isfinite(c->now))
        return true;
    if (c->before == 0)
        return c->now >= 0;
    if (c->now > c->before)
        return change > x->p[LND_INCREASE].number;
    return c->now == c->before || -change < x->p[LND_DIFF].number;
}

static void judge_check(struct sm_rule_at *x, const struct sm_rule_item *it, const struct check *c)
{
    double change = 100 * (c->now - c->before) / fabs(c->before);
    bool rising = is_rising(x, c, change), stalled = is_stalled(x, c);
    int64_t here = sm_rule_current_step(x, c->record->mode);
    c->record->begun = true;
    c->record->last = here;
    char before[32], now[32], percent[32], by[48] = "";
    sm_format_double(c->before, 6, before);
    sm_format_double(c->now, 6, now);
    sm_format_double(change, 6, percent);
    if (isfinite(change))
        snprintf(by, sizeof by, ", %s%s%%", change > 0 ? "+" : "", percent);
    const char *why = !isfinite(c->now)              ? "not finite"
                      : rising && c->now > c->before ? "rose too much"
                      : rising                       ? "fell too little"
                      : stalled                      ? "no new lowest"
                                                     : "fine";
    sm_rule_note(
        x, it, change, c->now > c->before ? x->p[LND_INCREASE].number : -x->p[LND_DIFF].number,
        rising || stalled,
        "%s (step %lld) to %s (step %lld, %s)%s: %s, limits +%g%%, -%g%%, %g checks", before,
        (long long)c->then, now, (long long)x->step.step.n, sm_mode_name((int)c->record->mode), by,
        why, x->p[LND_INCREASE].number, x->p[LND_DIFF].number, x->p[LND_STALL].number);
}

static void judge_losses(struct sm_rule_at *x)
{
    size_t n = x->picks[0].n;
    struct check *checks = sm_xalloc_zero(n + 1, sizeof *checks);
    for (size_t i = 0; i < n; i++)
        checks[i] = read_check(x, &x->picks[0].items[i]);
    for (size_t i = 0; i < n && !x->waiting; i++)
        if (checks[i].due)
            judge_check(x, &x->picks[0].items[i], &checks[i]);
    sm_free(checks);
}

static void clear_losses(void *state)
{
    sm_memory_clear(&((struct losses_state *)state)->tensors);
}

static const struct sm_rule_param losses_params[] = {
    {.name = "collection_names",
     .type = SM_RULE_NAMES,
     .help = "additional collections to inspect"},
    {.name = "tensor_regex", .type = SM_RULE_PATTERN, .help = "patterns of additional tensors"},
    {.name = "use_losses_collection",
     .type = SM_RULE_BOOL,
     .initial = "True",
     .help = "also inspect collection losses"},
    {.name = "num_steps",
     .type = SM_RULE_INT,
     .initial = "10",
     .min = 1,
     .max = 1e15,
     .unit = "steps",
     .help = "check every N steps, against a value at least N steps before"},
    {.name = "diff_percent",
     .type = SM_RULE_NUMBER,
     .initial = "0.1",
     .max = 100,
     .unit = "%",
     .help = "smallest decrease that is accepted",
     .alias = "min_difference"},
    {.name = "increase_threshold_percent",
     .type = SM_RULE_NUMBER,
     .initial = "5",
     .max = 100,
     .unit = "%",
     .help = "largest increase that is accepted"},
    {.name = "mode",
     .type = SM_RULE_MODE,
     .initial = "auto",
     .help = "mode of the steps; auto: the first of EVAL, TRAIN, GLOBAL that the tensor has"},
    {.name = "stall_checks",
     .type = SM_RULE_INT,
     .initial = "3",
     .max = 1e9,
     .unit = "checks",
     .help = "consecutive checks without a new lowest loss; 0: off"},
    {0},
};
const struct sm_rule sm_rule_loss_not_decreasing = {
    .name = "loss_not_decreasing",
    .class_name = "LossNotDecreasing",
    .summary = "The loss no longer decreases",
    .fires =
        "at a check the loss rose by more than increase_threshold_percent, or did not rise but "
        "fell by less than diff_percent, or is not finite, or there was no new lowest loss at "
        "stall_checks consecutive checks",
    .advice = "Check learning rate, order of the data and labels; if it stays flat, stop early.",
    .saves = "losses (500)",
    .automatic = "",
    .params = losses_params,
    .picks = {{.collections = "collection_names",
               .regex = "tensor_regex",
               .collection = "losses",
               .use = "use_losses_collection"}},
    .state_size = sizeof(struct losses_state),
    .judge = judge_losses,
    .clear = clear_losses,
    .how_auto = &sm_auto_loss_not_decreasing,
};

/* ---- LossLimit ---- */

enum { LIMIT_LIMIT, LIMIT_PATIENCE, LIMIT_COLLECTIONS, LIMIT_MODE };

struct above {
    uint64_t in_a_row;
};

static void judge_limit(struct sm_rule_at *x)
{
    struct losses_state *s = x->state;
    double limit = x->p[LIMIT_LIMIT].number, patience = x->p[LIMIT_PATIENCE].number, v;
    for (size_t i = 0; i < x->picks[0].n; i++)
        sm_rule_scalar(x, &x->picks[0].items[i], &v);
    for (size_t i = 0; i < x->picks[0].n && !x->waiting; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        enum sm_mode mode = mode_for(&x->p[LIMIT_MODE], it->tensor);
        if ((mode != SM_MODE_GLOBAL && x->step.mode != mode) || !sm_rule_scalar(x, it, &v))
            continue;
        struct above *m = sm_rule_record_of(&s->tensors, it, sizeof *m);
        m->in_a_row = v > limit || !isfinite(v) ? m->in_a_row + 1 : 0;
        sm_rule_note(x, it, v, limit, (double)m->in_a_row >= patience,
                     "loss %.6g, limit %g, %llu in a row", v, limit,
                     (unsigned long long)m->in_a_row);
    }
}

static const struct sm_rule_param limit_params[] = {
    {.name = "limit", .type = SM_RULE_NUMBER, .required = true, .help = "largest loss allowed"},
    {.name = "patience",
     .type = SM_RULE_INT,
     .initial = "1",
     .min = 1,
     .max = 1e9,
     .unit = "saved losses",
     .help = "consecutive losses above the limit"},
    {.name = "collection_names",
     .type = SM_RULE_NAMES,
     .initial = "losses",
     .help = "collections to inspect"},
    {.name = "mode",
     .type = SM_RULE_MODE,
     .initial = "auto",
     .help = "mode of the steps; auto: the first of EVAL, TRAIN, GLOBAL that the tensor has"},
    {0},
};
const struct sm_rule sm_rule_loss_limit = {
    .name = "loss_limit",
    .class_name = "LossLimit",
    .group = SM_RULE_EXTRA,
    .summary = "The loss exceeds a limit",
    .fires = "`patience` consecutive saved losses are above limit or not finite",
    .advice = "Stop the job and check its learning rate.",
    .saves = "losses",
    .params = limit_params,
    .picks = {{.collections = "collection_names"}},
    .state_size = sizeof(struct losses_state),
    .judge = judge_limit,
    .clear = clear_losses,
};

/* ---- LossPlateau ---- */

enum { PLATEAU_WINDOW, PLATEAU_RANGE, PLATEAU_COLLECTIONS, PLATEAU_MODE };

struct span {
    double least, most, sum;
    size_t n;
};

static bool add_loss(struct sm_rule_at *x, const struct sm_entry *e, struct span *s)
{
    double v;
    if (!sm_rule_scalar_of(x, e, &v))
        return false;
    s->least = !s->n || v < s->least ? v : s->least;
    s->most = !s->n || v > s->most ? v : s->most;
    s->sum += v;
    s->n++;
    return true;
}

static void judge_plateau(struct sm_rule_at *x)
{
    size_t window = (size_t)x->p[PLATEAU_WINDOW].number;
    double limit = x->p[PLATEAU_RANGE].number;
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        enum sm_mode mode = mode_for(&x->p[PLATEAU_MODE], it->tensor);
        struct span s = {0};
        int64_t below = sm_rule_current_step(x, mode);
        if (mode != SM_MODE_GLOBAL && x->step.mode != mode)
            continue;
        struct sm_entry e = it->value;
        while (sm_entry_exists(&e) && s.n < window && add_loss(x, &e, &s)) {
            e = sm_rule_previous_entry(x, it, mode, below);
            below = sm_entry_exists(&e) ? sm_rule_entry_step(x->trial, &e, mode) : below;
        }
        if (s.n < window)
            continue;
        double range = (s.most - s.least) / fabs(s.sum / (double)s.n);
        sm_rule_note(x, it, range, limit, range < limit,
                     "the last %zu losses differ by %.4g of their mean, limit %g", window, range,
                     limit);
    }
}

static const struct sm_rule_param plateau_params[] = {
    {.name = "window",
     .type = SM_RULE_INT,
     .initial = "10",
     .min = 2,
     .max = 10000,
     .unit = "saved losses",
     .help = "number of losses compared"},
    {.name = "rel_range",
     .type = SM_RULE_NUMBER,
     .initial = "0.001",
     .max = INFINITY,
     .help = "smallest (max - min) / |mean| allowed"},
    {.name = "collection_names",
     .type = SM_RULE_NAMES,
     .initial = "losses",
     .help = "collections to inspect"},
    {.name = "mode", .type = SM_RULE_MODE, .initial = "train", .help = "mode of the steps"},
    {0},
};
const struct sm_rule sm_rule_loss_plateau = {
    .name = "loss_plateau",
    .class_name = "LossPlateau",
    .group = SM_RULE_EXTRA,
    .summary = "The loss hardly changes",
    .fires = "(max - min) / |mean| of the last `window` saved losses is below rel_range",
    .advice = "Stop the job, or change its learning rate.",
    .saves = "losses",
    .params = plateau_params,
    .picks = {{.collections = "collection_names"}},
    .judge = judge_plateau,
};
