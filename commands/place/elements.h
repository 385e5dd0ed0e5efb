/* SPDX-License-Identifier: Apache-2.0 */
/* Searching a tensor for elements: NaN, infinite, in a range, or matching a condition. */
#ifndef SM_ELEMENTS_H
#define SM_ELEMENTS_H

#include "commands/language/cmd.h"

struct sm_element_filter {
    enum { SM_WANT_NAN, SM_WANT_INF, SM_WANT_RANGE, SM_WANT_WHERE } what;
    struct sm_exact lo, hi; /* RANGE, both inclusive */
    struct sm_expr *where;  /* WHERE: a condition of x */
    const void *key;        /* an address that stays the same when the call is run again */
};
/* Parses "nan", "inf", a number, "LO:HI" or "LO..HI"; an omitted HI is infinite. Here and below the
 * text must stay valid until the call ends. */
bool sm_element_filter_parse(struct sm_text text, struct sm_element_filter *out,
                             struct sm_err *err);
/* Parses "LO:HI", "LO..HI", "LO:" or a number, which is both. *end: what is not part of it. */
bool sm_element_range_parse(const char *text, char **end, struct sm_exact *lo, struct sm_exact *hi);
/* Parses a condition in which x is the element; its names must be tensors of the trial. */
bool sm_element_filter_where(struct sm_call *c, struct sm_text condition,
                             struct sm_element_filter *out, struct sm_err *err);
/* False with SM_ERR_USAGE for strings, complex numbers and unknown types: they are not searched. */
bool sm_elements_are_numbers(enum sm_dtype type, struct sm_err *err);
/* Returns false if the statistics of a tensor show that it has no such element, so that it need not
 * be read. */
bool sm_element_filter_may_match(const struct sm_element_filter *w, const struct sm_stats *s);

/* Adds a row for each match, with index and value, up to `most`, and the number of all matches to
 * `found`. `place`, if not NULL, adds the first columns of each row. Returns false with SM_ERR_WAIT
 * while a worker searches or the condition reads other tensors. */
struct sm_element_rows {
    struct sm_result *out;
    struct sm_node *list;
    uint64_t most, found;
    void (*place)(struct sm_result *out, struct sm_node *row, const void *ctx);
    const void *ctx;
};
bool sm_elements_find(struct sm_call *c, const struct sm_element_filter *w, struct sm_tensor *x,
                      struct sm_step step, struct sm_element_rows *rows, struct sm_err *err);

/* Like sm_elements_find, without rows: the flat indexes of the first `most` matches, valid as long
 * as the call, and the number of all matches. */
struct sm_element_hits {
    const uint64_t *at;
    size_t n;
    uint64_t found;
};
bool sm_elements_search(struct sm_call *c, const struct sm_element_filter *w, struct sm_tensor *x,
                        struct sm_step step, uint64_t most, struct sm_element_hits *out,
                        struct sm_err *err);

#endif
