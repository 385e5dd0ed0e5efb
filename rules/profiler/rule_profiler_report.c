/* SPDX-License-Identifier: Apache-2.0 */
/* ProfilerReport: all rules of a profile, as one. */
#include "rules/profiler/profiler_data.h"

#include <string.h>

#define ROW(name) &sm_rule_##name,
const struct sm_rule *const sm_profiler_subrules[] = {SM_PROFILER_SUBRULES(ROW) NULL};

struct state {
    struct sm_rules *rules; /* one of each */
    uint64_t windows;
};

#define PART(NAME, INITIAL)                                                                        \
    {                                                                                              \
        .name = NAME, .type = SM_RULE_TEXT, .initial = INITIAL, .help = "parameter of that rule"   \
    }
static const struct sm_rule_param params[] = {PART("CPUBottleneck_threshold", "50"),
                                              PART("CPUBottleneck_cpu_threshold", "90"),
                                              PART("CPUBottleneck_gpu_threshold", "10"),
                                              PART("CPUBottleneck_patience", "1000"),
                                              PART("IOBottleneck_threshold", "50"),
                                              PART("IOBottleneck_io_threshold", "50"),
                                              PART("IOBottleneck_gpu_threshold", "10"),
                                              PART("IOBottleneck_patience", "1000"),
                                              PART("LowGPUUtilization_threshold_p95", "70"),
                                              PART("LowGPUUtilization_threshold_p5", "10"),
                                              PART("LowGPUUtilization_window", "500"),
                                              PART("LowGPUUtilization_patience", "1000"),
                                              PART("StepOutlier_stddev", "3"),
                                              PART("StepOutlier_mode", NULL),
                                              PART("StepOutlier_n_outliers", "10"),
                                              PART("GPUMemoryIncrease_increase", "5"),
                                              PART("GPUMemoryIncrease_patience", "1000"),
                                              PART("GPUMemoryIncrease_window", "10"),
                                              PART("BatchSize_cpu_threshold_p95", "70"),
                                              PART("BatchSize_gpu_threshold_p95", "70"),
                                              PART("BatchSize_gpu_memory_threshold_p95", "70"),
                                              PART("BatchSize_patience", "1000"),
                                              PART("BatchSize_window", "500"),
                                              PART("MaxInitializationTime_threshold", "20"),
                                              PART("LoadBalancing_threshold", "0.5"),
                                              PART("LoadBalancing_patience", "1000"),
                                              PART("Dataloader_min_threshold", "70"),
                                              PART("Dataloader_max_threshold", "200"),
                                              {.name = "output",
                                               .type = SM_RULE_TEXT,
                                               .help =
                                                   "directory to which the report is written "
                                                   "at the end of the data, and of the session; "
                                                   "needs \"set rule-actions on\""},
                                              {.name = "opt_out_telemetry",
                                               .type = SM_RULE_BOOL,
                                               .initial = "false",
                                               .help = "nothing is ever sent: without effect"},
                                              SM_PROFILER_SCAN,
                                              {0}};
enum { N_PARAMS = sizeof params / sizeof *params - 1, SCAN = N_PARAMS - 1 };

/* "threshold=50" of the parameters that are given of a rule, and the length of the windows; returns
 * how many there are. */
static size_t arguments_of(const struct sm_rule *rule, const struct sm_rule_value *p,
                           struct sm_arena *a, const char **out)
{
    size_t n = 0, length = strlen(rule->class_name);
    for (size_t i = 0; i < N_PARAMS; i++)
        if (p[i].given && strncmp(params[i].name, rule->class_name, length) == 0 &&
            params[i].name[length] == '_')
            out[n++] = sm_arena_xprintf(a, "%s=%s", params[i].name + length + 1, p[i].text);
    if (p[SCAN].given)
        out[n++] = sm_arena_xprintf(a, "%s=%s", params[SCAN].name, p[SCAN].text);
    return n;
}

static struct sm_rules *make_rules(struct sm_trial *t, struct sm_fetch *f, struct sm_pool *pool,
                                   const struct sm_rule_value *p, struct sm_err *err)
{
    struct sm_rules *r = sm_rules_new(t, f, pool);
    struct sm_arena a = {0};
    const char *args[N_PARAMS];
    for (const struct sm_rule *const *rule = sm_profiler_subrules; *rule && !err->code; rule++)
        sm_rules_add(r, *rule, NULL, args, arguments_of(*rule, p, &a, args), err);
    sm_arena_clear(&a);
    return r;
}

/* Values that a rule would refuse are refused when the report is attached. */
static bool check(const struct sm_rule_value *p, struct sm_err *err)
{
    struct sm_err first = {0};
    sm_rules_free(make_rules(NULL, NULL, NULL, p, &first));
    if (first.code)
        *err = first;
    return !first.code;
}

/* The rule k, judged in the set that the report is attached to, or here. */
static struct sm_rule_instance *part_of(const struct state *s, const struct sm_rules *attached,
                                        size_t k)
{
    struct sm_rule_instance *own = sm_rules_item(s->rules, k),
                            *same = attached ? sm_rules_same(attached, own) : NULL;
    return same ? same : own;
}

static void note_all(struct sm_rule_at *x, const struct state *s)
{
    for (size_t k = 0; k < sm_rules_count(s->rules); k++) {
        const struct sm_rule_instance *i = part_of(s, x->rules, k);
        if (!i->triggered)
            continue;
        x->node = i->n_findings ? i->findings[0].node : NULL;
        sm_rule_window_count(x, s->windows, 1, 1);
        sm_rule_note(x, NULL, (double)i->triggered, 0, true, "%s fired %llu times: %s", i->name,
                     (unsigned long long)i->triggered, i->n_findings ? i->findings[0].text : "");
    }
}

static void judge(struct sm_rule_at *x)
{
    struct state *s = x->state;
    struct sm_err err = {0};
    if (!s->rules)
        s->rules = make_rules(x->trial, x->fetch, sm_rule_pool(x), x->p, &err);
    for (size_t k = 0; k < sm_rules_count(s->rules); k++)
        sm_rules_judge_until(part_of(s, x->rules, k), x);
    s->windows++;
    sm_rule_window_count(x, s->windows, 0, 0);
    if (x->last_window)
        note_all(x, s);
}

const struct sm_rule_instance *sm_profiler_report_part(const struct sm_rule_instance *i, size_t k)
{
    const struct state *s = i->rule == &sm_rule_profiler_report ? sm_rule_state(i) : NULL;
    return s && s->rules && k < sm_rules_count(s->rules) ? part_of(s, sm_rule_set_of(i), k) : NULL;
}

const struct sm_rule_instance *sm_profiler_judged(const struct sm_rules *attached, size_t k,
                                                  const struct sm_rule_instance *like)
{
    const struct sm_rule_instance *same = sm_rules_same(attached, like);
    for (size_t n = 0; !same && n < sm_rules_count(attached); n++) {
        const struct sm_rule_instance *part =
            sm_profiler_report_part(sm_rules_item(attached, n), k);
        if (part && sm_rule_is_same(part, like))
            same = part;
    }
    return same;
}

static void details(const struct sm_rule_instance *i, const struct sm_profile *p,
                    struct sm_json_writer *w)
{
    const struct sm_rule_instance *part;
    sm_json_start_map(w);
    for (size_t k = 0; (part = sm_profiler_report_part(i, k)); k++) {
        sm_json_key(w, part->rule->class_name);
        sm_profiler_rule_json(part, p, w);
    }
    sm_json_end_map(w);
}

static void clear(void *state)
{
    struct state *s = state;
    sm_rules_free(s->rules);
}

static bool suits(const struct sm_profile *p)
{
    return sm_profile_metrics(p)->n_samples > 0 || sm_profile_events(p)->n_events > 0;
}

const struct sm_rule sm_rule_profiler_report = {
    .name = "profiler_report",
    .class_name = "ProfilerReport",
    .group = SM_RULE_PROFILER,
    .summary = "All rules of a profile as one, for the report",
    .fires = "one of the other rules of a profile has fired, at the end of the data. Its "
             "parameters are those of the other rules, RULE_PARAMETER; with output=DIR it "
             "writes the files of \"profile report DIR\"",
    .advice = "see \"profile rules\" and \"profile report\"",
    .saves = "system and framework metrics (the profiler)",
    .params = params,
    .state_size = sizeof(struct state),
    .on_windows = true,
    .check = check,
    .judge = judge,
    .clear = clear,
    .suits_profile = suits,
    .details = details,
};

/* ---- what a rule leaves behind ---- */

void sm_profiler_parameters(const struct sm_rule_instance *i, struct sm_str *out)
{
    size_t n = sm_rule_param_count(i->rule);
    bool first = true;
    for (size_t k = 0; i->values && k < n; k++) {
        const struct sm_rule_param *p = &i->rule->params[k];
        if (strcmp(p->name, "scan_interval_us") == 0)
            continue;
        sm_str_printf(out, "%s%s:%s", first ? "" : "\n", p->name,
                      i->values[k].set ? i->values[k].text : "None");
        first = false;
    }
}

void sm_profiler_rule_json(const struct sm_rule_instance *i, const struct sm_profile *p,
                           struct sm_json_writer *w)
{
    struct sm_str parameters = {0};
    sm_profiler_parameters(i, &parameters);
    sm_json_start_map(w);
    sm_profiler_count(w, "RuleTriggered", i->triggered);
    sm_profiler_count(w, "Violations", i->violations);
    sm_json_key(w, "Details");
    if (i->rule->details && sm_rule_state(i)) {
        i->rule->details(i, p, w);
    } else {
        sm_json_start_map(w);
        sm_json_end_map(w);
    }
    sm_profiler_count(w, "Datapoints", i->datapoints);
    sm_json_key(w, "RuleParameters");
    sm_json_text(w, parameters.len ? parameters.data : "", parameters.len);
    sm_json_end_map(w);
    sm_str_clear(&parameters);
}
