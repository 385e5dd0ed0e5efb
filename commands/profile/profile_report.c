/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/report_parts.h"

#include "rules/profiler/profiler_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 256 };

/* ---- reading the tree ---- */

void sm_profile_report_init(struct sm_profile_report *r)
{
    r->speed = NULL;
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

/* ---- what holds the run up ---- */

static void put_evidence(const struct sm_speed *s, struct sm_sheet *o)
{
    for (size_t i = 0; i < s->n_evidence; i++) {
        struct sm_str scope = {0};
        sm_speed_scope(&s->evidence[i], &scope);
        sm_sheet_say(o, "- %s (%s)", s->evidence[i].text, sm_str_text(&scope));
        sm_str_clear(&scope);
    }
}

static void put_verdict(const struct sm_speed *s, struct sm_sheet *o)
{
    struct sm_str text = {0};
    sm_sheet_panel(o, !s->slow && !s->unknown);
    sm_sheet_heading(o, 1, "What holds the run up");
    sm_speed_headline(s, &text);
    sm_sheet_say(o, "%s", sm_str_text(&text));
    put_evidence(s, o);
    for (size_t i = 0; i < SM_SPEED_ATTEMPTS && s->attempt[i]; i++)
        sm_sheet_say(o, "Try: %s.", s->attempt[i]);
    sm_str_truncate(&text, 0);
    for (size_t i = 0; i < s->n_missing; i++)
        sm_str_printf(&text, "%s%s", i ? ", " : "Not recorded: ", s->missing[i]);
    if (text.len)
        sm_sheet_say(o, "%s.", sm_str_text(&text));
    sm_sheet_panel_end(o);
    sm_str_clear(&text);
}

/* ---- 7.2 ---- */

static void put_loop(struct sm_sheet *o, double start, double end, const struct sm_node *steps)
{
    double first = sm_report_value(steps, "first") / 1e6,
           last = sm_report_value(steps, "last") / 1e6, all = end - start;
    double parts[] = {sm_report_at_least_0(first - start), sm_report_at_least_0(last - first),
                      sm_report_at_least_0(fabs(end - last))};
    static const char *const names[] = {"Initialization", "Training loop", "Finalization"};
    struct sm_sheet_bar bars[3];
    sm_sheet_say(o,
                 "Training loop: %s to %s UTC, %.0f s. Initialization %.0f s, finalization "
                 "%.0f s.",
                 sm_report_time_text(o, first), sm_report_time_text(o, last), floor(parts[1]),
                 floor(parts[0]), floor(parts[2]));
    for (int i = 0; i < 3; i++)
        bars[i] =
            (struct sm_sheet_bar){names[i], all > 0 ? fmin(floor(100 * parts[i] / all), 100) : 0};
    sm_sheet_bars(o, "Share of the job", bars, 3);
}

static void put_job(const struct sm_profile_report *r, struct sm_sheet *o)
{
    const struct sm_node *d = sm_report_details(r, "MaxInitializationTime"),
                         *steps = sm_report_member(d, "step_num");
    double start = sm_report_value(d, "job_start"), end = sm_report_value(d, "job_end");
    sm_sheet_heading(o, 1, "Training job summary");
    if (isnan(start) || isnan(end)) {
        sm_sheet_say(o, "The times of the job are not known.");
        return;
    }
    sm_sheet_say(o, "Start %s, end %s UTC, duration %.0f s.", sm_report_time_text(o, start),
                 sm_report_time_text(o, end), floor(end - start));
    if (steps && !isnan(sm_report_value(steps, "first")) && !isnan(sm_report_value(steps, "last")))
        put_loop(o, start, end, steps);
    else
        sm_sheet_say(o, "There are no events of steps: initialization and training loop cannot be "
                        "told apart.");
}

/* ---- 7.3 ---- */

static void advise_node(const struct sm_node *usage, const char *node, struct sm_sheet *o)
{
    const struct sm_node *gpu = sm_report_member(sm_report_member(usage, "GPU"), node),
                         *cpu = sm_report_member(sm_report_member(usage, "CPU"), node);
    double g95 = sm_report_value(gpu, "p95"), c95 = sm_report_value(cpu, "p95"),
           g50 = sm_report_value(gpu, "p50"), c50 = sm_report_value(cpu, "p50");
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
    const struct sm_node *usage = sm_report_details(r, "OverallSystemUsage");
    const char *cells[ROWS * 8];
    size_t n = 0;
    sm_sheet_heading(o, 1, "System usage statistics");
    for (const struct sm_node *m = sm_report_is_map(usage) ? usage->first : NULL; m; m = m->next)
        for (const struct sm_node *x = sm_report_is_map(m) ? m->first : NULL; x && n < ROWS;
             x = x->next) {
            const char **row = &cells[n++ * 8];
            row[0] = x->key;
            row[1] = m->key;
            row[2] = strcmp(m->key, "Network") == 0 ? "B/s" : "%";
            for (int k = 3; k < 8; k++)
                row[k] = number_text(o, sm_report_value(x, headers[k]));
        }
    if (n)
        sm_sheet_table(o, headers, 8, cells, n, 0);
    else
        sm_sheet_say(o, "No metrics of the system were recorded.");
    const struct sm_node *cpu = sm_report_member(usage, "CPU");
    for (const struct sm_node *x = cpu ? cpu->first : NULL; x; x = x->next)
        advise_node(usage, x->key, o);
}

/* ---- 7.4 ---- */

static void put_operators(const struct sm_node *d, const char *device, const char *total,
                          struct sm_sheet *o)
{
    static const char *const headers[] = {"percentage", "cumulative time in microseconds",
                                          "operator"};
    struct sm_sheet_bar bars[SM_REPORT_BARS];
    const char *cells[SM_REPORT_BARS * 3];
    size_t n = sm_report_fill_bars(sm_report_member(d, device), bars);
    if (!n)
        return;
    sm_sheet_heading(
        o, 2, strcmp(device, "CPU") == 0 ? "Overview: CPU operators" : "Overview: GPU operators");
    for (size_t i = 0; i < n; i++) {
        cells[3 * i] = number_text(o, bars[i].value);
        cells[3 * i + 1] =
            number_text(o, floor(sm_report_value(sm_report_member(d, total), bars[i].name)));
        cells[3 * i + 2] = bars[i].name;
    }
    sm_sheet_table(o, headers, 3, cells, n, 0);
    sm_sheet_say(o, "The most expensive operator is %s with %.4g %%.", bars[0].name, bars[0].value);
}

static void put_framework(const struct sm_profile_report *r, struct sm_sheet *o)
{
    const struct sm_node *d = sm_report_details(r, "OverallFrameworkMetrics");
    sm_sheet_heading(o, 1, "Framework metrics summary");
    if (!sm_report_is_map(d) || !d->first) {
        sm_sheet_say(o, "Framework profiling was not enabled: there are no events.");
        return;
    }
    sm_report_put_breakdown(d, o);
    if (sm_report_value(sm_report_member(d, "phase"), "others") > 25)
        sm_sheet_say(o, "%.4g %% of the time is between steps.",
                     sm_report_value(sm_report_member(d, "phase"), "others"));
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
        for (; k && sm_report_triggered(r, r->rules[order[k - 1]].name) <
                        sm_report_triggered(r, r->rules[i].name);
             k--)
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
    size_t order[SM_PROFILE_REPORT_RULES], n = order_of(r, order), fired = 0;
    const char *cells[SM_PROFILE_REPORT_RULES * 6];
    sm_sheet_heading(o, 1, "Rules summary");
    for (size_t i = 0; i < n; i++) {
        const struct sm_profile_report_rule *rule = &r->rules[order[i]];
        const char **row = &cells[6 * i];
        fired += sm_report_triggered(r, rule->name) > 0;
        row[0] = rule->name;
        row[1] = number_text(o, sm_report_triggered(r, rule->name));
        row[2] = number_text(o, sm_report_value(rule->map, "Datapoints"));
        row[3] = sm_profiler_subrules[order[i]]->summary;
        row[4] = sm_profiler_subrules[order[i]]->advice;
        row[5] = parameters(o, rule->map);
    }
    if (n)
        sm_sheet_table(o, headers, 6, cells, n, fired);
    if (n && sm_report_triggered(r, r->rules[order[0]].name) > 0)
        sm_sheet_say(o, "%s fired most often: %.0f time%s, of %.0f datapoints.",
                     r->rules[order[0]].name, sm_report_triggered(r, r->rules[order[0]].name),
                     sm_report_triggered(r, r->rules[order[0]].name) > 1 ? "s" : "",
                     sm_report_value(r->rules[order[0]].map, "Datapoints"));
    else
        sm_sheet_say(o, "No rule fired.");
}

void sm_profile_report_write(const struct sm_profile_report *r, struct sm_sheet *o)
{
    sm_sheet_begin(o, "Profiling report");
    sm_sheet_say(o, "Made from the results of the rules of a profile. Recommendations are hints, "
                    "not certain.");
    if (r->speed)
        put_verdict(r->speed, o);
    put_job(r, o);
    put_usage(r, o);
    put_framework(r, o);
    put_rules(r, o);
    sm_report_put_analysis(r, o);
    sm_sheet_end(o);
}
