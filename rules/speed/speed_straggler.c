/* SPDX-License-Identifier: Apache-2.0 */
/* A worker that the others wait for. */
#include "reader/base/mem.h"
#include "reader/base/str.h"
#include "rules/speed/speed_causes.h"

#include <math.h>

#define EXCESS        0.2  /* of a cycle of the others */
#define EXCESS_STEADY 0.12 /* if it is so all the time, and other programs are not the reason */

enum measure { CYCLE, OWN, PERIOD };

static double value_of(const struct sm_speed_worker *w, enum measure m)
{
    return m == CYCLE ? w->cycle_ns : m == OWN ? w->own_ns : w->period_ns;
}

/* Whether two ran at the same time for at least half of the shorter one's. */
static bool run_together(const struct sm_speed_worker *a, const struct sm_speed_worker *b)
{
    double from = (double)(a->from_ns > b->from_ns ? a->from_ns : b->from_ns),
           to = (double)(a->to_ns < b->to_ns ? a->to_ns : b->to_ns),
           la = (double)a->to_ns - (double)a->from_ns, lb = (double)b->to_ns - (double)b->from_ns;
    return 2 * (to - from) >= fmin(la, lb);
}

/* The median of those that run beside worker i; scratch has room for all. NaN: there is none. */
static double median_beside(const struct sm_speed_case *c, size_t i, enum measure m,
                            double *scratch)
{
    size_t n = 0;
    for (size_t k = 0; k < c->n_workers; k++) {
        double v = value_of(&c->workers[k], m);
        if (k != i && v == v && run_together(&c->workers[i], &c->workers[k]))
            scratch[n++] = v;
    }
    return sm_speed_median(scratch, n);
}

struct straggler {
    const struct sm_speed_worker *worker;
    enum measure measure;
    double others_ns, excess; /* of a cycle */
};

/* Each is compared with the others: at most the first WORKERS. */
enum { WORKERS = 512, STEADY_SPANS = 8, FULL = 90 };

static double span_value(const struct sm_loop_span *x, enum measure m)
{
    const struct sm_loop_sums *s = &x->sums;
    double wait = s->covered ? (double)s->wait_ns / (double)s->covered : 0,
           between = m == OWN && s->together ? sm_loop_between_ns(s) : 0,
           work = (double)(m == CYCLE    ? s->step_ns
                           : s->together ? s->step_ns - s->others_ns
                                         : s->forward_ns);
    return s->steps ? wait + between + work / (double)s->steps : (double)NAN;
}

/* Whether three quarters of its spans are longer than the others' median by half of the excess. A
 * machine whose cores are full gives to one worker more, and to another one less of them. */
static bool is_steady(const struct sm_speed_case *c, const struct sm_speed_worker *w,
                      enum measure m, double others_ns, double excess_ns)
{
    const struct sm_machine *x = sm_speed_machine_of(c, w->name);
    size_t n = w->process->n_spans - w->from, longer = 0;
    for (size_t i = 0; i < n; i++)
        longer += span_value(&w->process->spans[w->from + i], m) > others_ns + excess_ns / 2;
    return n >= STEADY_SPANS && 4 * longer >= 3 * n && !(x && x->mean[SM_MACHINE_CPU] >= FULL) &&
           (m == CYCLE || w->others == w->others);
}

/* Whether a worker's steps are long because it waits in them for one that works between its steps:
 * how long it waits is known, and its own time says all. Or that is not known, and all take the
 * same time from step to step, while its own time is not longer. */
static bool may_wait(const struct sm_speed_case *c, size_t i, double excess_ns, double *scratch)
{
    const struct sm_speed_worker *w = &c->workers[i];
    double own = w->own_ns - median_beside(c, i, OWN, scratch),
           period = w->period_ns - median_beside(c, i, PERIOD, scratch);
    return w->others == w->others || (fabs(period) < excess_ns / 2 && own < excess_ns / 2);
}

/* Of worker i by one measure, if its excess is greater than out's. */
static void try_worker(const struct sm_speed_case *c, size_t i, enum measure m, double *scratch,
                       struct straggler *out)
{
    const struct sm_speed_worker *w = &c->workers[i];
    double others = median_beside(c, i, m, scratch), cycle = median_beside(c, i, CYCLE, scratch),
           ns = value_of(w, m) - others, excess = ns / cycle;
    if (!(excess > out->excess && excess >= EXCESS_STEADY) ||
        (excess < EXCESS && !is_steady(c, w, m, others, ns)) ||
        (m == CYCLE && may_wait(c, i, ns, scratch)))
        return;
    *out = (struct straggler){w, m, others, excess};
}

static bool find_straggler(const struct sm_speed_case *c, struct straggler *out)
{
    double *scratch = sm_alloc((c->n_workers + 1) * sizeof *scratch);
    *out = (struct straggler){0};
    for (size_t i = 0; scratch && c->n_workers > 1 && i < c->n_workers && i < WORKERS; i++)
        for (enum measure m = CYCLE; m <= OWN; m++)
            try_worker(c, i, m, scratch, out);
    sm_free(scratch);
    return out->worker;
}

static void add_straggler(const struct sm_speed_case *c, const struct straggler *s,
                          struct sm_speed *out)
{
    const struct sm_speed_worker *w = s->worker;
    struct sm_loop_sums sums = sm_loop_total(w->process, w->from);
    double between = sm_loop_between_ns(&sums);
    char own[16], others[16], part[16];
    sm_format_nanoseconds(value_of(w, s->measure), own);
    sm_format_nanoseconds(s->others_ns, others);
    sm_speed_add(out, c, w->name, "profile steps", s->excess,
                 s->measure == CYCLE ? "%.60s: %s for a step, the others %s"
                                     : "%.60s: %s of its own work in a step, the others %s",
                 w->name, own, others);
    if (w->wait_ns >= EXCESS / 2 * w->cycle_ns) {
        sm_format_nanoseconds(w->wait_ns, part);
        sm_speed_add(out, c, w->name, "profile phases", w->wait_share,
                     "it waits for its data loader for %s of it", part);
    }
    if (s->measure == OWN && w->others == w->others && between >= EXCESS / 2 * w->cycle_ns) {
        sm_format_nanoseconds(between, part);
        sm_speed_add(out, c, w->name, "profile phases", between / w->own_ns,
                     "%s of it lie between its steps", part);
        sm_speed_try(out,
                     "Look at what this worker does between its steps: logs, metrics, more data",
                     "Give each worker the same work");
    }
}

bool sm_speed_straggling_worker(const struct sm_speed_case *c, struct sm_speed *out)
{
    struct straggler s;
    double values[SM_LOOP_SPANS];
    if (!find_straggler(c, &s))
        return false;
    const struct sm_speed_worker *w = s.worker;
    size_t n = w->process->n_spans - w->from;
    for (size_t i = 0; i < n; i++)
        values[i] = span_value(&w->process->spans[w->from + i], s.measure);
    bool share = s.measure == OWN && w->others != w->others && w->communication == w->communication;
    sm_speed_since_span(c, w, values, n, share ? 0 : s.others_ns * (1 + s.excess / 2), out);
    add_straggler(c, &s, out);
    sm_speed_add_machine(c, sm_speed_machine_of(c, w->name), out);
    return true;
}
