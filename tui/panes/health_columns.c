/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/health_columns.h"

#include "plot/grid/pixel.h"

struct sm_health_columns sm_health_columns(size_t all, size_t shown, size_t cursor, size_t room)
{
    struct sm_health_columns h = {.steps = shown && shown < all ? shown : all};
    size_t half = h.steps / 2;
    h.first = cursor > half ? cursor - half : 0;
    if (h.first + h.steps > all)
        h.first = all - h.steps;
    h.n = h.steps < room ? h.steps : room;
    return h;
}

size_t sm_health_column_from(const struct sm_health_columns *h, size_t column)
{
    return h->first + (h->n ? sm_part(h->steps, h->n, column) : 0);
}

size_t sm_health_column_of(const struct sm_health_columns *h, size_t step)
{
    size_t c = 0;
    while (c + 1 < h->n && sm_health_column_from(h, c + 1) <= step)
        c++;
    return c;
}
