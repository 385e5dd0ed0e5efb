/* SPDX-License-Identifier: Apache-2.0 */
/* step, next, reverse-step, reverse-next: move along the recorded steps. */
#include "commands/answer/shape.h"
#include "commands/place/place.h"
#include "commands/place/step_walk.h"
#include "commands/stops/arrival.h"
#include "commands/stops/stops.h"

/* The steps of the current mode; with a tensor, the steps at which the current worker saved it. */
static bool find_steps(struct sm_call *c, const struct sm_trial_tensor *tensor,
                       struct sm_steps *out, struct sm_err *err)
{
    const struct sm_place *at = &c->session->at;
    size_t n = 0;
    struct sm_place place = sm_place_all(c->session, at->mode);
    place.tensor = tensor ? tensor->name : SM_NAME_NONE;
    place.worker = at->worker;
    if (!sm_place_steps(c, place, SM_TEXT("all"), out, err))
        return false;
    for (size_t i = 0; i < out->n; i++) {
        place.step = out->items[i];
        if (!tensor || sm_place_is_saved(&place))
            out->items[n++] = out->items[i];
    }
    out->n = n;
    return n || sm_err_set(err, SM_ERR_MISSING, "There are no steps yet.");
}

/* by > 0: the by-th step after the current one; < 0: before it. If there are fewer, the outermost
 * one. Returns false if there is none. */
static bool find_next(const struct sm_steps *steps, struct sm_step from, int64_t by,
                      struct sm_step *to, bool *outermost)
{
    size_t before = 0, after = steps->n; /* number of steps before `from`; index of the first one
                                            after it */
    while (before < steps->n && steps->items[before].n < from.n)
        before++;
    for (after = before; after < steps->n && steps->items[after].n == from.n; after++)
        ;
    size_t available = by > 0 ? steps->n - after : before, n = by > 0 ? (size_t)by : (size_t)-by;
    if (!available)
        return false;
    *outermost = n > available;
    n = n > available ? available : n;
    *to = steps->items[by > 0 ? after + n - 1 : before - n];
    return true;
}

static bool current_tensor(struct sm_call *c, const struct sm_trial_tensor **out,
                           struct sm_err *err)
{
    if (c->session->at.tensor == SM_NAME_NONE)
        return sm_err_set(
            err, SM_ERR_USAGE,
            "There is no current tensor.  Use \"tensor NAME\", or \"step\" for any step.");
    *out = sm_place_tensor(&c->session->at);
    return *out || sm_err_set(err, SM_ERR_MISSING, "The current tensor no longer exists.");
}

struct walk {
    struct sm_arrival stop;
    bool outermost; /* fewer steps than requested */
};

static bool report_no_step(struct sm_call *c, int64_t by, bool of_tensor, struct sm_err *err)
{
    bool expected = by > 0 && sm_step_walk_is_live(c->session);
    return sm_err_set(err, SM_ERR_MISSING, "There is no %s step%s%s.%s",
                      by > 0 ? "later" : "earlier", of_tensor ? " of this tensor" : "",
                      expected ? " yet" : "",
                      expected && !of_tensor ? "  \"until 1\" waits for the next one." : "");
}

static bool move_by(struct sm_call *c, struct walk *w, bool of_tensor, int64_t by,
                    struct sm_err *err)
{
    const struct sm_trial_tensor *tensor = NULL;
    struct sm_steps steps;
    struct sm_step to;
    if ((of_tensor && !current_tensor(c, &tensor, err)) || !find_steps(c, tensor, &steps, err))
        return false;
    if (!find_next(&steps, sm_session_step(c->session), by, &to, &w->outermost))
        return report_no_step(c, by, tensor != NULL, err);
    sm_arrival_move(c, &w->stop, to, false);
    return true;
}

static bool walk_steps(struct sm_call *c, bool of_tensor, int direction, struct sm_result *out,
                       struct sm_err *err)
{
    struct walk *w = c->state = c->state ? c->state : sm_arena_xalloc(&c->arena, sizeof *w);
    int64_t n = 1;
    if (c->n_words && !sm_call_int(&c->words[0], 1, INT64_MAX, &n, err))
        return false;
    if (!w->stop.moved && !move_by(c, w, of_tensor, direction * n, err))
        return false;
    if (!sm_arrival_show(c, &w->stop, out, err))
        return false;
    if (w->outermost)
        sm_result_dim(out, direction < 0                      ? "No earlier step."
                           : sm_step_walk_is_live(c->session) ? "No later step yet."
                                                              : "No later step.");
    return true;
}

static bool run_step(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return walk_steps(c, false, 1, out, err);
}

static bool run_next(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return walk_steps(c, true, 1, out, err);
}

static bool run_reverse_step(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return walk_steps(c, false, -1, out, err);
}

static bool run_reverse_next(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return walk_steps(c, true, -1, out, err);
}

enum { WALK_FLAGS = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING | SM_CMD_CONTINUES };
static const struct sm_arg walk_args[] = {{.name = "N", .kind = SM_ARG_NUMBER}, {0}};

const struct sm_cmd sm_cmd_step = {
    .name = "step",
    .aliases = "s si stepi",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Go to the next saved step, or N steps forward",
    .help =
        "If a mode is current, set by \"goto @eval:12\" or \"tensor NAME mode M\", only its steps "
        "count, until you go to a\n"
        "step of another mode. Displayed expressions are shown. An empty line repeats the command.",
    .example = "step 5",
    .see_also = "next, reverse-step, goto, display",
    .args = walk_args,
    .flags = WALK_FLAGS,
    .answer = "{" SM_SHAPE_WALK "}",
    .run = run_step,
};

const struct sm_cmd sm_cmd_next = {
    .name = "next",
    .aliases = "n ni nexti",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Go to the next step that has the current tensor, or the N-th",
    .example = "next",
    .see_also = "step, reverse-next, tensor, display",
    .args = walk_args,
    .flags = WALK_FLAGS,
    .answer = "{" SM_SHAPE_WALK "}",
    .run = run_next,
};

const struct sm_cmd sm_cmd_reverse_step = {
    .name = "reverse-step",
    .aliases = "rs",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Go back to the previous saved step, or N steps back",
    .example = "reverse-step",
    .see_also = "step, reverse-next, goto",
    .args = walk_args,
    .flags = WALK_FLAGS,
    .answer = "{" SM_SHAPE_WALK "}",
    .run = run_reverse_step,
};

const struct sm_cmd sm_cmd_reverse_next = {
    .name = "reverse-next",
    .aliases = "rn",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Go back to the previous step that has the current tensor",
    .example = "reverse-next 2",
    .see_also = "next, reverse-step",
    .args = walk_args,
    .flags = WALK_FLAGS,
    .answer = "{" SM_SHAPE_WALK "}",
    .run = run_reverse_next,
};
