/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows of the table of runs are shown, and in which order: for the command and the pane. */
#ifndef SM_RUN_ORDER_H
#define SM_RUN_ORDER_H

#include "commands/runs/run_value.h"

struct sm_run_choice {
    bool unlisted;                      /* also runs that the user left out of the table */
    const struct sm_run_filter *filter; /* NULL: all */
    size_t best;                        /* the best by the metric; 0: all */
    /* A name of sm_run_sort_key; NULL: the order of the session. "best", "newest" and the metric
     * begin with the best, whether less or more is better; "rules" with the worst finding, "issues"
     * with the most. Rows without the value, or with NaN, come last in any case; equal rows keep
     * their order. */
    const char *sort;
    bool reverse;
};
/* The name by which rows are sorted: of a field, of a key of the configuration or of a metric that
 * some run has, or the header of a column in any case of letters ("AT"). NULL with SM_ERR_MISSING,
 * which lists the names, if there is no such column. */
const char *sm_run_sort_key(const struct sm_session *s, const struct sm_run_table *t,
                            const char *name, struct sm_err *err);
/* Whether it is the name or header of a column of the table itself. */
bool sm_run_is_field(const char *name);
/* Whether some run has a series or a key of the configuration of that name. */
bool sm_run_some_has(const struct sm_session *s, const struct sm_run_table *t, const char *name);
/* Whether the configuration of some run of the table has the key. */
bool sm_run_some_config(const struct sm_session *s, const struct sm_run_table *t, const char *key);
/* The first name of the filter that no run of the table has, as far as is known; NULL: none. */
const char *sm_run_unknown_name(const struct sm_session *s, const struct sm_run_table *t,
                                const struct sm_run_filter *filter);
/* Keeps the rows that are chosen, in their order. False with SM_ERR_WAIT while a series that filter
 * or order look at is being read. */
bool sm_run_table_choose(const struct sm_session *s, struct sm_run_table *t,
                         const struct sm_run_choice *c, struct sm_err *err);

#endif
