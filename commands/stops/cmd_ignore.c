/* ignore: skips the next hits of a breakpoint. */
#include "commands/stops/breakpoint.h"
#include "commands/stops/stops.h"

#include <inttypes.h>

static bool run_ignore(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    int64_t number, last, count;
    if (!sm_breakpoint_range(c->session, &c->words[0], &number, &last, err) ||
        !sm_call_int(&c->words[1], 0, INT64_MAX, &count, err))
        return false;
    struct sm_breakpoint *b = sm_breakpoint_numbered(c->session, number, err);
    if (!b)
        return false;
    b->ignore = (uint64_t)count;
    if (count)
        sm_result_text(out, "Will ignore next %" PRId64 " hit%s of breakpoint %u.", count,
                       count == 1 ? "" : "s", b->number);
    else
        sm_result_text(out, "Will stop next time breakpoint %u is hit.", b->number);
    return true;
}

static const struct sm_arg ignore_args[] = {
    {.name = "N", .kind = SM_ARG_NUMBER, .required = true},
    {.name = "COUNT", .kind = SM_ARG_NUMBER, .required = true},
    {0},
};
const struct sm_cmd sm_cmd_ignore = {
    .name = "ignore",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Do not stop at the next COUNT hits of a breakpoint",
    .example = "ignore 1 2",
    .see_also = "break, condition",
    .args = ignore_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_ignore,
};
