/* SPDX-License-Identifier: Apache-2.0 */
/* Most of the time lies between the steps, and is no wait for data that was recorded. */
#include "reader/base/str.h"
#include "rules/speed/speed_causes.h"

#include <math.h>

enum { BETWEEN = 50 }; /* % of the time from step to step */

/* NaN: it is known of too few steps. */
static double share_of(const struct sm_loop_sums *s)
{
    double between = sm_loop_between_ns(s), n = (double)s->steps,
           wait = s->covered ? (double)s->wait_ns / (double)s->covered : 0;
    return s->gaps && 2 * s->gaps >= s->steps ? between / (between + wait + (double)s->step_ns / n)
                                              : (double)NAN;
}

/* The one with the greatest share; NULL: none has enough. */
static const struct sm_speed_worker *longest_between(const struct sm_speed_case *c, double *share)
{
    const struct sm_speed_worker *worst = NULL;
    *share = BETWEEN / 100.0;
    for (size_t i = 0; i < c->n_workers; i++) {
        const struct sm_speed_worker *w = &c->workers[i];
        struct sm_loop_sums sums = sm_loop_total(w->process, w->from);
        if (sums.gaps >= SM_LOOP_FEW && share_of(&sums) >= *share) {
            worst = w;
            *share = share_of(&sums);
        }
    }
    return worst;
}

static void add_between(const struct sm_speed_case *c, const struct sm_speed_worker *w,
                        double share, struct sm_speed *out)
{
    struct sm_loop_sums sums = sm_loop_total(w->process, w->from);
    char between[16], whole[16];
    sm_format_nanoseconds(sm_loop_between_ns(&sums), between);
    sm_format_nanoseconds(sm_loop_between_ns(&sums) / share, whole);
    sm_speed_add(out, c, w->name, "profile phases", share,
                 "%.0f %% of the time lie between the steps: %s of %s%s", 100 * share, between,
                 whole,
                 w->wait_ns == w->wait_ns ? ", without waits for data"
                                          : "; whether it is a wait for data was not recorded");
    if (w->wait_ns != w->wait_ns)
        sm_speed_try(
            out, "Record how long the data loader is waited for: prof.loader(...)",
            "Look at what the loop does between steps: logs, metrics, checkpoints, sleeps");
}

bool sm_speed_between_steps(const struct sm_speed_case *c, struct sm_speed *out)
{
    double values[SM_LOOP_SPANS], share;
    const struct sm_speed_worker *w = longest_between(c, &share);
    if (!w || c->gpu >= SM_SPEED_GPU_WELL)
        return false;
    size_t n = w->process->n_spans - w->from;
    for (size_t i = 0; i < n; i++)
        values[i] = share_of(&w->process->spans[w->from + i].sums);
    sm_speed_since_span(c, w, values, n, BETWEEN / 200.0, out);
    add_between(c, w, share, out);
    sm_speed_add_machine(c, sm_speed_machine_of(c, w->name), out);
    return true;
}
