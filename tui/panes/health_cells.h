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
    bool *bad;             /* by row: it has a problem */
    const char **labels;   /* by row: the name of the tensor, escaped */
    double *x;             /* by column: its first step */
};
/* Fills *out, zero-initialised, for n tensors (name ids) of the current trial. A cell is the newest
 * value of its column; unknown values are requested, and their cells are SM_HEALTH_PENDING. */
void sm_health_cells_read(struct sm_health_cells *out, const struct sm_view *v,
                          const struct sm_statistic *statistic, const uint32_t *tensors, size_t n,
                          const struct sm_health_columns *columns);
void sm_health_cells_clear(struct sm_health_cells *x);

#endif
