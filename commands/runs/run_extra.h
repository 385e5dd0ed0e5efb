/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of the table of runs that it does not have by itself: keys of the configuration and
 * series, with their newest value, that the user chose; and the series by which rows are sorted. */
#ifndef SM_RUN_EXTRA_H
#define SM_RUN_EXTRA_H

#include "commands/runs/run_value.h"

enum { SM_RUN_EXTRA_MAX = 8 };
struct sm_run_extra {
    const char *names[SM_RUN_EXTRA_MAX];
    size_t n;
};
/* Reads names with commas or blanks between them, into the arena. NULL: none. False with
 * SM_ERR_MISSING if no run has one of them, or SM_ERR_USAGE if there are too many. */
bool sm_run_extra_read(const struct sm_session *s, const struct sm_run_table *t, const char *text,
                       struct sm_arena *arena, struct sm_run_extra *out, struct sm_err *err);
/* Adds what the rows are sorted by (sm_run_sort_key; NULL: nothing) if it is a series that no
 * column shows. Borrowed. */
void sm_run_extra_add_sort(const struct sm_session *s, const struct sm_run_table *t,
                           const char *sort, struct sm_run_extra *out);
bool sm_run_extra_has(const struct sm_run_extra *x, const char *name);
/* The value in such a column: of the configuration, else of the series. MISSING: the run has
 * neither. False with SM_ERR_WAIT while it is being read. */
bool sm_run_extra_value(const struct sm_session *s, const struct sm_run_row *row, const char *name,
                        struct sm_arena *arena, struct sm_run_value *out, struct sm_err *err);

#endif
