/* SPDX-License-Identifier: Apache-2.0 */
/* wait: waits for a step, a condition or the end of the job. */
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/place/evaluate.h"
#include "commands/place/step_walk.h"
#include "commands/stops/stops.h"
#include "reader/base/clock.h"

/* The step that is tested: the newest one first, then each new one. */
struct wait_state {
    bool started;
    struct sm_step step;
    size_t sessions; /* of the trial */
};

static void start_wait(struct wait_state *w, const struct sm_trial *t)
{
    size_t n = sm_trial_step_count(t);
    if (w->started || !n)
        return;
    w->started = true;
    w->step = sm_trial_step(t, n - 1)->step;
}

/* Moves to the next step if all workers have written this one. */
static bool next_step(const struct sm_session *s, struct wait_state *w)
{
    const struct sm_trial *t = sm_session_trial(s);
    sm_step_walk_restarted(t, &w->sessions, &w->step);
    size_t n = sm_trial_step_count(t), i = sm_trial_step_at(t, (struct sm_step){w->step.n + 1});
    if (!w->started || i >= n || (i && !sm_step_walk_may_read(s, t, i - 1)))
        return false;
    w->step = sm_trial_step(t, i)->step;
    return true;
}

/* A condition is false where a value cannot be read, and before the first step. */
static bool is_false(const struct wait_state *w, const struct sm_err *err)
{
    return err->code == SM_ERR_DATA || err->code == SM_ERR_IO ||
           (err->code == SM_ERR_MISSING && !w->started);
}

/* Returns 1 if the condition is true at a tested step, 0 if not yet, -1 on error; SM_ERR_WAIT:
 * values are being read. */
static int test_condition(struct sm_call *c, struct sm_err *err)
{
    struct wait_state *w = c->state = c->state ? c->state : sm_arena_xalloc(&c->arena, sizeof *w);
    struct sm_expr_env env;
    bool yes;
    sm_evaluate_env(c, &env);
    start_wait(w, sm_session_trial(c->session));
    do {
        env.step = w->started ? w->step : (struct sm_step){-1};
        yes = false;
        if (!sm_evaluate_truth(c, &env, c->words[0].text, &yes, err) && !is_false(w, err))
            return -1;
    } while (!yes && next_step(c->session, w));
    return yes;
}

/* Returns the same as test_condition. */
static int test_wait(struct sm_call *c, struct sm_err *err)
{
    struct sm_session *s = c->session;
    const struct sm_trial *t = sm_session_trial(s);
    const struct sm_word *step = sm_call_keyword(c, "step");
    int64_t n;
    size_t steps = sm_trial_step_count(t);
    if (step) {
        if (!sm_call_int(step, 0, INT64_MAX, &n, err))
            return -1;
        return steps && sm_trial_step(t, steps - 1)->step.n >= n;
    }
    if (sm_text_is(c->words[0].text, "end"))
        return sm_trial_state(t) == SM_TRIAL_ENDED;
    return test_condition(c, err);
}

/* Reports the step at which the condition is true, or the newest step. */
static void report_step(struct sm_call *c, struct sm_result *out)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct wait_state *w = c->state;
    size_t n = sm_trial_step_count(t), i = w && w->started ? sm_trial_step_at(t, w->step) : n - 1;
    struct sm_str text = {0};
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_int_or_null(out, map, "step", i < n, i < n ? sm_trial_step(t, i)->step.n : 0);
    sm_node_text(out, map, "mode", i < n ? sm_mode_name(sm_trial_step(t, i)->mode) : NULL);
    sm_node_int_or_null(out, map, "mode_step", i < n, i < n ? sm_trial_step(t, i)->mode_step.n : 0);
    sm_node_bool(out, map, "ended", sm_trial_state(t) == SM_TRIAL_ENDED);
    if (i < n)
        sm_describe_step(&text, sm_trial_step(t, i)->step, sm_trial_step(t, i)->mode,
                         sm_trial_step(t, i)->mode_step);
    sm_result_text(out, "%s%s", sm_str_text(&text),
                   sm_trial_state(t) == SM_TRIAL_ENDED ? ", ended" : "");
    sm_str_clear(&text);
}

static bool run_wait(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_word *timeout = sm_call_option(c, "timeout");
    int64_t limit = 0, now = sm_clock_mono_us();
    if (timeout && !sm_call_duration(timeout, &limit, err))
        return false;
    if (!c->n_words && !sm_call_keyword(c, "step"))
        return sm_err_set(err, SM_ERR_USAGE,
                          "Argument required: \"wait step 1000\", \"wait end\" or \"wait EXPR\".");
    if (c->n_words && sm_call_keyword(c, "step"))
        return sm_err_set(err, SM_ERR_USAGE, "Too many arguments: \"%.*s\".",
                          (int)c->words[0].text.n, c->words[0].text.p);
    int yes = test_wait(c, err);
    bool unknown = yes < 0 && err->code == SM_ERR_WAIT;
    if (yes < 0 && !unknown)
        return false;
    if (yes > 0) {
        report_step(c, out);
        return true;
    }
    if (!unknown && sm_trial_state(t) == SM_TRIAL_ENDED)
        return sm_err_set(err, SM_ERR_MISSING, "The job has ended: there is nothing to wait for.");
    if (!unknown && !c->session->open_options.follow)
        return sm_err_set(err, SM_ERR_MISSING,
                          "--no-follow reads no new steps: there is nothing to wait for.");
    if (limit && now - c->started_us >= limit)
        return sm_err_set(err, SM_ERR_TIMEOUT, "Timed out after %.*s.", (int)timeout->text.n,
                          timeout->text.p);
    c->wake_us = limit ? c->started_us + limit : 0;
    return sm_err_set(err, SM_ERR_WAIT, "waiting");
}

static const struct sm_arg wait_args[] = {
    {.name = "EXPR", .kind = SM_ARG_EXPR},
    {.name = "STEP", .kind = SM_ARG_NUMBER, .keyword = "step"},
    {0},
};
static const struct sm_option wait_options[] = {
    {.name = "timeout",
     .kind = SM_ARG_DURATION,
     .value = "TIME",
     .help = "give up after this time (10s, 5m, 2h), exit status 6"},
    {0},
};
const struct sm_cmd sm_cmd_wait = {
    .name = "wait",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Wait for a step, the end of the job or a condition",
    .help =
        "Use \"wait step N\", \"wait end\" or an expression, which is tested at each new step.\n"
        "For a tensor that does not exist yet: wait exists(accuracy) && accuracy > 0.9",
    .example = "wait step 10 -timeout 5m",
    .see_also = "refresh, info",
    .args = wait_args,
    .options = wait_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .answer = "{step:int?,mode:mode?,mode_step:int?,ended:bool}",
    .run = run_wait,
};
