/* SPDX-License-Identifier: Apache-2.0 */
/* The health of many tensors over time: a row per tensor, a column per step, the colour is a
 * statistic of the tensor there. */
#ifndef SM_HEALTH_MAP_H
#define SM_HEALTH_MAP_H

#include "plot/chart.h"

enum sm_health_cell {
    SM_HEALTH_NOTHING, /* nothing was saved: stays empty */
    SM_HEALTH_VALUE,   /* non-finite values are marked */
    SM_HEALTH_PENDING, /* not yet known */
    SM_HEALTH_ZERO     /* only zeros: marked */
};
struct sm_health_map {
    const char *const *labels; /* of the rows, already escaped */
    size_t rows;
    const double *x; /* steps of the columns, ascending */
    size_t cols;
    double last; /* the end of the last column; if less than its x, the column is only that step */
    const double *v;       /* rows x cols, row-major */
    const uint8_t *cells;  /* the same shape, enum sm_health_cell; NULL: all are VALUE */
    enum sm_y_scale scale; /* LOG: values at or below 0 get the lowest colour */
    /* each row by magnitude, from its own minimum to its maximum; otherwise all rows use `scale` */
    bool own;
    enum sm_heat_map map;
    const char *what; /* shown next to the scale, e.g. "absmax"; NULL: nothing */
    bool scaleless;   /* no row for the scale */
    /* label columns, 0: as the longest needs; columns of the newest number after each row, 0:
     * none */
    int label_w, number_w;
    const bool *bad;     /* rows to show with a warning in front; NULL: no column for it */
    size_t selected;     /* the highlighted row; >= rows: none */
    bool reversed;       /* highlight it with a bar */
    size_t cell;         /* the highlighted column of the selected row; >= cols: none */
    const double *marks; /* steps to mark below the map (rules) */
    size_t n_marks;
    double cursor_x; /* NaN if none */
};
/* Steps that share a column show the mean of their values, or the mark of a non-finite one. Rows
 * that do not fit are counted in the last row. Below, if there is room: the steps, and the
 * scale. */
void sm_health_draw(struct sm_grid *g, struct sm_rect r, const struct sm_health_map *map,
                    const struct sm_glyphs *glyphs);
/* The rows of cells needed to show all rows. */
int sm_health_height(const struct sm_health_map *map);
/* The rows and columns that fit into r, one cell each, for a map with these labels (cols and v are
 * not read). */
void sm_health_room(const struct sm_health_map *map, struct sm_rect r, size_t *rows, size_t *cols);
/* Finds the column and row of the map at cell (x, y) of the rectangle r, for the mouse. False:
 * neither. */
bool sm_health_at(const struct sm_health_map *map, struct sm_rect r, int x, int y, size_t *row,
                  size_t *col);

#endif
