/* SPDX-License-Identifier: Apache-2.0 */
/* dprintf: prints where a breakpoint would stop. */
#include "commands/answer/shape.h"
#include "commands/language/command_line.h"
#include "commands/language/tokens.h"
#include "commands/place/evaluate.h"
#include "commands/place/printf_format.h"
#include "commands/stops/break_rule.h"
#include "commands/stops/break_tensors.h"
#include "commands/stops/stops.h"

static bool split_words(struct sm_call *c, struct sm_text where, struct sm_word **words, size_t *n,
                        struct sm_err *err)
{
    struct sm_err wrong = {0};
    size_t at = 0;
    *words = sm_arena_xalloc(&c->arena, (where.n + 1) * sizeof **words);
    for (*n = 0; sm_line_word(where.p, where.n, &at, &c->arena, &(*words)[*n], &wrong);)
        sm_reader_join(&c->arena, &(*words)[(*n)++]);
    return wrong.code == SM_OK || sm_err_set(err, wrong.code, "%s", wrong.msg);
}

/* Adds the breakpoint for the place in the words, and reports it. */
static struct sm_breakpoint *add_dprintf(struct sm_call *c, struct sm_word *words, size_t n,
                                         struct sm_result *out, struct sm_err *err)
{
    struct sm_breakpoints *list = &sm_stops(c->session)->breakpoints;
    bool first = n && !words[0].quoted, rule = first && n > 1 && sm_text_is(words[0].text, "rule");
    enum sm_break_kind kind = SM_BREAK_TENSORS;
    const char *place = sm_break_place(words, n, &kind);
    size_t tensors = 0;
    const char *why = NULL;
    if (!rule)
        sm_break_collections(sm_session_trial(c->session), &c->arena, words, &n);
    if (!rule && !place && !sm_break_tensors(c, words, n, &tensors, &why, err))
        return NULL;
    struct sm_breakpoint *b = rule ? sm_breakpoints_add_rule(c->session, words, n, err)
                                   : sm_breakpoints_add(list, kind, words, place ? 0 : n);
    if (!b)
        return NULL;
    b->type = SM_BREAK_PRINT;
    why = rule ? sm_break_rule_pending(b->rule) : why;
    sm_break_report(b, rule ? b->where : place, tensors, why, out);
    return b;
}

static bool run_dprintf(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_text where = sm_evaluate_first(c->raw),
                   rest = {c->raw.p + where.n, c->raw.n - where.n};
    struct sm_word *words;
    size_t n;
    if (t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    if (rest.n < 2)
        return sm_err_set(err, SM_ERR_USAGE, "Usage: dprintf LOC,\"FORMAT\",EXPR...");
    rest = sm_reader_trim(rest.p + 1, rest.n - 1);
    struct sm_printf_format *format = sm_printf_format_new(&c->arena, rest, "dprintf LOC,", err);
    if (!format)
        return false;
    struct sm_text expr;
    for (size_t i = 0; sm_printf_format_expr(format, i, &expr); i++)
        if (!sm_break_check_names(c, expr, err))
            return false;
    struct sm_breakpoint *b =
        split_words(c, where, &words, &n, err) ? add_dprintf(c, words, n, out, err) : NULL;
    if (!b)
        return false;
    b->print = sm_xstrndup(rest.p, rest.n);
    return true;
}

static const struct sm_arg dprintf_args[] = {
    {.name = "LOC,\"FORMAT\",EXPR...", .kind = SM_ARG_EXPR, .required = true}, {0}};
const struct sm_cmd sm_cmd_dprintf = {
    .name = "dprintf",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Print at each hit and continue",
    .help = "LOC is as in break: a pattern, a collection, step, end, stall, error or \"rule "
            "NAME\". The rest is as in printf;\n"
            "$t, $v, $prev and $s have the same meaning as in a condition. Use \"condition N "
            "COND\" to print less often.",
    .example = "dprintf *weight*,\"%s %g\",$_tensor,norm($t)",
    .see_also = "break, printf, commands",
    .args = dprintf_args,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT | SM_CMD_LISTING,
    .answer = SM_SHAPE_BREAKPOINT,
    .run = run_dprintf,
};
