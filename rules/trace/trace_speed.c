/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/trace_speed.h"

#include "reader/base/mem.h"
#include "rules/trace/blame.h"
#include "rules/trace/gap_causes.h"
#include "rules/trace/gpu_time.h"
#include "rules/trace/trace_loader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct sm_speed_cause sm_trace_causes[] = {
    {"sync_bound",
     "waits for the GPU",
     {"Ask less often for values of the GPU: item(), prints, checks of tensors, copies that block",
      "Do it every so many steps, or with non_blocking copies"}},
    {"launch_bound",
     "launch-bound",
     {"Launch fewer and larger kernels: torch.compile, CUDA graphs, fused optimizers, larger "
      "batches",
      "Do less in Python between launches"}},
    {"collective_hang",
     "a collective operation hangs",
     {"Look at what that rank did instead: its last operation, its log, an exception, data that "
      "ended early",
      "Let every rank run the same collective operations in the same order"}},
    {NULL, NULL, {NULL}}};

/* What is measured of one trace, as shares of its time; NaN: not known. */
struct traced {
    const struct sm_trace_item *item;
    struct sm_trace_view view;
    struct sm_gpu_time gpu;
    struct sm_gap_causes gaps;
    double input, exposed, idle, sync, launch;
    int32_t first, last; /* steps; -1 */
};
struct traces {
    struct traced *items;
    size_t n;
    uint64_t steps, loads;
    bool gpu;
};

static double share(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : NAN;
}

static int32_t step_number(const struct sm_trace_view *v, size_t i)
{
    int64_t n = v->n_steps ? v->steps[i].number : -1;
    return n <= INT32_MAX ? (int32_t)n : -1;
}

static void measure(const struct sm_trace_item *item, struct traces *all)
{
    struct traced *x = &all->items[all->n++];
    uint64_t seen;
    x->item = item;
    sm_trace_view_make(item, false, &x->view);
    int64_t *loader = sm_trace_loader_find(&x->view, &seen);
    sm_gpu_time_find(&x->view, &x->gpu);
    sm_gap_causes_find(&x->view, &x->gaps);
    x->input = seen ? sm_trace_loader_share(&x->view, loader) : NAN;
    bool few = x->view.n_gpu < SM_TRACE_FEW;
    x->exposed = few ? NAN : share(x->gpu.comm_ns - x->gpu.overlap_ns, x->gpu.kernel_ns);
    x->idle = share(x->gpu.idle_ns, x->gpu.kernel_ns);
    x->sync = few ? NAN : share(x->gaps.sync_ns, x->gpu.kernel_ns);
    x->launch = few ? NAN : share(x->gaps.launch_ns, x->gpu.kernel_ns);
    x->first = step_number(&x->view, 0);
    x->last = step_number(&x->view, x->view.n_steps ? x->view.n_steps - 1 : 0);
    all->steps += x->view.n_steps;
    all->loads += seen;
    all->gpu = all->gpu || x->view.n_gpu >= SM_TRACE_FEW;
    sm_free(loader);
}

/* ---- evidence ---- */

static void add(struct sm_speed *out, const struct traced *x, const char *command, double value,
                const char *fmt, ...) __attribute__((format(printf, 5, 6)));

static void add(struct sm_speed *out, const struct traced *x, const char *command, double value,
                const char *fmt, ...)
{
    va_list args;
    if (out->n_evidence == SM_SPEED_EVIDENCE)
        return;
    struct sm_speed_evidence *e = &out->evidence[out->n_evidence++];
    int64_t base = x->item->trace.base_ns;
    *e = (struct sm_speed_evidence){.value = value,
                                    .from_ns = base + x->gpu.first_ns,
                                    .to_ns = base + x->gpu.last_ns,
                                    .first = x->first,
                                    .last = x->last,
                                    .node = x->item->worker,
                                    .command = command};
    if (x->view.n_steps) {
        e->from_ns = base + x->view.steps[0].start_ns;
        e->to_ns = base + x->view.steps[x->view.n_steps - 1].end_ns;
    }
    va_start(args, fmt);
    vsnprintf(e->text, sizeof e->text, fmt, args);
    va_end(args);
}

static bool holds(struct sm_speed *out, const char *id)
{
    const struct sm_speed_cause *const tables[] = {sm_speed_causes, sm_trace_causes};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct sm_speed_cause *c = tables[i]; c->id; c++)
            if (strcmp(c->id, id) == 0) {
                out->cause = c;
                memcpy(out->attempt, c->attempt, sizeof out->attempt);
                out->slow = true;
                return true;
            }
    return false;
}

/* The trace for which a share is greatest, or the median one. */
static double input_of(const struct traced *x)
{
    return x->input;
}
static double exposed_of(const struct traced *x)
{
    return x->exposed;
}
static double sync_of(const struct traced *x)
{
    return x->sync;
}
static double launch_of(const struct traced *x)
{
    return x->launch;
}
static double idle_of(const struct traced *x)
{
    return x->idle;
}

static const struct traced *greatest(const struct traces *t, double (*of)(const struct traced *))
{
    const struct traced *best = NULL;
    for (size_t i = 0; i < t->n; i++)
        if (of(&t->items[i]) >= 0 && (!best || of(&t->items[i]) > of(best)))
            best = &t->items[i];
    return best;
}

struct ranked {
    double value;
    const struct traced *of;
};

static int by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->of > y->of) - (x->of < y->of);
}

/* The upper median of those for which it is known; NULL: of none. */
static const struct traced *median(const struct traces *t, double (*of)(const struct traced *))
{
    struct ranked *known = sm_xalloc((t->n + 1) * sizeof *known);
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (!isnan(of(&t->items[i])))
            known[n++] = (struct ranked){of(&t->items[i]), &t->items[i]};
    qsort(known, n, sizeof *known, by_value);
    const struct traced *at = n ? known[n / 2].of : NULL;
    sm_free(known);
    return at;
}

/* ---- a rank that the others wait for ---- */

static int64_t span_of(const struct traced *x)
{
    size_t n = x->view.n_steps;
    return n ? x->view.steps[n - 1].end_ns - x->view.steps[0].start_ns : x->gpu.kernel_ns;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* What the rank does longer than the others: the greatest excess over their median. */
static void explain(const struct traces *t, const struct traced *x, int64_t waits_ns,
                    struct sm_speed *out)
{
    int64_t own[SM_RANK_WORKS], *others = sm_xalloc((t->n * SM_RANK_WORKS + 1) * sizeof *others);
    int64_t most = 0;
    int of = -1;
    size_t n = 0;
    sm_rank_work_find(&x->view, own);
    for (size_t i = 0; i < t->n; i++) {
        int64_t w[SM_RANK_WORKS];
        if (t->items[i].item->rank == x->item->rank)
            continue;
        sm_rank_work_find(&t->items[i].view, w);
        for (int k = 0; k < SM_RANK_WORKS; k++)
            others[(size_t)k * t->n + n] = w[k];
        n++;
    }
    for (int k = 0; n && k < SM_RANK_WORKS; k++) {
        int64_t *w = others + (size_t)k * t->n;
        qsort(w, n, sizeof *w, by_number);
        if (own[k] - w[n / 2] > most) {
            most = own[k] - w[n / 2];
            of = k;
        }
    }
    sm_free(others);
    if (of < 0 || most < waits_ns / 4)
        return;
    if (of == SM_RANK_LOADER)
        out->attempt[0] = "Look at how this rank gets its data: its files, disk, loader processes "
                          "and share of the data";
    char longer[16];
    sm_format_nanoseconds((double)most / (double)(x->view.n_steps ? x->view.n_steps : 1), longer);
    add(out, x, of == SM_RANK_LOADER ? "profile steps" : "profile kernels", share(most, span_of(x)),
        "it spends more on %s than the others: %s %s", sm_rank_work_name((enum sm_rank_work)of),
        longer, x->view.n_steps ? "in each step" : "in all");
}

static bool find_straggler(const struct traces *t, struct sm_speed *out)
{
    const struct sm_trace_item **items = sm_xalloc((t->n + 1) * sizeof *items);
    struct sm_trace_view *views = sm_xalloc((t->n + 1) * sizeof *views);
    const struct traced *x = NULL;
    struct sm_blame b;
    size_t worst = 0;
    int64_t all = 0;
    for (size_t i = 0; i < t->n; i++) {
        items[i] = t->items[i].item;
        views[i] = t->items[i].view;
    }
    sm_blame_find(views, items, t->n, &b);
    for (size_t i = 0; i < b.n_ranks; i++) {
        all += b.root_blame[i];
        worst = b.root_blame[i] > b.root_blame[worst] ? i : worst;
    }
    for (size_t i = 0; i < t->n && b.n_rows && !x; i++)
        x = t->items[i].item->rank == b.ranks[worst] ? &t->items[i] : NULL;
    double waits = x && b.n_ranks > 1 ? (double)b.root_blame[worst] / (double)(b.n_ranks - 1) : 0;
    double part = x && span_of(x) > 0 ? waits / (double)span_of(x) : 0;
    bool yes = 100 * part >= SM_TRACE_STRAGGLER_PERCENT &&
               100 * share(b.root_blame[worst], all) >= SM_TRACE_STRAGGLER_OF_ALL &&
               holds(out, "straggling_worker");
    if (yes) {
        out->worker = x->item->worker;
        add(out, x, "profile blame ranks", part,
            "the other ranks wait %.0f %% of the time for it in collective operations", 100 * part);
        explain(t, x, (int64_t)waits, out);
    }
    sm_blame_clear(&b);
    sm_free(items);
    sm_free(views);
    return yes;
}

/* ---- the others ---- */

static bool find_input(const struct traces *t, struct sm_speed *out)
{
    const struct traced *x = greatest(t, input_of);
    if (!x || 100 * x->input < SM_TRACE_INPUT_PERCENT ||
        x->input * (double)span_of(x) < SM_TRACE_INPUT_LEAST_NS * (double)x->view.n_steps ||
        !holds(out, "input_bound"))
        return false;
    out->worker = t->n > 1 ? x->item->worker : NULL;
    add(out, x, "profile steps", x->input,
        "the data loader is waited for in %.0f %% of the time of its steps", 100 * x->input);
    if (x->gaps.loader_ns > 0)
        add(out, x, "profile idle", share(x->gaps.loader_ns, x->gpu.kernel_ns),
            "the GPU is idle meanwhile in %.0f %% of its time",
            100 * share(x->gaps.loader_ns, x->gpu.kernel_ns));
    return true;
}

static void add_idle(struct sm_speed *out, const struct traced *x)
{
    add(out, x, "profile summary", x->idle, "the GPU is idle in %.0f %% of the time",
        100 * x->idle);
}

/* Of all GPUs: "52 to 55 %". */
static void add_idle_of_all(struct sm_speed *out, const struct traces *t, const struct traced *x)
{
    double least = x->idle, most = x->idle;
    for (size_t i = 0; i < t->n; i++) {
        least = fmin(least, t->items[i].idle);
        most = fmax(most, t->items[i].idle);
    }
    if (t->n < 2 || nearbyint(100 * least) == nearbyint(100 * most)) {
        add_idle(out, x);
        return;
    }
    add(out, x, "profile summary", x->idle, "the GPUs are idle in %.0f to %.0f %% of the time",
        100 * least, 100 * most);
    out->evidence[out->n_evidence - 1].node = NULL;
}

static bool find_exposed(const struct traces *t, struct sm_speed *out)
{
    const struct traced *x = median(t, exposed_of);
    if (!x || 100 * x->exposed < SM_TRACE_EXPOSED_PERCENT || !holds(out, "communication"))
        return false;
    add(out, x, "profile comms -overlap", x->exposed,
        "in %.0f %% of the time its GPU communicates and computes nothing", 100 * x->exposed);
    add_idle_of_all(out, t, x);
    return true;
}

static bool find_sync(const struct traces *t, struct sm_speed *out)
{
    const struct traced *x = median(t, sync_of);
    if (!x || 100 * x->sync < SM_TRACE_SYNC_PERCENT || x->sync < x->launch ||
        !holds(out, "sync_bound"))
        return false;
    add(out, x, "profile idle", x->sync,
        "in %.0f %% of the time the GPU is idle after a call that waited for it (%llu times)",
        100 * x->sync, (unsigned long long)x->gaps.syncs);
    add_idle(out, x);
    return true;
}

static bool find_launch(const struct traces *t, struct sm_speed *out)
{
    const struct traced *x = median(t, launch_of);
    if (!x || 100 * x->launch < SM_TRACE_LAUNCH_PERCENT || !holds(out, "launch_bound"))
        return false;
    add(out, x, "profile launches", x->launch,
        "in %.0f %% of the time the GPU is idle because its next work is not launched yet",
        100 * x->launch);
    add_idle(out, x);
    return true;
}

/* A share from which on it would be the cause is none if it is too short. */
static void say_input(struct sm_speed *out, const struct traced *x)
{
    add(out, x, "profile steps", x->input,
        "the data loader is waited for in %.0f %% of the time of its steps%s", 100 * x->input,
        100 * x->input < SM_TRACE_INPUT_PERCENT ? "" : ", but for less than 1 ms in each");
}

static void say_quiet(const struct traces *t, struct sm_speed *out)
{
    const struct traced *idle = median(t, idle_of), *input = greatest(t, input_of),
                        *exposed = median(t, exposed_of);
    /* steps without a loader's events say nothing of what they wait for */
    out->unknown = !t->gpu && !(t->steps > 1 && t->loads);
    holds(out, out->unknown ? "unknown" : "balanced");
    out->slow = false;
    if (out->unknown)
        for (const struct sm_speed_cause *c = sm_speed_causes; c->id; c++)
            if (strcmp(c->title, "cannot tell: too little was recorded") == 0)
                out->cause = c;
    if (idle)
        add_idle(out, idle);
    if (input)
        say_input(out, input);
    if (exposed && exposed->gpu.comm_ns)
        add(out, exposed, "profile comms -overlap", exposed->exposed,
            "in %.0f %% of the time its GPU communicates and computes nothing",
            100 * exposed->exposed);
}

static void add_missing(struct sm_speed *out, bool missing, const char *what)
{
    if (missing && out->n_missing < SM_SPEED_MISSING)
        out->missing[out->n_missing++] = what;
}

static void list_missing(const struct sm_trace_set *set, const struct traces *t,
                         struct sm_speed *out)
{
    int64_t ranks = 0;
    for (size_t i = 0; i < t->n; i++)
        ranks += !i || t->items[i].item->rank != t->items[i - 1].item->rank;
    add_missing(out, !t->gpu, "work of GPUs");
    add_missing(out, !t->steps, "steps (prof.step())");
    add_missing(out, t->steps && !t->loads, "waits for the data loader");
    add_missing(out, sm_trace_set_world(set) > ranks, "traces of the other ranks");
}

void sm_trace_speed_find(const struct sm_trace_set *set, struct sm_speed *out)
{
    static bool (*const causes[])(const struct traces *, struct sm_speed *) = {
        find_straggler, find_input, find_exposed, find_sync, find_launch};
    struct traces t = {.items = sm_xalloc_zero(sm_trace_set_count(set) + 1, sizeof *t.items)};
    *out = (struct sm_speed){.since_ns = INT64_MIN,
                             .since_step = -1,
                             .alone = true,
                             .from_ns = INT64_MAX,
                             .to_ns = INT64_MIN};
    for (size_t i = 0; i < sm_trace_set_count(set); i++)
        measure(sm_trace_set_item(set, i), &t);
    for (size_t i = 0; i < sizeof causes / sizeof *causes && !out->slow; i++)
        causes[i](&t, out);
    if (!out->slow)
        say_quiet(&t, out);
    list_missing(set, &t, out);
    out->steps = t.steps;
    for (size_t i = 0; i < out->n_evidence; i++) {
        const struct sm_speed_evidence *e = &out->evidence[i];
        out->from_ns = e->from_ns < out->from_ns ? e->from_ns : out->from_ns;
        out->to_ns = e->to_ns > out->to_ns ? e->to_ns : out->to_ns;
    }
    for (size_t i = 0; i < t.n; i++)
        sm_trace_view_clear(&t.items[i].view);
    sm_free(t.items);
}
