/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates the nodes of a syntax tree. */
#include "rules/expr/funcs.h"

#include <stdarg.h>
#include <stdio.h>

bool sm_expr_error(size_t column, struct sm_err *err, const char *fmt, ...)
{
    char text[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return sm_err_set(err, SM_ERR_USAGE, "%s at column %zu", text, column);
}

bool sm_expr_unavailable(struct sm_expr_env *env, struct sm_value *out, const char *fmt, ...)
{
    struct sm_str text = {0};
    va_list ap;
    va_start(ap, fmt);
    sm_str_vprintf(&text, fmt, ap);
    va_end(ap);
    char *copy = sm_arena_strndup(env->arena, sm_str_text(&text), text.len);
    *out =
        (struct sm_value){.type = SM_UNAVAILABLE, .text = {copy ? copy : "", copy ? text.len : 0}};
    sm_str_clear(&text);
    return true;
}

/* ---- leaves ---- */

static bool copy_value(const struct sm_value *v, struct sm_arena *arena, struct sm_value *out,
                       struct sm_err *err)
{
    return sm_value_copy(out, v, arena) || sm_err_set(err, SM_ERR_MEMORY, "no memory for a value");
}

static bool read_tensor(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                        struct sm_err *err)
{
    struct sm_place l;
    int there = sm_expr_locate(e, env, &l, out, err);
    if (there <= 0)
        return there == 0;
    struct sm_entry payload = sm_place_find_value(&l);
    if (!sm_entry_exists(&payload))
        return sm_expr_no_payload(e, env, &l, out);
    if (!sm_fetch_tensor(env->fetch, env->trial, &payload, &out->tensor, err))
        return false;
    out->type = SM_TENSOR;
    return true;
}

static bool eval_name(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                      struct sm_err *err)
{
    if (e->place.kind == SM_STEP_ALL)
        return sm_expr_read_series(e, env, false, out, err);
    if (sm_expr_is_subject(e, env))
        return copy_value(env->subject, env->arena, out, err);
    return read_tensor(e, env, out, err);
}

/* $v: the number of a one-element tensor, known without keeping the payload. */
static bool eval_number_of(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                           struct sm_err *err)
{
    struct sm_ast own = {.type = SM_AST_VARIABLE, .text = SM_TEXT("t"), .column = e->column};
    struct sm_place l;
    const struct sm_facts *facts;
    int there = sm_expr_locate(&own, env, &l, out, err);
    struct sm_entry payload = there > 0 ? sm_place_find_value(&l) : sm_entry_none();
    if (there <= 0)
        return there == 0;
    if (!sm_entry_exists(&payload))
        return sm_expr_no_payload(&own, env, &l, out);
    if (!sm_fetch_stats(env->fetch, env->trial, &payload, &facts, err))
        return false;
    if (facts->n != 1 || !sm_dtype_has_numbers(facts->dtype))
        return sm_expr_unavailable(env, out, "it is not a single number");
    const struct sm_exact x = sm_dtype_load_exact(facts->dtype, facts->first);
    sm_value_set_exact(out, &x);
    out->single = sm_dtype_info(facts->dtype)->single;
    return true;
}

/* $t is the tensor or subject, $v its number, $s the step, $prev the value before. */
static bool eval_variable(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                          struct sm_err *err)
{
    double n;
    if (sm_expr_is_condition_tensor(e, env))
        return read_tensor(e, env, out, err);
    if (env->of && !env->subject && sm_text_is(e->text, "v"))
        return eval_number_of(e, env, out, err);
    if (env->subject && sm_text_is(e->text, "t"))
        return copy_value(env->subject, env->arena, out, err);
    if (env->subject && sm_text_is(e->text, "v") && sm_value_as_number(env->subject, &n)) {
        if (!copy_value(env->subject, env->arena, out, err))
            return false;
        sm_value_simplify(out);
    } else if ((env->subject || env->step_by_step) && sm_text_is(e->text, "s"))
        sm_value_int(out, env->step.n);
    else if (!env->variable || !env->variable(env->ctx, e->text.p, e->text.n, out)) {
        *out = (struct sm_value){0};
        return !env->void_variable || env->void_variable(env->ctx, e->text.p, e->text.n, err);
    }
    return true;
}

/* ---- operators ---- */

static bool eval_both(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *a,
                      struct sm_value *b, struct sm_err *err)
{
    return sm_ast_eval(e->args[0], env, a, err) && sm_ast_eval(e->args[1], env, b, err);
}

static bool eval_binary(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                        struct sm_err *err)
{
    struct sm_value a = {0}, b = {0};
    bool ok =
        eval_both(e, env, &a, &b, err) && sm_operate(e->op, e->column, &a, &b, env->stop, out, err);
    sm_value_clear(&a);
    sm_value_clear(&b);
    return ok;
}

static bool has_elements(const struct sm_value *v)
{
    return v->type == SM_SERIES || (v->type == SM_TENSOR && v->tensor->n != 1);
}

/* A true operand decides ||, a false one &&. */
static bool decides(enum sm_expr_token_type op, const struct sm_value *v)
{
    return v->type != SM_UNAVAILABLE && !has_elements(v) && sm_expr_is_true(v) == (op == SM_TOK_OR);
}

/* Elementwise if an operand has elements; otherwise the right operand is evaluated only if the left
 * one does not decide the result. */
static bool eval_logic(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                       struct sm_err *err)
{
    struct sm_value a = {0}, b = {0};
    if (!sm_ast_eval(e->args[0], env, &a, err))
        return false;
    bool ok = true;
    if (decides(e->op, &a))
        sm_value_bool(out, e->op == SM_TOK_OR);
    else if (!sm_ast_eval(e->args[1], env, &b, err))
        ok = false;
    else if (decides(e->op, &b) && !has_elements(&a))
        sm_value_bool(out, e->op == SM_TOK_OR);
    else if (has_elements(&a) || has_elements(&b) || a.type == SM_UNAVAILABLE ||
             b.type == SM_UNAVAILABLE)
        ok = sm_operate(e->op, e->column, &a, &b, env->stop, out, err);
    else
        sm_value_bool(out, e->op == SM_TOK_AND);
    sm_value_clear(&a);
    sm_value_clear(&b);
    return ok;
}

static bool eval_unary(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                       struct sm_err *err)
{
    struct sm_value a = {0}, factor;
    if (!sm_ast_eval(e->args[0], env, &a, err))
        return false;
    bool ok = true;
    sm_value_int(&factor, e->op == SM_TOK_MINUS ? -1 : 1);
    sm_value_simplify(&a);
    if (e->op != SM_TOK_NOT && a.type == SM_NUMBER && !a.is_int && !a.is_uint)
        *out = (struct sm_value){.type = SM_NUMBER,
                                 .number = e->op == SM_TOK_MINUS ? -a.number : a.number,
                                 .single = a.single};
    else if (e->op != SM_TOK_NOT)
        ok = sm_operate(SM_TOK_STAR, e->column, &a, &factor, env->stop, out, err);
    else if (has_elements(&a) || a.type == SM_UNAVAILABLE)
        ok = sm_operate(SM_TOK_NOT, e->column, &a, &factor, env->stop, out, err);
    else
        sm_value_bool(out, !sm_expr_is_true(&a));
    sm_value_clear(&a);
    return ok;
}

/* Of a value at a step only the selected elements are read. */
static bool read_slice(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                       struct sm_err *err)
{
    const struct sm_ast *name = e->args[0];
    struct sm_place l;
    int there = sm_expr_locate(name, env, &l, out, err);
    if (there <= 0)
        return there == 0;
    struct sm_entry payload = sm_place_find_value(&l);
    if (!sm_entry_exists(&payload))
        return sm_expr_no_payload(name, env, &l, out);
    if (sm_fetch_slice(env->fetch, env->trial, &payload, e->slice, &out->tensor, err)) {
        out->type = SM_TENSOR;
        return true;
    }
    return err->code == SM_ERR_USAGE && sm_err_prefix(err, "slice at column %zu", e->column);
}

static bool eval_slice(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                       struct sm_err *err)
{
    struct sm_value whole = {0};
    if (sm_expr_is_at_step(e->args[0], env))
        return read_slice(e, env, out, err);
    if (!sm_ast_eval(e->args[0], env, &whole, err))
        return false;
    if (whole.type == SM_UNAVAILABLE) {
        *out = whole;
        return true;
    }
    bool ok = whole.type == SM_TENSOR || whole.type == SM_SERIES;
    if (!ok)
        sm_expr_error(e->column, err, "only tensors have elements");
    else if (sm_value_is_means(&whole))
        ok = sm_expr_error(e->column, err,
                           "elements of NAME@all, of a tensor with several, are not available: "
                           "write NAME[0]@100 for those of one step, or \"series NAME[0]\" for one "
                           "at each step;");
    else
        ok = sm_value_to_tensor(&whole, err);
    if (ok && !sm_slice_apply(e->slice, whole.tensor, &out->tensor, err))
        ok = sm_err_prefix(err, "slice at column %zu", e->column);
    if (ok)
        out->type = SM_TENSOR;
    sm_value_clear(&whole);
    return ok;
}

static bool eval_ternary(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                         struct sm_err *err)
{
    struct sm_value condition = {0};
    if (!sm_ast_eval(e->args[0], env, &condition, err))
        return false;
    if (condition.type == SM_UNAVAILABLE) {
        *out = condition;
        return true;
    }
    bool yes = sm_expr_is_true(&condition);
    sm_value_clear(&condition);
    return sm_ast_eval(e->args[yes ? 1 : 2], env, out, err);
}

static bool eval_range(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                       struct sm_err *err)
{
    struct sm_value a = {0}, b = {0};
    double from, to;
    bool ok = eval_both(e, env, &a, &b, err);
    if (ok && (a.type == SM_UNAVAILABLE || b.type == SM_UNAVAILABLE))
        ok = sm_operate(SM_TOK_COLON, e->column, &a, &b, env->stop, out, err);
    else if (ok && sm_value_as_number(&a, &from) && sm_value_as_number(&b, &to))
        *out = (struct sm_value){.type = SM_RANGE, .number = from, .stop = to};
    else if (ok)
        ok = sm_expr_error(e->column, err, "a range needs two numbers");
    sm_value_clear(&a);
    sm_value_clear(&b);
    return ok;
}

bool sm_ast_eval(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out,
                 struct sm_err *err)
{
    *out = (struct sm_value){0};
    switch (e->type) {
    case SM_AST_CONSTANT:
        return copy_value(&e->constant, NULL, out, err);
    case SM_AST_FAILED:
        *err = *e->failure;
        return false;
    case SM_AST_NAME:
        return eval_name(e, env, out, err);
    case SM_AST_VARIABLE:
        return eval_variable(e, env, out, err);
    case SM_AST_UNARY:
        return eval_unary(e, env, out, err);
    case SM_AST_BINARY:
        return e->op == SM_TOK_AND || e->op == SM_TOK_OR ? eval_logic(e, env, out, err)
                                                         : eval_binary(e, env, out, err);
    case SM_AST_TERNARY:
        return eval_ternary(e, env, out, err);
    case SM_AST_RANGE:
        return eval_range(e, env, out, err);
    case SM_AST_SLICE:
        return eval_slice(e, env, out, err);
    case SM_AST_CALL:
        return e->func->run(e, env, out, err);
    }
    return false;
}
