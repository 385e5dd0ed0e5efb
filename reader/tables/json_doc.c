/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/json_doc.h"

#include "reader/base/mem.h"
#include "reader/logs/log_fresh.h"
#include "reader/tables/column_name.h"
#include "reader/tables/table_settings.h"

#include <string.h>

/* The end of the text whose opening quote is at p. */
static const char *text_end(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        p += *p == '\\';
    return p < end ? p + 1 : end;
}

bool sm_json_each_object(const char *p, const char *end,
                         bool (*object)(void *ctx, const char *p, size_t n), void *ctx)
{
    const char *begin = p;
    size_t depth = 0;
    while (p < end) {
        if (*p == '"') {
            p = text_end(p, end);
            continue;
        }
        if (*p == '{' && depth++ == 0)
            begin = p;
        if (*p++ == '}' && depth && --depth == 0 && !object(ctx, begin, (size_t)(p - begin)))
            return false;
    }
    return true;
}

struct reading {
    struct sm_json_row *row;
    struct sm_point_list *out;
    struct sm_err *err;
    unsigned rank;         /* the best of a counter of steps in the document; 0: none */
    uint32_t step;         /* object of lists: its name */
    struct sm_text counts; /* and its list */
    int64_t last, rows;    /* the step of the row before; rows so far */
};

static bool no_memory(struct reading *r)
{
    return sm_err_set(r->err, SM_ERR_MEMORY, "no memory for a document");
}

/* ---- a list of objects ---- */

static bool rank_object(void *ctx, const char *p, size_t n)
{
    struct reading *r = ctx;
    int64_t step;
    if (!sm_json_row_read(r->row, p, n, r->err))
        return false;
    for (size_t i = 0; i < r->row->n; i++) {
        const struct sm_json_item *x = &r->row->items[i];
        unsigned rank = r->row->keys[x->key].rank;
        if (x->type == SM_LOG_NUMBER && rank && (!r->rank || rank < r->rank) &&
            sm_step_value(x->number, &step) && step >= 0)
            r->rank = rank;
    }
    return true;
}

static bool take_object(void *ctx, const char *p, size_t n)
{
    struct reading *r = ctx;
    int64_t step = r->rank ? r->last : r->rows;
    uint32_t at = SM_NAME_NONE;
    if (!sm_json_row_read(r->row, p, n, r->err))
        return false;
    for (size_t i = 0; i < r->row->n && at == SM_NAME_NONE && r->rank; i++) {
        const struct sm_json_item *x = &r->row->items[i];
        if (x->type == SM_LOG_NUMBER && r->row->keys[x->key].rank == r->rank &&
            sm_step_value(x->number, &step))
            at = x->key;
    }
    for (size_t i = 0; i < r->row->n; i++) {
        const struct sm_json_item *x = &r->row->items[i];
        if (x->type == SM_LOG_NUMBER && x->key != at &&
            !sm_point_list_add(r->out, x->key, step, x->number))
            return no_memory(r);
    }
    r->last = step;
    r->rows++;
    return true;
}

static bool take_objects(struct reading *r, const char *p, size_t n)
{
    struct sm_err own;
    static const struct sm_json_ops none = {0};
    if (!sm_log_json_parse(p, n, &none, NULL, &own)) {
        *r->err = own;
        return false;
    }
    return sm_json_each_object(p, p + n, rank_object, r) &&
           sm_json_each_object(p, p + n, take_object, r) &&
           (r->out->n || sm_err_set(r->err, SM_ERR_DATA, "a list without objects of numbers"));
}

/* ---- an object of lists ---- */

/* The next number of a list of numbers; its end sets *more to false. False: it is another list. */
static bool next_number(const char **p, const char *end, double *v)
{
    const char *begin = *p;
    while (*p < end && **p != ',' && **p != ']')
        ++*p;
    bool ok = sm_log_number(begin, (size_t)(*p - begin), v);
    *p += *p < end;
    return ok;
}

static size_t count_numbers(struct sm_text list)
{
    const char *p = list.p + 1, *end = list.p + list.n;
    size_t n = 0;
    double v;
    while (p < end) {
        if (!next_number(&p, end, &v))
            return 0;
        n++;
    }
    return n;
}

/* All of them can be steps, and none is lower than the one before. */
static bool are_steps(struct sm_text list)
{
    const char *p = list.p + 1, *end = list.p + list.n;
    int64_t last = 0, step;
    double v;
    for (; p < end; last = step)
        if (!next_number(&p, end, &v) || !sm_step_value(v, &step) || step < last)
            return false;
    return true;
}

static struct sm_text list_of(const struct sm_json_row *row, const struct sm_json_item *x)
{
    return (struct sm_text){sm_str_text(&row->texts) + x->text, x->text_n};
}

static bool take_list(struct reading *r, const struct sm_json_item *x)
{
    struct sm_text list = list_of(r->row, x);
    const char *p = list.p + 1, *end = list.p + list.n;
    const char *count = r->counts.p ? r->counts.p + 1 : NULL;
    double v, n;
    for (int64_t step = 0; p < end; step++) {
        if (count && count < r->counts.p + r->counts.n &&
            next_number(&count, r->counts.p + r->counts.n, &n))
            sm_step_value(n, &step);
        next_number(&p, end, &v);
        if (!sm_point_list_add(r->out, x->key, step, v))
            return no_memory(r);
    }
    return true;
}

/* An item near x whose name is the first n bytes of x's name and then `part`; NULL: there is none.
 * Names of one object are beside each other. */
static const struct sm_json_item *sibling(const struct sm_json_row *row,
                                          const struct sm_json_item *x, size_t n, const char *part)
{
    enum { NEAR = 8 };
    const char *name = sm_names_text(row->names, x->key);
    size_t at = (size_t)(x - row->items), to = at + NEAR < row->n ? at + NEAR : row->n;
    for (size_t i = at > NEAR ? at - NEAR : 0; i < to; i++) {
        const char *other = sm_names_text(row->names, row->items[i].key);
        if (strncmp(other, name, n) == 0 && strcmp(other + n, part) == 0)
            return &row->items[i];
    }
    return NULL;
}

/* The length of the name of a series that has its own steps: "loss" of "loss/values", with
 * "loss/steps" beside it, as Sacred writes metrics. 0: it is none. */
static size_t own_name(const struct sm_json_row *row, const struct sm_json_item *x)
{
    const char *name = sm_names_text(row->names, x->key), *last = strrchr(name, '/');
    size_t n = last ? (size_t)(last - name) : 0;
    const struct sm_json_item *steps = n ? sibling(row, x, n, "/steps") : NULL;
    const struct sm_json_item *values = steps ? sibling(row, x, n, "/values") : NULL;
    bool own = values && values->type == SM_LOG_ARRAY && steps->type == SM_LOG_ARRAY;
    size_t rows = own ? count_numbers(list_of(row, values)) : 0;
    return rows && count_numbers(list_of(row, steps)) == rows ? n : 0;
}

/* Takes the values of such a series, by its steps. */
static bool take_series(struct reading *r, const struct sm_json_item *x, size_t n)
{
    const char *name = sm_names_text(r->row->names, x->key);
    struct sm_text before = r->counts;
    struct sm_json_item series = *x;
    if (strcmp(name + n, "/values") != 0)
        return true;
    r->counts = list_of(r->row, sibling(r->row, x, n, "/steps"));
    series.key = sm_json_row_key(r->row, name, n);
    bool ok = series.key != SM_NAME_NONE ? take_list(r, &series) : no_memory(r);
    r->counts = before;
    return ok;
}

static bool take_one_list(struct reading *r, const struct sm_json_item *x)
{
    size_t own = own_name(r->row, x);
    if (own)
        return take_series(r, x, own);
    return x->key == r->step || !count_numbers(list_of(r->row, x)) || take_list(r, x);
}

static bool take_lists(struct reading *r, const char *p, size_t n)
{
    r->row->keeps_texts = true;
    if (!sm_json_row_read(r->row, p, n, r->err))
        return false;
    r->step = SM_NAME_NONE;
    for (size_t i = 0; i < r->row->n; i++) {
        const struct sm_json_item *x = &r->row->items[i];
        unsigned rank = r->row->keys[x->key].rank;
        if (x->type == SM_LOG_ARRAY && rank && (!r->rank || rank < r->rank) &&
            !own_name(r->row, x) && count_numbers(list_of(r->row, x)) &&
            are_steps(list_of(r->row, x))) {
            r->rank = rank;
            r->step = x->key;
            r->counts = list_of(r->row, x);
        }
    }
    for (size_t i = 0; i < r->row->n; i++) {
        const struct sm_json_item *x = &r->row->items[i];
        if (x->type == SM_LOG_ARRAY && !take_one_list(r, x))
            return false;
    }
    return r->out->n || sm_err_set(r->err, SM_ERR_DATA, "an object without lists of numbers");
}

bool sm_json_doc_points(const char *p, size_t n, struct sm_json_row *row, struct sm_point_list *out,
                        struct sm_err *err)
{
    struct reading r = {.row = row, .out = out, .err = err};
    while (n && strchr(" \t\r\n", *p) && *p)
        p++, n--;
    return n && *p == '[' ? take_objects(&r, p, n) : take_lists(&r, p, n);
}

/* ---- the run ---- */

static size_t skip_blanks(const char *p, size_t n, size_t i)
{
    while (i < n && (p[i] == ' ' || p[i] == '\t'))
        i++;
    return i;
}

/* Whether an object that is whole has a number that is in no list. */
static bool is_row(const char *p, size_t n)
{
    struct sm_json_row row = {0};
    struct sm_err err;
    bool number = false;
    if (sm_json_row_read(&row, p, n, &err))
        for (size_t i = 0; i < row.n && !number; i++)
            number = row.items[i].type == SM_LOG_NUMBER;
    sm_json_row_clear(&row);
    return number;
}

bool sm_json_is_doc(const char *p, size_t n)
{
    size_t i = n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    i = skip_blanks(p, n, i);
    if (i >= n || p[i] != '{')
        return i < n && p[i] == '[';
    i = skip_blanks(p, n, i + 1);
    if (i < n && (p[i] == '\n' || p[i] == '\r'))
        return true;
    if (i >= n || p[i] != '"' || memchr(p + i, '\n', n - i - (p[n - 1] == '\n')))
        return false;
    i = skip_blanks(p, n, (size_t)(text_end(p + i, p + n) - p));
    return i < n && p[i] == ':' && (i = skip_blanks(p, n, i + 1)) < n && p[i] == '[' &&
           !is_row(p, n);
}

struct sm_json_doc {
    struct sm_source *source;
    char *path, *folder;
    struct sm_stat stat;
    bool there;
    struct sm_json_row row;
    struct sm_points_told told;
    struct sm_table_settings settings;
};

struct sm_json_doc *sm_json_doc_new(struct sm_source *source, const char *path)
{
    struct sm_json_doc *d = sm_alloc_zero(1, sizeof *d);
    const char *slash = strrchr(path, '/');
    if (!d)
        return NULL;
    d->source = source;
    d->path = sm_strdup(path);
    d->folder = sm_strndup(path, slash ? (size_t)(slash + 1 - path) : 0);
    if (d->path && d->folder)
        return d;
    sm_json_doc_free(d);
    return NULL;
}

void sm_json_doc_free(struct sm_json_doc *d)
{
    if (!d)
        return;
    sm_free(d->path);
    sm_free(d->folder);
    sm_json_row_clear(&d->row);
    sm_free(d);
}

static bool has_changed(struct sm_json_doc *d)
{
    struct sm_stat st;
    struct sm_err err;
    bool there = sm_source_stat(d->source, d->path, &st, &err) && !st.is_dir;
    bool changed = there && (!d->there || st.mtime_us != d->stat.mtime_us ||
                             st.size_bytes != d->stat.size_bytes || st.inode != d->stat.inode);
    d->there = there;
    if (there)
        d->stat = st;
    return changed;
}

bool sm_json_doc_poll(struct sm_json_doc *d, struct sm_log_sink *sink)
{
    struct sm_point_list points = {0};
    struct sm_str text = {0};
    struct sm_err err;
    if (!has_changed(d))
        return d->told.n;
    if (sm_source_slurp(d->source, d->path, SM_JSON_DOC_BYTES, &text, &err) &&
        sm_json_doc_points(sm_str_text(&text), text.len, &d->row, &points, &err)) {
        if (!sm_points_go_on(&d->told, &points)) {
            sm_log_restart(sink);
            d->told = (struct sm_points_told){0};
            d->settings = (struct sm_table_settings){0};
        }
        sm_table_settings_read(&d->settings, d->source, d->folder, sink);
        sm_log_written(sink, d->stat.mtime_us);
        sm_points_tell(&d->told, &points, &d->row, sink);
    } else if (err.code == SM_ERR_DATA && sm_is_fresh(d->stat.mtime_us)) {
        d->there = false; /* read again */
    } else if (err.code != SM_ERR_MISSING) {
        sm_log_problem(sink, d->path, -1, &err);
    }
    sm_point_list_clear(&points);
    sm_str_clear(&text);
    return d->told.n;
}
