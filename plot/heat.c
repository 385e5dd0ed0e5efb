#include "plot/chart.h"
#include "plot/pixel.h"
#include "plot/scale.h"

#include <math.h>
#include <string.h>

/* How an array is laid over a rectangle: so many rows and columns are shown, each so many pixels high and wide. */
struct layout {
    const struct sm_heat *heat;
    const struct sm_glyphs *glyphs;
    size_t rows, cols;
    int wide, high;
};

static int zoom_of(size_t room_cols, size_t room_rows, const struct sm_heat *h, int most)
{
    size_t a = room_cols / h->cols, b = room_rows / h->rows, least = a < b ? a : b;
    int zoom = 1;
    while (zoom * 2 <= most && (size_t)zoom * 2 <= least)
        zoom *= 2;
    return zoom;
}

/* A half block is about a square, and so are two whole cells side by side. */
static struct layout lay_out(const struct sm_heat *h, struct sm_rect r, const struct sm_glyphs *glyphs)
{
    size_t w = (size_t)r.w, pixels_h = (size_t)r.h * (size_t)sm_pixel_rows(glyphs);
    struct layout l = {.heat = h, .glyphs = glyphs, .rows = h->rows < pixels_h ? h->rows : pixels_h,
                       .cols = h->cols < w ? h->cols : w};
    if (sm_pixel_rows(glyphs) == 2) {
        l.wide = l.high = zoom_of(w, pixels_h, h, 4);
    } else {
        l.high = zoom_of(w / 2, pixels_h, h, 2);
        l.wide = h->cols <= w / 2 ? 2 * l.high : 1;
    }
    return l;
}

/* ---- the pixels ---- */

static double mean_of(const struct layout *l, size_t i, size_t k)
{
    const struct sm_heat *h = l->heat;
    size_t row = sm_part(h->rows, l->rows, i), row_end = sm_part(h->rows, l->rows, i + 1);
    size_t col = sm_part(h->cols, l->cols, k), col_end = sm_part(h->cols, l->cols, k + 1);
    double mean = 0, n = (double)(row_end - row) * (double)(col_end - col);
    for (size_t r = row; r < row_end; r++)
        for (size_t c = col; c < col_end; c++)
            mean += h->v[r * h->cols + c] / n;
    return mean;
}

static enum sm_role role_of(enum sm_heat_map map, int level)
{
    return (enum sm_role)((map == SM_HEAT_CIVIDIS ? SM_ROLE_CIVIDIS_0 : SM_ROLE_HEAT_0) + level);
}

static struct sm_pixel pixel_of(const struct layout *l, int x, int y)
{
    struct sm_pixel p = {0};
    if ((size_t)(y / l->high) >= l->rows)
        return p;
    double v = mean_of(l, (size_t)(y / l->high), (size_t)(x / l->wide));
    p.mark = sm_glyphs_mark(l->glyphs, v);
    p.level = p.mark ? 0 : (int)fmax(0, fmin(15, floor(16 * sm_place(l->heat->lo, l->heat->hi, v))));
    p.role = p.mark ? SM_ROLE_TEXT : role_of(l->heat->map, p.level);
    return p;
}

static void draw_pixels(const struct layout *l, struct sm_grid *g, struct sm_rect r)
{
    int a_cell = sm_pixel_rows(l->glyphs), w = (int)l->cols * l->wide, h = (int)l->rows * l->high;
    for (int y = 0; y * a_cell < h; y++)
        for (int x = 0; x < w; x++)
            sm_pixel_put(g, r.x + x, r.y + y, pixel_of(l, x, y * a_cell), pixel_of(l, x, y * a_cell + 1), l->glyphs);
}

/* ---- the legend ---- */

/* "-0.61 ··░░▒▒▓▓██ 0.74": the ends beside the map. Returns the columns used. */
static int draw_scale(const struct sm_heat *h, struct sm_grid *g, struct sm_rect r, const struct sm_glyphs *glyphs)
{
    enum { LEVELS = 16 };
    char lo[16], hi[16];
    double spacing = (h->hi - h->lo) / 100;
    sm_tick_label(h->lo, spacing, lo);
    sm_tick_label(h->hi, spacing, hi);
    int left = (int)strlen(lo) + 1;
    if (h->lo > h->hi || left + LEVELS + 1 + (int)strlen(hi) > r.w)
        return 0;
    sm_grid_text(g, r.x, r.y, r.w, SM_ROLE_TEXT, 0, lo);
    for (int i = 0; i < LEVELS; i++) {
        struct sm_pixel p = {.role = role_of(h->map, i), .level = i};
        sm_pixel_put(g, r.x + left + i, r.y, p, p, glyphs);
    }
    left += LEVELS + 1;
    return left + sm_grid_text(g, r.x + left, r.y, r.w - left, SM_ROLE_TEXT, 0, hi);
}

static void draw_legend(const struct sm_heat *h, struct sm_grid *g, struct sm_rect r, const struct sm_glyphs *glyphs)
{
    static const char *const names[] = {"NaN", "+Inf", "-Inf"};
    const double values[] = {NAN, HUGE_VAL, -HUGE_VAL};
    int used = draw_scale(h, g, r, glyphs);
    for (int i = 0; i < 3; i++) {
        size_t k = 0;
        while (k < h->rows * h->cols && sm_glyphs_mark(glyphs, h->v[k]) != sm_glyphs_mark(glyphs, values[i]))
            k++;
        int from = used ? used + 2 : 0, need = 2 + (int)strlen(names[i]);
        if (k == h->rows * h->cols || from + need > r.w)
            continue;
        sm_grid_put(g, r.x + from, r.y, sm_glyphs_mark(glyphs, values[i]), SM_ROLE_PROBLEM, 0);
        sm_grid_text(g, r.x + from + 2, r.y, r.w - from - 2, SM_ROLE_TEXT, 0, names[i]);
        used = from + need;
    }
}

static bool has_legend(struct sm_rect r, bool wanted)
{
    return wanted && r.h >= 2;
}

static int cells_high(const struct layout *l)
{
    int a_cell = sm_pixel_rows(l->glyphs);
    return ((int)l->rows * l->high + a_cell - 1) / a_cell;
}

int sm_heat_height(const struct sm_heat *heat, int w, int h, const struct sm_glyphs *glyphs)
{
    struct sm_rect r = {0, 0, w, h};
    bool legend = has_legend(r, heat->legend);
    r.h -= legend;
    if (r.w <= 0 || r.h <= 0 || !heat->rows || !heat->cols)
        return 0;
    struct layout l = lay_out(heat, r, glyphs);
    return cells_high(&l) + legend;
}

void sm_heat_room(struct sm_rect r, bool legend, const struct sm_glyphs *glyphs, size_t *rows, size_t *cols)
{
    int h = r.h - has_legend(r, legend);
    *rows = (size_t)(h > 0 ? h : 0) * (size_t)sm_pixel_rows(glyphs);
    *cols = (size_t)(r.w > 0 ? r.w : 0);
}

void sm_heat_draw(struct sm_grid *g, struct sm_rect r, const struct sm_heat *heat, const struct sm_glyphs *glyphs)
{
    r = sm_grid_clip(g, r);
    sm_grid_blank(g, r);
    if (!r.w || !r.h || !heat->rows || !heat->cols)
        return;
    bool legend = has_legend(r, heat->legend);
    r.h -= legend;
    struct layout l = lay_out(heat, r, glyphs);
    draw_pixels(&l, g, r);
    if (legend)
        draw_legend(heat, g, (struct sm_rect){r.x, r.y + cells_high(&l), r.w, 1}, glyphs);
}
