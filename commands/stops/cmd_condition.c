/* SPDX-License-Identifier: Apache-2.0 */
/* condition, ignore: when a breakpoint stops. */
#include "commands/answer/shape.h"
#include "commands/language/tokens.h"
#include "commands/stops/break_tensors.h"
#include "commands/stops/breakpoint.h"
#include "commands/stops/stops.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- condition ---- */

static bool run_condition(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    char *end;
    const char *raw = sm_arena_xstrndup(&c->arena, c->raw.p, c->raw.n);
    bool newest = strncmp(raw, "$bpnum", 6) == 0;
    long long number =
        newest ? (long long)sm_stops(c->session)->breakpoints.last : strtoll(raw, &end, 10);
    if (newest)
        end = (char *)(uintptr_t)raw + 6;
    struct sm_text rest = sm_reader_trim(end, strlen(end));
    if (end == raw)
        return sm_err_set(err, SM_ERR_USAGE, "Argument required (N).  Try \"help condition\".");
    struct sm_breakpoint *b = sm_breakpoint_numbered(c->session, number, err);
    if (!b)
        return false;
    if (sm_call_flag(c, "hitcount")) {
        if (!rest.n)
            b->hit_operator = 0;
        else if (!sm_breakpoint_hitcount(b, rest, err))
            return false;
    } else if (!sm_break_check_names(c, rest, err) || !sm_breakpoint_condition(b, rest, err)) {
        return false;
    } else if (!rest.n) {
        sm_result_text(out, "Breakpoint %u now unconditional.", b->number);
    }
    sm_stops(c->session)->breakpoints.version++;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_uint(out, map, "number", b->number);
    sm_node_text(out, map, "condition", b->condition);
    return true;
}

static const struct sm_arg condition_args[] = {
    {.name = "N", .kind = SM_ARG_NUMBER, .required = true},
    {.name = "COND", .kind = SM_ARG_EXPR},
    {0},
};
static const struct sm_option condition_options[] = {
    {.name = "hitcount",
     .kind = SM_ARG_FLAG,
     .help = "COND is for the number of hits: > 3, == 10, % 10"},
    {0},
};
const struct sm_cmd sm_cmd_condition = {
    .name = "condition",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Set or remove the condition of a breakpoint",
    .example = "condition 1 absmax($t) > 100",
    .see_also = "break, ignore",
    .args = condition_args,
    .options = condition_options,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT,
    .answer = "{number:int,condition:text?}",
    .run = run_condition,
};

/* ---- ignore ---- */

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
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_uint(out, map, "number", b->number);
    sm_node_uint(out, map, "ignore", b->ignore);
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
    .answer = "{number:int,ignore:int}",
    .run = run_ignore,
};
