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
    if (!before || before->kind != e->kind)
        return !before || e->kind == SM_ENTRY_VALUE;
    return sm_trial_part(t, before->part)->worker == sm_trial_part(t, e->part)->worker;
}

/* The same worker saved another record of the name later in the step. */
static bool has_later_record(const struct sm_trial *t, const struct sm_trial_tensor *x, size_t i)
{
    const struct sm_entry *e = &x->entries[i];
    const struct sm_part *p = sm_trial_part(t, e->part);
    for (size_t k = i + 1; k < x->n_entries; k++) {
        const struct sm_part *other = sm_trial_part(t, x->entries[k].part);
        if (other->step.n != p->step.n || other->worker != p->worker)
            return false;
        if (!other->replaced && x->entries[k].kind == e->kind &&
            x->entries[k].reduction == e->reduction)
            return true;
    }
    return false;
}

static struct sm_brief brief_at(const struct sm_trial_tensor *x, size_t i)
{
    return x->briefs ? x->briefs[i] : (struct sm_brief){0};
}

/* Of equal numbers the first one counts. */
static void add_number(const struct sm_step_values_spec *spec, const struct sm_entry *e,
                       const struct sm_brief *b, struct sm_step_values *out)
{
    if (!(b->flags & SM_BRIEF_READ))
        return;
    double y = sm_step_value_number(e, b, spec->statistic), most = sm_brief_abs_max(b);
    if (!isnan(y) && (!out->low || y < out->low_v)) {
        out->low = e;
        out->low_v = y;
    }
    if (!isnan(y) && (!out->high || y > out->high_v)) {
        out->high = e;
        out->high_v = y;
    }
    most = isnan(most) ? -1 : most;
    if (isnan(y) && (!out->other || most > out->other_v)) {
        out->other = e;
        out->other_v = most;
    }
}

static void forget_numbers(struct sm_step_values *out)
{
    out->low = out->high = out->other = NULL;
}

static void consider(struct sm_step_values *out, const struct sm_entry *e, double distance)
{
    if (!e ||
        (out->far && (distance < out->distance || (distance == out->distance && e > out->far))))
        return;
    out->far = e;
    out->distance = distance;
}

static void choose_far(const struct sm_trial_tensor *x, const struct sm_step_values_spec *spec,
                       struct sm_step_values *out)
{
    out->far = NULL;
    consider(out, out->low, fabs(out->low_v - spec->centre));
    consider(out, out->high, fabs(out->high_v - spec->centre));
    consider(out, out->other, out->other_v);
    if (out->far)
        out->far_brief = brief_at(x, (size_t)(out->far - x->entries));
}

static void add_value(const struct sm_trial *t, const struct sm_trial_tensor *x,
                      const struct sm_step_values_spec *spec, size_t i, struct sm_step_values *out)
{
    const struct sm_entry *e = &x->entries[i];
    struct sm_brief b = brief_at(x, i);
    bool shown = is_shown(t, out->shown, e);
    if (shown && (!out->shown || spec->first_only || out->shown->kind != e->kind))
        forget_numbers(out);
    if (shown) {
        out->shown = e;
        out->brief = b;
    }
    if ((shown || (!spec->first_only && e->kind == out->shown->kind)) && !has_later_record(t, x, i))
        add_number(spec, e, &b, out);
    if (!(b.flags & SM_BRIEF_SETTLED))
        out->unread = e;
    int rank = sm_brief_rank(&b);
    if (rank >= 2 && (!out->bad || rank > sm_brief_rank(&out->bad_brief))) {
        out->bad = e;
        out->bad_brief = b;
    }
}

bool sm_step_values_next(const struct sm_trial *t, const struct sm_trial_tensor *x,
                         const struct sm_step_values_spec *spec, size_t *at, size_t to,
                         struct sm_step_values *out)
{
    out->shown = out->bad = out->unread = NULL;
    forget_numbers(out);
    out->brief = (struct sm_brief){0};
    for (; *at < to; ++*at) {
        const struct sm_entry *e = &x->entries[*at];
        const struct sm_part *p = sm_trial_part(t, e->part);
        if (out->shown && p->step.n != out->step.n)
            break;
        if (!is_candidate(e, p, spec))
            continue;
        out->step = p->step;
        add_value(t, x, spec, *at, out);
    }
    choose_far(x, spec, out);
    return out->shown;
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

static void replace_worst(struct sm_worst_value *w, const struct sm_entry *e,
                          const struct sm_brief *b, double distance)
{
    w->entry = e;
    w->brief = *b;
    w->distance = distance;
}

void sm_worst_value_add(struct sm_worst_value *w, const struct sm_step_values *v)
{
    w->unread = v->unread ? v->unread : w->unread;
    w->n++;
    w->failed += (v->brief.flags & SM_BRIEF_FAILED) != 0;
    if (v->bad) {
        if (!w->entry || sm_brief_rank(&v->bad_brief) >= sm_brief_rank(&w->brief))
            replace_worst(w, v->bad, &v->bad_brief, INFINITY);
    } else if (v->far && (!w->entry || v->distance >= w->distance)) {
        replace_worst(w, v->far, &v->far_brief, v->distance);
    }
}
