/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of the health pane in one frame: a statistic of some tensors in columns of steps. */
#ifndef SM_HEALTH_CELLS_H
#define SM_HEALTH_CELLS_H

#include "commands/place/statistic.h"
#include "plot/health_map.h"
#include "tui/panes/health_columns.h"
#include "tui/panes/pane.h"

/* Arrays for sm_health_map: a row per tensor, a cell per column. */
struct sm_health_cells {
    struct sm_arena arena; /* of the arrays */
    double *v;             /* rows * columns */
    uint8_t *cells;        /* rows * columns, enum sm_health_cell */
    /* rows * columns: the value that is shown; NULL: none. Valid until the next pump */
    struct sm_entry *entries;
    bool *bad;           /* by row: it has a problem */
    const char **labels; /* by row: the name of the tensor, escaped */
    double *x;           /* by column: its first step */
};
/* Fills *out, zero-initialised, for n tensors (name ids) of the current trial. A cell is the worst
 * value of all steps of its column (reader/analysis/step_values.h); SM_HEALTH_PENDING if some are
 * still to be read and none of the others is NaN or infinite. Numbers are rounded to floats. */
void sm_health_cells_read(struct sm_health_cells *out, const struct sm_view *v,
                          const struct sm_statistic *statistic, const uint32_t *tensors, size_t n,
                          const struct sm_health_columns *columns);
/* The step of the value that stands for the column of the step with this index; that step itself if
 * there is none. */
int64_t sm_health_worst_step(const struct sm_view *v, const struct sm_statistic *statistic,
                             uint32_t tensor, const struct sm_health_columns *columns, size_t step);
void sm_health_cells_clear(struct sm_health_cells *x);

#endif
