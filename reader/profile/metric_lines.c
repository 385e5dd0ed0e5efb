/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/metric_lines.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/json_scan.h"

#include <math.h>
#include <string.h>

enum { NAME_MAX_BYTES = 256, SERIES_MAX = 200000 };

struct fields {
    struct sm_scan_value type, name, dimension, node, value, time;
    unsigned seen;
};
enum {
    TYPE = 1,
    NAME = 2,
    DIMENSION = 4,
    NODE = 8,
    VALUE = 16,
    TIME = 32,
    NEEDED = TYPE | VALUE | TIME
};

void sm_metric_batch_clear(struct sm_metric_batch *b)
{
    sm_names_free(b->names);
    sm_names_free(b->texts);
    sm_free(b->keys);
    sm_free(b->rows);
    sm_free(b->next);
    *b = (struct sm_metric_batch){0};
}

/* ---- one line ---- */

static void take_field(struct fields *f, struct sm_text key, const struct sm_scan_value *v)
{
    static const struct {
        const char *name;
        size_t n, offset;
        unsigned bit;
    } known[] = {
        {"Type", 4, offsetof(struct fields, type), TYPE},
        {"Name", 4, offsetof(struct fields, name), NAME},
        {"Dimension", 9, offsetof(struct fields, dimension), DIMENSION},
        {"Value", 5, offsetof(struct fields, value), VALUE},
        {"NodeId", 6, offsetof(struct fields, node), NODE},
        {"Timestamp", 9, offsetof(struct fields, time), TIME},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (key.n == known[i].n && memcmp(key.p, known[i].name, key.n) == 0) {
            if (v->type == SM_SCAN_WORD && known[i].bit < VALUE)
                return; /* null is a name that is not given */
            memcpy((char *)f + known[i].offset, v, sizeof *v);
            f->seen |= known[i].bit;
            return;
        }
}

static enum sm_scan_result read_fields(struct sm_scan *s, struct fields *f)
{
    struct sm_scan_value v;
    struct sm_text key;
    enum sm_scan_result r = sm_scan_enter(s, '{');
    f->seen = 0;
    while (r == SM_SCAN_ITEM) {
        r = sm_scan_key(s, &key, &v);
        if (r == SM_SCAN_ITEM)
            take_field(f, key, &v);
    }
    return r;
}

/* ---- series ---- */

static uint32_t add_name(struct sm_metric_batch *b, const struct sm_scan_value *v)
{
    struct sm_str text = {0};
    sm_scan_text(v, &text);
    size_t n = text.len < NAME_MAX_BYTES ? text.len : NAME_MAX_BYTES;
    uint32_t id = text.failed ? SM_NAME_NONE : sm_names_add(b->names, sm_str_text(&text), n);
    sm_str_clear(&text);
    return id;
}

/* What is written of a series, in one piece: the same text is the same series. */
static size_t join_fields(const struct fields *f, char out[4 * NAME_MAX_BYTES + 4])
{
    const struct sm_scan_value *all[] = {&f->node, &f->type, &f->name, &f->dimension};
    size_t n = 0;
    for (int i = 0; i < 4; i++) {
        size_t part = all[i]->text.n < NAME_MAX_BYTES ? all[i]->text.n : NAME_MAX_BYTES;
        if (part)
            memcpy(out + n, all[i]->text.p, part);
        n += part;
        out[n++] = '"'; /* in none of them */
    }
    return n;
}

static bool is_series(const struct sm_metric_batch *b, uint32_t id, const char *p, size_t n)
{
    return id < b->n_keys && sm_names_length(b->texts, id) == n &&
           memcmp(sm_names_text(b->texts, id), p, n) == 0;
}

static uint32_t new_series(struct sm_metric_batch *b, const struct fields *f, const char *p,
                           size_t n)
{
    struct sm_metric_key key = {.node = add_name(b, &f->node),
                                .type = add_name(b, &f->type),
                                .name = add_name(b, &f->name),
                                .dimension = add_name(b, &f->dimension)};
    bool ok = key.node != SM_NAME_NONE && key.type != SM_NAME_NONE && key.name != SM_NAME_NONE &&
              key.dimension != SM_NAME_NONE && b->n_keys < SERIES_MAX &&
              SM_VEC_ROOM(b->keys, b->n_keys, b->cap_keys) &&
              SM_VEC_ROOM(b->next, b->n_keys, b->cap_next) &&
              sm_names_add(b->texts, p, n) == b->n_keys;
    if (!ok)
        return SM_NAME_NONE;
    b->keys[b->n_keys] = key;
    b->next[b->n_keys] = SM_NAME_NONE;
    return (uint32_t)b->n_keys++;
}

static uint32_t series_of(struct sm_metric_batch *b, const struct fields *f)
{
    char text[4 * NAME_MAX_BYTES + 4];
    size_t n = join_fields(f, text);
    uint32_t likely = b->last < b->n_keys ? b->next[b->last] : SM_NAME_NONE, id = likely;
    if (!is_series(b, likely, text, n)) {
        id = sm_names_find(b->texts, text, n);
        if (id == SM_NAME_NONE)
            id = new_series(b, f, text, n);
        if (id != SM_NAME_NONE && b->last < b->n_keys)
            b->next[b->last] = id;
    }
    b->last = id;
    return id;
}

/* ---- rows ---- */

static bool refuse(struct sm_metric_batch *b, uint64_t at, const char *why)
{
    if (!b->bad++) {
        b->bad_at = at;
        sm_err_set(&b->why, SM_ERR_DATA, "%s", why);
    }
    return false;
}

static bool add_row(struct sm_metric_batch *b, const struct fields *f, uint64_t at)
{
    struct sm_metric_row row;
    if ((f->seen & NEEDED) != NEEDED)
        return refuse(b, at, "a line without Type, Value or Timestamp");
    if (!sm_scan_decimal(&f->time, 9, &row.time_ns))
        return refuse(b, at, "a Timestamp that is no number");
    bool word = f->value.type == SM_SCAN_WORD; /* null */
    if (!word && !sm_scan_double(&f->value, &row.value))
        return refuse(b, at, "a Value that is no number");
    if (word || !isfinite(row.value)) {
        b->not_finite++;
        return true;
    }
    row.series = series_of(b, f);
    if (row.series == SM_NAME_NONE || !SM_VEC_ROOM(b->rows, b->n_rows, b->cap_rows)) {
        b->no_memory = true;
        return false;
    }
    b->rows[b->n_rows++] = row;
    return true;
}

/* Reads the objects of a line; false: it is torn, which does no harm at its end. */
static bool read_line(struct sm_metric_batch *b, struct sm_scan s, const char *begin,
                      const struct sm_scan_value *node)
{
    static const struct sm_scan_value none = {.type = SM_SCAN_STRING, .text = {"", 0}};
    for (sm_scan_skip(&s, ",[]"); s.p < s.end; sm_scan_skip(&s, ",[]")) {
        struct fields f = {.name = none, .dimension = none, .node = *node};
        uint64_t at = (uint64_t)(s.p - begin);
        enum sm_scan_result r = read_fields(&s, &f);
        if (r == SM_SCAN_TORN)
            return false;
        if (r != SM_SCAN_DONE) {
            refuse(b, at, "a line that is no JSON");
            return true;
        }
        add_row(b, &f, at);
    }
    return true;
}

static bool begin(struct sm_metric_batch *b)
{
    if (!b->names) {
        b->names = sm_names_new();
        b->texts = sm_names_new();
        b->last = SM_NAME_NONE;
    }
    b->no_memory = b->no_memory || !b->names || !b->texts;
    return !b->no_memory;
}

size_t sm_metric_lines_read(struct sm_metric_batch *b, const char *p, size_t n, const char *node)
{
    struct sm_scan_value own = {.type = SM_SCAN_STRING, .text = sm_text(node)};
    const char *at = p, *end = p + n;
    if (!begin(b))
        return 0;
    while (at < end) {
        const char *lf = memchr(at, '\n', (size_t)(end - at));
        size_t rows = b->n_rows;
        if (!read_line(b, (struct sm_scan){at, lf ? lf : end}, p, &own)) {
            if (!lf && end - at <= SM_METRIC_LINE_MAX) {
                b->n_rows = rows; /* its whole objects come again with the rest */
                break;
            }
            refuse(b, (uint64_t)(at - p), "a line that is cut off");
        }
        at = lf ? lf + 1 : end;
    }
    return (size_t)(at - p);
}
