/* What an expression is worth. UNAVAILABLE (a tensor is missing at the step) is a value of its own,
 * not an error. */
#ifndef SM_VALUE_H
#define SM_VALUE_H

#include "reader/series.h"

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
    double number;       /* NUMBER; BOOL as 0 or 1; RANGE: its start */
    double stop;         /* RANGE a:b, end exclusive */
    bool is_int, single; /* NUMBER: exact in `integer`; printed with 9 digits */
    int64_t integer;
    struct sm_text text;      /* STRING; UNAVAILABLE: the reason. Lives in the evaluation's arena */
    struct sm_tensor *tensor; /* TENSOR, counted */
    struct sm_point *points;  /* SERIES, sm_alloc'ed */
    size_t n_points;
    /* SERIES: steps left out, because their bytes cannot be read; the first of them */
    size_t unread;
    struct sm_step first_unread;
};
void sm_value_clear(struct sm_value *v);
/* false: no memory */
bool sm_value_copy(struct sm_value *to, const struct sm_value *from, struct sm_arena *arena);
/* a one-element tensor is its number */
bool sm_value_as_number(const struct sm_value *v, double *out);
/* How many elements are others, bit by bit, or with tolerance >= 0 by more than that; of another
 * type or shape all of them count, and at least one. */
uint64_t sm_value_changes(const struct sm_value *a, const struct sm_value *b, double tolerance);
const char *
/* "number" "bool" "string" "tensor" "series" "void" "unavailable" */
sm_value_type_name(enum sm_value_type t);

#endif
