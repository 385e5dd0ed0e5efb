/* SPDX-License-Identifier: Apache-2.0 */
/* The value of an expression. UNAVAILABLE (for example, a tensor was not saved at the step) is a
 * value, not an error. */
#ifndef SM_VALUE_H
#define SM_VALUE_H

#include "reader/fetch/series.h"

enum sm_value_type {
    SM_VOID,
    SM_NUMBER,
    SM_BOOL,
    SM_STRING,
    SM_TENSOR,
    SM_SERIES,
    SM_RANGE,
    SM_UNAVAILABLE
};

struct sm_value {
    enum sm_value_type type;
    double number;       /* NUMBER; BOOL: 0 or 1; RANGE: start */
    double stop;         /* RANGE: end, exclusive */
    bool is_int, single; /* NUMBER: exact in `integer`; float32, printed with 9 digits */
    bool is_uint; /* NUMBER: exact in `integer` as uint64_t, above INT64_MAX; is_int is then false
                   */
    bool rounded; /* NUMBER: made of integers beyond 2^53 in doubles */
    int64_t integer;
    struct sm_text text;      /* STRING; UNAVAILABLE: the reason. In the arena of the evaluation */
    struct sm_tensor *tensor; /* TENSOR, a reference */
    struct sm_point *points;  /* SERIES, sm_alloc'ed */
    size_t n_points;
    /* SERIES of a tensor with more than one element: what the points are of it, and whether the
     * hook saved that; otherwise NULL */
    const struct sm_statistic *reduction;
    bool rolled; /* SERIES: the points are made of these by a function over steps */
    bool saved;  /* also NUMBER */
    /* SERIES, or a NUMBER or BOOL of several steps: the number of steps left out because they
     * cannot be read, and the first of them */
    size_t unread;
    struct sm_step first_unread;
};
void sm_value_clear(struct sm_value *v);
/* False if out of memory. */
bool sm_value_copy(struct sm_value *to, const struct sm_value *from, struct sm_arena *arena);
/* The number of a NUMBER, a BOOL or a one-element tensor; false for others. */
bool sm_value_as_number(const struct sm_value *v, double *out);
/* The exact number of a NUMBER or BOOL. */
struct sm_exact sm_value_exact(const struct sm_value *v);
void sm_value_set_exact(struct sm_value *v, const struct sm_exact *x);
void sm_value_simplify(struct sm_value *v); /* a one-element tensor becomes its exact number */
/* Number of elements that differ: bitwise, or by more than tolerance if it is >= 0. If type or
 * shape differ, all elements count, at least one. */
uint64_t sm_value_changes(const struct sm_value *a, const struct sm_value *b, double tolerance);
/* "number" "bool" "string" "tensor" "series" "void" "unavailable" */
const char *sm_value_type_name(enum sm_value_type t);

#endif
