#include "rules/expr/expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Any text is parsed and, without a trial, evaluated. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_arena arena = {0};
    struct sm_expr *e;
    struct sm_value v = {0};
    struct sm_err err;
    struct sm_expr_env env = {.step = {-1}, .worker = SM_WORKER_ANY, .arena = &arena};
    char *text = sm_arena_strndup(&arena, (const char *)data, n);
    if (text && sm_expr_parse(text, n, &arena, &e, &err) && sm_expr_eval(e, &env, &v, &err))
        sm_value_clear(&v);
    sm_arena_clear(&arena);
    return 0;
}
