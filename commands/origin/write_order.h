/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the values of one step: as written, which is the order of cause and effect for
 * values saved by a hook; by name; or as listed in a file (set bt-order). */
#ifndef SM_WRITE_ORDER_H
#define SM_WRITE_ORDER_H

#include "commands/origin/saved_values.h"

enum sm_order_kind { SM_ORDER_TIME, SM_ORDER_NAME, SM_ORDER_FILE };
struct sm_order {
    enum sm_order_kind kind;
    char **patterns; /* FILE: names and globs, one per line */
    size_t n;
};
/* time, name, or a file that can be read */
bool sm_order_check(const char *setting, struct sm_err *err);
/* Reads the setting bt-order. In the call's arena. Returns false if the file cannot be read. */
bool sm_order_read(struct sm_call *c, struct sm_order *out, struct sm_err *err);

/* A value that was read, and its place in the order. */
struct sm_ordered_value {
    struct sm_saved_value_row *row;
    struct sm_saved_value *value;
    const char *name;
    bool by_name;
    size_t rank; /* FILE: of the first pattern that matches */
};
struct sm_ordered_value sm_order_place(const struct sm_order *o, const struct sm_saved_values *c,
                                       struct sm_saved_value_row *row, struct sm_saved_value *x);
/* By step, then by the order; for qsort. */
int sm_placed_cmp(const void *a, const void *b);

#endif
