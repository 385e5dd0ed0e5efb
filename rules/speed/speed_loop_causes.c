/* SPDX-License-Identifier: Apache-2.0 */
/* Causes that show in the events of the loop. */
#include "reader/base/mem.h"
#include "reader/base/str.h"
#include "rules/speed/speed_causes.h"

#include <math.h>

void sm_speed_since_span(const struct sm_speed_case *c, const struct sm_speed_worker *w,
                         const double *values, size_t n, double limit, struct sm_speed *out)
{
    const struct sm_loop_span *spans = &w->process->spans[w->from];
    size_t i = sm_loop_onset(values, n, limit, true);
    i = i < n ? i : 0;
    bool begin = i == 0 && c->cut_ns == INT64_MIN;
    out->since_ns = begin ? w->process->begin_ns : spans[i].from_ns;
    out->since_step = begin ? w->process->begin_step : spans[i].first;
}

/* ---- waits for data ---- */

static const struct sm_speed_worker *longest_waiting(const struct sm_speed_case *c)
{
    const struct sm_speed_worker *worst = NULL;
    for (size_t i = 0; i < c->n_workers; i++)
        if (c->workers[i].wait_share >= (worst ? worst->wait_share : 0))
            worst = &c->workers[i];
    return worst;
}

static void add_loader(const struct sm_speed_case *c, const struct sm_speed_worker *w,
                       const struct sm_machine *x, struct sm_speed *out)
{
    uint32_t loader = w->process->loader;
    long long n = sm_loader_arguments_read(sm_profile_names(c->profile), loader).num_workers;
    if (n == 0)
        sm_speed_add(out, c, w->name, "profile phases", 0,
                     "the loader works in the process that trains (num_workers 0)");
    else if (n > 0 && x && x->cores)
        sm_speed_add(out, c, w->name, "profile phases", (double)n,
                     "the loader has %lld process%s on %zu cores", n, n == 1 ? "" : "es", x->cores);
    if (n > 0 && x && x->mean[SM_MACHINE_CPU] >= SM_SPEED_CROWDED &&
        x->mean[SM_MACHINE_TREE_CPU] < 50 * (double)x->cores)
        sm_speed_try(out,
                     "Stop the other programs on this machine: they take the cores that the "
                     "processes of the loader need",
                     "Prepare data once and keep it (a cache, smaller images), or on the GPU");
    else if (x && x->cores && n >= (long long)x->cores)
        sm_speed_try(out, "Prepare data once and keep it (a cache, smaller images), or on the GPU",
                     "Use more cores for the loader; it has a process for each one");
}

static void add_wait(const struct sm_speed_case *c, const struct sm_speed_worker *w,
                     struct sm_speed *out)
{
    char wait[16], cycle[16];
    sm_format_nanoseconds(w->wait_ns, wait);
    sm_format_nanoseconds(w->cycle_ns, cycle);
    if (w->wait_ns == w->wait_ns)
        sm_speed_add(out, c, w->name, "profile phases", w->wait_ns / w->cycle_ns,
                     "the data loader is waited for in %.0f %% of the time of a step: %s of %s",
                     100 * w->wait_ns / w->cycle_ns, wait, cycle);
    else
        sm_speed_add(out, c, w->name, "profile phases", w->wait_share,
                     "the data iterator is waited for in %.0f %% of the time", 100 * w->wait_share);
}

bool sm_speed_input_bound(const struct sm_speed_case *c, struct sm_speed *out)
{
    double values[SM_LOOP_SPANS];
    char bytes[16];
    if (!(100 * c->wait_share >= SM_SPEED_WAIT_PERCENT))
        return false;
    const struct sm_speed_worker *w = longest_waiting(c);
    const struct sm_machine *x = sm_speed_machine_of(c, w->name);
    size_t n = w->process->n_spans - w->from;
    for (size_t i = 0; i < n; i++)
        values[i] = sm_loop_sums_share(&w->process->spans[w->from + i].sums);
    sm_speed_since_span(c, w, values, n, SM_SPEED_WAIT_PERCENT / 100.0 / 2, out);
    add_wait(c, w, out);
    add_loader(c, w, x, out);
    sm_speed_add_machine(c, x, out);
    if (x && x->mean[SM_MACHINE_TREE_READ] >= 1e7) {
        sm_format_bytes((uint64_t)fmin(x->mean[SM_MACHINE_TREE_READ], 1e18), bytes);
        sm_speed_add(out, c, sm_speed_node_name(c, x), "profile summary",
                     x->mean[SM_MACHINE_TREE_READ], "the program reads %s a second from disks",
                     bytes);
    }
    return true;
}

/* ---- communication ---- */

#define COMMUNICATION 0.5

/* All workers wait for others: then what they wait for is the communication itself. The one that
 * waits least; NULL: it waits little, or that is not known. */
static const struct sm_speed_worker *least_waiting(const struct sm_speed_case *c)
{
    const struct sm_speed_worker *least = NULL;
    for (size_t i = 0; i < c->n_workers; i++)
        if (c->workers[i].others == c->workers[i].others &&
            (!least || c->workers[i].others < least->others))
            least = &c->workers[i];
    if (!least || !(100 * least->others >= SM_SPEED_WAIT_PERCENT))
        return NULL;
    /* each waits for the one that has just got no core */
    const struct sm_machine *x = sm_speed_machine_of(c, least->name);
    return x && sm_speed_is_crowded(c, x) && least->others < COMMUNICATION ? NULL : least;
}

static const struct sm_speed_worker *longest_communicating(const struct sm_speed_case *c)
{
    const struct sm_speed_worker *worst = NULL;
    for (size_t i = 0; i < c->n_workers; i++)
        if (c->workers[i].communication >= (worst ? worst->communication : COMMUNICATION))
            worst = &c->workers[i];
    return worst;
}

/* Of each span the share in which others are waited for; returns how many there are. */
static size_t share_values(const struct sm_speed_worker *w, double values[SM_LOOP_SPANS])
{
    size_t n = w->process->n_spans - w->from;
    for (size_t i = 0; i < n; i++) {
        const struct sm_loop_sums *s = &w->process->spans[w->from + i].sums;
        values[i] = s->step_ns > 0 ? (double)s->others_ns / (double)s->step_ns : (double)NAN;
    }
    return n;
}

bool sm_speed_communication(const struct sm_speed_case *c, struct sm_speed *out)
{
    double values[SM_LOOP_SPANS];
    const struct sm_speed_worker *waits = least_waiting(c),
                                 *w = waits ? waits : longest_communicating(c);
    char step[16];
    if (!w)
        return false;
    sm_format_nanoseconds(w->step_ns, step);
    if (waits)
        sm_speed_since_span(c, w, values, share_values(w, values), SM_SPEED_WAIT_PERCENT / 200.0,
                            out);
    else
        sm_speed_since(c, w->process->communication.from_ns, out);
    if (waits)
        sm_speed_add(out, c, w->name, "profile phases", w->others,
                     "each worker waits for the others in %.0f %% of a step or more; a step of "
                     "%.60s takes %s",
                     100 * w->others, w->name, step);
    else
        sm_speed_add(out, c, w->name, "profile ops", w->communication,
                     "%.60s communicates in %.0f %% of the time; a step takes %s", w->name,
                     100 * w->communication, step);
    sm_speed_add_machine(c, sm_speed_machine_of(c, w->name), out);
    return true;
}
