/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/print_cell.h"

#include "plot/chart.h"
#include "reader/base/grow.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SPARK_MAX = 60, SHORT_DIGITS = 5 };

/* Appends "2026-01-02T03:04:05Z", or local time with its offset. seconds: since 1970; microseconds
 * are printed if they are not 0. */
static void add_time(struct sm_str *out, double seconds, bool local)
{
    char text[64], zone[16];
    struct tm tm;
    bool known = fabs(seconds) <= 1e12;
    time_t whole = known ? (time_t)floor(seconds) : 0;
    unsigned us = known ? (unsigned)floor((seconds - floor(seconds)) * 1e6 + 0.5) : 0;
    if (us >= 1000000)
        us = 0, whole++;
    if (!known || !(local ? localtime_r(&whole, &tm) : gmtime_r(&whole, &tm))) {
        sm_str_addc(out, '-');
        return;
    }
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
    sm_str_add(out, text);
    if (us)
        sm_str_printf(out, ".%06u", us);
    strftime(zone, sizeof zone, "%z", &tm);
    if (local)
        sm_str_printf(out, "%.3s:%s", zone, zone + 3);
    else
        sm_str_addc(out, 'Z');
}

static bool is_number(const struct sm_node *v)
{
    return v->type == SM_NODE_INT || v->type == SM_NODE_UINT || v->type == SM_NODE_DOUBLE ||
           v->type == SM_NODE_FLOAT;
}

static double number_of(const struct sm_node *v)
{
    return v->type == SM_NODE_INT ? (double)v->i : v->type == SM_NODE_UINT ? (double)v->u : v->d;
}

static void add_plain(struct sm_str *out, const struct sm_node *v, bool raw,
                      const struct sm_print_options *o);

static void add_items(struct sm_str *out, const struct sm_node *list, const char *between, bool raw,
                      const struct sm_print_options *o)
{
    for (const struct sm_node *v = list->first; v; v = v->next) {
        if (v != list->first)
            sm_str_add(out, between);
        add_plain(out, v, raw, o);
    }
}

static void add_shape(struct sm_str *out, const struct sm_node *list, bool raw,
                      const struct sm_print_options *o)
{
    sm_str_addc(out, '(');
    add_items(out, list, ", ", raw, o);
    sm_str_add(out, list->first && !list->first->next ? ",)" : ")");
}

static void add_double(struct sm_str *out, const struct sm_node *v, bool raw)
{
    char text[32];
    if (v->bytes && !raw)
        sm_format_bytes_short((uint64_t)v->d, text);
    else if (raw)
        sm_format_shortest(v->d, v->type == SM_NODE_FLOAT, text);
    else
        sm_format_double(v->d, SHORT_DIGITS, text);
    sm_str_add(out, text);
}

/* Appends a value without the format of its column; lists as a,b,c, maps as key=value. */
static void add_plain(struct sm_str *out, const struct sm_node *v, bool raw,
                      const struct sm_print_options *o)
{
    switch (v->type) {
    case SM_NODE_NULL:
        sm_str_add(out, raw ? "" : "-");
        break;
    case SM_NODE_BOOL:
        sm_str_add(out, v->b ? "true" : "false");
        break;
    case SM_NODE_INT:
        sm_str_printf(out, "%" PRId64, v->i);
        break;
    case SM_NODE_UINT:
        sm_str_printf(out, "%" PRIu64, v->u);
        break;
    case SM_NODE_DOUBLE:
    case SM_NODE_FLOAT:
        add_double(out, v, raw);
        break;
    case SM_NODE_TEXT:
        if (raw)
            sm_str_addn(out, v->text.p, v->text.n);
        else
            sm_str_add_escaped(out, v->text.p, v->text.n);
        break;
    case SM_NODE_LIST:
        add_items(out, v, ",", raw, o);
        break;
    case SM_NODE_MAP:
        for (const struct sm_node *k = v->first; k; k = k->next) {
            sm_str_printf(out, "%s%s=", k == v->first ? "" : " ", k->key);
            add_plain(out, k, raw, o);
        }
        break;
    case SM_NODE_TENSOR:
        sm_print_array(v->tensor, o, v->whole, out);
    }
}

/* Nothing is drawn for what comes before the first value, nor for gaps of a list without NaN. */
static void add_spark(struct sm_str *out, const struct sm_node *list,
                      const struct sm_print_options *o)
{
    struct sm_glyphs glyphs = *o->glyphs;
    double *values = NULL;
    size_t n = 0, cap = 0;
    bool nan = false;
    const struct sm_node *v = list->first;
    for (size_t i = 0; v && v->type == SM_NODE_NULL && i < SPARK_MAX; i++, v = v->next)
        sm_str_addc(out, ' ');
    for (; v; v = v->next) {
        SM_GROW(values, n, cap);
        values[n++] = is_number(v) ? number_of(v) : (double)NAN;
        nan = nan || (is_number(v) && isnan(number_of(v)));
    }
    if (!nan)
        glyphs.nan = ' ';
    sm_spark_text(out, values, n, n < SPARK_MAX ? (int)n : SPARK_MAX, &glyphs);
    sm_free(values);
}

static void add_bytes(struct sm_str *out, const struct sm_node *v)
{
    char text[16];
    sm_format_bytes(v->type == SM_NODE_UINT ? v->u
                    : number_of(v) > 0      ? (uint64_t)number_of(v)
                                            : 0,
                    text);
    sm_str_add(out, text);
}

static void add_duration(struct sm_str *out, double ns)
{
    char text[16];
    sm_format_nanoseconds(ns, text);
    sm_str_add(out, text);
}

void sm_cell_text(struct sm_str *out, const struct sm_node *v, const struct sm_column *c,
                  const struct sm_print_options *o)
{
    if (!v || v->type == SM_NODE_NULL) {
        if (c->format != SM_COL_MARK && c->format != SM_COL_SPARK)
            sm_str_addc(out, '-');
        return;
    }
    if (c->format == SM_COL_MARK && v->type == SM_NODE_BOOL)
        sm_str_add(out, !v->b ? "" : strcmp(c->header, " ") == 0 ? "*" : c->header);
    else if (c->format == SM_COL_TIME && is_number(v))
        add_time(out, floor(number_of(v)), o->local_time);
    else if (c->format == SM_COL_BYTES && is_number(v))
        add_bytes(out, v);
    else if (c->format == SM_COL_DURATION && is_number(v))
        add_duration(out, number_of(v));
    else if (c->format == SM_COL_SHAPE && v->type == SM_NODE_LIST)
        add_shape(out, v, false, o);
    else if (c->format == SM_COL_SPARK && v->type == SM_NODE_LIST)
        add_spark(out, v, o);
    else if (v->type == SM_NODE_LIST && !v->first)
        sm_str_addc(out, '-');
    else
        add_plain(out, v, false, o);
}

void sm_cell_raw(struct sm_str *out, const struct sm_node *v, const struct sm_column *c,
                 const struct sm_print_options *o)
{
    if (!v)
        return;
    if (c->format == SM_COL_TIME && is_number(v))
        add_time(out, number_of(v), o->local_time);
    else if (c->format == SM_COL_SHAPE && v->type == SM_NODE_LIST)
        add_shape(out, v, true, o);
    else
        add_plain(out, v, true, o);
}

/* ---- the columns to print ---- */

static void add_column(struct sm_fields *f, struct sm_column c)
{
    SM_GROW(f->columns, f->n, f->cap);
    f->columns[f->n++] = c;
}

static const struct sm_node *first_row(const struct sm_result *r)
{
    const struct sm_node *rows = sm_result_rows(r);
    return rows && rows->type == SM_NODE_LIST ? rows->first : rows;
}

static void choose_named(struct sm_fields *f, const struct sm_result *r, const char *fields)
{
    while (*fields) {
        size_t n = strcspn(fields, ",");
        const char *key = sm_arena_xstrndup(&f->arena, fields, n);
        struct sm_column c = {.key = key, .header = key};
        for (size_t i = 0; i < r->n_columns; i++)
            if (strcmp(r->columns[i].key, key) == 0)
                c = r->columns[i];
        if (n)
            add_column(f, c);
        fields += n + (fields[n] == ',');
    }
}

void sm_fields_choose(struct sm_fields *f, const struct sm_result *r, const char *fields)
{
    *f = (struct sm_fields){0};
    if (fields) {
        choose_named(f, r, fields);
        return;
    }
    for (size_t i = 0; i < r->n_columns; i++)
        add_column(f, r->columns[i]);
    const struct sm_node *row = first_row(r);
    for (const struct sm_node *v = !f->n && row && row->type == SM_NODE_MAP ? row->first : NULL; v;
         v = v->next)
        add_column(f, (struct sm_column){.key = v->key, .header = v->key});
}

void sm_fields_clear(struct sm_fields *f)
{
    sm_free(f->columns);
    sm_arena_clear(&f->arena);
}

static bool is_field(const struct sm_result *r, const char *key)
{
    for (size_t i = 0; i < r->n_columns; i++)
        if (strcmp(r->columns[i].key, key) == 0)
            return true;
    const struct sm_node *rows = sm_result_rows(r);
    if (rows && rows->type == SM_NODE_LIST) {
        for (const struct sm_node *row = rows->first; row; row = row->next)
            if (sm_node_get(row, key))
                return true;
        return false;
    }
    return sm_node_get(rows, key) != NULL;
}

bool sm_print_check_fields(const struct sm_result *r, const char *fields, struct sm_err *err)
{
    struct sm_fields named, known;
    bool ok = true;
    const struct sm_node *rows = sm_result_rows(r);
    if (!fields || !rows)
        return true;
    sm_fields_choose(&named, r, fields);
    sm_fields_choose(&known, r, NULL);
    bool empty = rows->type == SM_NODE_LIST && !rows->first && !r->n_columns;
    for (size_t i = 0; i < named.n && ok && !empty; i++) {
        if (is_field(r, named.columns[i].key))
            continue;
        struct sm_str all = {0};
        for (size_t k = 0; k < known.n; k++)
            sm_str_printf(&all, "%s%s", k ? ", " : "", known.columns[k].key);
        ok = sm_err_set(err, SM_ERR_USAGE, "No field \"%s\".  Available fields: %s.",
                        named.columns[i].key, sm_str_text(&all));
        sm_str_clear(&all);
    }
    sm_fields_clear(&named);
    sm_fields_clear(&known);
    return ok;
}
