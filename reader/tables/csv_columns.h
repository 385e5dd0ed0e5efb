/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a table in text: their names, and which of them counts the steps. */
#ifndef SM_CSV_COLUMNS_H
#define SM_CSV_COLUMNS_H

#include "reader/base/map.h"
#include "reader/tables/csv_line.h"

struct sm_csv_column {
    const char *name; /* "": it makes no series */
    size_t name_n;
    uint32_t series;
    bool listed;    /* series is set */
    uint8_t phases; /* of the rows that had a number: sm_phase_divides */
};
/* Begin with {0}. */
struct sm_csv_columns {
    struct sm_names *names;
    struct sm_csv_column *items;
    size_t n, cap;
    size_t step, epoch, time, phase; /* columns of these; n: none */
    size_t not_steps[8];             /* columns that looked like steps and are none */
    size_t n_not_steps;
};
/* Takes the names of a line. A name that comes twice gets a number, as pandas does it: "loss",
 * "loss.1". False: no memory. */
bool sm_csv_columns_set(struct sm_csv_columns *c, const struct sm_csv_cells *cells);
/* Names for n columns without any: "column 1". */
bool sm_csv_columns_set_numbers(struct sm_csv_columns *c, size_t n);
/* The column of steps is none; to be called before the names are set again. */
void sm_csv_columns_reject_step(struct sm_csv_columns *c);
void sm_csv_columns_clear(struct sm_csv_columns *c); /* not_steps stay */

#endif
