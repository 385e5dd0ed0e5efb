/* SPDX-License-Identifier: Apache-2.0 */
/* The join of time and steps. */
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/profile/profile.h"

bool sm_profile_span(const struct sm_profile *p, int64_t *from_ns, int64_t *to_ns)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    const struct sm_event_store *x = sm_profile_events(p);
    bool both = m->n_samples && x->n_events;
    if (!m->n_samples && !x->n_events)
        return false;
    *from_ns = both ? (m->first_ns < x->first_ns ? m->first_ns : x->first_ns)
                    : (x->n_events ? x->first_ns : m->first_ns);
    *to_ns = both ? (m->last_ns > x->last_ns ? m->last_ns : x->last_ns)
                  : (x->n_events ? x->last_ns : m->last_ns);
    return true;
}

static bool is_of(const struct sm_profile_step *s, enum sm_mode mode)
{
    return mode == SM_MODE_ANY || s->mode == mode;
}

bool sm_profile_steps_in(const struct sm_profile *p, enum sm_mode mode, int64_t from_ns,
                         int64_t to_ns, int32_t *first, int32_t *last)
{
    const struct sm_event_store *x = sm_profile_events(p);
    int64_t early;
    bool any = false;
    if (__builtin_sub_overflow(from_ns, x->longest_step_ns, &early))
        early = INT64_MIN;
    for (size_t i = sm_event_step_at(x, early); i < x->n_steps; i++) {
        const struct sm_profile_step *s = &x->steps[i];
        if (s->start_ns >= to_ns)
            break;
        if (s->step < 0 || !is_of(s, mode) || (s->end_ns <= from_ns && s->start_ns < from_ns))
            continue;
        *first = any && *first < s->step ? *first : s->step;
        *last = any && *last > s->step ? *last : s->step;
        any = true;
    }
    return any;
}

bool sm_profile_step_time(const struct sm_profile *p, enum sm_mode mode, int32_t step,
                          int64_t *from_ns, int64_t *to_ns)
{
    const struct sm_step_span *s = sm_event_step_span(sm_profile_events(p), mode, step);
    if (!s)
        return false;
    *from_ns = s->from_ns;
    *to_ns = s->to_ns;
    return true;
}

bool sm_profile_step_durations(const struct sm_profile *p, enum sm_mode mode, double **out,
                               size_t *n)
{
    const struct sm_event_store *x = sm_profile_events(p);
    *n = 0;
    *out = sm_alloc(x->n_steps * sizeof **out);
    for (size_t i = 0; *out && i < x->n_steps; i++)
        if (is_of(&x->steps[i], mode))
            (*out)[(*n)++] = (double)(x->steps[i].end_ns - x->steps[i].start_ns);
    return *out;
}

enum sm_mode sm_profile_main_mode(const struct sm_profile *p)
{
    static const enum sm_mode order[] = {SM_MODE_TRAIN, SM_MODE_GLOBAL, SM_MODE_EVAL};
    const struct sm_event_store *x = sm_profile_events(p);
    bool has[SM_MODES] = {false};
    for (size_t i = 0; i < x->n_phases; i++) {
        enum sm_mode mode;
        if (sm_phase_is_step(sm_names_text(x->names, x->phases[i].name), &mode))
            has[mode] = true;
    }
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (has[order[i]])
            return order[i];
    return SM_MODE_PREDICT;
}
