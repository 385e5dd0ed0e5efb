/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the elements of a tensor with a number, using only the statistics of the record. */
#include "rules/expr/funcs.h"

#include <math.h>

/* tensor OP number */
struct limit {
    const struct sm_ast *name;
    enum sm_expr_token_type op; /* LT, LE, GT or GE */
    struct sm_exact number;
};

static bool is_constant(const struct sm_ast *e, struct sm_exact *out)
{
    bool negative = false;
    for (; e->type == SM_AST_UNARY && e->op == SM_TOK_MINUS; e = e->args[0])
        negative = !negative;
    if (e->type != SM_AST_CONSTANT || e->constant.type != SM_NUMBER)
        return false;
    *out = sm_value_exact(&e->constant);
    out->real = negative ? -out->real : out->real;
    out->integer.negative = negative && out->integer.magnitude;
    return true;
}

static bool read_limit(const struct sm_ast *e, const struct sm_expr_env *env, struct limit *out)
{
    if (e->type != SM_AST_BINARY || e->op < SM_TOK_LT || e->op > SM_TOK_GE)
        return false;
    bool right = is_constant(e->args[1], &out->number);
    if (!right && !is_constant(e->args[0], &out->number))
        return false;
    out->name = e->args[right ? 0 : 1];
    out->op = right ? e->op : sm_expr_mirrored(e->op);
    return sm_expr_is_at_step(out->name, env) || sm_expr_is_over_steps(out->name, env);
}

bool sm_func_asks_limit(const struct sm_ast *call, const struct sm_expr_env *env)
{
    struct limit l;
    return read_limit(call->args[0], env, &l) && sm_expr_is_at_step(l.name, env);
}

bool sm_func_asks_limits(const struct sm_ast *call, const struct sm_expr_env *env)
{
    struct limit l;
    return read_limit(call->args[0], env, &l);
}

static bool holds(const struct limit *l, struct sm_exact x)
{
    return sm_exact_holds(l->op, &x, &l->number);
}

static bool infinities_hold(const struct limit *l, const struct sm_stats *s, bool *all)
{
    bool up = holds(l, sm_exact_real((double)INFINITY)),
         down = holds(l, sm_exact_real((double)-INFINITY));
    *all = (!s->pos_inf || up) && (!s->neg_inf || down);
    return (s->pos_inf && up) || (s->neg_inf && down);
}

static bool any_holds(const struct limit *l, const struct sm_expr_measured *f)
{
    bool up = l->op == SM_TOK_GT || l->op == SM_TOK_GE, all;
    return infinities_hold(l, &f->stats, &all) ||
           (f->stats.finite && holds(l, sm_stats_extreme(&f->stats, f->dtype, up)));
}

static bool all_hold(const struct limit *l, const struct sm_expr_measured *f)
{
    bool up = l->op == SM_TOK_GT || l->op == SM_TOK_GE, all;
    infinities_hold(l, &f->stats, &all);
    return all && !f->stats.nan &&
           (!f->stats.finite || holds(l, sm_stats_extreme(&f->stats, f->dtype, !up)));
}

/* False for integers of which an archive has only the rounded extremes. */
static bool is_answered_by_stats(const struct sm_expr_measured *f)
{
    bool integers = sm_dtype_info(f->dtype)->kind != SM_KIND_FLOAT;
    return !integers || !f->stats.finite ||
           (sm_stats_extreme(&f->stats, f->dtype, false).is_int &&
            sm_stats_extreme(&f->stats, f->dtype, true).is_int);
}

/* The statistics of a tensor at a step. Results as for sm_func_limit, but 0 also if the type has no
 * numbers, which is an error elsewhere, and 2: *out says that there is none. */
static int measure_step(const struct sm_ast *name, struct sm_expr_env *env,
                        struct sm_expr_measured *m, struct sm_value *out, struct sm_err *err)
{
    struct sm_place l;
    const struct sm_facts *facts;
    int there = sm_expr_locate(name, env, &l, out, err);
    if (there <= 0)
        return there == 0 ? 2 : -1;
    struct sm_entry payload = sm_place_find_value(&l);
    if (!sm_entry_exists(&payload))
        return sm_expr_no_payload(name, env, &l, out) ? 2 : -1;
    if (!sm_fetch_stats(env->fetch, env->trial, &payload, &facts, err))
        return -1;
    *m = (struct sm_expr_measured){.dtype = facts->dtype, .stats = facts->stats};
    return facts->has_stats && sm_dtype_has_numbers(facts->dtype);
}

int sm_func_limit(const struct sm_ast *call, struct sm_expr_env *env, bool all,
                  struct sm_value *out, struct sm_err *err)
{
    struct limit limit;
    struct sm_expr_measured m = {0};
    if (!read_limit(call->args[0], env, &limit))
        return 0;
    bool steps = sm_expr_is_over_steps(limit.name, env);
    int got = steps ? sm_expr_measure_steps(limit.name, env, &m, out, err)
                    : measure_step(limit.name, env, &m, out, err);
    if (got != 1)
        return got == 2 || (steps && got == 0) ? 1 : got;
    if (!is_answered_by_stats(&m))
        return 0;
    sm_value_bool(out, all ? all_hold(&limit, &m) : any_holds(&limit, &m));
    sm_expr_leave_out(&m, out);
    return 1;
}
