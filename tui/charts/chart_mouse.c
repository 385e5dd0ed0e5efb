/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/charts/chart_mouse.h"

#include "commands/session/step_range.h"
#include "tui/charts/scalar_step.h"

#include <math.h>

void sm_chart_go_to(struct sm_view *v, struct sm_step to)
{
    if (to.n < 0)
        return;
    v->session->at.step = to;
    v->session->at.follow = false;
}

static struct sm_step step_at(const struct sm_chart_page *s, const struct sm_view *v, size_t chart,
                              double x)
{
    return sm_scalar_step_of_x(v, sm_chart_list_name(&s->list, v->session, s->first + chart),
                               sm_chart_page_options(s, v).x_unit, x);
}

bool sm_chart_dragged(const struct sm_line_place *p, int from_x, int from_y, int x, double *from,
                      double *to)
{
    const struct sm_rect *r = &p->plot;
    int end = x < r->x ? r->x : x >= r->x + r->w ? r->x + r->w - 1 : x;
    *from = sm_line_x_at(p, from_x, from_y);
    *to = sm_line_x_at(p, end, from_y);
    return !isnan(*from) && !isnan(*to);
}

void sm_chart_select(struct sm_view *v, const struct sm_place *before, int64_t lo, int64_t hi,
                     bool done)
{
    if (!done) {
        v->drag =
            (struct sm_step_range){.set = true, .lo = lo < hi ? lo : hi, .hi = lo < hi ? hi : lo};
        return;
    }
    if (before->trial == v->session->at.trial)
        v->session->at = *before;
    sm_step_range_set(v->session, lo, hi);
    v->notice = "tables and statistics use these steps; Esc: all steps again";
}

void sm_chart_page_drag(struct sm_pane *p, struct sm_view *v, int from_x, int from_y, int x,
                        bool done)
{
    struct sm_chart_page *s = p->state;
    for (size_t i = 0; i < s->n_places; i++) {
        double from, to;
        if (!sm_chart_dragged(&s->places[i], from_x, from_y, x, &from, &to))
            continue;
        bool steps = sm_chart_page_options(s, v).x_unit == SM_X_STEP;
        int64_t lo = steps ? llround(from) : step_at(s, v, i, from).n,
                hi = steps ? llround(to) : step_at(s, v, i, to).n;
        sm_chart_select(v, &s->before, lo, hi, done);
    }
}

/* Keeps x where it is. */
static void hold(struct sm_chart_page *s, const struct sm_view *v, const struct sm_line_place *p,
                 double x)
{
    double width = p->hi - p->lo;
    s->anchor = (struct sm_chart_anchor){x, width > 0 ? (x - p->lo) / width : 0.5};
    s->shift = 0;
    s->held = true;
    s->held_at = sm_chart_page_held_at(v);
}

bool sm_chart_page_wheel(struct sm_pane *p, struct sm_view *v, int x, int y, bool up)
{
    struct sm_chart_page *s = p->state;
    for (size_t i = 0; i < s->n_places; i++) {
        double at = sm_line_x_at(&s->places[i], x, y);
        if (isnan(at))
            continue;
        hold(s, v, &s->places[i], at);
        s->zoom += up ? s->zoom < SM_CHART_ZOOM_MAX : -(s->zoom > 0);
        return true;
    }
    return false;
}

void sm_chart_page_click(struct sm_pane *p, struct sm_view *v, int x, int y)
{
    struct sm_chart_page *s = p->state;
    s->before = v->session->at;
    for (size_t i = 0; i < s->n_places; i++) {
        double at = sm_line_x_at(&s->places[i], x, y);
        if (isnan(at))
            continue;
        sm_chart_page_choose(s, s->first + i);
        sm_chart_go_to(v, step_at(s, v, i, at));
        if (s->zoom) /* the part that is shown does not move */
            hold(s, v, &s->places[i], at);
    }
}
