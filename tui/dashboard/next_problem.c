/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/next_problem.h"

#include "commands/judge/session_problems.h"
#include "commands/language/command_line.h"
#include "reader/base/clock.h"
#include "reader/base/mem.h"

#include <limits.h>
#include <string.h>

/* The first problem in that direction from a place, else the first of all; NULL if none. */
static const struct sm_trial_problem *find_from(const struct sm_trial_problems *all,
                                                const struct sm_trial_problem *from, int direction,
                                                bool timeless)
{
    const struct sm_trial_problem *next = NULL, *first = NULL;
    for (size_t i = 0; i < all->n; i++) {
        const struct sm_trial_problem *x = &all->items[i];
        if (timeless && sm_trial_problem_timed(x))
            continue;
        if (sm_trial_problems_compare(x, from) * direction > 0 &&
            (!next || sm_trial_problems_compare(x, next) * direction < 0))
            next = x;
        if (!first || sm_trial_problems_compare(x, first) * direction < 0)
            first = x;
    }
    return next ? next : first;
}

static void make_current(struct sm_session *s, const struct sm_trial_problem *x,
                         const struct sm_trial_tensor *tensor)
{
    s->at.tensor = tensor ? tensor->name : s->at.tensor;
    if (x->step < 0)
        return;
    if (x->step != sm_session_step(s).n || sm_trial_state(sm_session_trial(s)) != SM_TRIAL_ENDED)
        s->at.follow = false; /* new steps do not change the current step */
    s->at.step = (struct sm_step){x->step};
}

void sm_problem_place_clear(struct sm_problem_place *at)
{
    sm_free(at->problem_tensor);
    sm_free(at->problem_rule);
    *at = (struct sm_problem_place){0};
}

static void remember_problem(struct sm_problem_place *at, const struct sm_session *s,
                             const struct sm_trial_problem *x)
{
    char *tensor = sm_xstrdup(x->tensor), *rule = x->rule ? sm_xstrdup(x->rule) : NULL;
    sm_problem_place_clear(at);
    *at = (struct sm_problem_place){
        true, sm_session_step(s), s->at.tensor, x->step, (int)x->kind, tensor, rule};
}

void sm_problem_place_explain(const struct sm_problem_place *at, struct sm_str *line)
{
    static const char *const commands[] = {
        [SM_TRIAL_PROBLEM_RULE] = "rule explain ",  [SM_TRIAL_PROBLEM_VALUE] = "backtrace",
        [SM_TRIAL_PROBLEM_FILE] = "info errors",    [SM_TRIAL_PROBLEM_GAP] = "info problems",
        [SM_TRIAL_PROBLEM_WORKER] = "info workers", [SM_TRIAL_PROBLEM_STALL] = "info trial"};
    sm_str_add(line, commands[at->problem_kind]);
    if (at->problem_kind != SM_TRIAL_PROBLEM_RULE)
        return;
    sm_line_quote(line, at->problem_rule, strlen(at->problem_rule));
    if (at->problem_step >= 0)
        sm_str_printf(line, " %lld", (long long)at->problem_step);
}

/* The start of the search: the last problem if it is still current, else the current step and
 * tensor. */
static struct sm_trial_problem search_start(const struct sm_session *s,
                                            const struct sm_problem_place *at, int direction)
{
    const struct sm_trial *t = sm_session_trial(s);
    int64_t step = sm_session_step(s).n;
    if (at->valid && at->step.n == step && at->tensor == s->at.tensor)
        return (struct sm_trial_problem){.step = at->problem_step,
                                         .tensor = at->problem_tensor,
                                         .kind = (enum sm_trial_problem_kind)at->problem_kind};
    bool there = s->at.tensor < sm_trial_tensor_count(t);
    return (struct sm_trial_problem){
        .step = step,
        .tensor = there ? sm_names_text(sm_trial_names(t), s->at.tensor) : "",
        .kind = direction > 0 ? SM_TRIAL_PROBLEM_AFTER : SM_TRIAL_PROBLEM_BEFORE};
}

static void add_message(const struct sm_trial *t, const struct sm_trial_problem *x,
                        const struct sm_trial_tensor *tensor, struct sm_str *message)
{
    struct sm_str text = {0};
    sm_trial_problem_describe(t, x, tensor, sm_clock_wall_us(), &text);
    sm_str_add_escaped(message, sm_str_text(&text), text.len);
    sm_str_clear(&text);
}

bool sm_next_problem_go(struct sm_session *s, struct sm_problem_place *at, int direction,
                        bool timeless, struct sm_str *message)
{
    const struct sm_trial *t = sm_session_trial(s);
    struct sm_trial_problems all = {0};
    if (!t || !sm_trial_step_count(t))
        return false;
    struct sm_trial_problem from = search_start(s, at, direction);
    sm_session_problems_read(s, &all);
    sm_trial_problems_sort(&all);
    const struct sm_trial_problem *x = find_from(&all, &from, direction, timeless);
    if (x) {
        const struct sm_trial_tensor *tensor = sm_trial_problem_tensor(t, x);
        add_message(t, x, tensor, message);
        make_current(s, x, tensor);
        remember_problem(at, s, x);
    } else {
        sm_str_add(message,
                   "no problem among rules, files, steps, workers, and values read at this step");
    }
    sm_trial_problems_clear(&all);
    return x != NULL;
}
