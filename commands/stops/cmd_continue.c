/* SPDX-License-Identifier: Apache-2.0 */
/* continue, reverse-continue, run: go to the next breakpoint hit. */
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/place/step_walk.h"
#include "commands/stops/break_hit.h"
#include "commands/stops/break_rule.h"
#include "commands/stops/stops.h"
#include "reader/base/clock.h"

#include <string.h>

enum { BUDGET_US = 10000 };

/* Valid while the call waits. The search is freed with the call, also when it is cancelled. */
struct hit_walk {
    struct sm_work work;
    struct sm_session *session;
    struct sm_break_search *search;
    bool back;
    bool count_unused; /* N was given, but no breakpoint has stopped */
    struct sm_step from;
    enum sm_trial_state state_before;
    struct sm_break_hit_report report;
    const char *end; /* the message if the last step was reached without a hit; NULL before */
};

static void run_nothing(struct sm_work *w)
{
    (void)w;
}

static void free_walk(struct sm_work *w)
{
    struct hit_walk *walk = (struct hit_walk *)w;
    struct sm_breakpoints *list = &sm_stops(walk->session)->breakpoints;
    int64_t at = sm_break_search_at(walk->search).n;
    list->walking = false;
    list->walked_to = !walk->back && at > list->walked_to ? at : list->walked_to;
    sm_break_search_free(walk->search);
    sm_free(walk);
}

static bool start_walk(struct sm_call *c, struct sm_step from, bool back, struct hit_walk **out,
                       struct sm_err *err)
{
    const struct sm_word *timeout = sm_call_option(c, "timeout");
    int64_t limit;
    if (timeout && !sm_call_duration(timeout, &limit, err))
        return false;
    struct hit_walk *walk = *out = sm_xalloc_zero(1, sizeof *walk);
    walk->work = (struct sm_work){.run = run_nothing, .free = free_walk, .what = c};
    walk->session = c->session;
    walk->search = sm_break_search_new(c->session, from, back);
    sm_stops(c->session)->breakpoints.walking = true;
    walk->back = walk->report.back = back;
    walk->count_unused =
        c->n_words && !sm_breakpoints_find(&sm_stops(c->session)->breakpoints,
                                           sm_stops(c->session)->breakpoints.stopped);
    walk->from = from;
    walk->state_before = sm_trial_state(sm_session_trial(c->session));
    return sm_work_start(&c->works, &walk->work, err);
}

/* ---- the end of the steps ---- */

static bool wait_for_data(struct sm_call *c, struct sm_err *err)
{
    const struct sm_word *timeout = sm_call_option(c, "timeout");
    int64_t limit = 0;
    if (timeout && !sm_call_duration(timeout, &limit, err))
        return false;
    if (limit && sm_clock_mono_us() - c->started_us >= limit)
        return sm_err_set(err, SM_ERR_TIMEOUT, "No breakpoint was hit within %.*s.",
                          (int)timeout->text.n, timeout->text.p);
    int64_t stalls_in_us = sm_trial_stalls_in_us(sm_session_trial(c->session)),
            now = sm_clock_mono_us();
    c->wake_us = limit ? c->started_us + limit : 0;
    if (stalls_in_us < INT64_MAX && (!limit || now + stalls_in_us < c->wake_us))
        c->wake_us = now + stalls_in_us;
    return sm_err_set(err, SM_ERR_WAIT, "waiting for steps");
}

/* The hits of breakpoints on the end or a stall of the job. */
static size_t find_final(struct sm_call *c, struct sm_step at, struct sm_break_hit **out)
{
    const struct sm_session *s = c->session;
    enum sm_trial_state state = sm_trial_state(sm_session_trial(s));
    struct sm_place end = sm_place_of_trial(sm_session_trial(s));
    size_t n = 0;
    end.step = at;
    *out = sm_arena_xalloc(&c->arena, (sm_stops(s)->breakpoints.n + 1) * sizeof **out);
    for (size_t i = 0; i < sm_stops(s)->breakpoints.n; i++) {
        struct sm_breakpoint *b = sm_stops(s)->breakpoints.items[i];
        bool matches = (b->kind == SM_BREAK_END && state == SM_TRIAL_ENDED) ||
                       (b->kind == SM_BREAK_STALL && state == SM_TRIAL_STALLED);
        if (matches && b->enabled && sm_breakpoint_count(b))
            (*out)[n++] = (struct sm_break_hit){.number = b->number, .place = end};
    }
    return n;
}

/* The last step in the direction of the walk at which something was saved; `at` if none. */
static struct sm_step last_with_tensors(const struct sm_trial *t, bool back, struct sm_step at)
{
    size_t n = sm_trial_step_count(t);
    for (size_t i = 0; i < n; i++) {
        const struct sm_trial_step *step = sm_trial_step(t, back ? i : n - 1 - i);
        if (step->tensors)
            return step->step;
    }
    return at;
}

/* Makes the last step current; breakpoints on the end and on a stall may hit. */
static bool arrive_at_end(struct sm_call *c, struct hit_walk *walk, struct sm_err *err)
{
    struct sm_session *s = c->session;
    struct sm_step at = sm_break_search_at(walk->search);
    bool changed = sm_trial_state(sm_session_trial(s)) != walk->state_before;
    bool reported = sm_stops(s)->breakpoints.at_end == (walk->back ? SM_AT_FIRST : SM_AT_LAST) ||
                    !sm_trial_step_count(sm_session_trial(s));
    if (!sm_trial_step_count(sm_session_trial(s)) && !changed)
        return sm_err_set(err, SM_ERR_MISSING, "There are no steps yet.");
    struct sm_step last = last_with_tensors(sm_session_trial(s), walk->back, at);
    bool nothing = !sm_break_search_decided(walk->search) ||
                   (walk->back ? walk->from.n <= last.n : walk->from.n >= last.n);
    if (nothing && !changed && reported)
        return sm_err_set(
            err, SM_ERR_MISSING, "There is no %s step.%s", walk->back ? "earlier" : "later",
            walk->back ? "" : "  \"run\" starts at the first one, \"reverse-continue\" goes back.");
    if (sm_break_search_whole(walk->search) && !sm_break_skips_check(s, err))
        return false;
    sm_stops(s)->breakpoints.at_end = walk->back ? SM_AT_FIRST : SM_AT_LAST;
    struct sm_break_hit *hits;
    size_t n = walk->back ? 0 : find_final(c, at, &hits);
    walk->report.final = true;
    if (n)
        sm_break_hit_arrive(c, &walk->report, hits, n);
    walk->end = walk->back ? "No breakpoint was hit down to the first step."
                           : "No breakpoint was hit up to the last step.";
    sm_arrival_move(c, &walk->report.stop, n ? at : last, false);
    return true;
}

/* ---- the walk ---- */

static bool search_hit(struct sm_call *c, struct hit_walk *walk, struct sm_err *err)
{
    size_t n;
    int64_t due;
    switch (sm_break_search_run(walk->search, BUDGET_US)) {
    case SM_BREAK_SEARCH_BUSY:
        c->wake_us = sm_clock_mono_us();
        return sm_err_set(err, SM_ERR_WAIT, "searching for a hit");
    case SM_BREAK_SEARCH_WAITS:
        due = sm_break_rules_deadline_us(c->session);
        c->wake_us = due < INT64_MAX ? due : 0;
        return sm_err_set(err, SM_ERR_WAIT, "searching for a hit");
    case SM_BREAK_SEARCH_HIT: {
        const struct sm_break_hit *hits = sm_break_search_hits(walk->search, &n);
        sm_stops(c->session)->breakpoints.at_end = SM_AT_NO_END;
        sm_break_hit_arrive(c, &walk->report, hits, n);
        return true;
    }
    case SM_BREAK_SEARCH_END:
        if (!walk->back && sm_step_walk_is_live(c->session))
            return wait_for_data(c, err);
        return arrive_at_end(c, walk, err);
    }
    return false;
}

static bool show_stop(struct sm_call *c, struct hit_walk *walk, struct sm_result *out,
                      struct sm_err *err)
{
    const char *remarks = sm_break_search_warnings(walk->search);
    if (*remarks)
        sm_result_dim(out, "%.*s", (int)(strlen(remarks) - 1), remarks);
    if (walk->count_unused)
        sm_result_dim(out, "No breakpoint has stopped yet: N is ignored.");
    if (!(walk->report.n ? sm_break_hit_show(c, &walk->report, out, err)
                         : sm_arrival_show(c, &walk->report.stop, out, err)))
        return false;
    if (!out->passes)
        sm_break_skips_show(c->session, walk->end != NULL, out);
    if (!walk->end || walk->report.stops)
        return true;
    sm_node_text(out, out->root, "reason", walk->back ? "first-step" : "last-step");
    sm_result_dim(out, "%s", walk->end);
    return true;
}

static bool walk_to_hit(struct sm_call *c, struct sm_step from, bool back, struct sm_result *out,
                        struct sm_err *err)
{
    struct hit_walk *walk = (struct hit_walk *)sm_work_find(&c->works, c, NULL);
    if (!walk && !start_walk(c, from, back, &walk, err))
        return false;
    return (walk->report.stop.moved || search_hit(c, walk, err)) && show_stop(c, walk, out, err);
}

/* ---- the commands ---- */

/* continue N: the breakpoint that stopped last ignores N - 1 hits. */
static bool ignore_some(struct sm_call *c, struct sm_err *err)
{
    struct sm_breakpoint *b = sm_breakpoints_find(&sm_stops(c->session)->breakpoints,
                                                  sm_stops(c->session)->breakpoints.stopped);
    int64_t n = 1;
    if (c->state || !c->n_words)
        return true;
    c->state = c; /* only the first time the call runs */
    if (!sm_call_int(&c->words[0], 1, INT64_MAX, &n, err))
        return false;
    if (b)
        b->ignore = (uint64_t)n - 1;
    return true;
}

static bool run_continue(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return ignore_some(c, err) && walk_to_hit(c, sm_step_walk_start(c->session), false, out, err);
}

static bool run_reverse_continue(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return ignore_some(c, err) && walk_to_hit(c, sm_session_step(c->session), true, out, err);
}

static void forget_hits(struct sm_breakpoint *b)
{
    b->hits = 0;
    sm_break_skips_clear(&b->skips);
}

/* Resets the hit counts the first time the call runs. */
static bool run_run(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    for (size_t i = 0; !c->state && i < sm_stops(c->session)->breakpoints.n; i++)
        forget_hits(sm_stops(c->session)->breakpoints.items[i]);
    c->state = c;
    return walk_to_hit(c, (struct sm_step){-1}, false, out, err);
}

enum { WALK_FLAGS = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING };
static const struct sm_arg continue_args[] = {{.name = "N", .kind = SM_ARG_NUMBER}, {0}};
static const struct sm_option continue_options[] = {
    {.name = "timeout",
     .kind = SM_ARG_DURATION,
     .value = "TIME",
     .help = "on a live run: give up after this time, exit status 6"},
    {0},
};

const struct sm_cmd sm_cmd_continue = {
    .name = "continue",
    .aliases = "c fg",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Continue to the next step at which a breakpoint is hit",
    .help = "The recorded steps after the current one are searched; each value is read once. While "
            "the job writes, continue\n"
            "waits for new steps; Ctrl-C returns. With N, the breakpoint that stopped last stops "
            "again at its N-th hit. If\n"
            "there is no hit, the last step becomes current.",
    .example = "continue",
    .see_also = "reverse-continue, run, break, until, step",
    .args = continue_args,
    .options = continue_options,
    .flags = WALK_FLAGS,
    .answer = "{" SM_SHAPE_WALK "}",
    .run = run_continue,
};

const struct sm_cmd sm_cmd_reverse_continue = {
    .name = "reverse-continue",
    .aliases = "rc",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Go back to the last earlier step at which a breakpoint is hit",
    .example = "reverse-continue",
    .see_also = "continue, reverse-step, break",
    .args = continue_args,
    .flags = WALK_FLAGS,
    .answer = "{" SM_SHAPE_WALK "}",
    .run = run_reverse_continue,
};

const struct sm_cmd sm_cmd_run = {
    .name = "run",
    .aliases = "r",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Start at the first step and continue to the first breakpoint hit",
    .help = "The hit counts are reset to 0.",
    .example = "run",
    .see_also = "continue, goto",
    .options = continue_options,
    .flags = WALK_FLAGS,
    .answer = "{" SM_SHAPE_WALK "}",
    .run = run_run,
};
