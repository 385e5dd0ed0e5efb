/* A condition in the expression language as a rule; rules of .rule files are such rules with parameters of their own.
 */
#include "rules/custom.h"
#include "rules/expr/ast.h"
#include "rules/rule_list.h"
#include "rules/run.h"

#include <string.h>

struct parsed {
    struct sm_arena arena;   /* of the tree */
    struct sm_arena scratch; /* of one evaluation */
    struct sm_expr *condition;
};

static const struct sm_rule_value *own(const struct sm_rule_at *x, const char *name)
{
    return sm_rule_value(x->instance->rule, x->p, name);
}

/* $threshold is the parameter of that name. */
static bool parameter(void *ctx, const char *name, size_t n, struct sm_value *out)
{
    const struct sm_rule_at *x = ctx;
    const struct sm_rule *rule = x->instance->rule;
    for (size_t i = 0; i < sm_rule_param_count(rule); i++) {
        const struct sm_rule_param *p = &rule->params[i];
        if (strlen(p->name) != n || memcmp(p->name, name, n) != 0 || !x->p[i].set)
            continue;
        *out = (struct sm_value){.type = SM_NUMBER, .number = x->p[i].number};
        if (p->type == SM_RULE_TEXT)
            *out = (struct sm_value){.type = SM_STRING, .text = sm_text(x->p[i].text)};
        return true;
    }
    return false;
}

static bool evaluate(struct sm_rule_at *x, const struct sm_rule_item *it, const struct sm_value *subject,
                     const struct sm_expr *e, struct sm_value *out, struct sm_err *err)
{
    struct parsed *s = x->state;
    struct sm_expr_env env = {.fetch = x->fetch,
                              .trial = x->trial,
                              .step = x->step.step,
                              .subject = subject,
                              .worker = it ? it->worker : SM_WORKER_ANY,
                              .variable = parameter,
                              .ctx = x,
                              .arena = &s->scratch};
    return sm_expr_eval(e, &env, out, err);
}

static void add_value(struct sm_str *out, struct sm_value *v)
{
    char number[32];
    sm_value_simplify(v);
    if (v->type == SM_NUMBER) {
        sm_format_double(v->number, 6, number);
        sm_str_add(out, number);
    } else if (v->type == SM_BOOL) {
        sm_str_add(out, v->number != 0 ? "true" : "false");
    } else if (v->type == SM_STRING) {
        sm_str_addn(out, v->text.p, v->text.n);
    } else {
        sm_str_printf(out, "(%s)", sm_value_type_name(v->type));
    }
}

/* {EXPR} in a message is its value there. False: one waits. */
static bool fill_message(struct sm_rule_at *x, const struct sm_rule_item *it, const struct sm_value *subject,
                         const char *text, struct sm_str *out)
{
    struct parsed *s = x->state;
    for (const char *p = text; *p;) {
        const char *open = strchr(p, '{'), *close = open ? strchr(open, '}') : NULL;
        struct sm_expr *e;
        struct sm_value v = {0};
        struct sm_err err;
        if (!close) {
            sm_str_add(out, p);
            return true;
        }
        sm_str_addn(out, p, (size_t)(open - p));
        if (sm_expr_parse(open + 1, (size_t)(close - open) - 1, &s->scratch, &e, &err) &&
            evaluate(x, it, subject, e, &v, &err))
            add_value(out, &v);
        else if (err.code == SM_ERR_WAIT)
            x->waiting = true;
        else
            sm_str_addn(out, open, (size_t)(close - open) + 1);
        sm_value_clear(&v);
        p = close + 1;
    }
    return !x->waiting;
}

static void judge_value(struct sm_rule_at *x, const struct sm_rule_item *it, const struct sm_value *subject)
{
    struct parsed *s = x->state;
    struct sm_value v = {0};
    struct sm_err err;
    struct sm_str text = {0};
    const struct sm_rule_value *message = own(x, "message"), *expr = own(x, "expr");
    if (!evaluate(x, it, subject, s->condition, &v, &err)) {
        if (err.code == SM_ERR_WAIT)
            x->waiting = true;
        else if (err.code == SM_ERR_MISSING || err.code == SM_ERR_DATA)
            sm_rule_skip(x, "the expression needs something that was not saved");
        else
            sm_rule_fail(x, "%s", err.msg);
        return;
    }
    if (v.type == SM_UNAVAILABLE || v.type == SM_VOID) {
        sm_rule_skip(x, "the expression needs something that was not saved");
    } else {
        bool yes = sm_expr_is_true(&v);
        if (!message->set)
            sm_str_printf(&text, "%s is %s", expr->text, yes ? "true" : "false");
        if (!message->set || fill_message(x, it, subject, message->text, &text))
            sm_rule_note(x, it, v.type == SM_NUMBER || v.type == SM_BOOL ? v.number : yes, 0, yes, "%s",
                         sm_str_text(&text));
    }
    sm_str_clear(&text);
    sm_value_clear(&v);
}

static void judge_item(struct sm_rule_at *x, const struct sm_rule_item *it)
{
    struct sm_value subject = {.type = SM_TENSOR};
    struct sm_err err;
    if (!it->value) {
        sm_rule_skip(x, "needs the whole tensor, only reductions or a shape were saved");
        return;
    }
    if (!sm_fetch_tensor(x->fetch, x->trial, it->value, &subject.tensor, &err)) {
        x->waiting = x->waiting || err.code == SM_ERR_WAIT;
        return;
    }
    judge_value(x, it, &subject);
    sm_value_clear(&subject);
}

static void judge_expr(struct sm_rule_at *x)
{
    struct parsed *s = x->state;
    const struct sm_rule_value *expr = own(x, "expr"), *collections = own(x, "collection_names"),
                               *regex = own(x, "tensor_regex");
    struct sm_err err;
    sm_arena_reset(&s->scratch);
    if (!s->condition && !sm_expr_parse(expr->text, strlen(expr->text), &s->arena, &s->condition, &err)) {
        sm_rule_fail(x, "%s", err.msg);
        return;
    }
    if (!collections->set && !regex->set)
        judge_value(x, NULL, NULL);
    for (size_t i = 0; i < x->picks[0].n; i++)
        judge_item(x, &x->picks[0].items[i]);
}

static void clear_expr(void *state)
{
    struct parsed *s = state;
    sm_arena_clear(&s->arena);
    sm_arena_clear(&s->scratch);
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
     .help = "the condition; x is the tensor where some are selected"},
    {.name = "collection_names", .type = SM_RULE_NAMES, .help = "judge each tensor of these collections"},
    {.name = "tensor_regex", .type = SM_RULE_PATTERN, .help = "judge each tensor that matches"},
    {.name = "message", .type = SM_RULE_TEXT, .help = "what to say; {EXPR} is replaced by its value"},
    {0},
};
const struct sm_rule sm_rule_expr = {
    .name = "expr",
    .class_name = "Expr",
    .group = SM_RULE_EXTRA,
    .summary = "A condition of your own in the expression language",
    .fires =
        "the expression is true at a step; with a selection, for any of its tensors, which is x (and $t) in the expression. A step "
        "at which something it needs was not saved is skipped",
    .advice = "Look at the tensors of the condition.",
    .saves = "whatever the expression names",
    .params = expr_params,
    .picks = {{.collections = "collection_names", .regex = "tensor_regex", .optional = true, .tensors = true}},
    .state_size = sizeof(struct parsed),
    .forgets = true,
    .check = check_expr,
    .judge = judge_expr,
    .clear = clear_expr,
};

/* ---- rules of files ---- */

struct sm_rule sm_rule_expr_record(void)
{
    struct sm_rule r = sm_rule_expr;
    r.group = SM_RULE_CUSTOM;
    r.check = NULL; /* the file was checked when it was read */
    return r;
}
