/* The health of many tensors over the steps: a row each, a column a step, the colour a statistic of
 * the tensor there. */
#ifndef SM_HEALTH_MAP_H
#define SM_HEALTH_MAP_H

#include "plot/chart.h"

enum sm_health_cell {
    SM_HEALTH_NOTHING, /* nothing was saved there: stays empty */
    SM_HEALTH_VALUE,   /* what is not finite is marked */
    SM_HEALTH_AWAITED, /* not known yet */
    SM_HEALTH_ZERO     /* nothing but zeros, which deserves a mark */
};
struct sm_health_map {
    const char *const *labels; /* of the rows, escaped already */
    size_t rows;
    const double *x; /* of the columns, ascending: steps */
    size_t cols;
    double last;           /* what the last column reaches to; less than its x: that alone */
    const double *v;       /* rows of cols */
    const uint8_t *cells;  /* as many, enum sm_health_cell; NULL: all are values */
    enum sm_y_scale scale; /* LOG: what is not above 0 has the lowest colour */
    bool own; /* each row by magnitude, from its own smallest to its largest; else all by `scale` */
    enum sm_heat_map map;
    const char *what; /* "absmax", said beside the scale; NULL: nothing */
    bool scaleless;   /* no row for the scale */
    /* 0: as the longest label needs; of the newest number behind each row, 0: none */
    int label_w, number_w;
    const bool *bad;     /* rows with a warning in front; NULL: there is no room for it */
    size_t selected;     /* the row whose label stands out; >= rows: none */
    bool reversed;       /* it does by a bar */
    size_t cell;         /* of the selected row, the column that stands out; >= cols: none */
    const double *marks; /* steps to mark below the map (rules) */
    size_t n_marks;
    double cursor_x; /* NaN: none */
};
/* Steps that share a column show the mean of their values, or the mark of one that is not finite.
 * Rows that do not fit are counted in the last one. Below, where there is room: the steps, and the
 * scale. */
void sm_health_draw(struct sm_grid *g, struct sm_rect r, const struct sm_health_map *map,
                    const struct sm_glyphs *glyphs);
/* The rows of cells it wants for all of its rows. */
int sm_health_height(const struct sm_health_map *map);
/* The rows and columns that r has room for, one cell each, of a map with these labels (cols and v
 * are not looked at). */
void sm_health_room(const struct sm_health_map *map, struct sm_rect r, size_t *rows, size_t *cols);
/* Which column of the map the cell (x, y) shows in the rectangle r, for a mouse; and which row.
 * False: neither. */
bool sm_health_at(const struct sm_health_map *map, struct sm_rect r, int x, int y, size_t *row,
                  size_t *col);

#endif
