#include "plot/scale.h"

#include <math.h>

struct spark {
    const double *v;
    size_t n, cells;
    double lo, hi;
    const struct sm_glyphs *glyphs;
};

static struct spark make_spark(const double *v, size_t n, int w, const struct sm_glyphs *glyphs)
{
    size_t cells = w > 0 ? (size_t)w : 0;
    struct spark s = {.v = v, .n = n, .lo = HUGE_VAL, .hi = -HUGE_VAL, .glyphs = glyphs};
    s.cells = cells < n ? cells : n;
    for (size_t i = 0; i < n; i++)
        if (isfinite(v[i])) {
            s.lo = fmin(s.lo, v[i]);
            s.hi = fmax(s.hi, v[i]);
        }
    return s;
}

/* The mean of cell i's values; non-finite if one of them is. */
static double cell_mean(const struct spark *s, size_t i)
{
    size_t from = i * s->n / s->cells, to = (i + 1) * s->n / s->cells;
    double mean = 0;
    for (size_t k = from; k < to; k++)
        mean += s->v[k] / (double)(to - from);
    return mean;
}

/* A full cell would touch the line above. */
enum { LEVELS = 7 };

static uint32_t cell_rune(const struct spark *s, size_t i)
{
    double mean = cell_mean(s, i);
    uint32_t mark = sm_glyphs_mark(s->glyphs, mean);
    if (mark)
        return mark;
    long level = 1 + lround((LEVELS - 1) * sm_range_place(s->lo, s->hi, mean));
    return s->glyphs->bar[level < 1 ? 1 : level > LEVELS ? LEVELS : level];
}

void sm_spark_draw(struct sm_grid *g, int x, int y, int w, const double *v, size_t n,
                   enum sm_role role, const struct sm_glyphs *glyphs)
{
    struct spark s = make_spark(v, n, w, glyphs);
    for (size_t i = 0; i < s.cells; i++) {
        bool finite = isfinite(cell_mean(&s, i));
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
