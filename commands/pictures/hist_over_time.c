/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/pictures/hist_over_time.h"

#include "plot/over_time.h"
#include "reader/base/mem.h"

#include <math.h>

enum { AXIS_BINS = 60 };

/* Even bins over the range of all histograms. Returns false if no element is finite. */
static bool common_edges(const struct sm_hist_over_time *p, double edges[AXIS_BINS + 1])
{
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (size_t i = 0; i < p->n; i++) {
        struct sm_histogram_view h;
        sm_histogram_view(p->h[i], &h);
        if (!h.bins)
            continue;
        lo = fmin(lo, h.edges[0]);
        hi = fmax(hi, h.edges[h.bins]);
    }
    if (lo == hi) {
        lo -= 0.5;
        hi += 0.5;
    }
    for (int i = 0; i <= AXIS_BINS; i++)
        edges[i] = i == AXIS_BINS ? hi : lo + (hi - lo) * i / AXIS_BINS;
    return lo <= hi;
}

static void draw_counts(struct sm_grid *g, struct sm_rect r, const struct sm_hist_over_time *p,
                        const struct sm_glyphs *glyphs)
{
    double edges[AXIS_BINS + 1];
    if (!common_edges(p, edges))
        return;
    double *counts = sm_xalloc_zero(p->n * AXIS_BINS, sizeof *counts);
    for (size_t i = 0; i < p->n; i++) {
        struct sm_histogram_view h;
        sm_histogram_view(p->h[i], &h);
        sm_hist_rebin(h.edges, h.counts, h.bins, edges, AXIS_BINS, counts + i * AXIS_BINS);
    }
    struct sm_hist_time time = {.x = p->x,
                                .n = p->n,
                                .edges = edges,
                                .bins = AXIS_BINS,
                                .counts = counts,
                                .log_counts = p->log_counts,
                                .map = p->map,
                                .cursor_x = p->cursor_x};
    (p->as == SM_HIST_RIDGE ? sm_hist_time_ridge : sm_hist_time_heat)(g, r, &time, glyphs);
    sm_free(counts);
}

static void draw_bands(struct sm_grid *g, struct sm_rect r, const struct sm_hist_over_time *p,
                       const struct sm_glyphs *glyphs)
{
    double *v = sm_xalloc_zero(p->n * SM_BANDS + 1, sizeof *v);
    for (size_t i = 0; i < p->n; i++) {
        struct sm_histogram_view h;
        sm_histogram_view(p->h[i], &h);
        sm_distribution(h.edges, h.counts, h.bins, v + i * SM_BANDS);
    }
    struct sm_bands bands = {.x = p->x,
                             .v = v,
                             .n = p->n,
                             .marks = p->marks,
                             .n_marks = p->n_marks,
                             .cursor_x = p->cursor_x};
    sm_bands_draw(g, r, &bands, glyphs);
    sm_free(v);
}

void sm_hist_over_time_draw(struct sm_grid *g, struct sm_rect r, const struct sm_hist_over_time *p,
                            const struct sm_glyphs *glyphs)
{
    if (p->n)
        (p->as == SM_HIST_BANDS ? draw_bands : draw_counts)(g, r, p, glyphs);
}
