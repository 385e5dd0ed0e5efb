/* SPDX-License-Identifier: Apache-2.0 */
/* The analysis of a profiling report (PROFILER.md 7.6). */
#include "commands/profile/report_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BOXES = 64, SERIES = 64, BINS = 512 };

static bool is_box(const struct sm_node *x)
{
    return sm_report_is_map(x) && !isnan(sm_report_value(x, "p50")) &&
           !isnan(sm_report_value(x, "lower"));
}

/* The box plots of the nodes of a rule. */
static void put_boxes(const struct sm_node *d, struct sm_sheet *o)
{
    for (const struct sm_node *node = sm_report_is_map(d) ? d->first : NULL; node;
         node = node->next) {
        struct sm_sheet_box boxes[BOXES];
        size_t n = 0;
        for (const struct sm_node *x = sm_report_is_map(node) ? node->first : NULL; x && n < BOXES;
             x = x->next)
            if (is_box(x))
                boxes[n++] = (struct sm_sheet_box){x->key,
                                                   sm_report_value(x, "lower"),
                                                   sm_report_value(x, "p25"),
                                                   sm_report_value(x, "p50"),
                                                   sm_report_value(x, "p75"),
                                                   sm_report_value(x, "upper")};
        sm_sheet_boxes(o, node->key, boxes, n);
    }
}

/* The limit of a parameter, from "threshold_p95:70\n..."; NaN: it is not said. */
static double limit_of(const struct sm_profile_report *r, const char *rule, const char *parameter)
{
    const struct sm_node *map = sm_profile_report_rule(r, rule),
                         *x = map ? sm_node_get(map, "RuleParameters") : NULL;
    double v = (double)NAN;
    for (size_t i = 0; x && x->type == SM_NODE_TEXT && i < x->text.n; i++) {
        struct sm_text line = {x->text.p + i, 0};
        while (i + line.n < x->text.n && line.p[line.n] != '\n')
            line.n++;
        i += line.n;
        if (line.n > strlen(parameter) && line.p[strlen(parameter)] == ':' &&
            strncmp(line.p, parameter, strlen(parameter)) == 0)
            v = strtod(line.p + strlen(parameter) + 1, NULL);
    }
    return v;
}

/* What the numbers of a GPU say: limits of its 95th and 5th percentile. */
static void put_remarks(const char *node, const struct sm_node *gpu, double p95, double p5,
                        const double limits[2], struct sm_sheet *o)
{
    double max = sm_report_value(gpu, "gpu_max");
    if (isnan(max))
        return;
    sm_sheet_say(o, "%s, %s: at most %.4g %%%s%s%s.", node, gpu->key, max,
                 p95 < limits[0] ? "; little used, 95 % of the time below the limit" : "",
                 p5 < limits[1] ? "; 5 % of the time nearly unused" : "",
                 p95 - p5 > 50 ? "; it swings between high and low" : "");
}

static void put_gpu_remarks(const struct sm_profile_report *r, const char *rule, struct sm_sheet *o)
{
    const struct sm_node *d = sm_report_details(r, rule);
    bool memory = strcmp(rule, "GPUMemoryIncrease") == 0;
    double limits[2] = {memory ? 50 : limit_of(r, rule, "threshold_p95"),
                        memory ? 5 : limit_of(r, rule, "threshold_p5")};
    for (const struct sm_node *node = d ? d->first : NULL; node; node = node->next)
        for (const struct sm_node *g = sm_report_is_map(node) ? node->first : NULL; g; g = g->next)
            put_remarks(node->key, g, sm_report_value(g, memory ? "p95" : "gpu_95"),
                        sm_report_value(g, memory ? "p05" : "gpu_5"), limits, o);
}

static void put_last(const struct sm_node *d, struct sm_sheet *o)
{
    double us = sm_report_value(d, "last_timestamp");
    if (!isnan(us))
        sm_sheet_say(o, "Fired last at %s UTC.", sm_report_time_text(o, us / 1e6));
}

/* The rule of the use of GPUs counts their datapoints. */
static bool has_no_gpus(const struct sm_profile_report *r)
{
    return sm_report_value(sm_profile_report_rule(r, "LowGPUUtilization"), "Datapoints") <= 0;
}

/* Of a rule about GPUs that has not fired. */
static void put_quiet(const struct sm_profile_report *r, const char *rule, struct sm_sheet *o)
{
    if (has_no_gpus(r))
        sm_sheet_say(o, "There are no metrics of GPUs: %s judges nothing.", rule);
    else
        sm_sheet_say(o, "%s did not fire.", rule);
}

static size_t numbers_of(const struct sm_node *list, double *out, size_t most)
{
    size_t n = 0;
    if (!list || list->type != SM_NODE_LIST)
        return 0;
    for (const struct sm_node *x = list->first; x && n < most; x = x->next)
        out[n++] = sm_report_number(x);
    return n;
}

/* A histogram of "probs" and "binedges", without the empty bins at its ends; counts in the arena.
 * False: there is none. */
static bool read_histogram(const struct sm_node *d, struct sm_sheet *o, struct sm_sheet_counts *out)
{
    double *counts = sm_arena_xalloc(&o->text->arena, BINS * sizeof *counts), edges[BINS + 1];
    size_t n = numbers_of(sm_node_get(d, "probs"), counts, BINS), first = 0,
           m = numbers_of(sm_node_get(d, "binedges"), edges, BINS + 1);
    if (m != n + 1)
        return false;
    while (n && !(counts[n - 1] > 0))
        n--;
    while (first < n && !(counts[first] > 0))
        first++;
    *out = (struct sm_sheet_counts){d->key, counts + first, n - first, edges[first], edges[n]};
    return n > first;
}

static void put_steps(const struct sm_node *d, struct sm_sheet *o)
{
    const struct sm_node *all = sm_report_member(d, "step_details");
    struct sm_sheet_counts items[SERIES];
    size_t n = 0;
    sm_sheet_heading(o, 2, "Step durations");
    if (!all || !all->first)
        sm_sheet_say(o, "There are no steps.");
    for (const struct sm_node *x = all ? all->first : NULL; x; x = x->next) {
        const struct sm_node *s = sm_report_member(x, "step_stats");
        if (!s)
            continue;
        sm_sheet_say(o,
                     "%s: mean %.4g s, max %.4g, p99 %.4g, p95 %.4g, p50 %.4g, min %.4g; %.0f "
                     "outliers, standard deviation %.4g s.",
                     x->key, sm_report_value(s, "mean"), sm_report_value(s, "max"),
                     sm_report_value(s, "p99"), sm_report_value(s, "p95"),
                     sm_report_value(s, "p50"), sm_report_value(s, "min"),
                     sm_report_value(x, "number_of_outliers"), sm_report_value(x, "stddev"));
        n += n < SERIES && read_histogram(x, o, &items[n]);
    }
    sm_sheet_histograms(o, "Durations in seconds of steps that are no outliers", items, n);
    sm_report_put_breakdown(d, o);
}

/* The use of each GPU of a node: bins are 2 % wide; the service has none for the last two. */
static size_t put_loads(const struct sm_node *node, struct sm_sheet *o)
{
    const struct sm_node *loads = sm_report_member(node, "workloads");
    struct sm_sheet_counts items[SERIES];
    struct sm_str caption = {0};
    size_t n = 0, gpus = 0;
    for (const struct sm_node *g = loads ? loads->first : NULL; g; g = g->next, gpus++) {
        double *counts = sm_arena_xalloc(&o->text->arena, BINS * sizeof *counts), sum = 0;
        size_t bins = numbers_of(g, counts, BINS);
        for (size_t i = 0; i < bins; i++)
            sum += counts[i] > 0 ? counts[i] : 0;
        if (sum > 0 && n < SERIES)
            items[n++] = (struct sm_sheet_counts){g->key, counts, bins, 0, 2.0 * (double)bins};
    }
    sm_str_printf(&caption, "Use in %% of the GPUs of %s", node->key);
    sm_sheet_histograms(o, sm_str_text(&caption), items, n);
    sm_str_clear(&caption);
    return gpus;
}

static void put_balance(const struct sm_profile_report *r, struct sm_sheet *o)
{
    const struct sm_node *d = sm_report_details(r, "LoadBalancing");
    sm_sheet_heading(o, 2, "Workload balancing");
    if (has_no_gpus(r) || !sm_report_is_map(d) || !d->first)
        put_quiet(r, "LoadBalancing", o);
    for (const struct sm_node *node = sm_report_is_map(d) ? d->first : NULL; node;
         node = node->next) {
        const struct sm_node *far = sm_report_member(node, "distances");
        size_t gpus = put_loads(node, o);
        for (const struct sm_node *a = far ? far->first : NULL; a; a = a->next)
            for (const struct sm_node *b = sm_report_is_map(a) ? a->first : NULL; b; b = b->next)
                sm_sheet_say(o, "%s: %s and %s differ by %.4g.", node->key, a->key, b->key,
                             sm_report_number(b));
        if (gpus == 1)
            sm_sheet_say(o, "%s has one GPU: there is nothing to balance.", node->key);
    }
}

static void put_loading(const struct sm_node *d, struct sm_sheet *o)
{
    const struct sm_node *pin = sm_report_is_map(d) ? sm_node_get(d, "pin_memory") : NULL,
                         *times = sm_report_member(d, "dataloading_time");
    struct sm_sheet_counts item;
    double cores = sm_report_value(d, "cores"), loaders = sm_report_value(d, "dataloaders");
    sm_sheet_heading(o, 2, "Dataloading analysis");
    if (isnan(cores) || !times || !times->first) {
        sm_sheet_say(o, "There are no events of data loaders.");
        return;
    }
    sm_sheet_say(o, "Cores: %.0f; processes that load data in a second: %.0f%s.", cores, loaders,
                 loaders < cores   ? ": more workers may help"
                 : loaders > cores ? ": fewer workers may help"
                                   : "");
    if (pin && pin->type == SM_NODE_BOOL && !pin->b)
        sm_sheet_say(o, "pin_memory is off: switch it on.");
    sm_sheet_say(o, "Loading takes p25 %.4g s, p50 %.4g s, p95 %.4g s.",
                 sm_report_value(times, "p25"), sm_report_value(times, "p50"),
                 sm_report_value(times, "p95"));
    if (read_histogram(times, o, &item))
        sm_sheet_histograms(o, "Loading times in seconds", &item, 1);
}

static void put_bottleneck(const struct sm_profile_report *r, const char *name, const char *cause,
                           struct sm_sheet *o)
{
    const struct sm_node *rule = sm_profile_report_rule(r, name), *d = sm_report_details(r, name),
                         *times = sm_report_member(d, "bottlenecks");
    double all = sm_report_value(rule, "Datapoints"),
           low = sm_report_value(d, "low_gpu_utilization"), n = 0;
    for (const struct sm_node *x = times ? times->first : NULL; x; x = x->next)
        n++;
    sm_sheet_heading(o, 2, name);
    if (!(all > 0)) {
        sm_sheet_say(o, "There are no datapoints.");
        return;
    }
    if (has_no_gpus(r) && !(n > 0)) {
        put_quiet(r, name, o);
        return;
    }
    double share = 100 * n / all, limit = limit_of(r, name, "threshold");
    sm_sheet_say(o, "At %.0f of %.0f times, %.4g %%, a GPU was low because of %s%s; the rule %s.",
                 n, all, share, cause,
                 share > limit    ? ", above the limit"
                 : share <= limit ? ", below the limit"
                                  : "",
                 sm_report_triggered(r, name) > 0 ? "fired" : "did not fire");
    if (sm_report_triggered(r, name) > 0) {
        struct sm_str because = {0};
        sm_str_printf(&because, "GPU low because of %s", cause);
        struct sm_sheet_bar bars[] = {
            {"GPU above threshold", 100 * (all - low) / all},
            {"GPU below threshold", 100 * sm_report_at_least_0(low - n) / all},
            {sm_str_text(&because), 100 * n / all}};
        sm_sheet_bars(o, "Share of the time", bars, 3);
        sm_str_clear(&because);
        sm_report_put_breakdown(d, o);
    }
}

static void put_gpus(const struct sm_profile_report *r, struct sm_sheet *o)
{
    static const struct {
        const char *rule, *title;
    } parts[] = {{"LowGPUUtilization", "GPU utilization analysis"},
                 {"BatchSize", "Batch size"},
                 {"GPUMemoryIncrease", "GPU memory"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const struct sm_node *d = sm_report_details(r, parts[i].rule);
        sm_sheet_heading(o, 2, parts[i].title);
        if (!(sm_report_triggered(r, parts[i].rule) > 0))
            put_quiet(r, parts[i].rule, o);
        put_last(d, o);
        put_boxes(d, o);
        put_gpu_remarks(r, parts[i].rule, o);
    }
}

/* The time before the first step is longer than that of the steps. */
static bool begins_late(const struct sm_profile_report *r)
{
    const struct sm_node *d = sm_report_details(r, "MaxInitializationTime"),
                         *steps = sm_report_member(d, "step_num");
    double first = sm_report_value(steps, "first") / 1e6,
           last = sm_report_value(steps, "last") / 1e6;
    return first - sm_report_value(d, "job_start") > last - first;
}

void sm_report_put_analysis(const struct sm_profile_report *r, struct sm_sheet *o)
{
    sm_sheet_heading(
        o, 1, begins_late(r) ? "Analysis of the initialization" : "Analysis of the training loop");
    put_steps(sm_report_details(r, "StepOutlier"), o);
    put_gpus(r, o);
    put_balance(r, o);
    put_loading(sm_report_details(r, "Dataloader"), o);
    put_bottleneck(r, "CPUBottleneck", "CPU", o);
    put_bottleneck(r, "IOBottleneck", "I/O", o);
}
