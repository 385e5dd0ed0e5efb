#include "rules/expr/value.h"

#include "rules/expr/expr.h"

#include "reader/base/mem.h"

#include <math.h>
#include <string.h>

void sm_value_clear(struct sm_value *v)
{
    sm_tensor_unref(v->tensor);
    sm_free(v->points);
    *v = (struct sm_value){0};
}

bool sm_value_copy(struct sm_value *to, const struct sm_value *from, struct sm_arena *arena)
{
    *to = *from;
    to->tensor = from->tensor ? sm_tensor_ref(from->tensor) : NULL;
    to->points = NULL;
    if (from->n_points) {
        to->points = sm_alloc(from->n_points * sizeof *to->points);
        if (!to->points) {
            sm_value_clear(to);
            return false;
        }
        memcpy(to->points, from->points, from->n_points * sizeof *to->points);
    }
    if (arena && from->text.n) {
        to->text.p = sm_arena_strndup(arena, from->text.p, from->text.n);
        if (!to->text.p) {
            sm_value_clear(to);
            return false;
        }
    }
    return true;
}

const char *sm_value_type_name(enum sm_value_type t)
{
    static const char *const names[] = {"void", "number", "bool", "string", "tensor", "series", "range", "unavailable"};
    return names[t];
}

bool sm_expr_is_true(const struct sm_value *v)
{
    if (v->type == SM_NUMBER || v->type == SM_BOOL)
        return v->number != 0 && !isnan(v->number);
    if (v->type == SM_STRING)
        return v->text.n > 0;
    if (v->type != SM_TENSOR)
        return false;
    size_t size = sm_dtype_info(v->tensor->dtype)->size_bytes;
    for (uint64_t i = 0; size && i < v->tensor->n; i++) {
        double x = sm_dtype_load(v->tensor->dtype, v->tensor->data + i * size);
        if (x != 0 && !isnan(x))
            return true;
    }
    return false;
}
