/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/node_rows.h"

#include "commands/answer/print_cell.h"
#include "plot/table.h"
#include "reader/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum {
    MEASURED = 256, /* rows that the widths of columns are made from */
    TEXT_MIN_W = 20,
    NAME_GOOD_W = 36, /* a name is not cut below this while other numbers can go */
    NUMBERS_KEPT = 2,
    BAR_MIN_W = 10,
    BAR_FROM_W = 48, /* a table of this width has bars, if it should, and less columns */
    COLUMNS_MOST = 32
};

/* ---- order ---- */

struct placed {
    const struct sm_node *row, *cell;
    size_t at; /* as made */
};

static bool is_numeric(const struct sm_node *v)
{
    return v->type == SM_NODE_INT || v->type == SM_NODE_UINT || v->type == SM_NODE_DOUBLE ||
           v->type == SM_NODE_FLOAT;
}

static double number_of(const struct sm_node *v)
{
    return v->type == SM_NODE_INT                                  ? (double)v->i
           : v->type == SM_NODE_UINT                               ? (double)v->u
           : v->type == SM_NODE_DOUBLE || v->type == SM_NODE_FLOAT ? v->d
                                                                   : 0;
}

/* Numbers before the rest, the greatest first; texts in natural order. */
static int by_cell(const struct sm_node *a, const struct sm_node *b)
{
    struct sm_str x = {0}, y = {0};
    if (is_numeric(a) != is_numeric(b))
        return is_numeric(a) ? -1 : 1;
    if (is_numeric(a))
        return (number_of(a) < number_of(b)) - (number_of(a) > number_of(b));
    if (a->type != SM_NODE_TEXT || b->type != SM_NODE_TEXT)
        return (a->type != SM_NODE_TEXT) - (b->type != SM_NODE_TEXT);
    sm_str_addn(&x, a->text.p, a->text.n);
    sm_str_addn(&y, b->text.p, b->text.n);
    int order = sm_natural_cmp(sm_str_text(&x), sm_str_text(&y));
    sm_str_clear(&x);
    sm_str_clear(&y);
    return order;
}

static int by_place(const void *a, const void *b, void *inverted)
{
    const struct placed *x = a, *y = b;
    int order = x->cell && y->cell ? by_cell(x->cell, y->cell) : 0;
    order = *(const bool *)inverted ? -order : order;
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* From the list, which has the order as made. */
static void order_rows(struct sm_node_rows *x)
{
    const char *key = x->sort && x->sort <= x->columns.n ? x->columns.items[x->sort - 1].key : NULL;
    struct placed *rows = sm_xalloc_zero(x->n + 1, sizeof *rows);
    size_t n = 0;
    for (const struct sm_node *row = x->list ? x->list->first : NULL; row && n < x->n;
         row = row->next, n++)
        rows[n] = (struct placed){row, key ? sm_node_get(row, key) : NULL, n};
    if (key && n)
        qsort_r(rows, n, sizeof *rows, by_place, &x->inverted);
    for (size_t i = 0; i < n; i++)
        x->items[i] = rows[i].row;
    sm_free(rows);
}

static bool is_sortable(const struct sm_column *c)
{
    return !c->hidden && c->format != SM_COL_SPARK;
}

/* To the next column that is shown, or the order as made. */
static void sort_next(struct sm_node_rows *x, bool next)
{
    size_t n = x->columns.n + 1;
    do
        x->sort = next ? (x->sort + 1) % n : (x->sort + n - 1) % n;
    while (x->sort && !is_sortable(&x->columns.items[x->sort - 1]));
    order_rows(x);
}

bool sm_node_rows_act(struct sm_node_rows *x, enum sm_key_action a)
{
    switch (a) {
    case SM_ACT_SORT_NEXT:
    case SM_ACT_SORT_PREV:
        sort_next(x, a == SM_ACT_SORT_NEXT);
        return true;
    case SM_ACT_INVERT:
        x->inverted = !x->inverted;
        order_rows(x);
        return true;
    default:
        return sm_rows_act(&x->rows, x->n, a);
    }
}

const struct sm_node *sm_node_rows_chosen(const struct sm_node_rows *x)
{
    return x->rows.cursor < x->n ? x->items[x->rows.cursor] : NULL;
}

void sm_node_rows_set(struct sm_node_rows *x, const struct sm_node *list)
{
    x->n = 0;
    for (const struct sm_node *row = list ? list->first : NULL; row; row = row->next) {
        SM_GROW(x->items, x->n, x->cap);
        x->items[x->n++] = row;
    }
    x->list = list;
    order_rows(x);
}

void sm_node_rows_clear(struct sm_node_rows *x)
{
    sm_free(x->items);
    x->items = NULL;
    x->list = NULL;
    x->n = x->cap = 0;
}

/* ---- drawing ---- */

struct node_column {
    const struct sm_column *column;
    int w;
    bool number;
};
struct node_layout {
    struct node_column items[COLUMNS_MOST];
    size_t n;
    int w; /* of all of them, with the blanks between them */
};

static void add_cell(const struct sm_node_rows *x, const struct sm_view *v,
                     const struct sm_node *row, const struct sm_column *c, struct sm_str *out)
{
    const struct sm_node *cell = x->cell ? x->cell(row, c) : NULL;
    struct sm_print_options how;
    sm_session_print_options(v->session, &how);
    how.glyphs = v->glyphs;
    sm_cell_text(out, cell ? cell : sm_node_get(row, c->key), c, &how);
}

static int width_of(const struct sm_node_rows *x, const struct sm_column *c,
                    const struct sm_view *v)
{
    int w = (int)sm_text_width(c->header, strlen(c->header));
    for (size_t i = 0; i < x->n && i < MEASURED; i++) {
        struct sm_str text = {0};
        add_cell(x, v, x->items[i], c, &text);
        int k = (int)sm_text_width(sm_str_text(&text), text.len);
        w = k > w ? k : w;
        sm_str_clear(&text);
    }
    return w;
}

static bool is_number(const struct sm_column *c)
{
    return c->format == SM_COL_NUMBER || c->format == SM_COL_DURATION || c->format == SM_COL_BYTES;
}

/* The widest column of text loses what is too much, but not more than to `least`; false: there is
 * none that is wide enough. */
static bool narrow_text(struct node_layout *l, int room, int least)
{
    struct node_column *widest = NULL;
    for (size_t i = 0; i < l->n; i++)
        if (!l->items[i].number && (!widest || l->items[i].w > widest->w))
            widest = &l->items[i];
    if (!widest || widest->w <= least)
        return false;
    int less = l->w - room < widest->w - least ? l->w - room : widest->w - least;
    widest->w -= less;
    l->w -= less;
    return true;
}

static size_t count_numbers(const struct node_layout *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += l->items[i].number;
    return n;
}

/* The last column of numbers, but some are kept; else the last of all, but not the first of text.
 */
static void drop_column(struct node_layout *l, size_t kept)
{
    size_t numbers = 0, texts = 0, number = 0, text = 0, at;
    for (size_t i = 0; i < l->n; i++)
        if (l->items[i].number) {
            number = i;
            numbers++;
        } else {
            text = i;
            texts++;
        }
    at = numbers > kept || texts < 2 ? number : text;
    l->w -= l->items[at].w + 2;
    memmove(&l->items[at], &l->items[at + 1], (l->n - at - 1) * sizeof *l->items);
    l->n--;
}

static struct node_layout lay_out(const struct sm_node_rows *x, struct sm_node_columns columns,
                                  const struct sm_view *v, int room)
{
    struct node_layout l = {.w = -2};
    for (size_t i = 0; i < columns.n && l.n < COLUMNS_MOST; i++) {
        const struct sm_column *c = &columns.items[i];
        if (c->hidden)
            continue;
        l.items[l.n] = (struct node_column){c, width_of(x, c, v), is_number(c)};
        l.w += l.items[l.n++].w + 2;
    }
    while (l.w > room && narrow_text(&l, room, columns.numbers ? NAME_GOOD_W : TEXT_MIN_W))
        ;
    while (l.w > room && columns.numbers && count_numbers(&l) > columns.numbers)
        drop_column(&l, columns.numbers);
    while (l.w > room && narrow_text(&l, room, TEXT_MIN_W))
        ;
    while (l.w > room && l.n > 1)
        drop_column(&l, columns.numbers ? columns.numbers : NUMBERS_KEPT);
    return l;
}

static void draw_cell(const struct sm_view *v, struct sm_grid *g, int x, int y,
                      const struct node_column *c, int w, enum sm_role role, const char *text)
{
    int k = (int)sm_text_width(text, strlen(text));
    struct sm_str cut = {0};
    if (strcmp(c->column->key, "name") == 0)
        sm_elide_name(&cut, text, w, v->glyphs);
    else
        sm_elide_middle(&cut, text, w, v->glyphs);
    sm_grid_text(g, x + (c->number && k < w ? w - k : 0), y, w, role, 0, sm_str_text(&cut));
    sm_str_clear(&cut);
}

/* row NULL: the header. */
static void draw_line(const struct sm_node_rows *s, const struct node_layout *l,
                      const struct sm_node *row, const struct sm_view *v, struct sm_grid *g,
                      struct sm_rect r)
{
    int x = r.x + 1;
    for (size_t i = 0; i < l->n; i++) {
        const struct node_column *c = &l->items[i];
        enum sm_role role = !row ? SM_ROLE_DIM : s->role ? s->role(row, c->column) : SM_ROLE_TEXT;
        int w = c->w < r.x + r.w - x ? c->w : r.x + r.w - x;
        struct sm_str text = {0};
        if (row)
            add_cell(s, v, row, c->column, &text);
        if (w > 0)
            draw_cell(v, g, x, r.y, c, w, role, row ? sm_str_text(&text) : c->column->header);
        sm_str_clear(&text);
        x += c->w + 2;
    }
}

static double number_in(const struct sm_node *row, const char *key)
{
    const struct sm_node *v = sm_node_get(row, key);
    return v ? number_of(v) : 0;
}

static void draw_bars(const struct sm_node_rows *x, const char *key, const struct sm_view *v,
                      struct sm_grid *g, struct sm_rect r)
{
    double most = 0;
    for (size_t i = 0; i < x->n; i++)
        most = number_in(x->items[i], key) > most ? number_in(x->items[i], key) : most;
    for (int y = 0; y < r.h && x->rows.top + (size_t)y < x->n && most > 0; y++) {
        double part = number_in(x->items[x->rows.top + (size_t)y], key) / most;
        sm_bar_draw(g, r.x, r.y + y, (int)(2 * r.w * (part > 0 ? part : 0)), v->glyphs);
    }
}

void sm_node_rows_draw(struct sm_node_rows *x, struct sm_node_columns columns, const char *bar,
                       const struct sm_view *v, struct sm_grid *g, struct sm_rect r, bool focused,
                       struct sm_str *note)
{
    int reserve = bar && r.w >= BAR_FROM_W ? BAR_MIN_W + 2 : 0;
    struct node_layout l = lay_out(x, columns, v, r.w - 1 - reserve);
    int head = r.h > 1 && x->n;
    x->columns = columns;
    if (head)
        draw_line(x, &l, NULL, v, g, r);
    r.y += head;
    r.h -= head;
    sm_rows_show(&x->rows, x->n, r.h);
    for (int y = 0; y < r.h && x->rows.top + (size_t)y < x->n; y++) {
        struct sm_rect row = {r.x, r.y + y, r.w, 1};
        draw_line(x, &l, x->items[x->rows.top + (size_t)y], v, g, row);
        if (focused)
            sm_rows_mark(&x->rows, g,
                         (struct sm_rect){r.x, row.y, l.w + 2 < r.w ? l.w + 2 : r.w, 1},
                         x->rows.top + (size_t)y, true);
    }
    int left = r.x + 1 + l.w + 2, room = r.x + r.w - left;
    if (bar && room >= BAR_MIN_W)
        draw_bars(x, bar, v, g, (struct sm_rect){left, r.y, room, r.h});
    sm_rows_note(&x->rows, x->n, note);
    if (x->sort && x->sort <= columns.n)
        sm_str_printf(note, "%sby %s%s", note->len ? "  " : "", columns.items[x->sort - 1].header,
                      x->inverted ? ", reversed" : "");
}
