/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/table_text.h"

#include "reader/base/json.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <string.h>

enum { CELL_W = 40, ROWS_SHOWN = 200, COLUMNS_MAX = 256, GAP = 2, ROW_DEPTH = 3 };
/* So many bytes fill a cell, whatever they are. */
#define CELL_BYTES ((size_t)4 * CELL_W)

enum part { OTHER, COLUMNS, DATA };

/* Cells by row; the first row is the header. */
struct table {
    struct sm_arena arena;
    struct sm_text *cells;
    size_t n, cap;
    size_t *rows; /* where each begins in cells */
    size_t n_rows, cap_rows;
    size_t shown; /* rows of data */
    bool more;    /* there are more: the rest is not read */
    enum part part;
    unsigned depth;     /* of arrays and objects */
    struct sm_str deep; /* of a cell that is an array or an object: its texts and numbers */
    bool failed;
};

/* ---- reading ---- */

/* The depth of a cell, and of the array that it is in. */
static unsigned row_depth(const struct table *t)
{
    return t->part == COLUMNS ? ROW_DEPTH - 1 : ROW_DEPTH;
}

static void begin_row(struct table *t)
{
    t->more = t->part == DATA && t->shown == ROWS_SHOWN;
    if (t->more)
        return;
    t->shown += t->part == DATA;
    if (SM_VEC_ROOM(t->rows, t->n_rows, t->cap_rows))
        t->rows[t->n_rows++] = t->n;
    else
        t->failed = true;
}

/* Escaped, on one line, at most CELL_W columns. */
static void add_cell(struct table *t, const char *p, size_t n)
{
    struct sm_str text = {0};
    if (!t->n_rows || t->n - t->rows[t->n_rows - 1] >= COLUMNS_MAX)
        return;
    sm_str_add_escaped(&text, p, n < CELL_BYTES ? n : CELL_BYTES);
    size_t cut = 0, w = 0;
    while (cut < text.len) {
        uint32_t rune;
        size_t used = sm_utf8_decode(text.data + cut, text.len - cut, &rune);
        size_t next = used ? (size_t)sm_rune_width(rune) : 1;
        if (w + next > CELL_W)
            break;
        w += next;
        cut += used ? used : 1;
    }
    char *copy = text.failed ? NULL : sm_arena_strndup(&t->arena, sm_str_text(&text), cut);
    if (copy && SM_VEC_ROOM(t->cells, t->n, t->cap))
        t->cells[t->n++] = (struct sm_text){copy, cut};
    else
        t->failed = true;
    sm_str_clear(&text);
}

static bool take(struct table *t, const char *p, size_t n)
{
    if (t->part == OTHER)
        return true;
    if (t->depth == row_depth(t)) {
        add_cell(t, p, n);
    } else if (t->depth > row_depth(t) && t->deep.len < CELL_BYTES) {
        sm_str_add(&t->deep, t->deep.len ? " " : "");
        sm_str_addn(&t->deep, p, n);
    }
    return !t->failed;
}

static bool on_text(void *ctx, const char *p, size_t n)
{
    return take(ctx, p, n);
}

static bool on_null(void *ctx)
{
    return take(ctx, "-", 1);
}

static bool on_bool(void *ctx, bool v)
{
    return take(ctx, v ? "true" : "false", v ? 4 : 5);
}

static bool on_key(void *ctx, const char *p, size_t n)
{
    struct table *t = ctx;
    struct sm_text key = {p, n};
    if (t->depth == 1)
        t->part = sm_text_is(key, "columns") ? COLUMNS : sm_text_is(key, "data") ? DATA : OTHER;
    return true;
}

static bool on_start(void *ctx)
{
    struct table *t = ctx;
    if (++t->depth == row_depth(t) && t->part != OTHER)
        begin_row(t);
    return !t->failed && !t->more;
}

static bool on_end(void *ctx)
{
    struct table *t = ctx;
    t->depth--;
    if (t->part != OTHER && t->depth == row_depth(t)) {
        add_cell(t, sm_str_text(&t->deep), t->deep.len);
        sm_str_truncate(&t->deep, 0);
    }
    return !t->failed;
}

/* ---- writing ---- */

static size_t width_of(struct sm_text cell)
{
    return sm_text_width(cell.p, cell.n);
}

static size_t end_of(const struct table *t, size_t row)
{
    return row + 1 < t->n_rows ? t->rows[row + 1] : t->n;
}

static void write_rows(const struct table *t, struct sm_str *out)
{
    size_t widths[COLUMNS_MAX] = {0};
    for (size_t r = 0; r < t->n_rows; r++)
        for (size_t i = t->rows[r]; i < end_of(t, r); i++) {
            size_t w = width_of(t->cells[i]), column = i - t->rows[r];
            widths[column] = w > widths[column] ? w : widths[column];
        }
    for (size_t r = 0; r < t->n_rows; r++) {
        for (size_t i = t->rows[r]; i < end_of(t, r); i++) {
            sm_str_addn(out, t->cells[i].p, t->cells[i].n);
            if (i + 1 < end_of(t, r))
                sm_str_fill(out, ' ', widths[i - t->rows[r]] - width_of(t->cells[i]) + GAP);
        }
        sm_str_add(out, "\n");
    }
    if (t->more)
        sm_str_printf(out, "the first %d rows\n", ROWS_SHOWN);
}

bool sm_table_text(const struct sm_tensor *t, struct sm_str *out)
{
    static const struct sm_json_ops ops = {.null = on_null,
                                           .boolean = on_bool,
                                           .number = on_text,
                                           .string = on_text,
                                           .key = on_key,
                                           .start_map = on_start,
                                           .end_map = on_end,
                                           .start_array = on_start,
                                           .end_array = on_end};
    struct table x = {0};
    struct sm_err err;
    if (!t->table || t->n != 2)
        return false;
    bool whole = sm_json_parse(t->strings[1].p, t->strings[1].n, &ops, &x, &err);
    sm_str_add_escaped(out, t->strings[0].p, t->strings[0].n);
    sm_str_add(out, "\n");
    write_rows(&x, out);
    if (!whole && !x.failed && !x.more) {
        sm_str_add_escaped(out, err.msg, strlen(err.msg));
        sm_str_add(out, "\n");
    }
    sm_arena_clear(&x.arena);
    sm_free(x.cells);
    sm_free(x.rows);
    sm_str_clear(&x.deep);
    return true;
}
