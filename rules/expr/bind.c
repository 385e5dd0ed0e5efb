/* SPDX-License-Identifier: Apache-2.0 */
/* Binding replaces names by values; this file also evaluates bound expressions.
 *
 * A bound tree has constants and failures as leaves, and operations on them. It holds references to
 * tensors and owns its texts, so it is independent of the trial, the session and the text it was
 * made from. */
#include "rules/expr/funcs.h"

#include <string.h>

struct leaf {
    struct sm_ast node; /* CONSTANT or FAILED */
    struct leaf *next;
};
struct sm_bound {
    struct sm_arena arena; /* the tree, its leaves and texts */
    struct sm_ast *tree;
    struct leaf *leaves;
    uint64_t elements;
};

struct binder {
    struct sm_expr_env env; /* with the arena of `bound` */
    struct sm_bound *bound;
    bool waiting;
};

/* ---- number of elements to calculate ---- */

struct extent {
    unsigned n_dims;
    uint64_t dims[SM_DIMS_MAX]; /* only the first n_dims are set */
};

static void extent_of(const struct sm_value *v, struct extent *x)
{
    x->n_dims = v->type == SM_TENSOR ? v->tensor->n_dims : v->type == SM_SERIES;
    if (v->type == SM_TENSOR)
        memcpy(x->dims, v->tensor->dims, x->n_dims * sizeof *x->dims);
    else if (v->type == SM_SERIES)
        x->dims[0] = v->n_points;
}

static void copy_extent(struct extent *to, const struct extent *from)
{
    to->n_dims = from->n_dims;
    memcpy(to->dims, from->dims, from->n_dims * sizeof *from->dims);
}

static void add_elements(struct sm_bound *b, uint64_t n)
{
    if (__builtin_add_overflow(b->elements, n, &b->elements))
        b->elements = UINT64_MAX;
}

/* An operation costs as many elements as its result has. The result of a function is assumed to be
 * as large as its arguments, because most functions read all of their elements. */
static void count_operation(struct sm_bound *b, const struct sm_ast *e, struct extent *x)
{
    uint64_t none = 1;
    unsigned n_dims;
    if (e->type == SM_AST_SLICE && !sm_slice_dims(e->slice, &x->n_dims, x->dims))
        x->n_dims = 0;
    add_elements(b, sm_broadcast(x->n_dims, x->dims, 0, &none, &n_dims, x->dims));
}

/* ---- leaves ---- */

static bool no_memory(struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_MEMORY, "no memory for an expression");
}

static bool is_leaf(const struct sm_ast *e, const struct sm_expr_env *env)
{
    return e->type == SM_AST_CONSTANT || e->type == SM_AST_NAME || e->type == SM_AST_VARIABLE ||
           (e->type == SM_AST_SLICE && sm_expr_is_at_step(e->args[0], env)) ||
           (e->type == SM_AST_CALL && e->func->asks && e->func->asks(e, env));
}

/* Copies the text of the value to the arena. */
static bool copy_text(struct sm_value *v, struct sm_arena *arena)
{
    if (v->text.n)
        v->text.p = sm_arena_strndup(arena, v->text.p, v->text.n);
    return !v->text.n || v->text.p;
}

/* The error is reported when the leaf is evaluated. */
static bool set_failed(struct leaf *leaf, struct sm_arena *arena, const struct sm_err *why)
{
    struct sm_err *copy = sm_arena_alloc(arena, sizeof *copy);
    if (!copy)
        return false;
    *copy = *why;
    leaf->node.type = SM_AST_FAILED;
    leaf->node.failure = copy;
    return true;
}

static struct sm_ast *bind_leaf(struct binder *b, const struct sm_ast *e, struct extent *x)
{
    struct sm_err err;
    struct sm_arena *arena = &b->bound->arena;
    struct leaf *leaf = sm_arena_alloc(arena, sizeof *leaf);
    if (!leaf)
        return NULL;
    leaf->node.type = SM_AST_CONSTANT;
    leaf->node.column = e->column;
    leaf->next = b->bound->leaves;
    b->bound->leaves = leaf;
    x->n_dims = 0;
    if (sm_ast_eval(e, &b->env, &leaf->node.constant, &err)) {
        extent_of(&leaf->node.constant, x);
        return copy_text(&leaf->node.constant, arena) ? &leaf->node : NULL;
    }
    b->waiting = b->waiting || err.code == SM_ERR_WAIT;
    return set_failed(leaf, arena, &err) ? &leaf->node : NULL;
}

/* ---- the tree ---- */

/* A bound copy of the tree; x is the shape of its result. NULL if out of memory. */
static struct sm_ast *bind_node(struct binder *b, const struct sm_ast *e, struct extent *x)
{
    if (is_leaf(e, &b->env))
        return bind_leaf(b, e, x);
    struct sm_ast *copy = sm_arena_alloc(&b->bound->arena, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *e;
    x->n_dims = 0;
    for (unsigned i = 0; i < e->n_args; i++) {
        struct extent other, own;
        copy_extent(&own, x);
        copy->args[i] = bind_node(b, e->args[i], &other);
        if (!copy->args[i])
            return NULL;
        sm_broadcast(own.n_dims, own.dims, other.n_dims, other.dims, &x->n_dims, x->dims);
    }
    if (e->slice) {
        copy->slice = sm_arena_alloc(&b->bound->arena, sizeof *copy->slice);
        if (!copy->slice)
            return NULL;
        *copy->slice = *e->slice;
    }
    count_operation(b->bound, e, x);
    return copy;
}

bool sm_ast_of(const struct sm_expr *e, const struct sm_expr_env *env, struct sm_arena *arena,
               const struct sm_ast **out, struct sm_err *err)
{
    struct sm_expr_names names = {.trial = env->trial, .subject = env->subject != NULL};
    struct sm_ast *tree = e->tree;
    bool again = e->ambiguous && (env->trial || env->subject);
    bool ok = !again || sm_ast_parse(e->text, &names, arena, &tree, err);
    *out = tree;
    return ok;
}

bool sm_expr_bind(const struct sm_expr *e, const struct sm_expr_env *env, struct sm_bound **out,
                  struct sm_err *err)
{
    struct sm_bound *bound = sm_alloc_zero(1, sizeof *bound);
    struct binder b = {.env = *env, .bound = bound};
    struct sm_err ignored = {0};
    const struct sm_ast *tree;
    struct extent x;
    if (!bound)
        return no_memory(err);
    b.env.arena = &bound->arena;
    bool ok = sm_ast_of(e, &b.env, &bound->arena, &tree, err ? err : &ignored);
    if (ok) {
        bound->tree = bind_node(&b, tree, &x);
        ok = bound->tree || no_memory(err);
    }
    if (ok && b.waiting)
        ok = sm_err_set(err, SM_ERR_WAIT, "reading values");
    if (ok)
        *out = bound;
    else
        sm_bound_free(bound);
    return ok;
}

static bool ask_leaves(const struct sm_ast *e, struct sm_expr_env *env)
{
    struct sm_value v = {0};
    struct sm_err err;
    bool all = true;
    if (is_leaf(e, env)) {
        all = sm_ast_eval(e, env, &v, &err) || err.code != SM_ERR_WAIT;
        sm_value_clear(&v);
        return all;
    }
    for (unsigned i = 0; i < e->n_args; i++)
        all = ask_leaves(e->args[i], env) && all;
    return all;
}

bool sm_expr_request(const struct sm_expr *e, struct sm_expr_env *env)
{
    const struct sm_ast *tree;
    return !sm_ast_of(e, env, env->arena, &tree, NULL) || ask_leaves(tree, env);
}

uint64_t sm_bound_elements(const struct sm_bound *b)
{
    return b->elements;
}

void sm_bound_free(struct sm_bound *b)
{
    if (!b)
        return;
    for (struct leaf *leaf = b->leaves; leaf; leaf = leaf->next)
        sm_value_clear(&leaf->node.constant);
    sm_arena_clear(&b->arena);
    sm_free(b);
}

/* ---- evaluation ---- */

bool sm_expr_eval_bound(const struct sm_bound *b, struct sm_arena *arena, const atomic_bool *stop,
                        struct sm_value *out, struct sm_err *err)
{
    struct sm_err ignored = {0};
    struct sm_expr_env env = {.step = {-1}, .worker = SM_WORKER_ANY, .arena = arena, .stop = stop};
    if (!sm_ast_eval(b->tree, &env, out, err ? err : &ignored)) {
        *out = (struct sm_value){0};
        return false;
    }
    if (out->type == SM_TENSOR && out->tensor->n_dims == 0)
        sm_value_simplify(out);
    if (copy_text(out, arena))
        return true;
    sm_value_clear(out);
    return no_memory(err);
}

bool sm_expr_eval(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out,
                  struct sm_err *err)
{
    struct sm_bound *bound;
    *out = (struct sm_value){0};
    if (!sm_expr_bind(e, env, &bound, err))
        return false;
    bool ok = sm_expr_eval_bound(bound, env->arena, env->stop, out, err);
    sm_bound_free(bound);
    return ok;
}

/* ---- without binding ---- */

/* False for variables with a tensor or series. */
static bool is_scalar_variable(const struct sm_ast *variable, const struct sm_expr_env *env)
{
    struct sm_value v = {0};
    if (sm_expr_is_condition_tensor(variable, env))
        return false;
    bool known = env->variable && env->variable(env->ctx, variable->text.p, variable->text.n, &v);
    bool many = known && (v.type == SM_TENSOR || v.type == SM_SERIES);
    sm_value_clear(&v);
    return !many;
}

static bool is_light(const struct sm_ast *e, const struct sm_expr_env *env)
{
    if (e->type == SM_AST_VARIABLE)
        return is_scalar_variable(e, env);
    if (e->type == SM_AST_CALL &&
        (e->func->asks == sm_func_asks_name || e->func->asks == sm_func_asks_statistic) &&
        sm_func_asks_name(e, env))
        return true;
    if (e->type == SM_AST_CALL && e->func->asks == sm_func_asks_limits &&
        sm_func_asks_limit(e, env))
        return true;
    if (e->type == SM_AST_CALL && e->func->run == sm_func_exists)
        return true;
    if (e->type != SM_AST_CONSTANT && e->type != SM_AST_UNARY && e->type != SM_AST_BINARY &&
        e->type != SM_AST_TERNARY)
        return false;
    for (unsigned i = 0; i < e->n_args; i++)
        if (!is_light(e->args[i], env))
            return false;
    return true;
}

/* The expression as argument of any(): the meaning of a comparison of elements as a condition. */
static struct sm_ast any_of(const struct sm_expr *e)
{
    return (struct sm_ast){.type = SM_AST_CALL,
                           .func = sm_expr_func_find(sm_text("any")),
                           .args = {e->tree},
                           .n_args = 1,
                           .column = e->tree->column};
}

bool sm_expr_needs_stats_only(const struct sm_expr *e, const struct sm_expr_env *env)
{
    const struct sm_ast any = any_of(e);
    return !e->ambiguous && (is_light(e->tree, env) || is_light(&any, env));
}

bool sm_expr_eval_stats(const struct sm_expr *e, struct sm_expr_env *env, struct sm_value *out,
                        struct sm_err *err)
{
    const struct sm_ast any = any_of(e);
    return sm_ast_eval(sm_func_asks_limit(&any, env) ? &any : e->tree, env, out, err);
}
