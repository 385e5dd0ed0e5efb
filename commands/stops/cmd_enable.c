/* SPDX-License-Identifier: Apache-2.0 */
/* enable, disable: enables and disables breakpoints. */
#include "commands/stops/break_change.h"
#include "commands/stops/stops.h"

static void disable_one(struct sm_breakpoints *list, struct sm_breakpoint *b)
{
    (void)list;
    b->enabled = false;
}

static void enable_one(struct sm_breakpoints *list, struct sm_breakpoint *b)
{
    (void)list;
    b->enabled = true;
    b->disposition = b->temporary ? SM_BREAK_DELETE : SM_BREAK_KEEP;
}

static void enable_once(struct sm_breakpoints *list, struct sm_breakpoint *b)
{
    (void)list;
    b->enabled = true;
    b->disposition = SM_BREAK_DISABLE;
}

static void enable_delete(struct sm_breakpoints *list, struct sm_breakpoint *b)
{
    (void)list;
    b->enabled = true;
    b->disposition = SM_BREAK_DELETE;
}

static bool run_disable(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return sm_breakpoints_change(c, sm_breakpoints_word(c, 0, "breakpoints"), disable_one, err);
}

static bool run_enable(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    size_t first = sm_breakpoints_word(c, 0, "breakpoints");
    (void)out;
    if (sm_breakpoints_word(c, first, "once"))
        return sm_breakpoints_change(c, first + 1, enable_once, err);
    if (sm_breakpoints_word(c, first, "delete"))
        return sm_breakpoints_change(c, first + 1, enable_delete, err);
    return sm_breakpoints_change(c, first, enable_one, err);
}

static const struct sm_arg enable_args[] = {{.name = "N", .kind = SM_ARG_TEXT, .repeats = true},
                                            {0}};

const struct sm_cmd sm_cmd_disable = {
    .name = "disable",
    .aliases = "dis",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Disable some breakpoints, or all",
    .example = "disable 2",
    .see_also = "enable, delete, info",
    .args = enable_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_disable,
};

const struct sm_cmd sm_cmd_enable = {
    .name = "enable",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Enable some breakpoints, or all",
    .help = "\"enable once N\" disables it after one stop; \"enable delete N\" deletes it after "
            "one stop.",
    .example = "enable once 2",
    .see_also = "disable, break, info",
    .args = enable_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_enable,
};
