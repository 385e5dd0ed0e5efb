/* SPDX-License-Identifier: Apache-2.0 */
/* MaxInitializationTime: the first step is late. */
#include "rules/profiler/profiler_data.h"

enum { THRESHOLD };

struct state {
    uint64_t steps;
    int64_t first_ns, last_ns; /* starts of the first and of the last step */
};

static const struct sm_rule_param params[] = {{.name = "threshold",
                                               .type = SM_RULE_NUMBER,
                                               .initial = "20",
                                               .max = 1e6,
                                               .unit = "minutes",
                                               .help = "time without a step that is not too long"},
                                              SM_PROFILER_SCAN,
                                              {0}};

static void add_steps(struct sm_rule_at *x)
{
    const struct sm_event_store *e = sm_profile_events(x->profile);
    struct state *s = x->state;
    for (size_t i = sm_event_step_at(e, x->from_ns); i < e->n_steps; i++) {
        int64_t ns = e->steps[i].start_ns;
        if (ns >= x->to_ns)
            break;
        s->first_ns = s->steps++ ? s->first_ns : ns;
        s->last_ns = ns;
    }
}

static void judge(struct sm_rule_at *x)
{
    struct state *s = x->state;
    if (!sm_profile_events(x->profile)->n_events) {
        sm_rule_skip(x, "no framework metrics");
        return;
    }
    add_steps(x);
    double minutes = (double)(x->from_ns - x->begin_ns) / 60e9;
    bool late = !s->steps && minutes > x->p[THRESHOLD].number;
    sm_rule_window_count(x, s->steps, late, late);
    if (late)
        sm_rule_note(x, NULL, minutes, x->p[THRESHOLD].number, true,
                     "no step began in the first %.*f minutes > %g", minutes < 100, minutes,
                     x->p[THRESHOLD].number);
}

static void details(const struct sm_rule_instance *i, const struct sm_profile *p,
                    struct sm_json_writer *w)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    const struct state *s = sm_rule_state(i);
    sm_json_start_map(w);
    if (m->n_samples) {
        sm_profiler_number(w, "job_start", (double)m->first_ns / 1e9);
        sm_profiler_number(w, "job_end", (double)m->last_ns / 1e9);
    }
    if (s && s->steps) {
        sm_json_key(w, "step_num");
        sm_json_start_map(w);
        sm_json_key(w, "first");
        sm_json_i64(w, s->first_ns / 1000);
        sm_json_key(w, "last");
        sm_json_i64(w, s->last_ns / 1000);
        sm_json_end_map(w);
    }
    sm_json_end_map(w);
}

static bool suits(const struct sm_profile *p)
{
    return sm_profile_events(p)->n_events > 0;
}

const struct sm_rule sm_rule_max_initialization_time = {
    .name = "max_initialization_time",
    .class_name = "MaxInitializationTime",
    .group = SM_RULE_PROFILER,
    .summary = "The first step comes late",
    .fires = "no step has begun threshold minutes after the first metric. Without metrics of the "
             "framework it judges nothing",
    .advice = "stream the data instead of copying them first",
    .saves = "steps (the profiler)",
    .automatic = "",
    .params = params,
    .state_size = sizeof(struct state),
    .on_windows = true,
    .judge = judge,
    .suits_profile = suits,
    .details = details,
};
