/* Which rows of the table of runs are shown, and in which order: for the command and the pane. */
#ifndef SM_RUN_ORDER_H
#define SM_RUN_ORDER_H

#include "commands/runs/run_value.h"

struct sm_run_choice {
    const struct sm_run_filter *filter; /* NULL: all */
    size_t best;                        /* the best by the metric; 0: all */
    /* A field or a key of the configuration; NULL: the order of the session. "best", "newest" and
     * the metric begin with the best, whether less or more is better. Rows without the value, or
     * with NaN, come last in any case; equal rows keep their order. */
    const char *sort;
    bool reverse;
};
/* Keeps the rows that are chosen, in their order. */
void sm_run_table_choose(const struct sm_session *s, struct sm_run_table *t,
                         const struct sm_run_choice *c);

#endif
