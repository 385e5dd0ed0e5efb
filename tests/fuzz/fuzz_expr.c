/* SPDX-License-Identifier: Apache-2.0 */
/* The input is an expression: parses it and evaluates it with a small tensor, without a trial. */
#include "rules/expr/expr.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint64_t dims[] = {2, 3};
    const double elements[] = {0, -1, (double)NAN, (double)INFINITY, 1e300, 0.5};
    struct sm_arena arena = {0};
    struct sm_value subject = {.type = SM_TENSOR}, value;
    struct sm_expr_env env = {
        .step = {7}, .worker = SM_WORKER_ANY, .subject = &subject, .arena = &arena};
    struct sm_expr *e;
    struct sm_err err;
    if (!sm_tensor_new(SM_DTYPE_FLOAT64, 2, dims, elements, &subject.tensor, &err))
        return 0;
    if (sm_expr_parse((const char *)data, size, &arena, &e, &err) &&
        sm_expr_eval(e, &env, &value, &err)) {
        sm_expr_is_true(&value);
        sm_value_clear(&value);
    }
    sm_value_clear(&subject);
    sm_arena_clear(&arena);
    return 0;
}
