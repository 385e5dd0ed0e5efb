/* SPDX-License-Identifier: Apache-2.0 */
/* watch: stops where a value changes, becomes zero or does not change. */
#include "commands/answer/shape.h"
#include "commands/language/command_line.h"
#include "commands/language/tokens.h"
#include "commands/place/select.h"
#include "commands/stops/break_tensors.h"
#include "commands/stops/stops.h"

#include <string.h>

/* ---- the arguments ---- */

/* Cuts the condition after " if ", outside of quotes and brackets, from *text and returns it; empty
 * if none. */
static struct sm_text cut_condition(struct sm_text *text)
{
    int open = 0;
    char quote = 0;
    for (size_t i = 0; i + 4 <= text->n; i++) {
        char c = text->p[i];
        if (quote || c == '"' || c == '\'' || c == '`')
            quote = quote == c ? 0 : quote ? quote : c;
        open += !quote && (c == '(' || c == '[');
        open -= !quote && (c == ')' || c == ']');
        if (quote || open || memcmp(text->p + i, " if ", 4) != 0)
            continue;
        struct sm_text condition = sm_reader_trim(text->p + i + 4, text->n - i - 4);
        *text = sm_reader_trim(text->p, i);
        return condition;
    }
    return SM_TEXT("");
}

/* Splits the text into words. Returns false if it is an expression. */
static bool split_words(struct sm_call *c, struct sm_text text, struct sm_word **words, size_t *n)
{
    struct sm_err err = {0};
    size_t at = 0;
    *words = sm_arena_xalloc(&c->arena, (text.n + 1) * sizeof **words);
    for (*n = 0; sm_line_word(text.p, text.n, &at, &c->arena, &(*words)[*n], &err);)
        sm_reader_join(&c->arena, &(*words)[(*n)++]);
    return err.code == SM_OK && *n;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Whether each word matches existing tensors. */
static bool are_tensors(struct sm_call *c, const struct sm_word *words, size_t n)
{
    struct sm_selection sel;
    for (size_t i = 0; i < n; i++)
        if (!sm_session_trial(c->session) ||
            !sm_select(c->session, sm_session_trial(c->session), &c->arena, &words[i], 1, &sel,
                       NULL) ||
            !sel.n)
            return false;
    return true;
}

/* Whether the words may be tensors that do not exist yet: a name, or text that is not an expression
 * and starts as names and patterns do. */
static bool may_be_tensors(struct sm_call *c, struct sm_text text, const struct sm_word *words,
                           size_t n)
{
    struct sm_expr *parsed;
    bool name = n == 1 && !words[0].slice.n &&
                strspn(words[0].text.p, LETTERS "0123456789_./:") == words[0].text.n;
    if (!name && sm_expr_parse(text.p, text.n, &c->arena, &parsed, NULL))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!words[i].quoted && !strchr(LETTERS "_+/!*?[", words[i].text.p[0]))
            return false;
    return true;
}

/* ---- the options ---- */

#define RATIO "0.1" /* the default of -ratio */
struct watch_request {
    const char *option; /* "dead", "stuck", "ratio"; NULL: any change */
    double tolerance;   /* below 0 if not given */
    const struct sm_word *tolerance_word;
};

static bool read_options(struct sm_call *c, struct watch_request *w, struct sm_err *err)
{
    static const char *const names[] = {"dead", "stuck", "ratio"};
    *w = (struct watch_request){.tolerance = -1, .tolerance_word = sm_call_option(c, "tol")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!sm_call_flag(c, names[i]))
            continue;
        if (w->option)
            return sm_err_set(err, SM_ERR_USAGE, "-%s and -%s cannot be used together.", w->option,
                              names[i]);
        w->option = names[i];
    }
    if (!w->tolerance_word)
        return true;
    if (!sm_call_double(w->tolerance_word, &w->tolerance, err))
        return false;
    if (w->tolerance < 0 || (w->option && strcmp(w->option, "dead") == 0))
        return sm_err_set(err, SM_ERR_USAGE,
                          w->tolerance < 0 ? "The tolerance must not be negative."
                                           : "-dead takes no tolerance.");
    return true;
}

static void make_trigger(const struct watch_request *w, struct sm_str *out)
{
    const char *tolerance = w->tolerance_word ? w->tolerance_word->text.p : NULL;
    char option = w->option ? w->option[0] : 0;
    if (option == 'd')
        sm_str_add(out, "zeros($t) == size($t) && (!exists($prev) || zeros($prev) < size($prev))");
    else if (option == 'r')
        sm_str_printf(out, "norm($t - $prev) / norm($prev) > %s", tolerance ? tolerance : RATIO);
    else
        sm_str_printf(out, "changed($t, $prev%s%s) %s 0", tolerance ? ", " : "",
                      tolerance ? tolerance : "", option ? "==" : ">");
}

/* The arguments of watch as text. The caller frees it. */
static char *describe_watch(const struct watch_request *w, const char *what)
{
    struct sm_str text = {0};
    if (w->option)
        sm_str_printf(&text, "-%s ", w->option);
    if (w->tolerance_word)
        sm_str_printf(&text, "-tol %s ", w->tolerance_word->text.p);
    sm_str_add(&text, what);
    char *copy = sm_xstrdup(sm_str_text(&text));
    sm_str_clear(&text);
    return copy;
}

/* ---- creation ---- */

static bool watch_tensors(struct sm_call *c, const struct watch_request *w, struct sm_word *words,
                          size_t n, struct sm_text condition, struct sm_result *out,
                          struct sm_err *err)
{
    struct sm_breakpoints *list = &sm_stops(c->session)->breakpoints;
    struct sm_expr *parsed;
    struct sm_str trigger = {0};
    size_t tensors;
    const char *why;
    if ((condition.n && !sm_expr_parse(condition.p, condition.n, &c->arena, &parsed, err)) ||
        !sm_break_check_names(c, condition, err) ||
        !sm_break_tensors(c, words, n, &tensors, &why, err))
        return false;
    struct sm_breakpoint *b = sm_breakpoints_add(list, SM_BREAK_TENSORS, words, n);
    make_trigger(w, &trigger);
    b->type = SM_BREAK_WATCH;
    b->watched = describe_watch(w, b->where);
    b->trigger = sm_xstrdup(sm_str_text(&trigger));
    sm_str_clear(&trigger);
    sm_breakpoint_condition(b, condition, NULL);
    sm_break_report(b, NULL, tensors, why, out);
    return true;
}

static bool watch_expression(struct sm_call *c, const struct watch_request *w, struct sm_text text,
                             struct sm_text condition, struct sm_result *out, struct sm_err *err)
{
    struct sm_expr *parsed;
    if (!sm_expr_parse(text.p, text.n, &c->arena, &parsed, err) ||
        (condition.n && !sm_expr_parse(condition.p, condition.n, &c->arena, &parsed, err)) ||
        !sm_break_check_names(c, text, err) || !sm_break_check_names(c, condition, err))
        return false;
    struct sm_breakpoint *b =
        sm_breakpoints_add(&sm_stops(c->session)->breakpoints, SM_BREAK_STEP, NULL, 0);
    b->type = SM_BREAK_WATCH;
    b->where = sm_arena_xstrndup(&b->arena, text.p, text.n);
    b->watched = describe_watch(w, b->where);
    b->tolerance = w->tolerance;
    sm_expr_parse(text.p, text.n, &b->arena, &b->changing, NULL);
    sm_breakpoint_condition(b, condition, NULL);
    sm_break_report(b, b->watched, 0, NULL, out);
    return true;
}

static bool run_watch(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_text text = c->raw, condition = cut_condition(&text);
    struct watch_request w;
    struct sm_word *words;
    size_t n;
    if (t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    if (!read_options(c, &w, err))
        return false;
    bool plain = split_words(c, text, &words, &n);
    if (plain)
        sm_break_collections(t, &c->arena, words, &n);
    if (w.option && !plain)
        return sm_err_set(err, SM_ERR_USAGE,
                          "-%s requires tensors: names, patterns or a collection.", w.option);
    if (w.option || (plain && (are_tensors(c, words, n) || may_be_tensors(c, text, words, n))))
        return watch_tensors(c, &w, words, n, condition, out, err);
    return watch_expression(c, &w, text, condition, out, err);
}

static const struct sm_arg watch_args[] = {
    {.name = "EXPR [if COND]", .kind = SM_ARG_EXPR, .required = true}, {0}};
static const struct sm_option watch_options[] = {
    {.name = "dead", .kind = SM_ARG_FLAG, .help = "stop where all elements become zero"},
    {.name = "stuck", .kind = SM_ARG_FLAG, .help = "stop where nothing has changed"},
    {.name = "ratio",
     .kind = SM_ARG_FLAG,
     .help = "stop where the relative change is more than 0.1, or -tol"},
    {.name = "tol", .kind = SM_ARG_TEXT, .value = "X", .help = "ignore differences up to X"},
    {0},
};
const struct sm_cmd sm_cmd_watch = {
    .name = "watch",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Stop where a value changes, becomes zero or stays the same",
    .help = "A saved step is compared with the previous saved step of the same mode and worker. A "
            "value has changed if any\n"
            "bit of an element differs, or if an element differs by more than -tol. EXPR is one or "
            "more patterns of tensors,\n"
            "a collection, or an expression, which is evaluated once per step. -ratio is |t - "
            "prev| / |prev|.",
    .example = "watch -dead *relu*",
    .see_also = "break, continue, info",
    .args = watch_args,
    .options = watch_options,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT | SM_CMD_LISTING,
    .answer = SM_SHAPE_BREAKPOINT,
    .run = run_watch,
};
