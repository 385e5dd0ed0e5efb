/* SPDX-License-Identifier: Apache-2.0 */
/* Rows for other programs: CSV (quoted as in RFC 4180, with Unix line ends), TSV, and values
 * terminated by zero bytes. */
#include "commands/answer/print_cell.h"

#include <string.h>

/* Appends the cell. Replaces each byte in `from` with its string in `to`, and escapes other control
 * characters. */
static void add_replaced(struct sm_str *out, const struct sm_str *cell, const char *from,
                         const char *const *to)
{
    const char *p = sm_str_text(cell);
    size_t start = 0;
    for (size_t i = 0; i < cell->len; i++) {
        const char *special = p[i] ? strchr(from, p[i]) : NULL;
        if (!special)
            continue;
        sm_str_add_escaped(out, p + start, i - start);
        sm_str_add(out, to[special - from]);
        start = i + 1;
    }
    sm_str_add_escaped(out, p + start, cell->len - start);
}

static void add_csv(struct sm_str *out, const struct sm_str *cell)
{
    static const char *const to[] = {"\"\"", "\n", "\t"};
    const char *p = sm_str_text(cell);
    bool quote = strpbrk(p, ",\"\n") || p[0] == ' ' || (cell->len && p[cell->len - 1] == ' ');
    if (quote)
        sm_str_addc(out, '"');
    add_replaced(out, cell, "\"\n\t", to);
    if (quote)
        sm_str_addc(out, '"');
}

static void add_tsv(struct sm_str *out, const struct sm_str *cell)
{
    static const char *const to[] = {"\\t", "\\n", "\\r", "\\\\"};
    add_replaced(out, cell, "\t\n\r\\", to);
}

static void add_cell(struct sm_str *out, const struct sm_str *cell, enum sm_output format,
                     bool first)
{
    if (format == SM_OUTPUT_NUL) {
        sm_str_addn(out, sm_str_text(cell), cell->len);
        sm_str_addc(out, 0);
        return;
    }
    if (!first)
        sm_str_addc(out, format == SM_OUTPUT_CSV ? ',' : '\t');
    if (format == SM_OUTPUT_CSV)
        add_csv(out, cell);
    else
        add_tsv(out, cell);
}

static void end_row(struct sm_str *out, enum sm_output format)
{
    if (format != SM_OUTPUT_NUL)
        sm_str_add(out, "\n");
}

/* Removes the columns that are for text only. For -0 only the first column is left, unless -field
 * selects some. */
static void drop_columns(struct sm_fields *f, const struct sm_print_options *o)
{
    size_t kept = 0;
    if (o->fields)
        return;
    for (size_t i = 0; i < f->n; i++)
        if (!f->columns[i].text_only && f->columns[i].format != SM_COL_SPARK)
            f->columns[kept++] = f->columns[i];
    f->n = o->output == SM_OUTPUT_NUL && kept ? 1 : kept;
}

static void add_row(struct sm_str *out, const struct sm_node *row, const struct sm_fields *f,
                    const struct sm_print_options *o)
{
    struct sm_column plain = {0};
    for (size_t i = 0; i < (f->n ? f->n : 1); i++) {
        struct sm_str cell = {0};
        if (f->n)
            sm_cell_raw(&cell, sm_node_get(row, f->columns[i].key), &f->columns[i], o);
        else
            sm_cell_raw(&cell, row, &plain, o);
        add_cell(out, &cell, o->output, i == 0);
        sm_str_clear(&cell);
    }
    end_row(out, o->output);
}

static void add_header(struct sm_str *out, const struct sm_fields *f, enum sm_output format)
{
    for (size_t i = 0; i < (f->n ? f->n : 1); i++) {
        struct sm_str cell = {0};
        sm_str_add(&cell, f->n ? f->columns[i].key : "value");
        add_cell(out, &cell, format, i == 0);
        sm_str_clear(&cell);
    }
    end_row(out, format);
}

void sm_print_table(const struct sm_result *r, const struct sm_print_options *o, struct sm_str *out)
{
    struct sm_fields f;
    const struct sm_node *rows = sm_result_rows(r);
    if (!rows)
        return;
    sm_fields_choose(&f, r, o->fields);
    drop_columns(&f, o);
    if (o->output != SM_OUTPUT_NUL)
        add_header(out, &f, o->output);
    if (rows->type == SM_NODE_LIST)
        for (const struct sm_node *row = rows->first; row; row = row->next)
            add_row(out, row, &f, o);
    else
        add_row(out, rows, &f, o);
    sm_fields_clear(&f);
}
