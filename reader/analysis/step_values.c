/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/step_values.h"

#include <math.h>

static bool is_candidate(const struct sm_entry *e, const struct sm_part *p,
                         const struct sm_step_values_spec *spec)
{
    bool saved = e->kind == SM_ENTRY_REDUCTION && spec->statistic->reduction != SM_REDUCE_NONE &&
                 e->reduction == (unsigned)spec->statistic->reduction;
    return !p->replaced && (e->kind == SM_ENTRY_VALUE || saved) &&
           (spec->worker == SM_WORKER_ANY || p->worker == spec->worker) &&
           (spec->mode == SM_MODE_ANY || p->mode == spec->mode);
}

/* Of one worker the last record, of several workers the first, and a value before a reduction; as
 * sm_trial_entry. */
static bool is_shown(const struct sm_trial *t, const struct sm_entry *before,
                     const struct sm_entry *e)
{
    if (before->kind != e->kind)
        return !sm_entry_exists(before) || e->kind == SM_ENTRY_VALUE;
    return sm_trial_part(t, before->part)->worker == sm_trial_part(t, e->part)->worker;
}

/* The same worker saved another record of the name later in the step. */
static bool has_later_record(const struct sm_trial *t, const struct sm_trial_tensor *x, size_t i)
{
    struct sm_entry e = sm_tensor_entry(t, x, i);
    const struct sm_part *p = sm_trial_part(t, e.part);
    for (size_t k = i + 1; k < x->n_entries; k++) {
        const struct sm_part *other = sm_tensor_part(t, x, k);
        if (other->step.n != p->step.n || other->worker != p->worker)
            return false;
        struct sm_entry later = sm_tensor_entry(t, x, k);
        if (!other->replaced && later.kind == e.kind && later.reduction == e.reduction)
            return true;
    }
    return false;
}

static bool is_there(size_t i)
{
    return i != SM_NO_STEP_VALUE;
}

/* Of equal numbers the first one counts. */
static void add_number(const struct sm_step_values_spec *spec, const struct sm_entry *e, size_t i,
                       const struct sm_brief *b, struct sm_step_values *out)
{
    if (!(b->flags & SM_BRIEF_READ))
        return;
    double y = sm_step_value_number(e, b, spec->statistic), most = sm_brief_abs_max(b);
    if (!isnan(y) && (!is_there(out->low) || y < out->low_v)) {
        out->low = i;
        out->low_v = y;
    }
    if (!isnan(y) && (!is_there(out->high) || y > out->high_v)) {
        out->high = i;
        out->high_v = y;
    }
    most = isnan(most) ? -1 : most;
    if (isnan(y) && (!is_there(out->other) || most > out->other_v)) {
        out->other = i;
        out->other_v = most;
    }
}

static void forget_numbers(struct sm_step_values *out)
{
    out->low = out->high = out->other = SM_NO_STEP_VALUE;
}

static void consider(struct sm_step_values *out, size_t i, double distance)
{
    if (!is_there(i) || (is_there(out->far) &&
                         (distance < out->distance || (distance == out->distance && i > out->far))))
        return;
    out->far = i;
    out->distance = distance;
}

static void choose_far(const struct sm_trial *t, const struct sm_trial_tensor *x,
                       const struct sm_step_values_spec *spec, struct sm_step_values *out)
{
    out->far = SM_NO_STEP_VALUE;
    consider(out, out->low, fabs(out->low_v - spec->centre));
    consider(out, out->high, fabs(out->high_v - spec->centre));
    consider(out, out->other, out->other_v);
    if (is_there(out->far))
        out->far_brief = sm_tensor_brief(t, x, out->far);
}

static void add_value(const struct sm_trial *t, const struct sm_trial_tensor *x,
                      const struct sm_step_values_spec *spec, size_t i, struct sm_step_values *out)
{
    struct sm_entry e = sm_tensor_entry(t, x, i);
    struct sm_brief b = sm_tensor_brief(t, x, i);
    struct sm_entry before =
        is_there(out->shown) ? sm_tensor_entry(t, x, out->shown) : sm_entry_none();
    bool shown = is_shown(t, &before, &e), same = before.kind == e.kind;
    if (shown && (spec->first_only || !same))
        forget_numbers(out);
    if (shown) {
        out->shown = i;
        out->brief = b;
    }
    if ((shown || (!spec->first_only && same)) && !has_later_record(t, x, i))
        add_number(spec, &e, i, &b, out);
    if (!(b.flags & SM_BRIEF_SETTLED))
        out->unread = i;
    int rank = sm_brief_rank(&b);
    if (rank >= 2 && (!is_there(out->bad) || rank > sm_brief_rank(&out->bad_brief))) {
        out->bad = i;
        out->bad_brief = b;
    }
}

bool sm_step_values_next(const struct sm_trial *t, const struct sm_trial_tensor *x,
                         const struct sm_step_values_spec *spec, size_t *at, size_t to,
                         struct sm_step_values *out)
{
    out->shown = out->bad = out->unread = SM_NO_STEP_VALUE;
    forget_numbers(out);
    out->brief = (struct sm_brief){0};
    for (; *at < to; ++*at) {
        struct sm_entry e = sm_tensor_entry(t, x, *at);
        const struct sm_part *p = sm_trial_part(t, e.part);
        if (is_there(out->shown) && p->step.n != out->step.n)
            break;
        if (!is_candidate(&e, p, spec))
            continue;
        out->step = p->step;
        add_value(t, x, spec, *at, out);
    }
    choose_far(t, x, spec, out);
    return is_there(out->shown);
}

bool sm_step_value_has(const struct sm_statistic *s)
{
    return s->reduction == SM_REDUCE_MEAN || s->reduction == (SM_REDUCE_ABS | SM_REDUCE_MEAN) ||
           s->reduction == (SM_REDUCE_ABS | SM_REDUCE_MAX);
}

double sm_step_value_number(const struct sm_entry *e, const struct sm_brief *b,
                            const struct sm_statistic *s)
{
    bool reduction = e->kind == SM_ENTRY_REDUCTION;
    if (!(b->flags & SM_BRIEF_NUMBERS) || (!reduction && !sm_step_value_has(s)))
        return (double)NAN;
    if (reduction || s->reduction == SM_REDUCE_MEAN)
        return sm_brief_mean(b);
    return s->reduction == (SM_REDUCE_ABS | SM_REDUCE_MEAN) ? sm_brief_abs_mean(b)
                                                            : sm_brief_abs_max(b);
}

static void replace_worst(struct sm_worst_value *w, struct sm_entry e, const struct sm_brief *b,
                          double distance)
{
    w->entry = e;
    w->brief = *b;
    w->distance = distance;
}

void sm_worst_value_add(struct sm_worst_value *w, const struct sm_trial *t,
                        const struct sm_trial_tensor *x, const struct sm_step_values *v)
{
    bool found = sm_entry_exists(&w->entry);
    if (is_there(v->unread))
        w->unread = sm_tensor_entry(t, x, v->unread);
    w->n++;
    w->failed += (v->brief.flags & SM_BRIEF_FAILED) != 0;
    if (is_there(v->bad)) {
        if (!found || sm_brief_rank(&v->bad_brief) >= sm_brief_rank(&w->brief))
            replace_worst(w, sm_tensor_entry(t, x, v->bad), &v->bad_brief, INFINITY);
    } else if (is_there(v->far) && (!found || v->distance >= w->distance)) {
        replace_worst(w, sm_tensor_entry(t, x, v->far), &v->far_brief, v->distance);
    }
}
