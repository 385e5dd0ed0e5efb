/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/evaluate.h"

#include <ctype.h>

static bool find_variable(void *ctx, const char *name, size_t n, struct sm_value *out)
{
    const struct sm_session *s = ctx;
    const struct sm_value *v = sm_session_variable(s, name, n);
    if (v)
        return sm_value_copy(out, v, NULL);
    for (size_t f = 0; s->features[f]; f++)
        if (s->features[f]->variable && s->features[f]->variable(s, name, n, out))
            return true;
    return false;
}

static bool check_void_variable(void *ctx, const char *name, size_t n, struct sm_err *err)
{
    return sm_session_check_history(ctx, name, n, err);
}

void sm_evaluate_place_env(struct sm_session *s, struct sm_arena *arena, const struct sm_place *p,
                           struct sm_expr_env *out)
{
    bool chosen = p->step.n >= 0 && !p->follow;
    *out = (struct sm_expr_env){
        .fetch = s->fetch,
        .trial = p->trial,
        .step = {chosen ? p->step.n : -1},
        .mode = p->mode,
        .worker = p->worker,
        .variable = find_variable,
        .void_variable = check_void_variable,
        .ctx = s,
        .arena = arena,
    };
    if (chosen && !sm_session_variable(s, "t", 1))
        out->of = sm_place_tensor(p);
}

void sm_evaluate_session_env(struct sm_session *s, struct sm_arena *arena, struct sm_expr_env *out)
{
    sm_evaluate_place_env(s, arena, &s->at, out);
}

void sm_evaluate_env(struct sm_call *c, struct sm_expr_env *out)
{
    sm_evaluate_session_env(c->session, &c->arena, out);
}

/* ---- one evaluation ---- */

struct evaluation {
    struct sm_work work;
    struct sm_bound *bound; /* NULL after the evaluation */
    bool condition;         /* keep only whether the value is true */
    struct sm_arena arena;
    struct sm_value value;
    bool ok, holds;
    struct sm_err err;
};

static void run_evaluation(struct sm_work *w)
{
    struct evaluation *x = (struct evaluation *)w;
    x->ok = sm_expr_eval_bound(x->bound, &x->arena, &w->job.cancelled, &x->value, &x->err);
    x->holds = x->ok && x->condition && sm_expr_is_true(&x->value);
    if (x->condition)
        sm_value_clear(&x->value);
    sm_bound_free(x->bound);
    x->bound = NULL;
}

static void free_evaluation(struct sm_work *w)
{
    struct evaluation *x = (struct evaluation *)w;
    sm_bound_free(x->bound);
    sm_value_clear(&x->value);
    sm_arena_clear(&x->arena);
    sm_free(x);
}

/* Starts the evaluation, or finds it. Returns true when it is done; false with SM_ERR_WAIT, or if
 * the expression cannot be bound. */
static bool evaluate(struct sm_call *c, struct sm_expr_env *env, const struct sm_expr *e,
                     const void *what, bool condition, struct evaluation **out, struct sm_err *err)
{
    struct sm_tensor *of = env->subject ? env->subject->tensor : NULL;
    struct sm_work *w = sm_work_find(&c->works, what, of);
    struct sm_bound *bound;
    *out = (struct evaluation *)w;
    if (w)
        return sm_work_check_done(w, err);
    if (!sm_expr_bind(e, env, &bound, err))
        return false;
    struct evaluation *x = *out = sm_xalloc_zero(1, sizeof *x);
    x->work = (struct sm_work){.run = run_evaluation,
                               .free = free_evaluation,
                               .what = what,
                               .of = of ? sm_tensor_ref(of) : NULL,
                               .elements = sm_bound_elements(bound)};
    x->bound = bound;
    x->condition = condition;
    return sm_work_start(&c->works, &x->work, err);
}

/* The same for a text. The tree is needed for binding only: a command that evaluates its condition
 * at each of many steps does not keep one for each. */
static bool evaluate_text(struct sm_call *c, struct sm_expr_env *env, struct sm_text text,
                          bool condition, struct evaluation **out, struct sm_err *err)
{
    struct sm_arena arena = {0};
    struct sm_expr *e;
    bool ok = sm_expr_parse(text.p, text.n, &arena, &e, err) &&
              evaluate(c, env, e, text.p, condition, out, err);
    sm_arena_clear(&arena);
    return ok;
}

/* ---- results ---- */

static bool take_value(struct sm_call *c, struct evaluation *x, struct sm_value *out,
                       struct sm_err *err)
{
    bool ok = x->ok;
    if (!ok)
        *err = x->err;
    else if (!sm_value_copy(out, &x->value, &c->arena))
        ok = sm_err_set(err, SM_ERR_MEMORY, "no memory for a value");
    sm_work_drop(&c->works, &x->work);
    return ok;
}

bool sm_evaluate_in(struct sm_call *c, struct sm_expr_env *env, struct sm_text text,
                    struct sm_value *out, struct sm_err *err)
{
    struct evaluation *x;
    *out = (struct sm_value){0};
    return evaluate_text(c, env, text, false, &x, err) && take_value(c, x, out, err);
}

bool sm_evaluate_truth(struct sm_call *c, struct sm_expr_env *env, struct sm_text text, bool *out,
                       struct sm_err *err)
{
    struct evaluation *x;
    struct sm_value none;
    if (!evaluate_text(c, env, text, true, &x, err))
        return false;
    *out = x->holds;
    return take_value(c, x, &none, err);
}

bool sm_evaluate(struct sm_call *c, struct sm_text text, struct sm_value *out, struct sm_err *err)
{
    struct sm_expr_env env;
    sm_evaluate_env(c, &env);
    return sm_evaluate_in(c, &env, text, out, err);
}

bool sm_evaluate_condition(struct sm_call *c, struct sm_expr_env *env,
                           const struct sm_expr *condition, const void *what, bool *holds,
                           struct sm_err *err)
{
    struct evaluation *x;
    if (!evaluate(c, env, condition, what, true, &x, err))
        return false;
    *holds = x->holds;
    if (!x->ok)
        *err = x->err;
    return x->ok;
}

/* ---- variables ---- */

/* The length of the name after '$'; 0 if the text does not start with a variable. */
static size_t variable_length(struct sm_text text)
{
    size_t n = 0;
    if (!text.n || text.p[0] != '$')
        return 0;
    while (n + 1 < text.n && (isalnum((unsigned char)text.p[n + 1]) || text.p[n + 1] == '_'))
        n++;
    return n;
}

/* What follows the name, without blanks. */
static struct sm_text after_variable(struct sm_text text)
{
    size_t i = 1 + variable_length(text);
    while (i < text.n && (text.p[i] == ' ' || text.p[i] == '\t'))
        i++;
    return (struct sm_text){text.p + i, text.n - i};
}

bool sm_evaluate_is_assignment(struct sm_text text)
{
    struct sm_text rest = variable_length(text) ? after_variable(text) : SM_TEXT("");
    return rest.n > 1 && rest.p[0] == '=' && rest.p[1] != '=';
}

bool sm_evaluate_assignment(struct sm_call *c, struct sm_text text, struct sm_value *out,
                            struct sm_err *err)
{
    struct sm_value v = {0};
    size_t n = variable_length(text);
    const char *name = sm_arena_xstrndup(&c->arena, text.p + 1, n);
    struct sm_text rest = after_variable(text);
    if (!n || isdigit((unsigned char)name[0]) || name[0] == '_')
        return sm_err_set(err, SM_ERR_USAGE, "\"$%s\" cannot be set.", name);
    if (rest.n && rest.p[0] != '=')
        return sm_err_set(err, SM_ERR_USAGE, "\"=\" expected after \"$%s\".", name);
    const struct sm_trial *t = sm_session_trial(c->session);
    if (rest.n && t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    if (rest.n && !sm_evaluate(c, (struct sm_text){rest.p + 1, rest.n - 1}, &v, err))
        return false;
    if (v.type == SM_UNAVAILABLE) {
        sm_err_set(err, SM_ERR_MISSING, "%.*s", (int)v.text.n, v.text.p);
        sm_value_clear(&v);
        return false;
    }
    sm_session_set_variable(c->session, name, &v);
    if (out)
        *out = v;
    else
        sm_value_clear(&v);
    return true;
}

struct sm_text sm_evaluate_first(struct sm_text text)
{
    size_t open = 0;
    char quote = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (quote && c == '\\' && quote != '`')
            i++;
        else if (quote || c == '"' || c == '\'' || c == '`')
            quote = quote == c ? 0 : quote ? quote : c;
        else if (c == '(' || c == '[')
            open++;
        else if (c == ')' || c == ']')
            open -= open > 0;
        else if (c == ',' && !open)
            return (struct sm_text){text.p, i};
    }
    return text;
}
