/* SPDX-License-Identifier: Apache-2.0 */
/* break, tbreak: where continue stops. */
#include "commands/answer/shape.h"
#include "commands/place/place.h"
#include "commands/stops/break_rule.h"
#include "commands/stops/break_tensors.h"
#include "commands/stops/stops.h"

static void use_current_tensor(struct sm_call *c)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    uint32_t id = c->session->at.tensor;
    if (!t || id == SM_NAME_NONE || sm_call_keyword(c, "if"))
        return;
    c->words = sm_arena_xalloc(&c->arena, sizeof *c->words);
    c->words[0] = (struct sm_word){
        .text = {sm_names_text(sm_trial_names(t), id), sm_names_length(sm_trial_names(t), id)},
        .quoted = true};
    c->n_words = 1;
}

/* The words of the breakpoint: "rule", the name and all other words as parameters. */
static struct sm_breakpoint *make_at_rule(struct sm_call *c, const struct sm_word *name,
                                          const char **place, const char **why, struct sm_err *err)
{
    struct sm_word *words = sm_arena_xalloc(&c->arena, (c->n_words + 2) * sizeof *words);
    words[0] = (struct sm_word){.text = SM_TEXT("rule")};
    words[1] = *name;
    for (size_t i = 0; i < c->n_words; i++)
        words[i + 2] = c->words[i];
    struct sm_breakpoint *b = sm_breakpoints_add_rule(c->session, words, c->n_words + 2, err);
    *place = b ? b->where : NULL;
    *why = b ? sm_break_rule_pending(b->rule) : NULL;
    return b;
}

/* Rejects "break step 20": the step belongs in the condition. */
static bool names_a_step(const struct sm_call *c, struct sm_err *err)
{
    int64_t n;
    bool step = c->n_words == 2 && !c->words[0].quoted && sm_text_is(c->words[0].text, "step");
    if (!step || !sm_call_int(&c->words[1], 0, INT64_MAX, &n, NULL))
        return false;
    sm_err_set(err, SM_ERR_USAGE, "Use a condition to select a step: \"%s step if $s == %lld\".",
               c->cmd->name, (long long)n);
    return true;
}

static struct sm_breakpoint *make_at_place(struct sm_call *c, const char **place, size_t *tensors,
                                           const char **why, struct sm_err *err)
{
    const struct sm_word step = {.text = SM_TEXT("step")};
    enum sm_break_kind kind = SM_BREAK_TENSORS;
    if (!c->n_words)
        use_current_tensor(c);
    *place =
        c->n_words ? sm_break_place(c->words, c->n_words, &kind) : sm_break_place(&step, 1, &kind);
    if (!*place && names_a_step(c, err))
        return NULL;
    if (!*place)
        sm_break_collections(sm_session_trial(c->session), &c->arena, c->words, &c->n_words);
    if (!*place && !sm_break_tensors(c, c->words, c->n_words, tensors, why, err))
        return NULL;
    return sm_breakpoints_add(&sm_stops(c->session)->breakpoints, kind, c->words,
                              *place ? 0 : c->n_words);
}

static bool make_break(struct sm_call *c, bool temporary, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_word *condition = sm_call_keyword(c, "if"), *rule = sm_call_keyword(c, "rule");
    struct sm_expr *parsed;
    enum sm_mode mode = SM_MODE_ANY;
    const char *why = NULL, *place;
    size_t tensors = 0;
    if (t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    if (!sm_place_mode_given(c, &mode, err) ||
        (condition &&
         !(sm_expr_parse(condition->text.p, condition->text.n, &c->arena, &parsed, err) &&
           sm_break_check_names(c, condition->text, err))))
        return false;
    struct sm_breakpoint *b = rule ? make_at_rule(c, rule, &place, &why, err)
                                   : make_at_place(c, &place, &tensors, &why, err);
    if (!b)
        return false;
    b->temporary = temporary;
    b->disposition = temporary ? SM_BREAK_DELETE : SM_BREAK_KEEP;
    b->mode = mode;
    if (condition)
        sm_breakpoint_condition(b, condition->text, NULL);
    sm_break_report(b, place, tensors, why, out);
    return true;
}

static bool run_break(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return make_break(c, false, out, err);
}

static bool run_tbreak(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return make_break(c, true, out, err);
}

static const struct sm_arg break_args[] = {
    {.name = "LOC", .kind = SM_ARG_PATTERN, .repeats = true},
    {.name = "RULE", .kind = SM_ARG_ANY_RULE, .keyword = "rule"},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {.name = "COND", .kind = SM_ARG_EXPR, .keyword = "if"},
    {0},
};
const struct sm_cmd sm_cmd_break = {
    .name = "break",
    .aliases = "b",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Stop where a tensor is saved or a condition is true",
    .help = "LOC is one or more patterns of tensors, the name of a collection, or one of these "
            "words: step (each step), end\n"
            "(the end of the job), stall (no new data arrives), error (a value that cannot be "
            "read). \"rule NAME\" stops at\n"
            "each step that violates an attached rule or any rule of \"rule list\", with "
            "NAME=VALUE for its parameters; steps\n"
            "are judged only as far as they are searched. Without LOC the current tensor is used, "
            "or each step if there is a\n"
            "condition.\n"
            "The condition is evaluated for each tensor, step and worker: $t is the tensor (each "
            "tensor that the rule found),\n"
            "$v the value of a tensor with one element, $prev the tensor at the previous saved "
            "step of the same mode, $s the\n"
            "step. Hits at the same step count once.",
    .example = "break *weight* if absmax($t) > 1",
    .see_also = "tbreak, continue, reverse-continue, condition, ignore, delete, info",
    .args = break_args,
    .flags = SM_CMD_NO_REPEAT | SM_CMD_LISTING,
    .answer = SM_SHAPE_BREAKPOINT,
    .run = run_break,
};

const struct sm_cmd sm_cmd_tbreak = {
    .name = "tbreak",
    .aliases = "tb",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Set a breakpoint that is deleted after its first stop",
    .example = "tbreak step if $s >= 20",
    .see_also = "break",
    .args = break_args,
    .flags = SM_CMD_NO_REPEAT | SM_CMD_LISTING,
    .answer = SM_SHAPE_BREAKPOINT,
    .run = run_tbreak,
};
