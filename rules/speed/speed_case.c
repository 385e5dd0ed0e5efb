/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/speed/speed_case.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WARMUP_NS (60 * (int64_t)1000000000) /* at most, of a run without steps */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sm_speed_median(double *x, size_t n)
{
    if (!n)
        return (double)NAN;
    qsort(x, n, sizeof *x, by_value);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Needs at least one span from `from` on. */
static struct sm_speed_worker worker_of(const struct sm_loop_process *p, size_t from,
                                        const char *name)
{
    struct sm_loop_sums s = sm_loop_total(p, from);
    struct sm_speed_worker w = {.process = p,
                                .from = from,
                                .name = name,
                                .steps = s.steps,
                                .from_ns = p->spans[from].from_ns,
                                .to_ns = p->spans[from].to_ns,
                                .wait_ns = (double)NAN,
                                .wait_share = sm_loop_wait_share(&s),
                                .own_ns = sm_loop_own_ns(p, &s),
                                .others = sm_loop_others_share(&s)};
    for (size_t i = from; i < p->n_spans; i++)
        w.to_ns = p->spans[i].to_ns > w.to_ns ? p->spans[i].to_ns : w.to_ns;
    w.period_ns = ((double)w.to_ns - (double)w.from_ns) / (double)s.steps;
    w.step_ns = (double)s.step_ns / (double)s.steps;
    w.cycle_ns = w.step_ns;
    if (s.covered >= SM_LOOP_FEW) {
        w.wait_ns = (double)s.wait_ns / (double)s.covered;
        w.cycle_ns = (double)s.covered_ns / (double)s.covered;
    }
    w.communication = sm_loop_communication_share(p, w.step_ns);
    return w;
}

static size_t span_at(const struct sm_loop_process *p, int64_t ns)
{
    size_t i = 0;
    while (i < p->n_spans && p->spans[i].from_ns < ns)
        i++;
    return i;
}

/* "algo-1" of "algo-1-41": where the process runs. */
static size_t host_length(const char *name)
{
    const char *dash = strrchr(name, '-');
    bool number = dash && dash[1] && strspn(dash + 1, "0123456789") == strlen(dash + 1);
    return number ? (size_t)(dash - name) : strlen(name);
}

static bool same_host(const char *a, const char *b)
{
    size_t n = host_length(a);
    return n == host_length(b) && memcmp(a, b, n) == 0;
}

/* Of process i, else of one without steps on its machine: TensorFlow's file may have another
 * number. */
static double iterator_share(const struct sm_speed_case *c, const struct sm_speed_loop *l, size_t i)
{
    double share = sm_loop_iterator_share(&l->processes[i]);
    for (size_t k = 0; k < l->n && share != share; k++)
        if (!l->processes[k].cycles &&
            same_host(sm_profile_node(c->profile, i), sm_profile_node(c->profile, k)))
            share = sm_loop_iterator_share(&l->processes[k]);
    return share;
}

static bool find_workers(struct sm_speed_case *c, const struct sm_speed_loop *l)
{
    double *shares = sm_alloc((l->n + 1) * sizeof *shares);
    size_t n = 0;
    c->workers = sm_alloc((l->n + 1) * sizeof *c->workers);
    for (size_t i = 0; shares && c->workers && i < l->n; i++) {
        const struct sm_loop_process *p = &l->processes[i];
        size_t from = span_at(p, c->cut_ns);
        struct sm_loop_sums s = sm_loop_total(p, from);
        if (s.steps < SM_LOOP_FEW || s.step_ns <= 0)
            continue;
        struct sm_speed_worker *w = &c->workers[c->n_workers++];
        *w = worker_of(p, from, sm_profile_node(c->profile, i));
        if (w->wait_share != w->wait_share && c->cut_ns == INT64_MIN)
            w->wait_share = iterator_share(c, l, i);
        c->steps += w->steps;
        if (w->wait_share == w->wait_share)
            shares[n++] = w->wait_share;
    }
    c->wait_share = shares ? sm_speed_median(shares, n) : (double)NAN;
    sm_free(shares);
    return shares && c->workers;
}

/* The time that is looked at: that of the steps, which leaves out what came before and after. */
static void find_range(struct sm_speed_case *c)
{
    int64_t from, to, warm;
    c->from_ns = INT64_MAX;
    c->to_ns = INT64_MIN;
    c->first = c->last = c->begin_step = -1;
    for (size_t i = 0; i < c->n_workers; i++) {
        const struct sm_speed_worker *w = &c->workers[i];
        const struct sm_loop_process *q = w->process;
        int32_t first = q->spans[w->from].first, last = q->spans[q->n_spans - 1].last;
        c->first = c->first < 0 || (first >= 0 && first < c->first) ? first : c->first;
        c->last = last > c->last ? last : c->last;
        if (!i || q->begin_ns < c->begin_ns) {
            c->begin_ns = q->begin_ns;
            c->begin_step = q->begin_step;
        }
        c->from_ns = w->from_ns < c->from_ns ? w->from_ns : c->from_ns;
        c->to_ns = w->to_ns > c->to_ns ? w->to_ns : c->to_ns;
    }
    if (c->n_workers || !sm_profile_span(c->profile, &from, &to))
        return;
    if (c->metrics->n_samples) {
        from = c->metrics->first_ns;
        to = c->metrics->last_ns;
    }
    warm = __builtin_sub_overflow(to, from, &warm) ? WARMUP_NS : warm / 10;
    from += warm < WARMUP_NS ? warm : WARMUP_NS;
    c->from_ns = from > c->cut_ns ? from : c->cut_ns;
    c->to_ns = to < INT64_MAX ? to + 1 : to;
}

static void add_machines(struct sm_speed_case *c)
{
    double gpu = 0, cpu = 0;
    size_t cores = 0;
    for (size_t i = 0; i < c->n_machines; i++) {
        const struct sm_machine *x = &c->machines[i];
        c->enough = c->enough || x->samples > 0;
        c->gpus += x->gpus;
        c->idle_gpus += x->idle_gpus;
        cores += x->cores;
        gpu += x->gpus ? x->mean[SM_MACHINE_GPU] * (double)x->gpus : 0;
        c->most_gpu = fmax(c->most_gpu, x->most_gpu);
        c->least_gpu = fmin(c->least_gpu, x->least_gpu);
        cpu += x->cores ? x->mean[SM_MACHINE_CPU] * (double)x->cores : 0;
    }
    c->gpu = c->gpus && c->enough ? gpu / (double)c->gpus : (double)NAN;
    c->cpu = cores && c->enough ? cpu / (double)cores : (double)NAN;
}

bool sm_speed_case_make(const struct sm_speed_loop *l, const struct sm_profile *p, int64_t cut_ns,
                        struct sm_speed_case *out)
{
    *out = (struct sm_speed_case){.profile = p,
                                  .metrics = sm_profile_metrics(p),
                                  .mode = sm_profile_main_mode(p),
                                  .cut_ns = cut_ns,
                                  .most_gpu = (double)NAN,
                                  .least_gpu = (double)NAN};
    if (!find_workers(out, l))
        return false;
    find_range(out);
    if (out->from_ns < out->to_ns &&
        !sm_machines_read(out->metrics, cut_ns, out->from_ns, out->to_ns, &out->machines,
                          &out->n_machines))
        return false;
    add_machines(out);
    return true;
}

void sm_speed_case_clear(struct sm_speed_case *c)
{
    sm_free(c->workers);
    sm_free(c->machines);
    *c = (struct sm_speed_case){0};
}
