/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/expr/sources.h"

#include "rules/expr/funcs.h"

struct walk {
    struct sm_expr_env *env;
    void (*report)(void *ctx, const struct sm_expr_source *s);
    void *ctx;
    struct sm_err *err;
};

const char *sm_source_kind_name(enum sm_source_kind k)
{
    static const char *const names[] = {
        [SM_FROM_PAYLOAD] = "payload",       [SM_FROM_STATISTICS] = "statistics",
        [SM_FROM_SAVED] = "saved reduction", [SM_FROM_HEAD] = "head",
        [SM_FROM_INDEX] = "index",           [SM_FROM_SERIES] = "series",
        [SM_FROM_NOWHERE] = "nowhere",
    };
    return names[k];
}

/* What a function that reads the record of its first argument needs of it. */
static enum sm_source_kind kind_of_call(const struct sm_ast *call)
{
    sm_expr_run *run = call->func->run;
    if (run == sm_func_exists || run == sm_func_steps)
        return SM_FROM_INDEX;
    if (run == sm_func_shape || run == sm_func_dtype || run == sm_func_size)
        return SM_FROM_HEAD;
    if (call->func->asks == sm_func_asks_series)
        return SM_FROM_SERIES;
    return run == sm_func_median || run == sm_func_quantile ? SM_FROM_PAYLOAD : SM_FROM_STATISTICS;
}

static bool report_series(struct walk *w, const struct sm_ast *name, enum sm_source_kind kind,
                          const char *func)
{
    struct sm_place l;
    if (!sm_expr_find_tensor(name, w->env, &l, w->err))
        return false;
    w->report(w->ctx,
              &(struct sm_expr_source){sm_place_tensor(&l), func, {-1}, l.worker, kind, {0}});
    return true;
}

/* call: the function with the name as first argument; NULL if the elements are needed. */
static bool report_name(struct walk *w, const struct sm_ast *name, const struct sm_ast *call)
{
    const char *func = call ? call->func->public.name : NULL;
    enum sm_source_kind kind = call ? kind_of_call(call) : SM_FROM_PAYLOAD;
    struct sm_place l;
    struct sm_value none = {0};
    if (kind == SM_FROM_SERIES || kind == SM_FROM_INDEX || name->place.kind == SM_STEP_ALL)
        return report_series(w, name,
                             kind == SM_FROM_INDEX ||
                                     (call && call->func->asks == sm_func_asks_statistic)
                                 ? kind
                                 : SM_FROM_SERIES,
                             func);
    int there = sm_expr_locate(name, w->env, &l, &none, w->err);
    if (there < 0)
        return false;
    struct sm_expr_source s = {sm_place_tensor(&l), func, l.step, l.worker, kind, none.text};
    struct sm_entry value = there ? sm_place_find_value(&l) : sm_entry_none();
    if (there && !sm_entry_exists(&value)) {
        struct sm_entry reduction = call && call->func->run == sm_func_statistic
                                        ? sm_func_saved_reduction(call, w->env, &l)
                                        : sm_entry_none();
        bool saved = sm_entry_exists(&reduction);
        sm_expr_no_payload(name, w->env, &l, &none);
        s.kind = saved ? SM_FROM_SAVED : SM_FROM_NOWHERE;
        s.why = saved ? (struct sm_text){0} : none.text;
    }
    if (!there)
        s.kind = SM_FROM_NOWHERE;
    w->report(w->ctx, &s);
    return true;
}

static bool walk(struct walk *w, const struct sm_ast *e)
{
    bool own = e->type == SM_AST_VARIABLE && sm_expr_is_condition_tensor(e, w->env), ok = true;
    bool asks = e->type == SM_AST_CALL && e->func->asks && e->func->asks(e, w->env);
    if (e->type == SM_AST_NAME || own)
        return report_name(w, e, NULL);
    if (asks)
        ok = report_name(w, e->args[0], e);
    for (unsigned i = asks; i < e->n_args && ok; i++)
        ok = walk(w, e->args[i]);
    return ok;
}

bool sm_expr_sources(const struct sm_expr *e, struct sm_expr_env *env,
                     void (*report)(void *ctx, const struct sm_expr_source *s), void *ctx,
                     struct sm_err *err)
{
    struct walk w = {env, report, ctx, err};
    const struct sm_ast *tree;
    return sm_ast_of(e, env, env->arena, &tree, err) && walk(&w, tree);
}
