/* delete, enable, disable, condition, ignore, save breakpoints: what becomes of breakpoints. */
#include "commands/language/tokens.h"
#include "commands/session/outfile.h"
#include "commands/stops/breakpoint.h"
#include "commands/stops/stops.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- which ---- */

typedef void change(struct sm_breakpoints *list, struct sm_breakpoint *b);

/* Those between two numbers that are there. */
static bool change_range(struct sm_call *c, const struct sm_word *w, change *apply,
                         struct sm_err *err)
{
    struct sm_breakpoints *list = &sm_stops(c->session)->breakpoints;
    int64_t from, to;
    if (!sm_breakpoint_range(c->session, w, &from, &to, err))
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
    struct sm_breakpoints *list = &sm_stops(c->session)->breakpoints;
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

/* Is the word at `at` this one, or the beginning of it? */
static bool says(const struct sm_call *c, size_t at, const char *word)
{
    struct sm_text t = at < c->n_words ? c->words[at].text : SM_TEXT("");
    return t.n && t.n <= strlen(word) && memcmp(t.p, word, t.n) == 0;
}

static bool run_delete(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_call rest = *c;
    if (!says(c, 0, "display"))
        return change_some(c, says(c, 0, "breakpoints"), delete_one, err);
    rest.words++;
    rest.n_words--;
    return sm_cmd_undisplay.run(&rest, out, err);
}

static bool run_disable(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return change_some(c, says(c, 0, "breakpoints"), disable_one, err);
}

static bool run_enable(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    size_t first = says(c, 0, "breakpoints");
    (void)out;
    if (says(c, first, "once"))
        return change_some(c, first + 1, enable_once, err);
    if (says(c, first, "delete"))
        return change_some(c, first + 1, enable_delete, err);
    return change_some(c, first, enable_one, err);
}

static const struct sm_arg text_args[] = {{.name = "N", .kind = SM_ARG_TEXT, .repeats = true}, {0}};

const struct sm_cmd sm_cmd_delete = {
    .name = "delete",
    .aliases = "d",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Delete some breakpoints, or all",
    .help = "N is a number or a range such as 2-5; the word \"breakpoints\" may stand before. "
            "\"delete display N\" is \"undisplay N\".",
    .example = "delete 1 3-5",
    .see_also = "break disable undisplay info",
    .args = text_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_delete,
};

const struct sm_cmd sm_cmd_disable = {
    .name = "disable",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Let some breakpoints, or all, rest",
    .example = "disable 2",
    .see_also = "enable delete info",
    .args = text_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_disable,
};

const struct sm_cmd sm_cmd_enable = {
    .name = "enable",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Let some breakpoints, or all, stop again",
    .help = "\"enable once N\" disables it after one stop, \"enable delete N\" deletes it then.",
    .example = "enable once 2",
    .see_also = "disable break info",
    .args = text_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_enable,
};

/* ---- condition, ignore ---- */

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
    } else if (!sm_breakpoint_condition(b, rest, err)) {
        return false;
    } else if (!rest.n) {
        sm_result_text(out, "Breakpoint %u now unconditional.", b->number);
    }
    sm_stops(c->session)->breakpoints.version++;
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
     .help = "COND is about the number of hits: > 3, == 10, % 10"},
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
    .see_also = "break condition",
    .args = ignore_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_ignore,
};

/* ---- save breakpoints ---- */

bool sm_breakpoints_save(const struct sm_session *s, const char *path, struct sm_result *out,
                         struct sm_err *err)
{
    struct sm_str text = {0};
    size_t n = sm_stops(s)->breakpoints.n;
    for (size_t i = 0; i < n; i++)
        sm_breakpoint_save(sm_stops(s)->breakpoints.items[i], &text);
    bool ok = n ? sm_outfile_write(s, path, false, sm_str_text(&text), text.len, err)
                : sm_err_set(err, SM_ERR_MISSING, "There are no breakpoints to save.");
    if (ok)
        sm_result_text(out, "Saved %zu breakpoint%s to %s.", n, n == 1 ? "" : "s",
                       sm_result_escape(out, path, strlen(path)));
    sm_str_clear(&text);
    return ok;
}
