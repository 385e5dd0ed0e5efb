#include "plot/scale.h"

#include <math.h>

struct heat {
    const double *v;
    size_t rows, cols;
    double lo, hi;
    const struct sm_glyphs *glyphs;
};

/* Part i of n things spread over `parts`. */
static size_t part(size_t n, size_t parts, size_t i)
{
    return n / parts * i + n % parts * i / parts;
}

static double mean_of(const struct heat *h, size_t row, size_t row_end, size_t col, size_t col_end)
{
    double mean = 0, n = (double)(row_end - row) * (double)(col_end - col);
    for (size_t r = row; r < row_end; r++)
        for (size_t c = col; c < col_end; c++)
            mean += h->v[r * h->cols + c] / n;
    return mean;
}

static void put_heat(const struct heat *h, struct sm_grid *g, int x, int y, double v)
{
    uint32_t mark = sm_glyphs_mark(h->glyphs, v);
    if (mark) {
        sm_grid_put(g, x, y, mark, SM_ROLE_PROBLEM, 0);
        return;
    }
    int level = (int)fmax(0, fmin(15, floor(16 * sm_place(h->lo, h->hi, v))));
    sm_grid_put(g, x, y, h->glyphs->shade[level], (enum sm_role)(SM_ROLE_HEAT_0 + level), 0);
}

void sm_heat_draw(struct sm_grid *g, struct sm_rect r, const double *v, size_t rows, size_t cols, double lo, double hi,
                  const struct sm_glyphs *glyphs)
{
    struct heat h = {.v = v, .rows = rows, .cols = cols, .lo = lo, .hi = hi, .glyphs = glyphs};
    r = sm_grid_clip(g, r);
    sm_grid_blank(g, r);
    size_t w = (size_t)r.w, high = (size_t)r.h;
    if (!w || !high || !rows || !cols)
        return;
    size_t wide = cols <= w / 2 ? 2 : 1;                   /* two columns and one row are about a square */
    size_t shown_cols = cols < w ? cols : w, shown_rows = rows < high ? rows : high;
    for (size_t i = 0; i < shown_rows; i++)
        for (size_t j = 0; j < shown_cols; j++) {
            double mean = mean_of(&h, part(rows, shown_rows, i), part(rows, shown_rows, i + 1),
                                  part(cols, shown_cols, j), part(cols, shown_cols, j + 1));
            for (size_t k = 0; k < wide; k++)
                put_heat(&h, g, r.x + (int)(j * wide + k), r.y + (int)i, mean);
        }
}
