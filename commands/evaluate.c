#include "commands/evaluate.h"

static bool variable(void *ctx, const char *name, size_t n, struct sm_value *out)
{
    const struct sm_value *v = sm_session_variable(ctx, name, n);
    return v && sm_value_copy(out, v, NULL);
}

void sm_evaluate_env(struct sm_call *c, struct sm_expr_env *out)
{
    struct sm_session *s = c->session;
    *out = (struct sm_expr_env){
        .fetch = s->fetch, .trial = sm_session_trial(s), .step = sm_session_step(s), .mode = s->at.mode, .worker = s->at.worker,
        .variable = variable, .ctx = s, .arena = &c->arena,
    };
}

bool sm_evaluate(struct sm_call *c, struct sm_text text, struct sm_value *out, struct sm_err *err)
{
    struct sm_expr *e;
    struct sm_expr_env env;
    sm_evaluate_env(c, &env);
    return sm_expr_parse(text.p, text.n, &c->arena, &e, err) && sm_expr_eval(e, &env, out, err);
}
