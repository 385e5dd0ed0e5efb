/* Which elements of a tensor are looked for. */
#ifndef SM_ELEMENTS_H
#define SM_ELEMENTS_H

#include "commands/language/cmd.h"

struct sm_wanted {
    enum { SM_WANT_NAN, SM_WANT_INF, SM_WANT_RANGE, SM_WANT_WHERE } what;
    double lo, hi;         /* RANGE, both ends in */
    struct sm_expr *where; /* WHERE: a condition of x */
    const void *key;       /* an address that is the same whenever the call is run */
};
/* The texts must stay where they are while the call lives. "nan", "inf", a number, "LO:HI" or
 * "LO..HI"; an open end is infinite. */
bool sm_wanted_parse(struct sm_text text, struct sm_wanted *out, struct sm_err *err);
/* A condition in which x is each element. */
bool sm_wanted_where(struct sm_call *c, struct sm_text condition, struct sm_wanted *out,
                     struct sm_err *err);
/* False: by its statistics a tensor has no such element, so it need not be read. */
bool sm_wanted_possible(const struct sm_wanted *w, const struct sm_stats *s);

/* Adds a row for each match, with index and value, up to `most`; *found grows by all of them. The
 * rows get what `place` adds first (NULL: nothing). False with SM_ERR_WAIT while the condition
 * reads other tensors or a worker looks. */
struct sm_element_rows {
    struct sm_result *out;
    struct sm_node *list;
    uint64_t most, found;
    void (*place)(struct sm_result *out, struct sm_node *row, const void *ctx);
    const void *ctx;
};
bool sm_elements_find(struct sm_call *c, const struct sm_wanted *w, struct sm_tensor *x,
                      struct sm_step step, struct sm_element_rows *rows, struct sm_err *err);

/* The same without rows: the flat indexes of the first `most`, which stay as long as the call, and
 * how many there are. */
struct sm_break_hits {
    const uint64_t *at;
    size_t n;
    uint64_t found;
};
bool sm_elements_search(struct sm_call *c, const struct sm_wanted *w, struct sm_tensor *x,
                        struct sm_step step, uint64_t most, struct sm_break_hits *out,
                        struct sm_err *err);

#endif
