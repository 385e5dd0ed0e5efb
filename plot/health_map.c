/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/health_map.h"

#include "plot/grid/pixel.h"
#include "plot/scale.h"
#include "plot/scalebar.h"
#include "plot/table.h"

#include <math.h>
#include <string.h>

enum { LEAST_MAP_W = 8, LEAST_LABEL_W = 4, WIDEST = 4, MARKS_FROM_H = 7 };

/* Labels to the left, then the map: `cells` columns of cells; each column of the map takes `wide`
 * of them, or several columns share one. */
struct health_layout {
    const struct sm_health_map *map;
    const struct sm_glyphs *glyphs;
    struct sm_grid *g;
    struct sm_rect room, plot;
    int label_w, wide, cells, front; /* front: columns before the labels */
    size_t shown;                    /* rows */
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

/* Marks get their own line if there is room; else they are drawn between the step labels. */
static bool marks_apart(const struct health_layout *l)
{
    return l->map->n_marks && l->room.h >= MARKS_FROM_H;
}

/* The area of the map itself, without its surroundings. */
static void lay_out_room(struct health_layout *l)
{
    struct sm_rect r = l->room;
    bool steps = r.h >= 4, scale = r.h >= 6 && !l->map->scaleless;
    l->front = l->map->bad != NULL;
    l->label_w = l->map->label_w ? l->map->label_w : longest_label(l->map);
    bool cut = l->label_w > r.w * 2 / 5;
    if (cut)
        l->label_w = r.w * 2 / 5;
    int left = l->front + l->label_w + 1;
    if (!l->label_w || (cut && l->label_w < LEAST_LABEL_W) ||
        r.w - left - l->map->number_w < LEAST_MAP_W) {
        l->label_w = -1;
        left = l->front;
    }
    l->plot = (struct sm_rect){r.x + left, r.y, r.w - left - l->map->number_w,
                               r.h - steps - scale - marks_apart(l)};
}

static void lay_out_map(struct health_layout *l)
{
    lay_out_room(l);
    l->wide = (int)((size_t)l->plot.w / l->map->cols);
    l->wide = l->wide > WIDEST ? WIDEST : l->wide;
    l->cells = l->wide ? (int)l->map->cols * l->wide : l->plot.w;
    l->shown =
        l->map->rows <= (size_t)l->plot.h ? l->map->rows : (size_t)l->plot.h - (l->plot.h > 1);
    if (l->shown < (size_t)l->plot.h)
        l->plot.h = (int)l->shown + (l->shown < l->map->rows);
}

static enum sm_health_cell cell_kind(const struct sm_health_map *m, size_t i)
{
    return m->cells ? (enum sm_health_cell)m->cells[i] : SM_HEALTH_VALUE;
}

static bool has_value(const struct sm_health_map *m, size_t i)
{
    return cell_kind(m, i) == SM_HEALTH_VALUE;
}

static bool value_has_place(const struct sm_health_map *m, double v)
{
    return isfinite(v) && (m->scale != SM_Y_LOG || v > 0);
}

static void set_map_scale(struct health_layout *l)
{
    const struct sm_health_map *m = l->map;
    l->lo = HUGE_VAL;
    l->hi = -HUGE_VAL;
    for (size_t i = 0; i < m->rows * m->cols; i++)
        if (has_value(m, i) && value_has_place(m, m->v[i])) {
            l->lo = fmin(l->lo, m->v[i]);
            l->hi = fmax(l->hi, m->v[i]);
        }
    if (l->lo <= l->hi)
        sm_scale_init(&l->scale, m->scale, l->lo, l->hi);
}

/* ---- the scale of one row ---- */

/* Orders of magnitude; rows that vary by less than a factor of two stay in the middle. */
struct magnitudes {
    double lo, hi;
};

static struct magnitudes magnitudes_of(const struct sm_health_map *m, size_t row)
{
    struct magnitudes x = {HUGE_VAL, -HUGE_VAL};
    for (size_t i = row * m->cols; i < (row + 1) * m->cols; i++)
        if (has_value(m, i) && isfinite(m->v[i]) && m->v[i] != 0) {
            x.lo = fmin(x.lo, log10(fabs(m->v[i])));
            x.hi = fmax(x.hi, log10(fabs(m->v[i])));
        }
    double least = log10(2), middle = (x.lo + x.hi) / 2;
    if (x.hi - x.lo < least)
        x = (struct magnitudes){middle - least / 2, middle + least / 2};
    return x;
}

static int heat_level(const struct health_layout *l, const struct magnitudes *own, double v)
{
    if (l->map->own)
        return v == 0 ? 0 : sm_heat_level(sm_range_place(own->lo, own->hi, log10(fabs(v))));
    return l->lo > l->hi ? 0 : sm_heat_level(sm_scale_place(&l->scale, v));
}

/* ---- rows ---- */

/* The columns of the map shown by its cell x: from..to. */
static void columns_at(const struct health_layout *l, int x, size_t *from, size_t *to)
{
    size_t cols = l->map->cols;
    *from = l->wide ? (size_t)(x / l->wide) : sm_part(cols, (size_t)l->cells, (size_t)x);
    *to = l->wide ? *from + 1 : sm_part(cols, (size_t)l->cells, (size_t)x + 1);
}

/* The kind and value of cell x of a row: the mean of several values. A sum that includes a
 * non-finite value is non-finite. */
static enum sm_health_cell value_at(const struct health_layout *l, size_t row, int x, double *out)
{
    size_t from, to, n = 0;
    double sum = 0;
    enum sm_health_cell other = SM_HEALTH_NOTHING;
    columns_at(l, x, &from, &to);
    for (size_t i = row * l->map->cols + from; i < row * l->map->cols + to; i++) {
        enum sm_health_cell kind = cell_kind(l->map, i);
        if (kind == SM_HEALTH_VALUE) {
            sum += l->map->v[i];
            n++;
        } else if (kind != SM_HEALTH_NOTHING) {
            other = kind;
        }
    }
    *out = n ? sum / (double)n : 0;
    return n ? SM_HEALTH_VALUE : other;
}

static void draw_cell(const struct health_layout *l, const struct magnitudes *own, size_t row,
                      int x)
{
    double v;
    int at_x = l->plot.x + x, at_y = l->plot.y + (int)row;
    switch (value_at(l, row, x, &v)) {
    case SM_HEALTH_NOTHING:
        return;
    case SM_HEALTH_PENDING:
        sm_grid_put(l->g, at_x, at_y, '.', SM_ROLE_DIM, 0);
        return;
    case SM_HEALTH_ZERO:
        sm_grid_put(l->g, at_x, at_y, '0', SM_ROLE_WARN, 0);
        return;
    case SM_HEALTH_VALUE:
        break;
    }
    struct sm_pixel p = {.mark = sm_glyphs_mark(l->glyphs, v)};
    p.level = p.mark ? 0 : heat_level(l, own, v);
    p.role = p.mark ? SM_ROLE_TEXT : sm_heat_role(l->map->map, p.level);
    sm_pixel_put(l->g, at_x, at_y, p, p, l->glyphs);
}

static void draw_row(const struct health_layout *l, size_t row)
{
    struct magnitudes own = magnitudes_of(l->map, row);
    for (int x = 0; x < l->cells; x++) {
        size_t from, to;
        draw_cell(l, &own, row, x);
        columns_at(l, x, &from, &to);
        if (row == l->map->selected && l->map->cell >= from && l->map->cell < to)
            sm_grid_attr(l->g, (struct sm_rect){l->plot.x + x, l->plot.y + (int)row, 1, 1},
                         SM_ATTR_REVERSE);
    }
}

static void draw_row_label(const struct health_layout *l, size_t row)
{
    struct sm_str text = {0};
    bool chosen = row == l->map->selected;
    int y = l->plot.y + (int)row, x = l->room.x;
    if (l->front && l->map->bad[row])
        sm_grid_put(l->g, x, y, l->glyphs->warn, SM_ROLE_PROBLEM, SM_ATTR_BOLD);
    if (l->label_w < 0)
        return;
    sm_elide_name(&text, l->map->labels[row], l->label_w, l->glyphs);
    sm_grid_text(l->g, x + l->front, y, l->label_w,
                 chosen && !l->map->reversed ? SM_ROLE_ACCENT : SM_ROLE_TEXT,
                 chosen && !l->map->reversed ? SM_ATTR_BOLD : 0, sm_str_text(&text));
    if (chosen && l->map->reversed)
        sm_grid_attr(l->g, (struct sm_rect){x, y, l->front + l->label_w, 1}, SM_ATTR_REVERSE);
    sm_str_clear(&text);
}

/* The newest number of the row, or its fault. */
static void draw_number(const struct health_layout *l, size_t row)
{
    const struct sm_health_map *m = l->map;
    size_t i = m->cols;
    char text[32] = "all 0";
    while (i && cell_kind(m, row * m->cols + i - 1) == SM_HEALTH_NOTHING)
        i--;
    if (!m->number_w || !i)
        return;
    enum sm_health_cell kind = cell_kind(m, row * m->cols + i - 1);
    double v = m->v[row * m->cols + i - 1];
    if (kind == SM_HEALTH_PENDING)
        strcpy(text, "...");
    else if (kind == SM_HEALTH_VALUE && isfinite(v))
        sm_format_double(v, 3, text);
    else if (kind == SM_HEALTH_VALUE)
        strcpy(text, isnan(v) ? "NaN" : v > 0 ? "Inf" : "-Inf");
    bool well = kind == SM_HEALTH_PENDING || (kind == SM_HEALTH_VALUE && isfinite(v));
    int x = l->plot.x + l->cells;
    sm_grid_printf(l->g, x, l->plot.y + (int)row, m->number_w,
                   well ? SM_ROLE_TEXT : SM_ROLE_PROBLEM, 0, "%*s", m->number_w - 1, text);
}

/* ---- below ---- */

/* The cell of the column at x, or of the last one before it. */
static int cell_of_step(const struct health_layout *l, double x)
{
    size_t i = 0, cols = l->map->cols;
    while (i + 1 < cols && l->map->x[i + 1] <= x)
        i++;
    if (l->wide)
        return (int)i * l->wide + (l->wide - 1) / 2;
    return (int)((double)i * l->cells / (double)cols);
}

static double last_step(const struct sm_health_map *m)
{
    return fmax(m->x[m->cols - 1], m->last);
}

static bool is_step_inside(const struct health_layout *l, double x)
{
    return x >= l->map->x[0] && x <= last_step(l->map);
}

static int draw_step(const struct health_layout *l, int y, double x, int after, enum sm_role role)
{
    char text[16];
    sm_x_label(SM_X_STEP, x, 1, last_step(l->map), text);
    int w = (int)strlen(text), from = l->plot.x + cell_of_step(l, x) - w / 2,
        most = l->room.x + l->room.w - w;
    from = from > most ? most : from;
    from = from < l->plot.x ? l->plot.x : from;
    if (from < after || from + w > l->room.x + l->room.w)
        return after;
    sm_grid_text(l->g, from, y, w, role, 0, text);
    return from + w + 1;
}

/* First and last step; the cursor's step instead of one that is close to it. */
static void draw_steps(const struct health_layout *l, int y)
{
    const struct sm_health_map *m = l->map;
    double first = m->x[0], last = last_step(m);
    bool cursor = isfinite(m->cursor_x) && is_step_inside(l, m->cursor_x);
    char text[16];
    sm_x_label(SM_X_STEP, last, 1, last, text);
    int end = cell_of_step(l, last) - (int)strlen(text), after = l->room.x;
    if (!cursor || cell_of_step(l, m->cursor_x) > 8)
        after = draw_step(l, y, first, after, SM_ROLE_DIM);
    if (cursor)
        after = draw_step(l, y, m->cursor_x, after, SM_ROLE_ACCENT);
    if (m->cols > 1 && (!cursor || cell_of_step(l, m->cursor_x) < end - 4))
        draw_step(l, y, last, after, SM_ROLE_DIM);
}

/* Never over a label. */
static void draw_marks(const struct health_layout *l, int y)
{
    for (size_t i = 0; i < l->map->n_marks; i++) {
        int x = l->plot.x + cell_of_step(l, l->map->marks[i]);
        const struct sm_cell *c = sm_grid_at(l->g, x, y);
        if (is_step_inside(l, l->map->marks[i]) && c && c->rune == ' ')
            sm_grid_put(l->g, x, y, l->glyphs->rule_mark, SM_ROLE_WARN, 0);
    }
}

static void draw_map_scale(const struct health_layout *l, int y)
{
    const struct sm_health_map *m = l->map;
    struct sm_str what = {0};
    if (m->what)
        sm_str_add(&what, m->what);
    if (m->scale != SM_Y_LINEAR)
        sm_str_printf(&what, "%s%s", what.len ? ", " : "", m->scale == SM_Y_LOG ? "log" : "symlog");
    struct sm_scalebar bar = {.lo = m->own ? HUGE_VAL : l->lo,
                              .hi = m->own ? -HUGE_VAL : l->hi,
                              .map = m->map,
                              .magnitudes = m->scale != SM_Y_LINEAR,
                              .what = what.len ? sm_str_text(&what) : NULL};
    for (size_t i = 0; i < m->rows * m->cols; i++)
        if (has_value(m, i))
            sm_scalebar_add_marks(&bar, &m->v[i], 1);
    int x = l->label_w < 0 ? l->room.x : l->plot.x;
    sm_scalebar_draw(&bar, l->g, x, y, l->room.x + l->room.w - x, l->glyphs);
    sm_str_clear(&what);
}

void sm_health_draw(struct sm_grid *g, struct sm_rect r, const struct sm_health_map *map,
                    const struct sm_glyphs *glyphs)
{
    struct health_layout l = {.map = map, .glyphs = glyphs, .g = g, .room = sm_grid_clip(g, r)};
    sm_grid_blank(g, l.room);
    if (!l.room.w || !l.room.h || !map->rows || !map->cols)
        return;
    lay_out_map(&l);
    set_map_scale(&l);
    for (size_t i = 0; i < l.shown; i++) {
        draw_row(&l, i);
        draw_row_label(&l, i);
        draw_number(&l, i);
    }
    int y = l.plot.y + (int)l.shown, end = l.room.y + l.room.h;
    if (l.shown < map->rows && y < end)
        sm_grid_printf(g, l.room.x, y++, l.room.w, SM_ROLE_DIM, 0, "+%zu more",
                       map->rows - l.shown);
    if (marks_apart(&l) && y < end)
        draw_marks(&l, y++);
    if (l.room.h >= 4 && y < end) {
        draw_steps(&l, y);
        if (!marks_apart(&l))
            draw_marks(&l, y);
        y++;
    }
    if (l.room.h >= 6 && y < end && !map->scaleless)
        draw_map_scale(&l, y);
}

int sm_health_height(const struct sm_health_map *map)
{
    int rows = (map->rows < 10000 ? (int)map->rows : 10000) + 2 + (map->n_marks > 0);
    return rows < 6 ? 6 : rows;
}

void sm_health_room(const struct sm_health_map *map, struct sm_rect r, size_t *rows, size_t *cols)
{
    struct health_layout l = {.map = map, .room = r};
    lay_out_room(&l);
    *rows = l.plot.h > 0 ? (size_t)l.plot.h : 0;
    *cols = l.plot.w > 0 ? (size_t)l.plot.w : 0;
}

bool sm_health_at(const struct sm_health_map *map, struct sm_rect r, int x, int y, size_t *row,
                  size_t *col)
{
    struct health_layout l = {.map = map, .room = r};
    size_t to;
    if (r.w <= 0 || r.h <= 0 || !map->rows || !map->cols)
        return false;
    lay_out_map(&l);
    if (x < l.plot.x || x >= l.plot.x + l.cells || y < l.plot.y || y >= l.plot.y + (int)l.shown)
        return false;
    *row = (size_t)(y - l.plot.y);
    columns_at(&l, x - l.plot.x, col, &to);
    return true;
}
