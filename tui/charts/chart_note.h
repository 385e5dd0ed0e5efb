/* SPDX-License-Identifier: Apache-2.0 */
/* What the title of a pane of charts says: all that is not as at the start. */
#ifndef SM_CHART_NOTE_H
#define SM_CHART_NOTE_H

#include "tui/charts/chart_list.h"
#include "tui/charts/scalar_chart.h"

struct sm_chart_note {
    size_t charts, first, shown;
    const char *filter; /* NULL: none */
    enum sm_chart_order order;
    const struct sm_scalar_options *options;
};
/* Adds it for a pane of w columns inside. What changes the picture (axes, smoothing, clipping,
 * zoom, range of steps) is there at any width, in short forms where there is little room; the rest
 * only if it fits. */
void sm_chart_note_add(const struct sm_chart_note *n, const struct sm_view *v, int w,
                       struct sm_str *note);

#endif
