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
    return sm_expr_is_at_step(out->name, env);
}

bool sm_func_asks_limit(const struct sm_ast *call, const struct sm_expr_env *env)
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

static bool any_holds(const struct limit *l, const struct sm_facts *f)
{
    bool up = l->op == SM_TOK_GT || l->op == SM_TOK_GE, all;
    return infinities_hold(l, &f->stats, &all) ||
           (f->stats.finite && holds(l, sm_stats_extreme(&f->stats, f->dtype, up)));
}

static bool all_hold(const struct limit *l, const struct sm_facts *f)
{
    bool up = l->op == SM_TOK_GT || l->op == SM_TOK_GE, all;
    infinities_hold(l, &f->stats, &all);
    return all && !f->stats.nan &&
           (!f->stats.finite || holds(l, sm_stats_extreme(&f->stats, f->dtype, !up)));
}

/* False for types that are not numbers, which are an error, and for integers of which an archive
 * has only the rounded extremes. */
static bool is_answered_by_stats(const struct sm_facts *f)
{
    bool integers = sm_dtype_info(f->dtype)->kind != SM_KIND_FLOAT;
    if (!f->has_stats || !sm_dtype_has_numbers(f->dtype))
        return false;
    return !integers || !f->stats.finite ||
           (sm_stats_extreme(&f->stats, f->dtype, false).is_int &&
            sm_stats_extreme(&f->stats, f->dtype, true).is_int);
}

int sm_func_limit(const struct sm_ast *call, struct sm_expr_env *env, bool all,
                  struct sm_value *out, struct sm_err *err)
{
    struct limit limit;
    struct sm_place l;
    const struct sm_facts *facts;
    if (!read_limit(call->args[0], env, &limit))
        return 0;
    int there = sm_expr_locate(limit.name, env, &l, out, err);
    if (there <= 0)
        return there == 0 ? 1 : -1;
    const struct sm_entry *payload = sm_place_find_value(&l);
    if (!payload)
        return sm_expr_no_payload(limit.name, env, &l, out) ? 1 : -1;
    if (!sm_fetch_stats(env->fetch, env->trial, payload, &facts, err))
        return -1;
    if (!is_answered_by_stats(facts))
        return 0;
    sm_value_bool(out, all ? all_hold(&limit, facts) : any_holds(&limit, facts));
    return 1;
}
