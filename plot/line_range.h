/* SPDX-License-Identifier: Apache-2.0 */
/* What the axes of a line chart span, and which lines leave it. */
#ifndef SM_LINE_RANGE_H
#define SM_LINE_RANGE_H

#include "plot/chart.h"

struct sm_line_range {
    double lo, hi; /* lo > hi: no value yet */
};
struct sm_line_range sm_line_range_x(const struct sm_line_chart *chart);
/* Without what the chart clips. */
struct sm_line_range sm_line_range_y(const struct sm_line_chart *chart);
/* False for values that the scale cannot show: not finite, or on a log scale not above 0. */
bool sm_line_has_place(const struct sm_line_chart *chart, double y);

#endif
