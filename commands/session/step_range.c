/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/step_range.h"

#include "commands/session/session.h"

void sm_step_range_set(struct sm_session *s, int64_t a, int64_t b)
{
    s->range = (struct sm_step_range){.set = true, .lo = a < b ? a : b, .hi = a < b ? b : a};
    s->news++;
}

void sm_step_range_clear(struct sm_session *s)
{
    s->range = (struct sm_step_range){0};
    s->news++;
}

const char *sm_step_range_mark(struct sm_session *s, int64_t step)
{
    if (s->range.set) {
        sm_step_range_clear(s);
        return "no range: all steps again";
    }
    if (s->range.begun) {
        sm_step_range_set(s, s->range.lo, step);
        return "tables and statistics use these steps; Esc: all steps again";
    }
    s->range = (struct sm_step_range){.begun = true, .lo = step};
    return "the range begins at this step; go to its end and press R again";
}

bool sm_step_range_has(const struct sm_session *s, int64_t step)
{
    return !s->range.set || (step >= s->range.lo && step <= s->range.hi);
}

void sm_step_range_cut(const struct sm_session *s, struct sm_series *series)
{
    size_t kept = 0;
    for (size_t i = 0; s->range.set && i < series->n; i++)
        if (sm_step_range_has(s, series->points[i].step.n))
            series->points[kept++] = series->points[i];
    series->n = s->range.set ? kept : series->n;
}

void sm_step_range_add(const struct sm_step_range *r, struct sm_str *out)
{
    if (r->set || r->begun)
        sm_str_printf(out, "steps %lld..", (long long)r->lo);
    if (r->set)
        sm_str_printf(out, "%lld", (long long)r->hi);
}

void sm_step_range_note(const struct sm_session *s, struct sm_result *out)
{
    if (s->range.set)
        sm_result_dim(out, "Of steps %lld..%lld only; \"range off\" looks at all.",
                      (long long)s->range.lo, (long long)s->range.hi);
}
