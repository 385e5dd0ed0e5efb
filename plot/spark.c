/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/scale.h"

#include <math.h>

struct spark {
    const double *v;
    size_t n, cells;
    double lo, hi, mean; /* of the finite values */
    const struct sm_glyphs *glyphs;
};

static struct spark make_spark(const double *v, size_t n, int w, const struct sm_glyphs *glyphs)
{
    size_t cells = w > 0 ? (size_t)w : 0;
    struct spark s = {.v = v, .n = n, .lo = HUGE_VAL, .hi = -HUGE_VAL, .glyphs = glyphs};
    s.cells = cells < n ? cells : n;
    size_t finite = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(v[i])) {
            s.lo = fmin(s.lo, v[i]);
            s.hi = fmax(s.hi, v[i]);
            finite++;
            s.mean += v[i] / (double)finite - s.mean / (double)finite;
        }
    return s;
}

/* NaN, else an infinity, else the number farthest from the mean of all. */
static double worse_of(const struct spark *s, double a, double b)
{
    if (isnan(a) || isnan(b))
        return (double)NAN;
    if (isinf(a) || isinf(b))
        return isinf(a) ? a : b;
    return fabs(b - s->mean) >= fabs(a - s->mean) ? b : a;
}

/* The value that stands for cell i. */
static double cell_value(const struct spark *s, size_t i)
{
    size_t from = i * s->n / s->cells, to = (i + 1) * s->n / s->cells;
    double worst = s->v[from];
    for (size_t k = from + 1; k < to; k++)
        worst = worse_of(s, worst, s->v[k]);
    return worst;
}

/* A full cell would touch the line above. */
enum { LEVELS = 7 };

static uint32_t cell_rune(const struct spark *s, size_t i)
{
    double v = cell_value(s, i);
    uint32_t mark = sm_glyphs_mark(s->glyphs, v);
    if (mark)
        return mark;
    long level = 1 + lround((LEVELS - 1) * sm_range_place(s->lo, s->hi, v));
    return s->glyphs->bar[level < 1 ? 1 : level > LEVELS ? LEVELS : level];
}

void sm_spark_draw(struct sm_grid *g, int x, int y, int w, const double *v, size_t n,
                   enum sm_role role, const struct sm_glyphs *glyphs)
{
    struct spark s = make_spark(v, n, w, glyphs);
    for (size_t i = 0; i < s.cells; i++) {
        bool finite = isfinite(cell_value(&s, i));
        sm_grid_put(g, x + (int)i, y, cell_rune(&s, i), finite ? role : SM_ROLE_PROBLEM, 0);
    }
}

void sm_spark_text(struct sm_str *out, const double *v, size_t n, int w,
                   const struct sm_glyphs *glyphs)
{
    struct spark s = make_spark(v, n, w, glyphs);
    for (size_t i = 0; i < s.cells; i++) {
        char bytes[4];
        sm_str_addn(out, bytes, sm_utf8_encode(cell_rune(&s, i), bytes));
    }
}
