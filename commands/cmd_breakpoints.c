/* delete, enable, disable, condition, ignore, info breakpoints: what becomes of breakpoints. */
#include "commands/breakpoint.h"
#include "commands/cmd_list.h"
#include "commands/outfile.h"
#include "commands/word.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- which ---- */

static struct sm_breakpoint *find(struct sm_call *c, int64_t number, struct sm_err *err)
{
    struct sm_breakpoint *b = number > 0 && number <= UINT32_MAX
                                  ? sm_breakpoints_find(&c->session->breakpoints, (unsigned)number) : NULL;
    if (!b)
        sm_err_set(err, SM_ERR_USAGE, "No breakpoint number %" PRId64 ".", number);
    return b;
}

/* "3", "2-5", or "$bpnum": the newest. */
static bool read_range(const struct sm_call *c, const struct sm_word *w, int64_t *from, int64_t *to, struct sm_err *err)
{
    if (sm_text_is(w->text, "$bpnum")) {
        *from = *to = c->session->breakpoints.last;
        return true;
    }
    const char *dash = memchr(w->text.p, '-', w->text.n);
    size_t n = dash ? (size_t)(dash - w->text.p) : w->text.n;
    struct sm_word first = {.text = {w->text.p, n}}, last = {.text = {w->text.p + n + 1, w->text.n - n - 1}};
    if (!sm_call_int(&first, 1, UINT32_MAX, from, err))
        return false;
    *to = *from;
    return !dash || sm_call_int(&last, *from, UINT32_MAX, to, err);
}

typedef void change(struct sm_breakpoints *list, struct sm_breakpoint *b);

/* Those between two numbers that are there. */
static bool change_range(struct sm_call *c, const struct sm_word *w, change *apply, struct sm_err *err)
{
    struct sm_breakpoints *list = &c->session->breakpoints;
    int64_t from, to;
    if (!read_range(c, w, &from, &to, err) || (from == to && !find(c, from, err)))
        return false;
    for (size_t i = list->n; i-- > 0;)
        if (list->items[i]->number >= from && list->items[i]->number <= to)
            apply(list, list->items[i]);
    list->version++;
    return true;
}

/* The words from `first` on; all where there are none. */
static bool change_some(struct sm_call *c, size_t first, change *apply, struct sm_err *err)
{
    struct sm_breakpoints *list = &c->session->breakpoints;
    for (size_t i = list->n; c->n_words <= first && i-- > 0;)
        apply(list, list->items[i]);
    list->version++;
    for (size_t i = first; i < c->n_words; i++)
        if (!change_range(c, &c->words[i], apply, err))
            return false;
    return true;
}

/* ---- delete, enable, disable ---- */

static void delete_one(struct sm_breakpoints *list, struct sm_breakpoint *b)
{
    sm_breakpoints_forget(list, b->number, NULL);
    sm_breakpoints_remove(list, b->number);
}

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

static bool run_delete(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return change_some(c, 0, delete_one, err);
}

static bool run_disable(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return change_some(c, 0, disable_one, err);
}

static bool run_enable(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_text how = c->n_words ? c->words[0].text : SM_TEXT("");
    (void)out;
    if (sm_text_is(how, "once"))
        return change_some(c, 1, enable_once, err);
    if (sm_text_is(how, "delete"))
        return change_some(c, 1, enable_delete, err);
    return change_some(c, 0, enable_one, err);
}

static const struct sm_arg number_args[] = {{.name = "N", .kind = SM_ARG_NUMBER, .repeats = true}, {0}};

const struct sm_cmd sm_cmd_delete = {
    .name = "delete",
    .aliases = "d",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Delete some breakpoints, or all",
    .help = "N is a number or a range such as 2-5.",
    .example = "delete 1 3-5",
    .see_also = "break disable info",
    .args = number_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_delete,
};

const struct sm_cmd sm_cmd_disable = {
    .name = "disable",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Let some breakpoints, or all, rest",
    .example = "disable 2",
    .see_also = "enable delete info",
    .args = number_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_disable,
};

static const struct sm_arg enable_args[] = {{.name = "N", .kind = SM_ARG_TEXT, .repeats = true}, {0}};
const struct sm_cmd sm_cmd_enable = {
    .name = "enable",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Let some breakpoints, or all, stop again",
    .help = "\"enable once N\" disables it after one stop, \"enable delete N\" deletes it then.",
    .example = "enable once 2",
    .see_also = "disable break info",
    .args = enable_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_enable,
};

/* ---- condition, ignore ---- */

static bool run_condition(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    char *end;
    const char *raw = sm_arena_xstrndup(&c->arena, c->raw.p, c->raw.n);
    bool newest = strncmp(raw, "$bpnum", 6) == 0;
    long long number = newest ? (long long)c->session->breakpoints.last : strtoll(raw, &end, 10);
    if (newest)
        end = (char *)(uintptr_t)raw + 6;
    struct sm_text rest = sm_reader_trim(end, strlen(end));
    if (end == raw)
        return sm_err_set(err, SM_ERR_USAGE, "Argument required (N).  Try \"help condition\".");
    struct sm_breakpoint *b = find(c, number, err);
    if (!b)
        return false;
    if (sm_call_flag(c, "hitcount")) {
        if (!rest.n)
            b->hit_operator = 0;
        else if (!sm_breakpoint_hitcount(b, rest, err))
            return false;
    } else if (!sm_breakpoint_condition(b, rest, err)) {
        return false;
    } else if (!rest.n) {
        sm_result_text(out, "Breakpoint %u now unconditional.", b->number);
    }
    c->session->breakpoints.version++;
    return true;
}

static const struct sm_arg condition_args[] = {
    {.name = "N", .kind = SM_ARG_NUMBER, .required = true},
    {.name = "COND", .kind = SM_ARG_EXPR},
    {0},
};
static const struct sm_option condition_options[] = {
    {.name = "hitcount", .kind = SM_ARG_FLAG, .help = "COND is about the number of hits: > 3, == 10, % 10"},
    {0},
};
const struct sm_cmd sm_cmd_condition = {
    .name = "condition",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Give a breakpoint a condition, or take it away",
    .example = "condition 1 absmax($t) > 100",
    .see_also = "break ignore",
    .args = condition_args,
    .options = condition_options,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT,
    .run = run_condition,
};

static bool run_ignore(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    int64_t number, last, count;
    if (!read_range(c, &c->words[0], &number, &last, err) || !sm_call_int(&c->words[1], 0, INT64_MAX, &count, err))
        return false;
    struct sm_breakpoint *b = find(c, number, err);
    if (!b)
        return false;
    b->ignore = (uint64_t)count;
    if (count)
        sm_result_text(out, "Will ignore next %" PRId64 " hit%s of breakpoint %u.", count, count == 1 ? "" : "s", b->number);
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
    .see_also = "break condition",
    .args = ignore_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_ignore,
};

/* ---- save breakpoints ---- */

bool sm_breakpoints_save(const struct sm_session *s, const char *path, struct sm_result *out, struct sm_err *err)
{
    struct sm_str text = {0};
    size_t n = s->breakpoints.n;
    for (size_t i = 0; i < n; i++)
        sm_breakpoint_save(s->breakpoints.items[i], &text);
    bool ok = n ? sm_outfile_write(s, path, false, sm_str_text(&text), text.len, err)
                : sm_err_set(err, SM_ERR_MISSING, "There are no breakpoints to save.");
    if (ok)
        sm_result_text(out, "Saved %zu breakpoint%s to %s.", n, n == 1 ? "" : "s", sm_result_escape(out, path, strlen(path)));
    sm_str_clear(&text);
    return ok;
}

/* ---- info breakpoints ---- */

static const char *disposition_of(const struct sm_breakpoint *b)
{
    static const char *const names[] = {[SM_BREAK_KEEP] = "keep", [SM_BREAK_DISABLE] = "dis", [SM_BREAK_DELETE] = "del"};
    return names[b->disposition];
}

static const char *hit_condition_of(struct sm_result *out, const struct sm_breakpoint *b)
{
    return b->hit_operator ? sm_arena_xprintf(&out->arena, "%s %" PRIu64, sm_breakpoint_compared(b), b->hit_number) : NULL;
}

static void add_row(struct sm_result *out, struct sm_node *list, const struct sm_breakpoint *b)
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

static void add_lines(struct sm_result *out, const struct sm_breakpoint *b)
{
    const char *what = sm_breakpoint_what(b), *hits = hit_condition_of(out, b);
    sm_result_text(out, "%-3u  %-10s  %-4s  %-3s  %4" PRIu64 "  %s%s%s", b->number, sm_breakpoint_type(b), disposition_of(b),
                   b->enabled ? "y" : "n", b->hits, sm_result_escape(out, what, strlen(what)),
                   b->mode == SM_MODE_ANY ? "" : " mode ", b->mode == SM_MODE_ANY ? "" : sm_mode_name((int)b->mode));
    if (b->condition)
        sm_result_text(out, "     stop only if %s", sm_result_escape(out, b->condition, strlen(b->condition)));
    if (hits)
        sm_result_text(out, "     stop only if hits %s", hits);
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
};

/* Is it among the numbers and ranges of the call? Without any, it is. */
static bool is_asked(struct sm_call *c, const struct sm_breakpoint *b)
{
    int64_t from, to;
    for (size_t i = 0; i < c->n_words; i++)
        if (read_range(c, &c->words[i], &from, &to, NULL) && b->number >= from && b->number <= to)
            return true;
    return !c->n_words;
}

/* Numbers that cannot be read, or are no breakpoint's, are complained about. */
static bool check_numbers(struct sm_call *c, struct sm_err *err)
{
    int64_t from, to;
    for (size_t i = 0; i < c->n_words; i++)
        if (!read_range(c, &c->words[i], &from, &to, err) || (from == to && !find(c, from, err)))
            return false;
    return true;
}

static bool run_info_breakpoints(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_breakpoints *list = &c->session->breakpoints;
    struct sm_node *rows = sm_node_list(out, NULL, NULL);
    bool watched = c->cmd == &sm_cmd_info_watchpoints;
    size_t n = 0;
    if (!check_numbers(c, err))
        return false;
    out->root = rows;
    out->columns = breakpoint_columns;
    out->n_columns = COUNT(breakpoint_columns);
    for (size_t i = 0; i < list->n; i++) {
        if ((watched && !list->items[i]->watched) || !is_asked(c, list->items[i]))
            continue;
        if (!n++)
            sm_result_text(out, "Num  Type        Disp  Enb  Hits  What");
        add_row(out, rows, list->items[i]);
        add_lines(out, list->items[i]);
    }
    if (!n)
        sm_result_text(out, watched ? "No watchpoints." : "No breakpoints.");
    return true;
}

const struct sm_cmd sm_cmd_info_breakpoints = {
    .name = "breakpoints",
    .aliases = "b",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "The breakpoints, how often each was hit, and their conditions",
    .help = "All of them, or those with the numbers; N may be a range such as 2-5.",
    .example = "info breakpoints",
    .see_also = "break delete",
    .args = number_args,
    .flags = SM_CMD_LISTING,
    .run = run_info_breakpoints,
};

const struct sm_cmd sm_cmd_info_watchpoints = {
    .name = "watchpoints",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "The breakpoints that \"watch\" has made",
    .example = "info watchpoints",
    .see_also = "watch info",
    .args = number_args,
    .flags = SM_CMD_LISTING,
    .run = run_info_breakpoints,
};
