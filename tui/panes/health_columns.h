/* SPDX-License-Identifier: Apache-2.0 */
/* Maps steps to columns of the health pane: a window of a trial's steps is spread over a limited
 * number of columns. */
#ifndef SM_HEALTH_COLUMNS_H
#define SM_HEALTH_COLUMNS_H

#include <stddef.h>

struct sm_health_columns {
    size_t first, steps; /* the window: indices of steps */
    size_t n;            /* columns */
};
/* A window of `shown` of `all` steps (0: all of them) in at most `room` columns. It contains the
 * step at index `cursor`, in the middle if possible, and stays within the existing steps. */
struct sm_health_columns sm_health_columns(size_t all, size_t shown, size_t cursor, size_t room);
/* Column c shows the steps [from(c), from(c + 1)). */
size_t sm_health_column_from(const struct sm_health_columns *h, size_t column);
/* step: an index within the window */
size_t sm_health_column_of(const struct sm_health_columns *h, size_t step);

#endif
