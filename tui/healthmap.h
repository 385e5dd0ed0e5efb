/* The numbers of the health map: one statistic of each tensor over the steps, a column for one step or several. */
#ifndef SM_HEALTHMAP_H
#define SM_HEALTHMAP_H

#include "commands/session.h"

enum sm_map_cell_kind { SM_MAP_NOTHING /* not saved there */, SM_MAP_AWAITED, SM_MAP_NUMBER, SM_MAP_NAN, SM_MAP_INF, SM_MAP_ZERO /* nothing but zeros */ };
struct sm_map_cell {
    enum sm_map_cell_kind kind;
    double v;                            /* of a NUMBER */
};
/* Columns for the steps of a trial: steps [sm_map_from(m, c), sm_map_from(m, c + 1)) stand in column c. */
struct sm_map_columns {
    size_t steps, columns;
};
size_t sm_map_from(const struct sm_map_columns *m, size_t column);
size_t sm_map_column(const struct sm_map_columns *m, size_t step_index);

/* The statistics to choose from: "abs_mean" ...; NULL beyond the last. */
const char *sm_map_statistic(size_t i);
/* Fills cells[m->columns] with the tensor's newest value of each column. What is not known yet is asked for, at most *budget
 * of it, which becomes less. */
void sm_map_row(struct sm_session *s, const struct sm_trial_tensor *x, size_t statistic, const struct sm_map_columns *m,
                struct sm_map_cell *cells, size_t *budget);
/* Levels 0..15 of the row's numbers, by magnitude, within its own range; a range of less than a factor of 2 stays in the middle.
 * levels[i] is -1 for what is no number. */
void sm_map_levels(const struct sm_map_cell *cells, size_t n, int *levels);

#endif
