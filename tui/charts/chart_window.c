/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/charts/chart_window.h"

#include <math.h>

static struct sm_chart_window window_of_all(const struct sm_line_series *lines, size_t n)
{
    struct sm_chart_window w = {INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lines[i].n; k++) {
            w.lo = fmin(w.lo, lines[i].x[k]);
            w.hi = fmax(w.hi, lines[i].x[k]);
        }
    return w;
}

static bool has_two_points(const struct sm_chart_window *w, const struct sm_line_series *lines,
                           size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct sm_line_series cut = lines[i];
        sm_chart_window_cut(w, &cut);
        if (cut.n > 1)
            return true;
    }
    return false;
}

static struct sm_chart_window window_of_part(struct sm_chart_window all, int zoom, double shift,
                                             struct sm_chart_anchor anchor)
{
    double width = ldexp(all.hi - all.lo, -zoom),
           hi = isfinite(anchor.at) ? anchor.at + (1 - anchor.share) * width : all.hi;
    hi = fmax(fmin(hi - shift * width, all.hi), all.lo + width);
    return (struct sm_chart_window){hi - width, hi};
}

struct sm_chart_window sm_chart_window(const struct sm_line_series *lines, size_t n, int *zoom,
                                       double shift, struct sm_chart_anchor anchor)
{
    struct sm_chart_window all = window_of_all(lines, n), w = all;
    for (; *zoom > 0; --*zoom) {
        w = window_of_part(all, *zoom, shift, anchor);
        if (has_two_points(&w, lines, n))
            return w;
    }
    return all;
}

void sm_chart_window_cut(const struct sm_chart_window *w, struct sm_line_series *line)
{
    size_t from = 0, to = line->n;
    while (from < to && line->x[from] < w->lo)
        from++;
    while (to > from && line->x[to - 1] > w->hi)
        to--;
    line->x += from;
    line->y += from;
    if (line->lo) {
        line->lo += from;
        line->hi += from;
    }
    line->n = to - from;
}

size_t sm_chart_window_keep(const struct sm_chart_window *w, double *x, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (x[i] >= w->lo && x[i] <= w->hi)
            x[kept++] = x[i];
    return kept;
}
