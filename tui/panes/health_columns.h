/* Which steps stand in which columns of the health pane: a window of a trial's steps, spread over
 * at most so many columns. */
#ifndef SM_HEALTH_COLUMNS_H
#define SM_HEALTH_COLUMNS_H

#include <stddef.h>

struct sm_health_columns {
    size_t first, steps; /* the window: indices of steps */
    size_t n;            /* columns */
};
/* `shown` steps (0: all) of `all`, the one at `cursor` among them, in the middle if possible; from
 * the end when that is all. */
struct sm_health_columns sm_health_columns(size_t all, size_t shown, size_t cursor, size_t room);
/* Steps [from(c), from(c + 1)) stand in column c. */
size_t sm_health_column_from(const struct sm_health_columns *h, size_t column);
/* of a step of the window */
size_t sm_health_column_of(const struct sm_health_columns *h, size_t step);

#endif
