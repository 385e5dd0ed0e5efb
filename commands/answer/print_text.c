/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the blocks of a result as text: lines, tables, fields, arrays, plots. */
#include "commands/answer/print_cell.h"

#include "reader/base/grow.h"
#include "reader/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The cells of a table while it is built; the strings are in the arena. */
struct text_cells {
    struct sm_arena arena;
    const char **cells;
    size_t n, cap;
};

static void add_cell(struct text_cells *g, const struct sm_str *text)
{
    SM_GROW(g->cells, g->n, g->cap);
    g->cells[g->n++] = sm_arena_xstrndup(&g->arena, sm_str_text(text), text->len);
}

static bool is_right_aligned(const struct sm_column *c)
{
    return c->format == SM_COL_NUMBER || c->format == SM_COL_BYTES || c->format == SM_COL_DURATION;
}

/* True if all values of the column are numbers or null, and at least one is a number. */
static bool holds_numbers(const struct sm_node *list, const struct sm_column *c)
{
    if (c->format != SM_COL_PLAIN)
        return is_right_aligned(c);
    bool some = false;
    for (const struct sm_node *row = list->first; row; row = row->next) {
        const struct sm_node *v = sm_node_get(row, c->key);
        if (v && v->type != SM_NODE_INT && v->type != SM_NODE_UINT && v->type != SM_NODE_DOUBLE &&
            v->type != SM_NODE_FLOAT && v->type != SM_NODE_NULL)
            return false;
        some = some || (v && v->type != SM_NODE_NULL);
    }
    return some;
}

static void clear_cells(struct text_cells *g)
{
    sm_arena_clear(&g->arena);
    sm_free(g->cells);
}

static void print_table(const struct sm_node *list, const struct sm_column *columns, size_t n,
                        const struct sm_print_options *o, struct sm_str *out)
{
    struct text_cells g = {0};
    struct sm_table_column *heads = sm_xalloc((n + 1) * sizeof *heads);
    size_t shown = 0, rows = 0;
    for (size_t i = 0; i < n; i++)
        if (!columns[i].hidden)
            heads[shown++] = (struct sm_table_column){
                .header = columns[i].header,
                .right = holds_numbers(list, &columns[i]),
                .spare = columns[i].spare || columns[i].format == SM_COL_SPARK,
                .wraps = columns[i].wraps,
                .below = columns[i].below,
            };
    for (const struct sm_node *row = list->first; row; row = row->next, rows++) {
        for (size_t i = 0; i < n; i++) {
            struct sm_str text = {0};
            if (columns[i].hidden)
                continue;
            sm_cell_text(&text, sm_node_get(row, columns[i].key), &columns[i], o);
            add_cell(&g, &text);
            sm_str_clear(&text);
        }
    }
    if (rows)
        sm_table_print(out, heads, shown, g.cells, rows, o->width, o->glyphs);
    sm_free(heads);
    clear_cells(&g);
}

static void print_fields(const struct sm_node *map, const struct sm_column *columns, size_t n,
                         const struct sm_print_options *o, struct sm_str *out)
{
    size_t widest = 0;
    for (size_t i = 0; i < n; i++) {
        size_t w =
            columns[i].hidden ? 0 : sm_text_width(columns[i].header, strlen(columns[i].header));
        widest = w > widest ? w : widest;
    }
    for (size_t i = 0; i < n; i++) {
        const struct sm_node *v = sm_node_get(map, columns[i].key);
        if (columns[i].hidden || !v)
            continue;
        sm_str_add(out, columns[i].header);
        sm_str_fill(out, ' ',
                    widest + 2 - sm_text_width(columns[i].header, strlen(columns[i].header)));
        sm_cell_text(out, v, &columns[i], o);
        sm_str_addc(out, '\n');
    }
}

static void print_dim(const char *text, const struct sm_print_options *o, struct sm_str *out)
{
    if (o->depth == SM_COLOR_MONO) {
        sm_str_printf(out, "%s\n", text);
        return;
    }
    const struct sm_style *style = &o->styles.of[SM_ROLE_DIM];
    bool styled = style->set && o->depth != SM_COLOR_ROLES;
    sm_color_sgr(out, styled ? (enum sm_role)style->role : SM_ROLE_DIM, styled ? style->attr : 0,
                 o->depth, o->light);
    if (styled)
        sm_color_sgr_back(out, (enum sm_role)style->back, o->depth, o->light);
    sm_str_add(out, text);
    sm_color_sgr(out, SM_ROLE_TEXT, 0, o->depth, o->light);
    sm_str_addc(out, '\n');
}

static void print_array(const struct sm_block *b, const struct sm_print_options *o,
                        struct sm_str *out)
{
    struct sm_print_options as = *o;
    as.format = &b->format;
    sm_print_array(b->node->tensor, &as, b->whole, out);
    sm_str_addc(out, '\n');
    if (b->whole || b->node->tensor->n <= o->threshold)
        return;
    char count[32];
    sm_format_count(b->node->tensor->n, count);
    struct sm_str hint = {0};
    sm_str_printf(&hint, "%s elements; use -a to show all.", count);
    print_dim(sm_str_text(&hint), o, out);
    sm_str_clear(&hint);
}

/* Text may hold names from files: it is escaped here, whatever the command has done. */
static void print_lines(const struct sm_block *b, const struct sm_print_options *o,
                        struct sm_str *out)
{
    struct sm_str text = {0};
    sm_str_add_escaped_lines(&text, b->text, strlen(b->text));
    if (b->kind == SM_BLOCK_PROSE)
        sm_print_prose(out, sm_str_text(&text), b->hang, o->width);
    else if (b->kind == SM_BLOCK_DIM)
        print_dim(sm_str_text(&text), o, out);
    else
        sm_str_printf(out, "%s\n", sm_str_text(&text));
    sm_str_clear(&text);
}

/* A piece is what echo and printf print, which may have escapes of the user. */
static void print_block(const struct sm_block *b, const struct sm_print_options *o,
                        struct sm_str *out)
{
    switch (b->kind) {
    case SM_BLOCK_TEXT:
    case SM_BLOCK_PROSE:
    case SM_BLOCK_DIM:
        print_lines(b, o, out);
        break;
    case SM_BLOCK_GRAPHIC:
        sm_str_printf(out, "%s\n", b->text);
        break;
    case SM_BLOCK_PIECE:
        sm_str_add(out, b->text);
        break;
    case SM_BLOCK_TABLE:
        print_table(b->node, b->columns, b->n_columns, o, out);
        break;
    case SM_BLOCK_FIELDS:
        print_fields(b->node, b->columns, b->n_columns, o, out);
        break;
    case SM_BLOCK_ARRAY:
        print_array(b, o, out);
        break;
    case SM_BLOCK_GRID:
        if (o->depth != SM_COLOR_MONO && o->depth != SM_COLOR_ROLES)
            sm_styles_apply(&o->styles, b->grid);
        if (o->depth == SM_COLOR_MONO)
            sm_print_plain(b->grid, out);
        else
            sm_print_ansi(b->grid, o->depth, o->light, out);
    }
}

/* Text output with -field: prints the selected columns instead of the blocks. */
static void print_selected(const struct sm_result *r, const struct sm_print_options *o,
                           struct sm_str *out)
{
    struct sm_fields f;
    sm_fields_choose(&f, r, o->fields);
    for (size_t i = 0; i < f.n; i++)
        f.columns[i].hidden = f.columns[i].text_only = false;
    const struct sm_node *rows = sm_result_rows(r);
    if (rows->type == SM_NODE_LIST)
        print_table(rows, f.columns, f.n, o, out);
    else
        print_fields(rows, f.columns, f.n, o, out);
    sm_fields_clear(&f);
}

void sm_print_text(const struct sm_result *r, const struct sm_print_options *o, struct sm_str *out)
{
    if (o->fields && r->root) {
        print_selected(r, o, out);
        return;
    }
    for (const struct sm_block *b = r->first; b; b = b->next)
        print_block(b, o, out);
}
