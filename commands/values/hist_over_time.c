#include "commands/values/hist_over_time.h"

#include "plot/over_time.h"
#include "reader/base/mem.h"

#include <math.h>

enum { AXIS_BINS = 60 };

/* Even bins over the range of all histograms. Returns false if no element is finite. */
static bool common_edges(const struct sm_hist_over_time *f, double edges[AXIS_BINS + 1])
{
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (size_t i = 0; i < f->n; i++) {
        const struct sm_histogram *h = f->h[i];
        if (!h->bins)
            continue;
        lo = fmin(lo, h->edges[0]);
        hi = fmax(hi, h->edges[h->bins]);
    }
    if (lo == hi) {
        lo -= 0.5;
        hi += 0.5;
    }
    for (int i = 0; i <= AXIS_BINS; i++)
        edges[i] = i == AXIS_BINS ? hi : lo + (hi - lo) * i / AXIS_BINS;
    return lo <= hi;
}

static void draw_counts(struct sm_grid *g, struct sm_rect r, const struct sm_hist_over_time *f,
                        const struct sm_glyphs *glyphs)
{
    double edges[AXIS_BINS + 1];
    if (!common_edges(f, edges))
        return;
    double *counts = sm_xalloc_zero(f->n * AXIS_BINS, sizeof *counts);
    for (size_t i = 0; i < f->n; i++)
        sm_hist_rebin(f->h[i]->edges, f->h[i]->counts, f->h[i]->bins, edges, AXIS_BINS,
                      counts + i * AXIS_BINS);
    struct sm_hist_time time = {.x = f->x,
                                .n = f->n,
                                .edges = edges,
                                .bins = AXIS_BINS,
                                .counts = counts,
                                .log_counts = f->log_counts,
                                .map = f->map,
                                .cursor_x = f->cursor_x};
    (f->as == SM_HIST_RIDGE ? sm_hist_time_ridge : sm_hist_time_heat)(g, r, &time, glyphs);
    sm_free(counts);
}

static void draw_bands(struct sm_grid *g, struct sm_rect r, const struct sm_hist_over_time *f,
                       const struct sm_glyphs *glyphs)
{
    double *v = sm_xalloc_zero(f->n * SM_BANDS + 1, sizeof *v);
    for (size_t i = 0; i < f->n; i++)
        sm_distribution(f->h[i]->edges, f->h[i]->counts, f->h[i]->bins, v + i * SM_BANDS);
    struct sm_bands bands = {.x = f->x,
                             .v = v,
                             .n = f->n,
                             .marks = f->marks,
                             .n_marks = f->n_marks,
                             .cursor_x = f->cursor_x};
    sm_bands_draw(g, r, &bands, glyphs);
    sm_free(v);
}

void sm_hist_over_time_draw(struct sm_grid *g, struct sm_rect r, const struct sm_hist_over_time *f,
                            const struct sm_glyphs *glyphs)
{
    if (f->n)
        (f->as == SM_HIST_BANDS ? draw_bands : draw_counts)(g, r, f, glyphs);
}
