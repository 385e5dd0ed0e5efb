/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/tensor_pane/cells.h"

#include "tui/tensor_pane/element_text.h"

#include <stdio.h>

/* The layout of a table: row numbers on the left, columns of equal width, column numbers above. */
struct table {
    struct sm_rect r;
    const struct sm_tensor_axes *axes;
    struct sm_element_text_form form;
    int label_w, pitch;
    bool flows; /* a single axis, wrapped into lines */
};

static int width_of(uint64_t n)
{
    return snprintf(NULL, 0, "%llu", (unsigned long long)n);
}

static uint64_t last_index(const struct sm_tensor_axes *a, int axis)
{
    uint64_t n = axis < 0 ? 0 : a->axes[axis].count;
    if (!n)
        return 0;
    uint64_t first = sm_tensor_axes_index(a, (unsigned)axis, 0),
             last = sm_tensor_axes_index(a, (unsigned)axis, n - 1);
    return first > last ? first : last;
}

/* Rounds down to a multiple of 5 if at least 5 columns fit. */
static int round_columns(int n)
{
    return n >= 5 ? n / 5 * 5 : n;
}

static struct table lay_out_table(struct sm_cells *c, const struct sm_tensor *t,
                                  const struct sm_tensor_axes *a, const struct sm_stats *s,
                                  struct sm_rect r)
{
    struct table x = {
        .r = r, .axes = a, .form = sm_element_text_form(t->dtype, s), .flows = a->row < 0};
    int header = !x.flows && r.h > 2;
    x.label_w = width_of(last_index(a, x.flows ? a->col : a->row));
    int number_w = x.flows ? 0 : width_of(last_index(a, a->col));
    x.pitch = (x.form.width > number_w ? x.form.width : number_w) + 1;
    int room = (r.w - x.label_w) / x.pitch;
    if (room < 1) {
        x.label_w = 0;
        room = 1;
    }
    x.r.y += header;
    x.r.h -= header;
    c->rows = x.r.h;
    c->cols = x.flows ? round_columns(room) : room;
    return x;
}

/* ---- scrolling ---- */

static uint64_t scroll_to(uint64_t from, uint64_t at, uint64_t room, uint64_t n)
{
    if (at < from)
        from = at;
    if (at >= from + room)
        from = at - room + 1;
    if (from + room > n)
        from = n > room ? n - room : 0;
    return from;
}

static uint64_t place_on(const struct sm_cells *c, int axis)
{
    return axis < 0 ? 0 : c->at.at[axis];
}

static uint64_t lines_of(const struct sm_cells *c, const struct sm_tensor_axes *a)
{
    uint64_t cols = (uint64_t)c->cols;
    return (sm_tensor_axes_cols(a) + cols - 1) / cols;
}

static void scroll_table(struct sm_cells *c, const struct table *x)
{
    uint64_t rows = c->rows > 0 ? (uint64_t)c->rows : 1, cols = (uint64_t)c->cols;
    uint64_t col = place_on(c, x->axes->col);
    c->left = x->flows ? 0 : scroll_to(c->left, col, cols, sm_tensor_axes_cols(x->axes));
    if (x->flows)
        c->top = scroll_to(c->top, col / cols, rows, lines_of(c, x->axes));
    else
        c->top = scroll_to(c->top, place_on(c, x->axes->row), rows, sm_tensor_axes_rows(x->axes));
}

/* ---- drawing ---- */

static void draw_numbers(const struct sm_cells *c, const struct table *x, struct sm_grid *g)
{
    for (int i = 0; i < c->cols && c->left + (uint64_t)i < sm_tensor_axes_cols(x->axes); i++) {
        uint64_t index = x->axes->col < 0 ? 0
                                          : sm_tensor_axes_index(x->axes, (unsigned)x->axes->col,
                                                                 c->left + (uint64_t)i);
        sm_grid_printf(g, x->r.x + x->label_w + i * x->pitch, x->r.y - 1, x->pitch, SM_ROLE_DIM, 0,
                       "%*llu", x->pitch, (unsigned long long)index);
    }
}

static void draw_label(const struct sm_cells *c, const struct table *x, int line, struct sm_grid *g)
{
    int axis = x->flows ? x->axes->col : x->axes->row;
    uint64_t place = (c->top + (uint64_t)line) * (x->flows ? (uint64_t)c->cols : 1);
    if (x->label_w && axis >= 0)
        sm_grid_printf(g, x->r.x, x->r.y + line, x->label_w, SM_ROLE_DIM, 0, "%*llu", x->label_w,
                       (unsigned long long)sm_tensor_axes_index(x->axes, (unsigned)axis, place));
}

static void draw_cell(const struct sm_tensor *t, const struct table *x, uint64_t flat, int at_x,
                      int at_y, struct sm_grid *g)
{
    struct sm_str text = {0};
    sm_element_text_short(&text, t, flat, &x->form);
    int w = (int)sm_text_width(sm_str_text(&text), text.len), room = x->pitch - 1;
    sm_grid_text(g, at_x + 1 + (w < room ? room - w : 0), at_y, w < room ? w : room,
                 sm_element_text_is_odd(t, flat) ? SM_ROLE_PROBLEM : SM_ROLE_TEXT, 0,
                 sm_str_text(&text));
    sm_str_clear(&text);
}

/* Sets *at to the element at line and column i of the screen. Returns false if there is none. */
static bool place_of(const struct sm_cells *c, const struct table *x, int line, int i,
                     struct sm_tensor_axes_at *at)
{
    uint64_t row = c->top + (uint64_t)line, col = c->left + (uint64_t)i;
    *at = c->at;
    if (x->flows)
        col = row * (uint64_t)c->cols + (uint64_t)i;
    else if (row >= sm_tensor_axes_rows(x->axes))
        return false;
    if (col >= sm_tensor_axes_cols(x->axes))
        return false;
    if (!x->flows)
        at->at[x->axes->row] = row;
    if (x->axes->col >= 0)
        at->at[x->axes->col] = col;
    return true;
}

static void draw_line(const struct sm_cells *c, const struct sm_tensor *t, const struct table *x,
                      int line, bool focused, struct sm_grid *g)
{
    struct sm_tensor_axes_at at;
    uint64_t current = sm_tensor_axes_flat(x->axes, &c->at);
    for (int i = 0; i < c->cols && place_of(c, x, line, i, &at); i++) {
        uint64_t flat = sm_tensor_axes_flat(x->axes, &at);
        struct sm_rect cell = {x->r.x + x->label_w + i * x->pitch, x->r.y + line, x->pitch, 1};
        if (!i)
            draw_label(c, x, line, g);
        draw_cell(t, x, flat, cell.x, cell.y, g);
        if (flat == current)
            sm_grid_attr(g, (struct sm_rect){cell.x + 1, cell.y, cell.w - 1, 1},
                         focused ? SM_ATTR_REVERSE : SM_ATTR_BOLD);
    }
}

void sm_cells_draw(struct sm_cells *c, const struct sm_tensor *t, const struct sm_tensor_axes *a,
                   const struct sm_stats *s, struct sm_grid *g, struct sm_rect r, bool focused)
{
    sm_tensor_axes_clamp(a, &c->at);
    if (r.w < 2 || r.h < 1 || sm_tensor_axes_empty(a))
        return;
    struct table x = lay_out_table(c, t, a, s, r);
    scroll_table(c, &x);
    if (x.r.y > r.y)
        draw_numbers(c, &x, g);
    for (int line = 0; line < c->rows; line++)
        draw_line(c, t, &x, line, focused, g);
}

/* ---- actions ---- */

static bool turn_plane(struct sm_cells *c, const struct sm_tensor_axes *a, int by)
{
    uint64_t plane = sm_tensor_axes_plane(a, &c->at);
    if (by < 0 ? !plane : plane + 1 >= sm_tensor_axes_planes(a))
        return false;
    sm_tensor_axes_turn_to(a, &c->at, by < 0 ? plane - 1 : plane + 1);
    return true;
}

static void move_rows(struct sm_cells *c, const struct sm_tensor_axes *a, int64_t by)
{
    if (a->row < 0)
        sm_tensor_axes_move(a, &c->at, a->col, by * c->cols);
    else
        sm_tensor_axes_move(a, &c->at, a->row, by);
}

static void move_page(struct sm_cells *c, const struct sm_tensor_axes *a, int by)
{
    int64_t rows = c->rows > 0 ? c->rows : 1;
    if (a->row < 0) {
        move_rows(c, a, by * rows);
        return;
    }
    if (!sm_tensor_axes_move(a, &c->at, a->row, by * rows) && turn_plane(c, a, by))
        sm_tensor_axes_move(a, &c->at, a->row, by > 0 ? INT64_MIN : INT64_MAX);
}

static void move_to_end(struct sm_cells *c, const struct sm_tensor_axes *a, int64_t by)
{
    sm_tensor_axes_move(a, &c->at, a->row, by);
    sm_tensor_axes_move(a, &c->at, a->col, by);
}

bool sm_cells_act(struct sm_cells *c, const struct sm_tensor_axes *a, enum sm_key_action action)
{
    int64_t half = c->rows > 1 ? c->rows / 2 : 1;
    switch (action) {
    case SM_ACT_LEFT:
    case SM_ACT_RIGHT:
        sm_tensor_axes_move(a, &c->at, a->col, action == SM_ACT_LEFT ? -1 : 1);
        return true;
    case SM_ACT_UP:
    case SM_ACT_DOWN:
        move_rows(c, a, action == SM_ACT_UP ? -1 : 1);
        return true;
    case SM_ACT_HALF_UP:
    case SM_ACT_HALF_DOWN:
        move_rows(c, a, action == SM_ACT_HALF_UP ? -half : half);
        return true;
    case SM_ACT_PAGE_UP:
    case SM_ACT_PAGE_DOWN:
        move_page(c, a, action == SM_ACT_PAGE_UP ? -1 : 1);
        return true;
    case SM_ACT_FIRST:
    case SM_ACT_LAST:
        move_to_end(c, a, action == SM_ACT_FIRST ? INT64_MIN : INT64_MAX);
        return true;
    case SM_ACT_PLANE_PREV:
    case SM_ACT_PLANE_NEXT:
        turn_plane(c, a, action == SM_ACT_PLANE_PREV ? -1 : 1);
        return true;
    default:
        return false;
    }
}
