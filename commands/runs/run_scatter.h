/* SPDX-License-Identifier: Apache-2.0 */
/* Runs as points: a number of each against another, such as the metric against a key of the
 * configuration. What the command and the pane draw. */
#ifndef SM_RUN_SCATTER_H
#define SM_RUN_SCATTER_H

#include "commands/runs/run_extra.h"
#include "plot/scatter.h"

struct sm_run_scatter {
    const char *x_name, *y_name; /* as given; y: the table's metric if it was NULL */
    double *x, *y;               /* n each, finite */
    const struct sm_run_row **rows;
    size_t n;
    size_t missing;            /* rows without one of the values, or with NaN */
    size_t diverged;           /* rows whose metric has left (sm_run_row_diverged), as y */
    const char *const *values; /* of x that are texts: x is the index; NULL: x are numbers */
    size_t n_values;
    bool x_log;  /* x spans two decades or more, and is above 0 */
    double rank; /* Spearman's rank correlation; NaN: fewer than three points, or all alike */
};
/* x and y: a key of the configuration, a field of the table, or a series with its newest value. All
 * memory is in the arena. False with SM_ERR_MISSING: no run has one of them; SM_ERR_WAIT while a
 * series is being read, and *out has what is known. */
bool sm_run_scatter_read(const struct sm_session *s, const struct sm_run_table *t, const char *x,
                         const char *y, struct sm_arena *arena, struct sm_run_scatter *out,
                         struct sm_err *err);
/* Sets x, y, n and x_log of a chart. */
void sm_run_scatter_chart(const struct sm_run_scatter *p, struct sm_scatter *chart);
/* Appends "val/loss by lr, log x, rank correlation -0.93, 2 diverged, 1 without". Escaped. */
void sm_run_scatter_title(const struct sm_run_scatter *p, struct sm_str *out);
/* Appends what the numbers of texts are: "0 adam, 1 sgd"; nothing if x are numbers. Escaped. */
void sm_run_scatter_values(const struct sm_run_scatter *p, struct sm_str *out);

#endif
