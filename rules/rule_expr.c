/* SPDX-License-Identifier: Apache-2.0 */
/* The rule Expr: a condition in the expression language. Rules of .rule files are this rule with
 * additional parameters. */
#include "rules/custom.h"
#include "rules/evaluated.h"
#include "rules/expr/ast.h"
#include "rules/run.h"

#include <string.h>

/* Part of a message: text, then the value of {EXPR}. */
struct message_part {
    const char *text;
    size_t n;
    const struct sm_expr *expr; /* NULL if no expression follows */
    const char *source;         /* "{EXPR}", shown if it has no value */
    size_t source_n;
    struct message_part *next;
};
struct parsed {
    struct sm_arena arena;
    struct sm_expr *condition;
    struct message_part *message;
};

static const struct sm_rule_value *param_value(const struct sm_rule_at *x, const char *name)
{
    return sm_rule_value(x->instance->rule, x->p, name);
}

/* ---- messages ---- */

static struct message_part *parse_message(const char *text, struct sm_arena *arena)
{
    struct message_part *first = NULL, **link = &first;
    for (const char *p = text; *p;) {
        const char *open = strchr(p, '{'), *close = open ? strchr(open, '}') : NULL;
        struct message_part *part = *link = sm_arena_xalloc(arena, sizeof *part);
        struct sm_expr *e = NULL;
        struct sm_err err;
        *part = (struct message_part){.text = p, .n = close ? (size_t)(open - p) : strlen(p)};
        if (!close)
            break;
        part->source = open;
        part->source_n = (size_t)(close - open) + 1;
        if (sm_expr_parse(open + 1, part->source_n - 2, arena, &e, &err))
            part->expr = e;
        link = &part->next;
        p = close + 1;
    }
    return first;
}

static void add_answer(struct sm_str *out, const struct sm_rule_answer *a)
{
    char number[32];
    sm_format_double(a->number, 6, number);
    if (a->type == SM_NUMBER)
        sm_str_add(out, number);
    else if (a->type == SM_BOOL)
        sm_str_add(out, a->number != 0 ? "true" : "false");
    else if (a->type == SM_STRING)
        sm_str_add(out, a->text);
    else
        sm_str_printf(out, "(%s)", sm_value_type_name(a->type));
}

/* Replaces each {EXPR} by its value at the step. False if a value is not available yet. */
static bool fill_message(struct sm_rule_at *x, const struct sm_rule_item *it, struct sm_str *out)
{
    const struct parsed *s = x->state;
    bool waiting = false;
    for (const struct message_part *p = s->message; p; p = p->next) {
        const struct sm_rule_answer *a;
        struct sm_err err = {0};
        sm_str_addn(out, p->text, p->n);
        if (p->expr && sm_rule_evaluate(x, it, p->expr, &a, &err))
            add_answer(out, a);
        else if (err.code == SM_ERR_WAIT)
            waiting = true;
        else
            sm_str_addn(out, p->source, p->source_n);
    }
    return !waiting;
}

/* ---- judging ---- */

/* The expression cannot be calculated. A tensor of strings or complex numbers is skipped; otherwise
 * the expression is wrong. */
static void skip_or_fail(struct sm_rule_at *x, const struct sm_rule_item *it, const char *why)
{
    const struct sm_facts *facts;
    if (it && !sm_rule_facts(x, it, &facts))
        return;
    if (it && !sm_dtype_has_numbers(facts->dtype))
        sm_rule_skip(x, "the expression does not apply to its type");
    else
        sm_rule_fail(x, "%s", why);
}

static void judge_item(struct sm_rule_at *x, const struct sm_rule_item *it)
{
    const struct parsed *s = x->state;
    const struct sm_rule_answer *a;
    struct sm_err err = {0};
    struct sm_str text = {0};
    if (it && !sm_entry_exists(&it->value)) {
        sm_rule_skip(x, "needs the whole tensor, only reductions or a shape were saved");
        return;
    }
    if (!sm_rule_evaluate(x, it, s->condition, &a, &err)) {
        if (err.code == SM_ERR_MISSING)
            sm_rule_skip(x, "the expression needs something that was not saved");
        else if (err.code == SM_ERR_DATA || err.code == SM_ERR_IO)
            sm_rule_skip(x, "the expression needs something that cannot be read");
        else if (err.code == SM_ERR_USAGE || err.code == SM_ERR_LIMIT)
            skip_or_fail(x, it, err.msg);
        else if (err.code != SM_ERR_WAIT)
            sm_rule_fail(x, "%s", err.msg);
        return;
    }
    if (a->type == SM_UNAVAILABLE || a->type == SM_VOID) {
        sm_rule_skip(x, "the expression needs something that was not saved");
        return;
    }
    bool number = a->type == SM_NUMBER || a->type == SM_BOOL;
    if (!s->message)
        sm_str_printf(&text, "%s is %s", param_value(x, "expr")->text, a->holds ? "true" : "false");
    if (!s->message || fill_message(x, it, &text))
        sm_rule_note(x, it, number ? a->number : a->holds, 0, a->holds, "%s", sm_str_text(&text));
    sm_str_clear(&text);
}

/* Parses the condition and the message at the first call. */
static bool parse_once(struct sm_rule_at *x)
{
    struct parsed *s = x->state;
    const struct sm_rule_value *expr = param_value(x, "expr"), *message = param_value(x, "message");
    struct sm_err err;
    if (s->condition)
        return true;
    if (!sm_expr_parse(expr->text, strlen(expr->text), &s->arena, &s->condition, &err)) {
        sm_rule_fail(x, "%s", err.msg);
        return false;
    }
    s->message = message->set ? parse_message(message->text, &s->arena) : NULL;
    return true;
}

static void judge_expr(struct sm_rule_at *x)
{
    if (!parse_once(x))
        return;
    if (!param_value(x, "collection_names")->set && !param_value(x, "tensor_regex")->set)
        judge_item(x, NULL);
    for (size_t i = 0; i < x->picks[0].n; i++)
        judge_item(x, &x->picks[0].items[i]);
}

static void clear_expr(void *state)
{
    struct parsed *s = state;
    sm_arena_clear(&s->arena);
}

bool sm_rule_check_expr(const char *text, struct sm_err *err)
{
    struct sm_arena a = {0};
    struct sm_expr *e;
    bool ok = sm_expr_parse(text, strlen(text), &a, &e, err);
    sm_arena_clear(&a);
    return ok;
}

static bool check_expr(const struct sm_rule_value *p, struct sm_err *err)
{
    return sm_rule_check_expr(p[0].text, err);
}

static const struct sm_rule_param expr_params[] = {
    {.name = "expr",
     .type = SM_RULE_TEXT,
     .required = true,
     .help = "the condition; x is the tensor, if tensors are selected"},
    {.name = "collection_names",
     .type = SM_RULE_NAMES,
     .help = "judge each tensor of these collections"},
    {.name = "tensor_regex", .type = SM_RULE_PATTERN, .help = "judge each tensor that matches"},
    {.name = "message",
     .type = SM_RULE_TEXT,
     .help = "text of the finding; {EXPR} is replaced by its value"},
    {0},
};
const struct sm_rule sm_rule_expr = {
    .name = "expr",
    .class_name = "Expr",
    .group = SM_RULE_EXTRA,
    .summary = "A condition in the expression language",
    .fires = "the expression is true at a step; with selected tensors, for any of them, which is x "
             "(and $t) in the expression. A step is skipped if something that it needs was not "
             "saved",
    .advice = "Check the tensors of the condition.",
    .saves = "the tensors that the expression names",
    .params = expr_params,
    .picks = {{.collections = "collection_names", .regex = "tensor_regex", .optional = true}},
    .state_size = sizeof(struct parsed),
    .forgets = true,
    .by_check = true, /* the message is the user's */
    .check = check_expr,
    .judge = judge_expr,
    .clear = clear_expr,
};

/* ---- rules from files ---- */

struct sm_rule sm_rule_expr_record(void)
{
    struct sm_rule r = sm_rule_expr;
    r.group = SM_RULE_CUSTOM;
    r.check = NULL; /* the file was checked when it was read */
    return r;
}
