#include "plot/health.h"

#include "plot/pixel.h"
#include "plot/scale.h"
#include "plot/scalebar.h"
#include "plot/table.h"

#include <math.h>
#include <string.h>

enum { LEAST_MAP_W = 8, LEAST_LABEL_W = 4, WIDEST = 4 };

/* Labels to the left, then the map: `cells` columns of cells, each column of the map `wide` of them, or several a cell. */
struct layout {
    const struct sm_health_map *map;
    const struct sm_glyphs *glyphs;
    struct sm_grid *g;
    struct sm_rect room, plot;
    int label_w, wide, cells;
    size_t shown;                        /* rows */
    struct sm_scale scale;
    double lo, hi;
};

static int longest_label(const struct sm_health_map *m)
{
    size_t longest = 0;
    for (size_t i = 0; i < m->rows; i++) {
        size_t w = sm_text_width(m->labels[i], strlen(m->labels[i]));
        longest = w > longest ? w : longest;
    }
    return longest < 1000 ? (int)longest : 1000;
}

static void lay_out(struct layout *l)
{
    struct sm_rect r = l->room;
    int below = r.h >= 6 ? 2 : r.h >= 4;
    l->label_w = longest_label(l->map);
    if (l->label_w > r.w * 2 / 5)
        l->label_w = r.w * 2 / 5;
    if (l->label_w < LEAST_LABEL_W || r.w - l->label_w - 1 < LEAST_MAP_W)
        l->label_w = -1;
    l->plot = (struct sm_rect){r.x + l->label_w + 1, r.y, r.w - l->label_w - 1, r.h - below};
    l->wide = (int)((size_t)l->plot.w / l->map->cols);
    l->wide = l->wide > WIDEST ? WIDEST : l->wide;
    l->cells = l->wide ? (int)l->map->cols * l->wide : l->plot.w;
    l->shown = l->map->rows <= (size_t)l->plot.h ? l->map->rows : (size_t)l->plot.h - (l->plot.h > 1);
    if (l->shown < (size_t)l->plot.h)
        l->plot.h = (int)l->shown + (l->shown < l->map->rows);
}

static bool is_there(const struct sm_health_map *m, size_t i)
{
    return !m->has || m->has[i];
}

static bool has_place(const struct sm_health_map *m, double v)
{
    return isfinite(v) && (m->scale != SM_Y_LOG || v > 0);
}

static void set_scale(struct layout *l)
{
    const struct sm_health_map *m = l->map;
    l->lo = HUGE_VAL;
    l->hi = -HUGE_VAL;
    for (size_t i = 0; i < m->rows * m->cols; i++)
        if (is_there(m, i) && has_place(m, m->v[i])) {
            l->lo = fmin(l->lo, m->v[i]);
            l->hi = fmax(l->hi, m->v[i]);
        }
    if (l->lo <= l->hi)
        sm_scale_init(&l->scale, m->scale, l->lo, l->hi);
}

/* The columns of the map that the cell x of it shows: from..to. */
static void columns_at(const struct layout *l, int x, size_t *from, size_t *to)
{
    size_t cols = l->map->cols;
    *from = l->wide ? (size_t)(x / l->wide) : sm_part(cols, (size_t)l->cells, (size_t)x);
    *to = l->wide ? *from + 1 : sm_part(cols, (size_t)l->cells, (size_t)x + 1);
}

/* False: nothing was saved there. The sum of what is not finite is not finite. */
static bool value_at(const struct layout *l, size_t row, int x, double *out)
{
    size_t from, to, n = 0;
    double sum = 0;
    columns_at(l, x, &from, &to);
    for (size_t i = from; i < to; i++)
        if (is_there(l->map, row * l->map->cols + i)) {
            sum += l->map->v[row * l->map->cols + i];
            n++;
        }
    *out = n ? sum / (double)n : 0;
    return n > 0;
}

static void draw_row(const struct layout *l, size_t row)
{
    for (int x = 0; x < l->cells; x++) {
        double v;
        if (!value_at(l, row, x, &v))
            continue;
        struct sm_pixel p = {.mark = sm_glyphs_mark(l->glyphs, v)};
        p.level = p.mark || l->lo > l->hi ? 0 : sm_heat_level(sm_scale_place(&l->scale, v));
        p.role = p.mark ? SM_ROLE_TEXT : sm_heat_role(l->map->map, p.level);
        sm_pixel_put(l->g, l->plot.x + x, l->plot.y + (int)row, p, p, l->glyphs);
    }
}

static void draw_label(const struct layout *l, size_t row)
{
    struct sm_str text = {0};
    if (l->label_w < 0)
        return;
    sm_elide_name(&text, l->map->labels[row], l->label_w, l->glyphs);
    bool chosen = row == l->map->selected;
    sm_grid_text(l->g, l->room.x, l->plot.y + (int)row, l->label_w, chosen ? SM_ROLE_ACCENT : SM_ROLE_TEXT,
                 chosen ? SM_ATTR_BOLD : 0, sm_str_text(&text));
    sm_str_clear(&text);
}

/* ---- below ---- */

/* The cell of the column that is at x, or the next one before it. */
static int cell_of(const struct layout *l, double x)
{
    size_t i = 0, cols = l->map->cols;
    while (i + 1 < cols && l->map->x[i + 1] <= x)
        i++;
    if (l->wide)
        return (int)i * l->wide + (l->wide - 1) / 2;
    return (int)((double)i * l->cells / (double)cols);
}

static bool is_inside(const struct layout *l, double x)
{
    return x >= l->map->x[0] && x <= l->map->x[l->map->cols - 1];
}

static int draw_step(const struct layout *l, int y, double x, int after, enum sm_role role)
{
    char text[16];
    sm_x_label(SM_X_STEP, x, 1, text);
    int w = (int)strlen(text), from = l->plot.x + cell_of(l, x) - w / 2, most = l->room.x + l->room.w - w;
    from = from > most ? most : from;
    from = from < l->plot.x ? l->plot.x : from;
    if (from < after || from + w > l->room.x + l->room.w)
        return after;
    sm_grid_text(l->g, from, y, w, role, 0, text);
    return from + w + 1;
}

/* First and last step, and the cursor's in their place where it is close. */
static void draw_steps(const struct layout *l, int y)
{
    const struct sm_health_map *m = l->map;
    double first = m->x[0], last = m->x[m->cols - 1];
    bool cursor = isfinite(m->cursor_x) && is_inside(l, m->cursor_x);
    char text[16];
    sm_x_label(SM_X_STEP, last, 1, text);
    int end = cell_of(l, last) - (int)strlen(text), after = l->room.x;
    if (!cursor || cell_of(l, m->cursor_x) > 8)
        after = draw_step(l, y, first, after, SM_ROLE_DIM);
    if (cursor)
        after = draw_step(l, y, m->cursor_x, after, SM_ROLE_ACCENT);
    if (m->cols > 1 && (!cursor || cell_of(l, m->cursor_x) < end - 4))
        draw_step(l, y, last, after, SM_ROLE_DIM);
    for (size_t i = 0; i < m->n_marks; i++)
        if (is_inside(l, m->marks[i]))
            sm_grid_put(l->g, l->plot.x + cell_of(l, m->marks[i]), y, l->glyphs->rule_mark, SM_ROLE_WARN, 0);
}

static void draw_scale(const struct layout *l, int y)
{
    const struct sm_health_map *m = l->map;
    struct sm_str what = {0};
    if (m->what)
        sm_str_add(&what, m->what);
    if (m->scale != SM_Y_LINEAR)
        sm_str_printf(&what, "%s%s", what.len ? ", " : "", m->scale == SM_Y_LOG ? "log" : "symlog");
    struct sm_scalebar bar = {.lo = l->lo, .hi = l->hi, .map = m->map, .magnitudes = m->scale != SM_Y_LINEAR,
                              .what = what.len ? sm_str_text(&what) : NULL};
    for (size_t i = 0; i < m->rows * m->cols; i++)
        if (is_there(m, i))
            sm_scalebar_add_marks(&bar, &m->v[i], 1);
    int x = l->label_w < 0 ? l->room.x : l->plot.x;
    sm_scalebar_draw(&bar, l->g, x, y, l->room.x + l->room.w - x, l->glyphs);
    sm_str_clear(&what);
}

void sm_health_draw(struct sm_grid *g, struct sm_rect r, const struct sm_health_map *map, const struct sm_glyphs *glyphs)
{
    struct layout l = {.map = map, .glyphs = glyphs, .g = g, .room = sm_grid_clip(g, r)};
    sm_grid_blank(g, l.room);
    if (!l.room.w || !l.room.h || !map->rows || !map->cols)
        return;
    lay_out(&l);
    set_scale(&l);
    for (size_t i = 0; i < l.shown; i++) {
        draw_row(&l, i);
        draw_label(&l, i);
    }
    int y = l.plot.y + (int)l.shown, end = l.room.y + l.room.h;
    if (l.shown < map->rows && y < end)
        sm_grid_printf(g, l.room.x, y++, l.room.w, SM_ROLE_DIM, 0, "+%zu more", map->rows - l.shown);
    if (l.room.h >= 4 && y < end)
        draw_steps(&l, y++);
    if (l.room.h >= 6 && y < end)
        draw_scale(&l, y);
}

int sm_health_height(const struct sm_health_map *map)
{
    int rows = map->rows < 10000 ? (int)map->rows : 10000;
    return rows + 2 < 6 ? 6 : rows + 2;
}

bool sm_health_at(const struct sm_health_map *map, struct sm_rect r, int x, int y, size_t *row, size_t *col)
{
    struct layout l = {.map = map, .room = r};
    size_t to;
    if (r.w <= 0 || r.h <= 0 || !map->rows || !map->cols)
        return false;
    lay_out(&l);
    if (x < l.plot.x || x >= l.plot.x + l.cells || y < l.plot.y || y >= l.plot.y + (int)l.shown)
        return false;
    *row = (size_t)(y - l.plot.y);
    columns_at(&l, x - l.plot.x, col, &to);
    return true;
}
