/* SPDX-License-Identifier: Apache-2.0 */
/* info breakpoints, info watchpoints. */
#include "commands/answer/shape.h"
#include "commands/stops/breakpoint.h"
#include "commands/stops/stops.h"

#include <inttypes.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *disposition_of(const struct sm_breakpoint *b)
{
    static const char *const names[] = {
        [SM_BREAK_KEEP] = "keep", [SM_BREAK_DISABLE] = "dis", [SM_BREAK_DELETE] = "del"};
    return names[b->disposition];
}

static const char *hit_condition_of(struct sm_result *out, const struct sm_breakpoint *b)
{
    return b->hit_operator ? sm_arena_xprintf(&out->arena, "%s %" PRIu64, sm_breakpoint_compared(b),
                                              b->hit_number)
                           : NULL;
}

/* Whether the trial does not have its tensors yet. */
static bool is_pending(const struct sm_session *s, struct sm_breakpoint *b)
{
    if (b->kind != SM_BREAK_TENSORS)
        return false;
    if (sm_session_trial(s))
        sm_breakpoint_select(b, s);
    return !sm_session_trial(s) || !b->n_tensors;
}

static void add_row(struct sm_result *out, struct sm_node *list, const struct sm_breakpoint *b,
                    bool pending)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_uint(out, row, "number", b->number);
    sm_node_text(out, row, "type", sm_breakpoint_type(b));
    sm_node_text(out, row, "disposition", disposition_of(b));
    sm_node_bool(out, row, "enabled", b->enabled);
    sm_node_uint(out, row, "hits", b->hits);
    sm_node_text(out, row, "what", sm_breakpoint_what(b));
    sm_node_text(out, row, "mode", b->mode == SM_MODE_ANY ? NULL : sm_mode_name((int)b->mode));
    sm_node_text(out, row, "condition", b->condition);
    sm_node_text(out, row, "hit_condition", hit_condition_of(out, b));
    sm_node_uint(out, row, "ignore", b->ignore);
    struct sm_node *commands = sm_node_list(out, row, "commands");
    struct sm_str text = {0};
    if (b->commands)
        sm_body_text(b->commands, 0, &text);
    for (const char *p = sm_str_text(&text), *end; *p; p = end + 1) {
        end = strchr(p, '\n');
        sm_node_textn(out, commands, NULL, p, (size_t)(end - p));
    }
    sm_str_clear(&text);
    sm_node_bool(out, row, "pending", pending);
    sm_node_uint(out, row, "skipped", b->skips.tensors + b->skips.steps);
}

static void add_commands(struct sm_result *out, const struct sm_breakpoint *b)
{
    struct sm_str text = {0};
    if (b->commands)
        sm_body_text(b->commands, 0, &text);
    for (const char *p = sm_str_text(&text), *end; *p; p = end + 1) {
        end = strchr(p, '\n');
        sm_result_text(out, "        %s", sm_result_escape(out, p, (size_t)(end - p)));
    }
    sm_str_clear(&text);
}

static void add_skips(struct sm_result *out, const struct sm_breakpoint *b)
{
    struct sm_str text = {0};
    sm_break_skips_text(&b->skips, &text);
    if (text.len)
        sm_result_text(out, "     %s", sm_str_text(&text));
    sm_str_clear(&text);
}

static void add_lines(struct sm_result *out, const struct sm_breakpoint *b, bool pending)
{
    const char *what = sm_breakpoint_what(b), *hits = hit_condition_of(out, b);
    sm_result_text(out, "%-3u  %-10s  %-4s  %-3s  %4" PRIu64 "  %s%s%s", b->number,
                   sm_breakpoint_type(b), disposition_of(b), b->enabled ? "y" : "n", b->hits,
                   sm_result_escape(out, what, strlen(what)),
                   b->mode == SM_MODE_ANY ? "" : " mode ",
                   b->mode == SM_MODE_ANY ? "" : sm_mode_name((int)b->mode));
    if (pending)
        sm_result_text(out, "     pending: the trial has no such tensor yet");
    if (b->condition)
        sm_result_text(out, "     stop only if %s",
                       sm_result_escape(out, b->condition, strlen(b->condition)));
    if (hits)
        sm_result_text(out, "     stop only if hits %s", hits);
    add_skips(out, b);
    if (b->ignore)
        sm_result_text(out, "     ignore next %" PRIu64 " hits", b->ignore);
    if (b->print)
        sm_result_text(out, "     printf %s", sm_result_escape(out, b->print, strlen(b->print)));
    add_commands(out, b);
}

static const struct sm_column breakpoint_columns[] = {
    {.key = "number", .header = "Num", .format = SM_COL_NUMBER},
    {.key = "type", .header = "Type"},
    {.key = "disposition", .header = "Disp"},
    {.key = "enabled", .header = "Enb"},
    {.key = "hits", .header = "Hits", .format = SM_COL_NUMBER},
    {.key = "what", .header = "What"},
    {.key = "mode", .header = "Mode"},
    {.key = "condition", .header = "Condition"},
    {.key = "hit_condition", .header = "Hit condition"},
    {.key = "ignore", .header = "Ignore", .format = SM_COL_NUMBER},
    {.key = "commands", .header = "Commands", .format = SM_COL_LIST},
    {.key = "pending", .header = "Pending"},
    {.key = "skipped", .header = "Skipped", .format = SM_COL_NUMBER},
};

/* Whether it is in the numbers and ranges of the call; true if there are none. */
static bool is_selected(struct sm_call *c, const struct sm_breakpoint *b)
{
    int64_t from, to;
    for (size_t i = 0; i < c->n_words; i++)
        if (sm_breakpoint_range(c->session, &c->words[i], &from, &to, NULL) && b->number >= from &&
            b->number <= to)
            return true;
    return !c->n_words;
}

/* Reports numbers that cannot be parsed or do not exist. */
static bool check_numbers(struct sm_call *c, struct sm_err *err)
{
    int64_t from, to;
    for (size_t i = 0; i < c->n_words; i++)
        if (!sm_breakpoint_range(c->session, &c->words[i], &from, &to, err))
            return false;
    return true;
}

static bool run_info_breakpoints(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_breakpoints *list = &sm_stops(c->session)->breakpoints;
    struct sm_node *rows = sm_node_list(out, NULL, NULL);
    bool watched = c->cmd == &sm_cmd_info_watchpoints;
    size_t n = 0;
    if (!check_numbers(c, err))
        return false;
    out->root = rows;
    out->columns = breakpoint_columns;
    out->n_columns = COUNT(breakpoint_columns);
    for (size_t i = 0; i < list->n; i++) {
        if ((watched && !list->items[i]->watched) || !is_selected(c, list->items[i]))
            continue;
        if (!n++)
            sm_result_text(out, "Num  Type        Disp  Enb  Hits  What");
        bool pending = is_pending(c->session, list->items[i]);
        add_row(out, rows, list->items[i], pending);
        add_lines(out, list->items[i], pending);
    }
    if (!n)
        sm_result_text(out, watched ? "No watchpoints." : "No breakpoints.");
    return true;
}

static const struct sm_arg number_args[] = {{.name = "N", .kind = SM_ARG_NUMBER, .repeats = true},
                                            {0}};
const struct sm_cmd sm_cmd_info_breakpoints = {
    .parent = "info",
    .name = "breakpoints",
    .aliases = "b",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List breakpoints with their hits and conditions",
    .help = "With N, only those breakpoints; N may be a range such as 2-5.",
    .example = "info breakpoints",
    .see_also = "break, delete",
    .args = number_args,
    .flags = SM_CMD_LISTING,
    .answer = "[" SM_SHAPE_BREAK_ROW "]",
    .run = run_info_breakpoints,
};

const struct sm_cmd sm_cmd_info_watchpoints = {
    .parent = "info",
    .name = "watchpoints",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List the breakpoints that were set by \"watch\"",
    .example = "info watchpoints",
    .see_also = "watch, info",
    .args = number_args,
    .flags = SM_CMD_LISTING,
    .answer = "[" SM_SHAPE_BREAK_ROW "]",
    .run = run_info_breakpoints,
};
