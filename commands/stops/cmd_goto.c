/* SPDX-License-Identifier: Apache-2.0 */
/* goto: sets the current step. */
#include "commands/answer/shape.h"
#include "commands/place/place.h"
#include "commands/stops/arrival.h"
#include "commands/stops/stops.h"

static bool goto_step(struct sm_call *c, struct sm_arrival *stop, struct sm_err *err)
{
    enum sm_mode mode = SM_MODE_ANY;
    struct sm_place to;
    if (!sm_place_mode_given(c, &mode, err) ||
        !sm_place_parse_step(c, &c->session->at, mode, c->words[0].text, &to, err))
        return false;
    c->session->at.mode = to.mode;
    c->session->at.worker = to.worker;
    sm_arrival_move(c, stop, to.step, to.follow);
    return true;
}

static bool run_goto(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_arrival *stop = c->state =
        c->state ? c->state : sm_arena_xalloc(&c->arena, sizeof *stop);
    return (stop->moved || goto_step(c, stop, err)) && sm_arrival_show(c, stop, out, err);
}

static const struct sm_arg goto_args[] = {
    {.name = "STEP", .kind = SM_ARG_STEP, .required = true},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {0},
};
const struct sm_cmd sm_cmd_goto = {
    .name = "goto",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Set the current step for the commands that follow",
    .help = "STEP is 100, first, last, +5 or -5 (saved steps from here), ~137 (the nearest step), "
            "@eval:12 or @-10m (by the\n"
            "clock). After \"goto last\" the newest step stays current when new steps arrive.",
    .example = "goto 10",
    .see_also = "at, step, reverse-step, info",
    .args = goto_args,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .answer = "{" SM_SHAPE_WALK "}",
    .run = run_goto,
};
