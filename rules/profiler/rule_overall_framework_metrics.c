/* SPDX-License-Identifier: Apache-2.0 */
/* OverallFrameworkMetrics: where the time of the framework goes. */
#include "rules/profiler/breakdown.h"

struct state {
    uint64_t events;
    int64_t to_ns;
};

static const struct sm_rule_param params[] = {SM_PROFILER_SCAN, {0}};

static void judge(struct sm_rule_at *x)
{
    struct state *s = x->state;
    struct sm_event_walk walk = {.from_ns = x->from_ns, .to_ns = x->to_ns};
    const struct sm_profile_event *e;
    while ((e = sm_event_next(sm_profile_events(x->profile), &walk)))
        s->events += e->start_ns >= x->from_ns;
    s->to_ns = x->to_ns;
    sm_rule_window_count(x, s->events, 0, 0);
}

/* The time between and around steps is a share of the phases, too. */
static void put_phases(const struct sm_breakdown *b, const struct sm_event_store *x, double others,
                       struct sm_json_writer *w)
{
    double all = others;
    for (size_t i = 0; i < b->n; i++)
        if (b->items[i].class == SM_PHASE_STEP && b->items[i].of_phase)
            all += b->items[i].ns;
    if (!(all > 0))
        return;
    sm_json_key(w, "phase");
    sm_json_start_map(w);
    for (size_t i = 0; i < b->n; i++)
        if (b->items[i].class == SM_PHASE_STEP && b->items[i].of_phase)
            sm_profiler_number(w, sm_names_text(x->names, b->items[i].name),
                               100 * b->items[i].ns / all);
    sm_profiler_number(w, "others", 100 * others / all);
    sm_json_end_map(w);
}

/* From the start of the first step to the end of the latest. */
static double time_of_steps(const struct sm_event_store *x, int64_t to_ns)
{
    int64_t last = INT64_MIN;
    for (size_t i = 0; i < x->n_steps && x->steps[i].start_ns < to_ns; i++)
        last = x->steps[i].end_ns > last ? x->steps[i].end_ns : last;
    return last == INT64_MIN ? 0 : (double)(last - x->steps[0].start_ns);
}

static void details(const struct sm_rule_instance *i, const struct sm_profile *p,
                    struct sm_json_writer *w)
{
    const struct sm_event_store *x = sm_profile_events(p);
    const struct state *s = sm_rule_state(i);
    struct sm_breakdown b = {0};
    struct sm_event_walk walk = {.from_ns = INT64_MIN, .to_ns = s ? s->to_ns : INT64_MIN};
    for (const struct sm_profile_event *e; (e = sm_event_next(x, &walk));)
        if (e->start_ns < walk.to_ns)
            sm_breakdown_add(&b, x, e, 1);
    sm_json_start_map(w);
    if (s && x->n_steps)
        put_phases(&b, x, sm_breakdown_others(&b, time_of_steps(x, s->to_ns)), w);
    sm_breakdown_json(&b, x, !x->n_steps, w);
    sm_json_end_map(w);
    sm_breakdown_clear(&b);
}

static bool suits(const struct sm_profile *p)
{
    return sm_profile_events(p)->n_events > 0;
}

const struct sm_rule sm_rule_overall_framework_metrics = {
    .name = "overall_framework_metrics",
    .class_name = "OverallFrameworkMetrics",
    .group = SM_RULE_PROFILER,
    .summary = "Where the time of the framework goes: phases and operators",
    .fires = "never; it collects figures for the report",
    .advice = "see \"profile rule OverallFrameworkMetrics\"",
    .saves = "framework metrics (the profiler)",
    .automatic = "",
    .params = params,
    .state_size = sizeof(struct state),
    .on_windows = true,
    .judge = judge,
    .suits_profile = suits,
    .details = details,
};
