/* SPDX-License-Identifier: Apache-2.0 */
/* The page of charts that is shown: which charts, where they are, and how they are drawn. */
#ifndef SM_CHART_PAGE_H
#define SM_CHART_PAGE_H

#include "tui/charts/chart_list.h"
#include "tui/charts/chart_values.h"

struct sm_chart_page {
    struct sm_chart_list list;
    size_t first, at; /* the charts in the upper left corner, and chosen */
    enum sm_scalar_clip clip;
    enum sm_chart_legend legend;
    struct sm_kept_curves *curves; /* of the charts drawn last */
    int zoom; /* with shift: the window of all charts (tui/charts/chart_window.h) */
    double shift;
    /* The mouse has placed the window: until the current step or the x axis is another one. */
    bool held;
    struct sm_chart_anchor anchor;
    struct sm_chart_held_at {
        int64_t step; /* -1: the newest is followed */
        enum sm_x_unit unit;
    } held_at;
    size_t shown;                 /* charts drawn last */
    struct sm_line_place *places; /* of the charts drawn last */
    size_t n_places, cap_places;
    bool single;            /* only one chart is shown */
    struct sm_place before; /* the current place before a click changed it, for a drag */
};
/* With the settings of the session, which the commands share. */
struct sm_scalar_options sm_chart_page_options(const struct sm_chart_page *s,
                                               const struct sm_view *v);
struct sm_chart_held_at sm_chart_page_held_at(const struct sm_view *v);
/* Lowers the zoom to what was possible. */
void sm_chart_page_draw(struct sm_chart_page *s, const struct sm_view *v, struct sm_grid *g,
                        struct sm_rect r, bool focused, struct sm_str *note);
/* Chooses a chart, and scrolls so that it is shown. */
void sm_chart_page_choose(struct sm_chart_page *s, size_t at);

#endif
