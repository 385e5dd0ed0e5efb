/* SPDX-License-Identifier: Apache-2.0 */
/* Finds names in an expression that no tensor of the trial has. */
#include "rules/expr/funcs.h"

#include <string.h>

/* exists(NAME) asks whether there is such a tensor. */
static bool asks_whether_exists(const struct sm_ast *e)
{
    return e->type == SM_AST_CALL && sm_text_is(sm_text(e->func->public.name), "exists");
}

/* Whether exists() is called with this name anywhere below e. */
static bool is_asked_for(const struct sm_ast *e, const struct sm_ast *name)
{
    if (asks_whether_exists(e) && e->args[0]->type == SM_AST_NAME &&
        sm_text_same(e->args[0]->text, name->text))
        return true;
    for (unsigned i = 0; i < e->n_args; i++)
        if (is_asked_for(e->args[i], name))
            return true;
    return false;
}

static bool check_tree(const struct sm_ast *e, const struct sm_ast *root, struct sm_expr_env *env,
                       struct sm_err *err)
{
    struct sm_place place;
    if (e->type == SM_AST_NAME && !sm_expr_is_subject(e, env) && !sm_expr_find(e, env) &&
        !is_asked_for(root, e))
        return sm_expr_find_tensor(e, env, &place, err);
    for (unsigned i = 0; i < e->n_args; i++)
        if (!check_tree(e->args[i], root, env, err))
            return false;
    return true;
}

bool sm_expr_check_names(const struct sm_expr *e, const struct sm_expr_env *env, struct sm_err *err)
{
    struct sm_expr_env own = *env;
    const struct sm_ast *tree;
    return sm_ast_of(e, env, env->arena, &tree, err) && check_tree(tree, tree, &own, err);
}
