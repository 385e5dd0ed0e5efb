/* SPDX-License-Identifier: Apache-2.0 */
/* until: goes to the next step at which a condition is true. */
#include "commands/answer/shape.h"
#include "commands/place/step_walk.h"
#include "commands/stops/arrival.h"
#include "commands/stops/step_condition.h"
#include "commands/stops/stops.h"
#include "reader/base/clock.h"

/* Valid while the call waits. */
struct until_search {
    bool started;
    struct sm_step last; /* the last step at which the condition is not true */
    size_t sessions;     /* of the trial */
    struct sm_step_damage damage;
    struct sm_arrival stop;
};

/* Finds the first step after s->last at which the condition is true. Returns false with SM_ERR_END
 * if there is none yet. */
static bool find_first(struct sm_call *c, struct until_search *s, struct sm_step *to,
                       struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    size_t n = sm_trial_step_count(t);
    sm_step_walk_restarted(t, &s->sessions, &s->last);
    for (size_t i = sm_trial_step_at(t, (struct sm_step){s->last.n + 1});
         i < n && sm_step_walk_may_read(c->session, t, i); i++) {
        const struct sm_trial_step *at = sm_trial_step(t, i);
        enum sm_step_answer answer = SM_STEP_NO;
        *to = at->step;
        if (sm_step_of_current_mode(c->session, at) &&
            !sm_step_condition(c, *to, &answer, &s->damage, err))
            return false;
        if (answer == SM_STEP_YES)
            return true;
        s->last = *to;
    }
    return sm_err_set(err, SM_ERR_END, "The condition is not true at any later step.%s%s",
                      s->damage.n ? "  " : "", sm_step_damage_text(&c->arena, &s->damage));
}

/* There is no such step yet: waits for new steps if the trial is live. */
static bool wait_for_steps(struct sm_call *c, struct sm_err *err)
{
    const struct sm_word *timeout = sm_call_option(c, "timeout");
    int64_t limit = 0;
    if (timeout && !sm_call_duration(timeout, &limit, err))
        return false;
    if (!sm_step_walk_is_live(c->session)) {
        err->code = SM_ERR_MISSING;
        return false;
    }
    if (limit && sm_clock_mono_us() - c->started_us >= limit)
        return sm_err_set(err, SM_ERR_TIMEOUT, "The condition was not true within %.*s.",
                          (int)timeout->text.n, timeout->text.p);
    c->wake_us = limit ? c->started_us + limit : 0;
    return sm_err_set(err, SM_ERR_WAIT, "waiting for steps");
}

static bool run_until(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct until_search *s = c->state = c->state ? c->state : sm_arena_xalloc(&c->arena, sizeof *s);
    const struct sm_word *timeout = sm_call_option(c, "timeout");
    struct sm_step to;
    struct sm_expr *parsed;
    int64_t limit;
    if ((timeout && !sm_call_duration(timeout, &limit, err)) ||
        (!s->started && !sm_expr_parse(c->raw.p, c->raw.n, &c->arena, &parsed, err)))
        return false;
    if (!s->started)
        s->last = sm_step_walk_start(c->session);
    s->started = true;
    if (!s->stop.moved) {
        if (!find_first(c, s, &to, err))
            return err->code == SM_ERR_END && wait_for_steps(c, err);
        sm_arrival_move(c, &s->stop, to, false);
    }
    if (!sm_arrival_show(c, &s->stop, out, err))
        return false;
    if (s->damage.n)
        sm_result_dim(out, "%s", sm_step_damage_text(&out->arena, &s->damage));
    return true;
}

static const struct sm_arg until_args[] = {{.name = "EXPR", .kind = SM_ARG_EXPR, .required = true},
                                           {0}};
static const struct sm_option until_options[] = {
    {.name = "timeout",
     .kind = SM_ARG_DURATION,
     .value = "TIME",
     .help = "on a live run: give up after this time, exit status 6"},
    {0},
};
const struct sm_cmd sm_cmd_until = {
    .name = "until",
    .aliases = "u",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Go to the next step at which a condition is true",
    .help = "The steps after the current one are tested in order. If a mode is current, only its "
            "steps are tested. $s is the\n"
            "step. Steps without the tensors, or with values that cannot be read, are skipped. "
            "While the job writes, until\n"
            "waits for new steps. If no step is found the current step does not change.",
    .example = "until mean(CNN_fc1.weight) > 0.003",
    .see_also = "step, bisect, wait, display",
    .args = until_args,
    .options = until_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING | SM_CMD_RAW,
    .answer = "{" SM_SHAPE_WALK "}",
    .run = run_until,
};
