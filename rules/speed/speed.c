/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/speed/speed.h"

#include "reader/base/mem.h"
#include "rules/speed/speed_causes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { BALANCED = 0, UNKNOWN_GPU, UNKNOWN_METRICS, UNKNOWN_SHORT, QUIET };

/* First what is no cause, in the order of the enum, then the rows of SM_SPEED_CAUSES. */
const struct sm_speed_cause sm_speed_causes[] = {
    {"balanced", "balanced", {NULL}},
    {"unknown", "cannot tell: no GPU metrics", {NULL}},
    {"unknown", "cannot tell: no metrics of the machine", {NULL}},
    {"unknown", "cannot tell: too little was recorded", {NULL}},
    {"memory_pressure",
     "memory pressure",
     {"Use less memory: smaller batches, fewer loader processes, no copies that are kept",
      "Raise the limit of the control group, or use a machine with more memory"}},
    {"throttled", "throttled", {NULL}}, /* CPU and GPU have their own: speed_machine_causes.c */
    {"straggling_worker",
     "straggling worker",
     {"Look at that machine: other programs, heat, a slower disk, an uneven share of the data",
      "Give each worker the same work; leave the machine out"}},
    {"io_bound",
     "I/O-bound",
     {"Read ahead in more loader processes; use few large files instead of many small ones",
      "Copy the data to a faster disk, or into memory"}},
    {"input_bound",
     "input-bound",
     {"Prepare data in more processes (num_workers), and ahead (prefetch_factor, pin_memory)",
      "Prepare it once and keep it (a cache, smaller images), or on the GPU"}},
    {"communication",
     "communication",
     {"Send less: gradients in 16 bits, accumulate steps, larger batches for each worker",
      "Overlap it with the backward pass; look at the network"}},
    {"between_steps",
     "time between steps",
     {"Look at what the loop does between steps: logs, metrics, checkpoints, sleeps, other data",
      "Do it less often, or in another thread"}},
    {"cpu_bound",
     "CPU-bound",
     {"Do less in Python for each batch: larger batches, compiled or fused operations",
      "Use more cores, or move work to a GPU"}},
    {"gpu_underused",
     "GPU underused",
     {"Use larger batches or mixed precision; wait less often for the GPU (item(), prints)",
      "Use fewer or smaller GPUs"}},
    {NULL, NULL, {NULL}}};

struct sm_speed_watch {
    struct sm_speed_loop loop;
};

struct sm_speed_watch *sm_speed_watch_new(void)
{
    return sm_alloc_zero(1, sizeof(struct sm_speed_watch));
}

void sm_speed_watch_free(struct sm_speed_watch *w)
{
    if (w)
        sm_loop_clear(&w->loop);
    sm_free(w);
}

void sm_speed_add(struct sm_speed *out, const struct sm_speed_case *c, const char *node,
                  const char *command, double value, const char *fmt, ...)
{
    va_list args;
    if (out->n_evidence == SM_SPEED_EVIDENCE)
        return;
    struct sm_speed_evidence *e = &out->evidence[out->n_evidence++];
    *e = (struct sm_speed_evidence){.value = value,
                                    .from_ns = c->from_ns,
                                    .to_ns = c->to_ns,
                                    .first = c->first,
                                    .last = c->last,
                                    .node = node,
                                    .command = command};
    va_start(args, fmt);
    vsnprintf(e->text, sizeof e->text, fmt, args);
    va_end(args);
}

void sm_speed_try(struct sm_speed *out, const char *a, const char *b)
{
    out->attempt[0] = a;
    out->attempt[1] = b;
}

static void add_time(int64_t ns, struct sm_str *out)
{
    char text[16];
    struct tm tm;
    time_t seconds = (time_t)(ns / 1000000000 - (ns % 1000000000 < 0));
    if (gmtime_r(&seconds, &tm) && strftime(text, sizeof text, "%H:%M:%S", &tm))
        sm_str_add(out, text);
}

void sm_speed_scope(const struct sm_speed_evidence *e, struct sm_str *out)
{
    if (e->node)
        sm_str_printf(out, "%.60s, ", e->node);
    if (e->first >= 0 && e->first == e->last) {
        sm_str_printf(out, "step %ld", (long)e->first);
    } else if (e->first >= 0) {
        sm_str_printf(out, "steps %ld to %ld", (long)e->first, (long)e->last);
    } else {
        add_time(e->from_ns, out);
        sm_str_add(out, " to ");
        add_time(e->to_ns, out);
    }
}

void sm_speed_headline(const struct sm_speed *s, struct sm_str *out)
{
    sm_str_printf(out, "%s %s", s->slow ? "CAUSE" : "SPEED", s->cause->title);
    if (s->since_step >= 0) {
        sm_str_printf(out, ", since step %ld", (long)s->since_step);
    } else if (s->since_ns != INT64_MIN) {
        sm_str_add(out, ", since ");
        add_time(s->since_ns, out);
    }
}

/* ---- the choice ---- */

static void look(const struct sm_speed_case *c, struct sm_speed *out)
{
#define LOOK(id) sm_speed_##id,
    static bool (*const causes[])(const struct sm_speed_case *,
                                  struct sm_speed *) = {SM_SPEED_CAUSES(LOOK)};
    for (size_t i = 0; i < sizeof causes / sizeof *causes && !out->slow; i++) {
        out->slow = causes[i](c, out);
        out->cause = &sm_speed_causes[QUIET + i];
    }
    if (out->slow && !out->attempt[0])
        memcpy(out->attempt, out->cause->attempt, sizeof out->attempt);
    if (out->slow && strcmp(out->cause->id, "memory_pressure") != 0)
        sm_speed_add_growth(c, out);
}

/* ---- what is said without a cause ---- */

enum { COMPUTES = 80, COMPUTES_LITTLE = 30 }; /* % of one core */

/* The share of the time in which the worker with most of them runs steps; the rest is waits,
 * evaluation and checkpoints. */
static double share_of_steps(const struct sm_speed_case *c)
{
    double most = 0;
    for (size_t i = 0; i < c->n_workers; i++) {
        const struct sm_speed_worker *w = &c->workers[i];
        double length = (double)w->to_ns - (double)w->from_ns;
        if (length > 0)
            most = fmax(most, (double)w->steps * w->step_ns / length);
    }
    return fmin(most, 1);
}

/* Whether steps take the time, and a machine computes them: then a GPU that is not recorded is not
 * missed. */
static bool computes_here(const struct sm_speed_case *c)
{
    double least = fmax(COMPUTES * share_of_steps(c), COMPUTES_LITTLE);
    for (size_t i = 0; i < c->n_machines && c->n_workers; i++)
        if (c->machines[i].mean[SM_MACHINE_TREE_CPU] >= least)
            return true;
    return false;
}

static void add_missing(struct sm_speed *out, bool missing, const char *what)
{
    if (missing && out->n_missing < SM_SPEED_MISSING)
        out->missing[out->n_missing++] = what;
}

static bool has_gpus(const struct sm_speed_case *c)
{
    return sm_series_has_devices(c->profile, SM_SERIES_GPU);
}

static void list_missing(const struct sm_speed_case *c, struct sm_speed *out)
{
    bool events = sm_profile_events(c->profile)->n_events > 0, metrics = c->metrics->n_samples > 0;
    add_missing(out, !metrics, "metrics of the machine");
    add_missing(out, metrics && !c->enough, "more samples of metrics");
    add_missing(out, metrics && c->enough && !c->gpus,
                has_gpus(c) ? "more samples of GPUs" : "GPU metrics");
    add_missing(out, !events, "framework metrics");
    add_missing(out, events && !sm_profile_events(c->profile)->n_steps, "steps");
    add_missing(out, sm_profile_events(c->profile)->n_steps && !c->n_workers, "more steps");
    add_missing(out, c->n_workers && !(c->wait_share == c->wait_share),
                "waits for the data loader");
}

static void add_quiet(const struct sm_speed_case *c, struct sm_speed *out)
{
    if (c->wait_share == c->wait_share)
        sm_speed_add(out, c, NULL, "profile phases", c->wait_share,
                     "the data loader is waited for in %.0f %% of the time of a step",
                     100 * c->wait_share);
    sm_speed_add_machine(c, c->enough ? sm_speed_machine_of(c, "") : NULL, out);
}

static int quiet_of(const struct sm_speed_case *c)
{
    if (c->gpu == c->gpu || (c->enough && computes_here(c)))
        return BALANCED;
    return c->enough && !has_gpus(c)                ? UNKNOWN_GPU
           : !c->metrics->n_samples && c->n_workers ? UNKNOWN_METRICS
                                                    : UNKNOWN_SHORT;
}

static void say_quiet(const struct sm_speed_case *c, struct sm_speed *out)
{
    int quiet = quiet_of(c);
    out->cause = &sm_speed_causes[quiet];
    out->unknown = quiet != BALANCED;
    add_quiet(c, out);
    sm_speed_add_growth(c, out);
}

static void begin(const struct sm_speed_case *c, struct sm_speed *out)
{
    *out = (struct sm_speed){.since_ns = INT64_MIN,
                             .since_step = -1,
                             .steps = c->steps,
                             .from_ns = c->from_ns,
                             .to_ns = c->to_ns,
                             .mode = c->mode};
    list_missing(c, out);
}

/* A run may have become slow only lately: then the last quarter says so, if it is long enough. */
#define LATELY_NS (10 * (int64_t)1000000000)

static bool look_at_end(const struct sm_speed_loop *l, const struct sm_speed_case *all,
                        struct sm_speed *out)
{
    int64_t length;
    struct sm_speed_case c;
    struct sm_speed late;
    if (__builtin_sub_overflow(all->to_ns, all->from_ns, &length) || length / 4 < LATELY_NS)
        return true;
    bool ok = sm_speed_case_make(l, all->profile, all->to_ns - length / 4, &c);
    if (ok && c.from_ns < c.to_ns) {
        begin(&c, &late);
        look(&c, &late);
        if (late.slow)
            *out = late;
    }
    sm_speed_case_clear(&c);
    return ok;
}

bool sm_speed_take(struct sm_speed_watch *w, const struct sm_profile *p)
{
    return sm_loop_update(&w->loop, sm_profile_events(p), sm_profile_main_mode(p));
}

bool sm_speed_find(struct sm_speed_watch *w, const struct sm_profile *p, struct sm_speed *out)
{
    struct sm_speed_case c = {0};
    bool ok = sm_speed_take(w, p) && sm_speed_case_make(&w->loop, p, INT64_MIN, &c);
    begin(&c, out);
    if (ok)
        look(&c, out);
    if (ok && !out->slow) {
        say_quiet(&c, out);
        ok = look_at_end(&w->loop, &c, out);
    }
    sm_speed_case_clear(&c);
    return ok;
}
