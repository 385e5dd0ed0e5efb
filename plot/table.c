/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/table.h"

#include "plot/wrap.h"
#include "reader/base/mem.h"

#include <string.h>

void sm_cut_text(struct sm_grid *g, int x, int y, int w, enum sm_role role, const char *text,
                 const struct sm_glyphs *glyphs)
{
    bool cut = w > 0 && (int)sm_text_width(text, strlen(text)) > w;
    sm_grid_text(g, x, y, w - cut, role, 0, text);
    if (cut)
        sm_grid_put(g, x + w - 1, y, glyphs->ellipsis, role, 0);
}

enum { GAP = 2, HANG = 4, ELIDED_LEAST = 6, OTHERS_LEAST = 10, FIRST_LEAST = 24 };
enum { NEAR = 32 }; /* rows that the name of a row is told apart from, on each side */

struct table {
    const struct sm_table_column *columns;
    size_t n_columns;
    int *widths; /* -1: omitted */
    /* the cells of the first column, and those near the row */
    const char **names, *const *near;
    size_t n_near;
    const struct sm_glyphs *glyphs;
};

static const char *cell_text(const char *cell)
{
    return cell ? cell : "-";
}

static void widen_column(int *w, const char *text)
{
    int of_text = (int)sm_text_width(text, strlen(text));
    if (of_text > *w)
        *w = of_text;
}

static void measure_columns(struct table *t, const char *const *cells, size_t n_rows)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        if (t->columns[c].header)
            widen_column(&t->widths[c], t->columns[c].header);
        for (size_t r = 0; r < n_rows; r++)
            widen_column(&t->widths[c], cell_text(cells[r * t->n_columns + c]));
    }
}

static int total_width(const struct table *t)
{
    int total = -GAP;
    for (size_t c = 0; c < t->n_columns; c++)
        total += t->widths[c] >= 0 ? t->widths[c] + GAP : 0;
    return total;
}

/* The widest text column from `first` on that is wider than `least`; NULL if none. */
static int *widest_text(struct table *t, size_t first, int least)
{
    int *widest = NULL;
    for (size_t c = first; c < t->n_columns; c++)
        if (!t->columns[c].right && !t->columns[c].spare &&
            t->widths[c] > (widest ? *widest : least))
            widest = &t->widths[c];
    return widest;
}

static bool drop_spare(struct table *t)
{
    for (size_t c = t->n_columns; c-- > 0;) {
        if (t->columns[c].spare && t->widths[c] >= 0) {
            t->widths[c] = -1;
            return true;
        }
    }
    return false;
}

/* By how much the text columns can be narrowed at most. */
static int most_narrowing(const struct table *t)
{
    int most = 0;
    for (size_t c = 0; c < t->n_columns; c++)
        if (!t->columns[c].right && !t->columns[c].spare && t->widths[c] > ELIDED_LEAST)
            most += t->widths[c] - ELIDED_LEAST;
    return most;
}

/* Until the line fits: first narrows the columns after the first, then drops spare ones, then
 * narrows the widest column, unless the line would be too long even so. */
static void shrink_columns(struct table *t, int max_w)
{
    int *w, excess = total_width(t) - max_w, first = t->widths[0],
            least = first < FIRST_LEAST ? first : FIRST_LEAST;
    for (; excess > 0 && (w = widest_text(t, 1, OTHERS_LEAST)); excess--)
        --*w;
    while (excess > 0 && first - excess < least && drop_spare(t))
        excess = total_width(t) - max_w;
    if (excess > most_narrowing(t))
        return;
    for (; excess > 0 && (w = widest_text(t, 0, ELIDED_LEAST)); excess--)
        --*w;
}

/* If lines are longer than max_w, moves the columns that allow it below. */
static bool move_below(struct table *t, int max_w)
{
    bool moved = false;
    if (total_width(t) <= max_w)
        return false;
    for (size_t c = 1; c < t->n_columns; c++)
        if (t->columns[c].below) {
            t->widths[c] = -1;
            moved = true;
        }
    return moved;
}

static void add_table_cell(const struct table *t, size_t column, const char *text,
                           struct sm_str *line)
{
    struct sm_str shown = {0};
    bool right = t->columns[column].right;
    if (column)
        sm_elide_name(&shown, text, t->widths[column], t->glyphs);
    else
        sm_elide_apart(&shown, text, t->near, t->n_near, t->widths[column], t->glyphs);
    size_t pad = (size_t)t->widths[column] - sm_text_width(sm_str_text(&shown), shown.len);
    sm_str_fill(line, ' ', right ? pad : 0);
    sm_str_add(line, sm_str_text(&shown));
    sm_str_fill(line, ' ', right ? 0 : pad);
    sm_str_clear(&shown);
}

/* Adds as much of the text as fits on this line. Returns the rest, or NULL if that was all. */
static const char *add_piece(const struct table *t, size_t column, const char *text,
                             struct sm_str *line)
{
    size_t taken = sm_wrap_text(text, t->widths[column]), w = sm_text_width(text, taken);
    sm_str_addn(line, text, taken);
    sm_str_fill(line, ' ', (size_t)t->widths[column] > w ? (size_t)t->widths[column] - w : 0);
    text += taken;
    text += strspn(text, " ");
    return *text ? text : NULL;
}

static void end_line(struct sm_str *out, size_t start)
{
    size_t end = out->len;
    while (end > start && out->data[end - 1] == ' ')
        end--;
    sm_str_truncate(out, end);
    sm_str_addc(out, '\n');
}

/* Adds one line of a row; `rest` keeps the remaining text of each cell, for columns that wrap. True
 * if some remains. */
static bool add_line(const struct table *t, const char **rest, struct sm_str *out)
{
    size_t start = out->len;
    bool more = false;
    for (size_t c = 0; c < t->n_columns; c++) {
        if (t->widths[c] < 0)
            continue;
        sm_str_fill(out, ' ', c ? GAP : 0);
        if (!rest[c]) {
            sm_str_fill(out, ' ', (size_t)t->widths[c]);
        } else if (t->columns[c].wraps) {
            rest[c] = add_piece(t, c, rest[c], out);
            more = more || rest[c];
        } else {
            add_table_cell(t, c, rest[c], out);
            rest[c] = NULL;
        }
    }
    end_line(out, start);
    return more;
}

/* The cells of a row that are printed below it, except empty ones. */
static void add_below(const struct table *t, const char *const *cells, int max_w,
                      struct sm_str *out)
{
    struct sm_str all = {0};
    int w = max_w > 2 * HANG ? max_w - HANG : HANG;
    for (size_t c = 1; c < t->n_columns; c++)
        if (t->columns[c].below && strcmp(cell_text(cells[c]), cell_text(NULL)) != 0)
            sm_str_printf(&all, "%s%s", all.len ? "  " : "", cells[c]);
    for (const char *rest = sm_str_text(&all); *rest;) {
        size_t n = sm_wrap_text(rest, w);
        sm_str_fill(out, ' ', HANG);
        sm_str_addn(out, rest, n);
        sm_str_addc(out, '\n');
        rest += n + strspn(rest + n, " ");
    }
    sm_str_clear(&all);
}

void sm_table_print(struct sm_str *out, const struct sm_table_column *columns, size_t n_columns,
                    const char *const *cells, size_t n_rows, int max_w,
                    const struct sm_glyphs *glyphs)
{
    struct table t = {.columns = columns, .n_columns = n_columns, .glyphs = glyphs};
    if (!n_columns)
        return;
    t.widths = sm_xalloc_zero(n_columns, sizeof *t.widths);
    const char **rest = sm_xalloc(n_columns * sizeof *rest);
    measure_columns(&t, cells, n_rows);
    bool below = max_w > 0 && move_below(&t, max_w);
    if (max_w > 0)
        shrink_columns(&t, max_w);
    t.names = sm_xalloc((n_rows + 1) * sizeof *t.names);
    for (size_t r = 0; r < n_rows; r++)
        t.names[r] = cell_text(cells[r * n_columns]);
    for (size_t r = 0; r < n_rows + 1; r++) { /* row 0 is the header */
        size_t from = r > NEAR ? r - NEAR : 0, to = r + NEAR < n_rows ? r + NEAR : n_rows;
        t.near = t.names + from;
        t.n_near = to - from;
        for (size_t c = 0; c < n_columns; c++)
            rest[c] = r                   ? cell_text(cells[(r - 1) * n_columns + c])
                      : columns[c].header ? columns[c].header
                                          : "";
        while (add_line(&t, rest, out))
            ;
        if (r && below)
            add_below(&t, cells + (r - 1) * n_columns, max_w, out);
    }
    sm_free(rest);
    sm_free(t.names);
    sm_free(t.widths);
}
