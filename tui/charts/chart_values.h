/* SPDX-License-Identifier: Apache-2.0 */
/* One legend for all charts of a page: a row for each line with its value in each chart, at the
 * cursor or the newest, or how far that is from the baseline's, the best of the chosen chart first.
 * For more lines than a legend in each chart has room for. */
#ifndef SM_CHART_VALUES_H
#define SM_CHART_VALUES_H

#include "tui/charts/scalar_lines.h"

enum sm_chart_legend { SM_CHART_LEGEND_AS_FITS, SM_CHART_LEGEND_BESIDE, SM_CHART_LEGEND_INSIDE };
enum { SM_CHART_LEGENDS = SM_CHART_LEGEND_INSIDE + 1 };
extern const char *const sm_chart_legend_words[]; /* NULL-terminated */

struct sm_chart_values {
    const struct sm_scalar_lines *charts;
    size_t n, chosen;
    enum sm_x_unit x_unit;
};
/* The columns it takes of a pane of w columns with charts of chart_w x h cells; 0: the legends of
 * the charts will do, or there is no room. */
int sm_chart_values_width(const struct sm_chart_values *c, const struct sm_view *v,
                          enum sm_chart_legend legend, int w, int chart_w, int h);
void sm_chart_values_draw(const struct sm_chart_values *c, const struct sm_view *v,
                          struct sm_grid *g, struct sm_rect r);

#endif
