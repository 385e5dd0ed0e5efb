/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/profile_report.h"

#include "rules/profiler/profiler_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BARS = 24, BOXES = 64, ROWS = 256 };

/* ---- reading the tree ---- */

void sm_profile_report_init(struct sm_profile_report *r)
{
    for (size_t i = 0; i < SM_PROFILE_REPORT_RULES; i++)
        r->rules[i] = (struct sm_profile_report_rule){sm_profiler_subrules[i]->class_name, NULL};
}

const struct sm_node *sm_profile_report_rule(const struct sm_profile_report *r, const char *name)
{
    for (size_t i = 0; i < SM_PROFILE_REPORT_RULES; i++)
        if (strcmp(r->rules[i].name, name) == 0)
            return r->rules[i].map;
    return NULL;
}

static double number(const struct sm_node *x)
{
    if (!x)
        return (double)NAN;
    return x->type == SM_NODE_INT      ? (double)x->i
           : x->type == SM_NODE_UINT   ? (double)x->u
           : x->type == SM_NODE_DOUBLE ? x->d
                                       : (double)NAN;
}

static bool is_map(const struct sm_node *x)
{
    return x && x->type == SM_NODE_MAP;
}

/* A member of a map that is a map; NULL: there is none. */
static const struct sm_node *member(const struct sm_node *map, const char *key)
{
    const struct sm_node *x = is_map(map) ? sm_node_get(map, key) : NULL;
    return is_map(x) ? x : NULL;
}

static double value(const struct sm_node *map, const char *key)
{
    return is_map(map) ? number(sm_node_get(map, key)) : (double)NAN;
}

static const struct sm_node *details(const struct sm_profile_report *r, const char *name)
{
    return member(sm_profile_report_rule(r, name), "Details");
}

static double triggered(const struct sm_profile_report *r, const char *name)
{
    double n = value(sm_profile_report_rule(r, name), "RuleTriggered");
    return isnan(n) ? 0 : n;
}

static const char *number_text(struct sm_sheet *o, double v)
{
    struct sm_str s = {0};
    if (isnan(v))
        return "-";
    sm_str_printf(&s, fabs(v) < 1e15 && v == floor(v) ? "%.0f" : "%.2f", v);
    const char *copy = sm_arena_xstrndup(&o->text->arena, s.data, s.len);
    sm_str_clear(&s);
    return copy;
}

/* ---- 7.2 ---- */

static const char *time_text(struct sm_sheet *o, double seconds)
{
    char text[64] = "-";
    time_t t = (time_t)seconds;
    struct tm tm;
    if (isfinite(seconds) && fabs(seconds) < 1e11 && gmtime_r(&t, &tm))
        strftime(text, sizeof text, "%H:%M:%S %m/%d/%Y", &tm);
    return sm_arena_xstrndup(&o->text->arena, text, strlen(text));
}

static double at_least_0(double v)
{
    return v > 0 ? v : 0;
}

static void put_loop(struct sm_sheet *o, double start, double end, const struct sm_node *steps)
{
    double first = value(steps, "first") / 1e6, last = value(steps, "last") / 1e6,
           all = end - start;
    double parts[] = {at_least_0(first - start), at_least_0(last - first),
                      at_least_0(fabs(end - last))};
    static const char *const names[] = {"Initialization", "Training loop", "Finalization"};
    struct sm_sheet_bar bars[3];
    sm_sheet_say(o,
                 "Training loop: %s to %s UTC, %.0f s. Initialization %.0f s, finalization "
                 "%.0f s.",
                 time_text(o, first), time_text(o, last), floor(parts[1]), floor(parts[0]),
                 floor(parts[2]));
    for (int i = 0; i < 3; i++)
        bars[i] = (struct sm_sheet_bar){names[i], all > 0 ? floor(100 * parts[i] / all) : 0};
    sm_sheet_bars(o, "Share of the job", bars, 3);
}

static void put_job(const struct sm_profile_report *r, struct sm_sheet *o)
{
    const struct sm_node *d = details(r, "MaxInitializationTime"), *steps = member(d, "step_num");
    double start = value(d, "job_start"), end = value(d, "job_end");
    sm_sheet_heading(o, 1, "Training job summary");
    if (isnan(start) || isnan(end)) {
        sm_sheet_say(o, "The times of the job are not known.");
        return;
    }
    sm_sheet_say(o, "Start %s, end %s UTC, duration %.0f s.", time_text(o, start),
                 time_text(o, end), floor(end - start));
    if (steps && !isnan(value(steps, "first")) && !isnan(value(steps, "last")))
        put_loop(o, start, end, steps);
    else
        sm_sheet_say(o, "There are no events of steps: initialization and training loop cannot be "
                        "told apart.");
}

/* ---- 7.3 ---- */

static void advise_node(const struct sm_node *usage, const char *node, struct sm_sheet *o)
{
    const struct sm_node *gpu = member(member(usage, "GPU"), node),
                         *cpu = member(member(usage, "CPU"), node);
    double g95 = value(gpu, "p95"), c95 = value(cpu, "p95"), g50 = value(gpu, "p50"),
           c50 = value(cpu, "p50");
    if (!gpu && c95 > 70)
        sm_sheet_say(o, "%s: the CPUs are well used, 95 %% of the time below %.4g %%.", node, c95);
    if (!gpu)
        return;
    if (g95 < 70 && c95 < 70)
        sm_sheet_say(o,
                     "%s is little used: the 95th percentile of GPU is %.4g %%, of CPU %.4g %%. "
                     "A smaller machine would do, or a larger batch.",
                     node, g95, c95);
    else if (g95 < 70 && c95 > 70)
        sm_sheet_say(o,
                     "%s: the GPUs wait for the CPUs: the 95th percentile of GPU is %.4g %%, of "
                     "CPU %.4g %%.",
                     node, g95, c95);
    else if (g50 > 70)
        sm_sheet_say(o, "%s: the GPUs are well used, half of the time above %.4g %%.", node, g50);
    else
        sm_sheet_say(o, "%s: the median of GPU is %.4g %%, of CPU %.4g %%.", node, g50, c50);
}

static void put_usage(const struct sm_profile_report *r, struct sm_sheet *o)
{
    static const char *const headers[] = {"node", "metric", "unit", "max",
                                          "p99",  "p95",    "p50",  "min"};
    const struct sm_node *usage = details(r, "OverallSystemUsage");
    const char *cells[ROWS * 8];
    size_t n = 0;
    sm_sheet_heading(o, 1, "System usage statistics");
    for (const struct sm_node *m = is_map(usage) ? usage->first : NULL; m; m = m->next)
        for (const struct sm_node *x = is_map(m) ? m->first : NULL; x && n < ROWS; x = x->next) {
            const char **row = &cells[n++ * 8];
            row[0] = x->key;
            row[1] = m->key;
            row[2] = strcmp(m->key, "Network") == 0 ? "B/s" : "%";
            for (int k = 3; k < 8; k++)
                row[k] = number_text(o, value(x, headers[k]));
        }
    if (n)
        sm_sheet_table(o, headers, 8, cells, n);
    else
        sm_sheet_say(o, "No metrics of the system were recorded.");
    const struct sm_node *cpu = member(usage, "CPU");
    for (const struct sm_node *x = cpu ? cpu->first : NULL; x; x = x->next)
        advise_node(usage, x->key, o);
}

/* ---- 7.4 ---- */

static int by_value(const void *a, const void *b)
{
    const struct sm_sheet_bar *x = a, *y = b;
    return x->value < y->value ? 1 : x->value > y->value ? -1 : 0;
}

/* The numbers of a map, the greatest first. */
static size_t bars_of(const struct sm_node *map, struct sm_sheet_bar *bars)
{
    size_t n = 0;
    for (const struct sm_node *x = is_map(map) ? map->first : NULL; x && n < BARS; x = x->next)
        if (!isnan(number(x)))
            bars[n++] = (struct sm_sheet_bar){x->key, number(x)};
    if (n)
        qsort(bars, n, sizeof *bars, by_value);
    return n;
}

static void put_shares(const struct sm_node *map, const char *caption, struct sm_sheet *o)
{
    struct sm_sheet_bar bars[BARS];
    sm_sheet_bars(o, caption, bars, bars_of(map, bars));
}

static void put_breakdown(const struct sm_node *d, struct sm_sheet *o)
{
    put_shares(member(d, "phase"), "Steps and the time between them", o);
    put_shares(member(d, "forward_backward"), "Forward and backward pass", o);
    put_shares(member(d, "ratio"), "Operators of CPU and GPU", o);
    put_shares(member(d, "general"), "Other phases", o);
    put_shares(member(d, "horovod"), "Horovod", o);
}

static void put_operators(const struct sm_node *d, const char *device, const char *total,
                          struct sm_sheet *o)
{
    static const char *const headers[] = {"percentage", "cumulative time in microseconds",
                                          "operator"};
    struct sm_sheet_bar bars[BARS];
    const char *cells[BARS * 3];
    size_t n = bars_of(member(d, device), bars);
    if (!n)
        return;
    sm_sheet_heading(
        o, 2, strcmp(device, "CPU") == 0 ? "Overview: CPU operators" : "Overview: GPU operators");
    for (size_t i = 0; i < n; i++) {
        cells[3 * i] = number_text(o, bars[i].value);
        cells[3 * i + 1] = number_text(o, floor(value(member(d, total), bars[i].name)));
        cells[3 * i + 2] = bars[i].name;
    }
    sm_sheet_table(o, headers, 3, cells, n);
    sm_sheet_say(o, "The most expensive operator is %s with %.4g %%.", bars[0].name, bars[0].value);
}

static void put_framework(const struct sm_profile_report *r, struct sm_sheet *o)
{
    const struct sm_node *d = details(r, "OverallFrameworkMetrics");
    sm_sheet_heading(o, 1, "Framework metrics summary");
    if (!is_map(d) || !d->first) {
        sm_sheet_say(o, "Framework profiling was not enabled: there are no events.");
        return;
    }
    put_breakdown(d, o);
    if (value(member(d, "phase"), "others") > 25)
        sm_sheet_say(o, "%.4g %% of the time is between steps.",
                     value(member(d, "phase"), "others"));
    put_operators(d, "CPU", "CPU_total", o);
    put_operators(d, "GPU", "GPU_total", o);
}

/* ---- 7.5 ---- */

static bool is_overall(const char *name)
{
    return strncmp(name, "Overall", 7) == 0;
}

/* The rules that fired most often first. */
static size_t order_of(const struct sm_profile_report *r, size_t *order)
{
    size_t n = 0;
    for (size_t i = 0; i < SM_PROFILE_REPORT_RULES; i++) {
        if (is_overall(r->rules[i].name) || !r->rules[i].map)
            continue;
        size_t k = n++;
        for (; k && triggered(r, r->rules[order[k - 1]].name) < triggered(r, r->rules[i].name); k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    return n;
}

/* "threshold:50, patience:1000" */
static const char *parameters(struct sm_sheet *o, const struct sm_node *map)
{
    const struct sm_node *x = sm_node_get(map, "RuleParameters");
    struct sm_str s = {0};
    for (size_t i = 0; x && x->type == SM_NODE_TEXT && i < x->text.n; i++)
        if (x->text.p[i] == '\n')
            sm_str_add(&s, ", ");
        else
            sm_str_addc(&s, x->text.p[i]);
    const char *copy = sm_arena_xstrndup(&o->text->arena, s.len ? s.data : "", s.len);
    sm_str_clear(&s);
    return copy;
}

static void put_rules(const struct sm_profile_report *r, struct sm_sheet *o)
{
    static const char *const headers[] = {"rule",        "fired",          "datapoints",
                                          "description", "recommendation", "parameters"};
    size_t order[SM_PROFILE_REPORT_RULES], n = order_of(r, order);
    const char *cells[SM_PROFILE_REPORT_RULES * 6];
    sm_sheet_heading(o, 1, "Rules summary");
    for (size_t i = 0; i < n; i++) {
        const struct sm_profile_report_rule *rule = &r->rules[order[i]];
        const char **row = &cells[6 * i];
        row[0] = rule->name;
        row[1] = number_text(o, triggered(r, rule->name));
        row[2] = number_text(o, value(rule->map, "Datapoints"));
        row[3] = sm_profiler_subrules[order[i]]->summary;
        row[4] = sm_profiler_subrules[order[i]]->advice;
        row[5] = parameters(o, rule->map);
    }
    if (n)
        sm_sheet_table(o, headers, 6, cells, n);
    if (n && triggered(r, r->rules[order[0]].name) > 0)
        sm_sheet_say(o, "%s fired most often: %.0f times, of %.0f datapoints.",
                     r->rules[order[0]].name, triggered(r, r->rules[order[0]].name),
                     value(r->rules[order[0]].map, "Datapoints"));
    else
        sm_sheet_say(o, "No rule fired.");
}

/* ---- 7.6 ---- */

static bool is_box(const struct sm_node *x)
{
    return is_map(x) && !isnan(value(x, "p50")) && !isnan(value(x, "lower"));
}

/* The box plots of the nodes of a rule. */
static void put_boxes(const struct sm_node *d, struct sm_sheet *o)
{
    for (const struct sm_node *node = is_map(d) ? d->first : NULL; node; node = node->next) {
        struct sm_sheet_box boxes[BOXES];
        size_t n = 0;
        for (const struct sm_node *x = is_map(node) ? node->first : NULL; x && n < BOXES;
             x = x->next)
            if (is_box(x))
                boxes[n++] =
                    (struct sm_sheet_box){x->key,          value(x, "lower"), value(x, "p25"),
                                          value(x, "p50"), value(x, "p75"),   value(x, "upper")};
        sm_sheet_boxes(o, node->key, boxes, n);
    }
}

static void put_last(const struct sm_node *d, struct sm_sheet *o)
{
    double us = value(d, "last_timestamp");
    if (!isnan(us))
        sm_sheet_say(o, "Fired last at %s UTC.", time_text(o, us / 1e6));
}

static size_t numbers_of(const struct sm_node *list, double *out, size_t most)
{
    size_t n = 0;
    if (!list || list->type != SM_NODE_LIST)
        return 0;
    for (const struct sm_node *x = list->first; x && n < most; x = x->next)
        out[n++] = number(x);
    return n;
}

static void put_histogram(const struct sm_node *d, const char *caption, struct sm_sheet *o)
{
    double counts[512], edges[513];
    size_t n = numbers_of(sm_node_get(d, "probs"), counts, 512),
           m = numbers_of(sm_node_get(d, "binedges"), edges, 513);
    if (n && m == n + 1)
        sm_sheet_histogram(o, caption, counts, n, edges[0], edges[n]);
}

static void put_steps(const struct sm_node *d, struct sm_sheet *o)
{
    const struct sm_node *all = member(d, "step_details");
    sm_sheet_heading(o, 2, "Step durations");
    if (!all || !all->first)
        sm_sheet_say(o, "There are no steps.");
    for (const struct sm_node *x = all ? all->first : NULL; x; x = x->next) {
        const struct sm_node *s = member(x, "step_stats");
        if (!s)
            continue;
        sm_sheet_say(o,
                     "%s: mean %.4g s, max %.4g, p99 %.4g, p95 %.4g, p50 %.4g, min %.4g; %.0f "
                     "outliers, standard deviation %.4g s.",
                     x->key, value(s, "mean"), value(s, "max"), value(s, "p99"), value(s, "p95"),
                     value(s, "p50"), value(s, "min"), value(x, "number_of_outliers"),
                     value(x, "stddev"));
        put_histogram(x, "Durations in seconds of steps that are no outliers", o);
    }
    put_breakdown(d, o);
}

static void put_balance(const struct sm_node *d, struct sm_sheet *o)
{
    sm_sheet_heading(o, 2, "Workload balancing");
    if (!is_map(d) || !d->first)
        sm_sheet_say(o, "LoadBalancing did not fire.");
    for (const struct sm_node *node = is_map(d) ? d->first : NULL; node; node = node->next) {
        const struct sm_node *loads = member(node, "workloads"), *far = member(node, "distances");
        size_t gpus = 0;
        for (const struct sm_node *g = loads ? loads->first : NULL; g; g = g->next, gpus++) {
            double counts[512];
            struct sm_str caption = {0};
            size_t n = numbers_of(g, counts, 512);
            sm_str_printf(&caption, "Use in %% of %s, %s", g->key, node->key);
            sm_sheet_histogram(o, sm_str_text(&caption), counts, n, 0, 100);
            sm_str_clear(&caption);
        }
        for (const struct sm_node *a = far ? far->first : NULL; a; a = a->next)
            for (const struct sm_node *b = is_map(a) ? a->first : NULL; b; b = b->next)
                sm_sheet_say(o, "%s: %s and %s differ by %.4g.", node->key, a->key, b->key,
                             number(b));
        if (gpus == 1)
            sm_sheet_say(o, "%s has one GPU: there is nothing to balance.", node->key);
    }
}

static void put_loading(const struct sm_node *d, struct sm_sheet *o)
{
    const struct sm_node *pin = is_map(d) ? sm_node_get(d, "pin_memory") : NULL,
                         *times = member(d, "dataloading_time");
    double cores = value(d, "cores"), loaders = value(d, "dataloaders");
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
    sm_sheet_say(o, "Loading takes p25 %.4g s, p50 %.4g s, p95 %.4g s.", value(times, "p25"),
                 value(times, "p50"), value(times, "p95"));
    put_histogram(times, "Loading times in seconds", o);
}

static void put_bottleneck(const struct sm_profile_report *r, const char *name, const char *cause,
                           struct sm_sheet *o)
{
    const struct sm_node *rule = sm_profile_report_rule(r, name), *d = details(r, name),
                         *times = member(d, "bottlenecks");
    double all = value(rule, "Datapoints"), low = value(d, "low_gpu_utilization"), n = 0;
    for (const struct sm_node *x = times ? times->first : NULL; x; x = x->next)
        n++;
    sm_sheet_heading(o, 2, name);
    if (!(all > 0)) {
        sm_sheet_say(o, "There are no datapoints.");
        return;
    }
    sm_sheet_say(o, "At %.0f of %.0f times, %.4g %%, a GPU was low because of %s; the rule %s.", n,
                 all, 100 * n / all, cause, triggered(r, name) > 0 ? "fired" : "did not fire");
    if (triggered(r, name) > 0) {
        struct sm_str because = {0};
        sm_str_printf(&because, "GPU low because of %s", cause);
        struct sm_sheet_bar bars[] = {{"GPU above threshold", 100 * (all - low) / all},
                                      {"GPU below threshold", 100 * at_least_0(low - n) / all},
                                      {sm_str_text(&because), 100 * n / all}};
        sm_sheet_bars(o, "Share of the time", bars, 3);
        sm_str_clear(&because);
        put_breakdown(d, o);
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
        const struct sm_node *d = details(r, parts[i].rule);
        sm_sheet_heading(o, 2, parts[i].title);
        if (!(triggered(r, parts[i].rule) > 0))
            sm_sheet_say(o, "%s did not fire.", parts[i].rule);
        put_last(d, o);
        put_boxes(d, o);
    }
}

static void put_analysis(const struct sm_profile_report *r, struct sm_sheet *o)
{
    sm_sheet_heading(o, 1, "Analysis");
    put_steps(details(r, "StepOutlier"), o);
    put_gpus(r, o);
    put_balance(details(r, "LoadBalancing"), o);
    put_loading(details(r, "Dataloader"), o);
    put_bottleneck(r, "CPUBottleneck", "CPU", o);
    put_bottleneck(r, "IOBottleneck", "I/O", o);
}

void sm_profile_report_write(const struct sm_profile_report *r, struct sm_sheet *o)
{
    sm_sheet_begin(o, "Profiling report");
    sm_sheet_say(o, "Made from the results of the rules of a profile. Recommendations are hints, "
                    "not certain.");
    put_job(r, o);
    put_usage(r, o);
    put_framework(r, o);
    put_rules(r, o);
    put_analysis(r, o);
    sm_sheet_end(o);
}
