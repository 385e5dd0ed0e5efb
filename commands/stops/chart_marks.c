/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/chart_marks.h"
#include "commands/judge/session_rules.h"
#include "commands/stops/stops.h"

#include <string.h>

enum { STEPS_MAX = 64 };

/* Inserts the step in ascending order unless it is there. Returns the new number of steps. */
static size_t add_step(int64_t step, int64_t *out, size_t n, size_t most)
{
    size_t at = n;
    while (at && out[at - 1] > step)
        at--;
    if ((at && out[at - 1] == step) || at == most)
        return n;
    n += n < most;
    memmove(out + at + 1, out + at, (n - at - 1) * sizeof *out);
    out[at] = step;
    return n;
}

size_t sm_chart_marked_steps(const struct sm_session *s, int64_t *out, size_t most)
{
    const struct sm_rules *r = s->current < s->n_trials ? sm_session_rules_at(s, s->current) : NULL;
    const struct sm_breakpoints *b = &sm_stops(s)->breakpoints;
    size_t n = 0;
    for (size_t i = 0; r && i < sm_rules_count(r); i++)
        if (sm_rules_item(r, i)->first_fired >= 0)
            n = add_step(sm_rules_item(r, i)->first_fired, out, n, most);
    for (size_t i = 0; i < b->n_stops; i++)
        if (b->stops[i].trial == sm_session_trial(s))
            n = add_step(b->stops[i].step, out, n, most);
    return n;
}

/* The positions of ascending steps along x; see sm_chart_marks. */
static size_t place_marks(const int64_t *marked, size_t n_marked, const int64_t *steps,
                          const double *x, size_t n, double *marks, size_t most)
{
    size_t i = 0, k = 0;
    for (size_t f = 0; f < n_marked && k < most; f++) {
        while (i < n && steps[i] < marked[f])
            i++;
        if (!x)
            marks[k++] = (double)marked[f];
        else if (i < n && (!k || marks[k - 1] < x[i]))
            marks[k++] = x[i];
    }
    return k;
}

size_t sm_chart_marks(const struct sm_session *s, const int64_t *steps, const double *x, size_t n,
                      double *marks, size_t most)
{
    int64_t fired[STEPS_MAX];
    return place_marks(fired, sm_chart_marked_steps(s, fired, STEPS_MAX), steps, x, n, marks, most);
}

size_t sm_chart_sessions(const struct sm_trial *t, const int64_t *steps, const double *x, size_t n,
                         double *marks, size_t most)
{
    int64_t first[STEPS_MAX];
    size_t k = 0;
    for (size_t i = 1; i < sm_trial_session_count(t) && k < STEPS_MAX; i++)
        k = add_step(sm_trial_session(t, i)->first.n, first, k, STEPS_MAX);
    return place_marks(first, k, steps, x, n, marks, most);
}
