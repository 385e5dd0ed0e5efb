/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/index_json.h"

#include "reader/base/json.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/python_json.h"

#include <stdio.h>
#include <strings.h>

#define LENGTH_MAX (((int64_t)1 << SM_INDEX_LENGTH_BITS) - 1)

static const char *const mode_names[] = {"-", "TRAIN", "EVAL", "PREDICT", "GLOBAL"};

int sm_mode_of_name(const char *p, size_t n)
{
    for (int m = 1; m < 5; m++)
        if (strlen(mode_names[m]) == n && strncasecmp(mode_names[m], p, n) == 0)
            return m;
    return 0;
}

const char *sm_mode_name(int mode)
{
    return mode_names[mode > 0 && mode < 5 ? mode : 0];
}

/* ---- reading ----
 *
 * The position in the document: per level, a map of keys to fields. Texts are collected in one
 * buffer that may move, so they are kept as offsets and become pointers at the end. */

enum place { TOP, META, PAYLOADS, PAYLOAD, SHAPES, SHAPE, DIMS, SKIP };
enum field {
    NO_FIELD,
    F_META,
    F_PAYLOADS,
    F_SHAPES,
    F_MODE,
    F_MODE_STEP,
    F_FILE,
    F_NAME,
    F_OFFSET,
    F_LENGTH,
    F_ORIGINAL,
    F_SHAPE
};

static const struct {
    enum place in;
    const char *key;
    enum field field;
} keys[] = {
    {PAYLOAD, "tensorname", F_NAME},
    {PAYLOAD, "start_idx", F_OFFSET},
    {PAYLOAD, "length", F_LENGTH},
    {TOP, "meta", F_META},
    {TOP, "tensor_payload", F_PAYLOADS},
    {TOP, "shape_payload", F_SHAPES},
    {META, "mode", F_MODE},
    {META, "mode_step", F_MODE_STEP},
    {META, "event_file_name", F_FILE},
    {SHAPE, "tensorname", F_NAME},
    {SHAPE, "originalname", F_ORIGINAL},
    {SHAPE, "shape", F_SHAPE},
};

struct index_parser {
    struct sm_index *x;
    struct sm_err *err;
    enum place place;
    enum field field;
    int skip_depth; /* nesting within a skipped value */
    bool started;
};

static struct sm_text add_text(struct index_parser *r, const char *p, size_t n)
{
    size_t at = r->x->strings.len;
    sm_str_addn(&r->x->strings, p, n);
    sm_str_addc(&r->x->strings, 0);
    return (struct sm_text){(const char *)at, n}; /* an offset until fix_texts */
}

static void fix_text(struct sm_index *x, struct sm_text *t)
{
    t->p = sm_str_text(&x->strings) + (size_t)t->p;
}

static void fix_texts(struct sm_index *x)
{
    fix_text(x, &x->event_file);
    for (size_t i = 0; i < x->n_payloads; i++)
        fix_text(x, &x->payloads[i].name);
    for (size_t i = 0; i < x->n_shapes; i++) {
        fix_text(x, &x->shapes[i].name);
        fix_text(x, &x->shapes[i].original);
    }
}

static bool report_bad(struct index_parser *r, const char *what)
{
    return sm_err_set(r->err, SM_ERR_DATA, "index: %s", what);
}

/* Whether an unknown value is allowed here: not in the lists of objects. */
static bool may_ignore(const struct index_parser *r)
{
    return r->field == NO_FIELD && r->place != PAYLOADS && r->place != SHAPES && r->place != DIMS;
}

static bool on_key(void *ctx, const char *p, size_t n)
{
    struct index_parser *r = ctx;
    r->field = NO_FIELD;
    if (r->place == SKIP)
        return true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].in == r->place && strlen(keys[i].key) == n && memcmp(keys[i].key, p, n) == 0)
            r->field = keys[i].field;
    return true;
}

static bool on_string(void *ctx, const char *p, size_t n)
{
    struct index_parser *r = ctx;
    struct sm_index *x = r->x;
    switch (r->field) {
    case F_MODE:
        x->mode = sm_mode_of_name(p, n);
        break;
    case F_FILE:
        if (!n)
            return report_bad(r, "the name of the event file is empty");
        x->event_file = add_text(r, p, n);
        break;
    case F_NAME:
        *(r->place == PAYLOAD ? &x->payloads[x->n_payloads - 1].name
                              : &x->shapes[x->n_shapes - 1].name) = add_text(r, p, n);
        break;
    case F_ORIGINAL:
        x->shapes[x->n_shapes - 1].original = add_text(r, p, n);
        break;
    case NO_FIELD:
        return may_ignore(r) || report_bad(r, "expected an object, found a string");
    default:
        return report_bad(r, "expected a number or a list, found a string");
    }
    return true;
}

/* null, true and false stand for nothing that an index has. */
static bool on_word(struct index_parser *r, const char *word)
{
    char text[64];
    if (r->place == SKIP || may_ignore(r))
        return true;
    snprintf(text, sizeof text, "expected a value, found %s", word);
    return report_bad(r, text);
}

static bool on_null(void *ctx)
{
    return on_word(ctx, "null");
}

static bool on_boolean(void *ctx, bool v)
{
    return on_word(ctx, v ? "true" : "false");
}

static bool add_dim(struct index_parser *r, int64_t v)
{
    struct sm_index_shape *s = &r->x->shapes[r->x->n_shapes - 1];
    if (s->n_dims == SM_DIMS_MAX)
        return report_bad(r, "a shape of more than 32 dimensions");
    s->dims[s->n_dims++] = (uint64_t)v;
    return true;
}

static bool on_number(void *ctx, const char *digits, size_t n)
{
    struct index_parser *r = ctx;
    struct sm_index *x = r->x;
    int64_t v;
    bool ours =
        r->place == DIMS || r->field == F_MODE_STEP || r->field == F_OFFSET || r->field == F_LENGTH;
    if (!ours)
        return may_ignore(r) || report_bad(r, "unexpected number");
    if (!sm_json_int(digits, n, &v) || v < 0 || (r->field == F_LENGTH && v > LENGTH_MAX))
        return report_bad(r, "invalid number: negative, fractional or too large");
    if (r->place == DIMS)
        return add_dim(r, v);
    if (r->field == F_MODE_STEP)
        x->mode_step = v;
    else if (r->field == F_OFFSET)
        x->payloads[x->n_payloads - 1].offset = (uint64_t)v;
    else
        x->payloads[x->n_payloads - 1].length = (uint64_t)v;
    return true;
}

static bool skip_value(struct index_parser *r)
{
    if (r->field != NO_FIELD)
        return report_bad(r, "expected a value, found a list or an object");
    if (r->place != SKIP) {
        r->place = SKIP;
        r->skip_depth = 0;
    }
    r->skip_depth++;
    return true;
}

/* The enclosing level of a skipped value is known only where unknown keys are allowed. */
static bool on_start_map(void *ctx)
{
    struct index_parser *r = ctx;
    struct sm_index *x = r->x;
    enum field f = r->field;
    r->field = NO_FIELD;
    if (!r->started) {
        r->started = true;
        return true;
    }
    if (r->place == TOP && f == F_META) {
        r->place = META;
        return true;
    }
    if (r->place == PAYLOADS) {
        if (!SM_VEC_ROOM(x->payloads, x->n_payloads, x->cap_payloads))
            return sm_err_set(r->err, SM_ERR_MEMORY, "no memory for an index file");
        x->payloads[x->n_payloads++] = (struct sm_index_payload){.offset = UINT64_MAX};
        r->place = PAYLOAD;
        return true;
    }
    if (r->place == SHAPES) {
        if (!SM_VEC_ROOM(x->shapes, x->n_shapes, x->cap_shapes))
            return sm_err_set(r->err, SM_ERR_MEMORY, "no memory for an index file");
        x->shapes[x->n_shapes++] = (struct sm_index_shape){0};
        r->place = SHAPE;
        return true;
    }
    if (r->place == TOP || r->place == SKIP) {
        r->field = f;
        return skip_value(r);
    }
    return report_bad(r, "unexpected object");
}

static bool on_end_map(void *ctx)
{
    struct index_parser *r = ctx;
    r->field = NO_FIELD;
    if (r->place == SKIP) {
        if (!--r->skip_depth)
            r->place = TOP;
    } else if (r->place == PAYLOAD) {
        const struct sm_index_payload *p = &r->x->payloads[r->x->n_payloads - 1];
        if (!p->name.n || !p->length || p->offset == UINT64_MAX)
            return report_bad(r, !p->name.n   ? "a tensor without a name"
                                 : !p->length ? "a tensor without a length"
                                              : "a tensor without a position");
        r->place = PAYLOADS;
    } else if (r->place == SHAPE) {
        if (!r->x->shapes[r->x->n_shapes - 1].name.n)
            return report_bad(r, "a shape without the name of its tensor");
        r->place = SHAPES;
    } else {
        r->place = TOP;
    }
    return true;
}

static bool on_start_array(void *ctx)
{
    struct index_parser *r = ctx;
    if (!r->started)
        return report_bad(r, "expected an object, found a list");
    if (r->place == TOP && (r->field == F_PAYLOADS || r->field == F_SHAPES)) {
        r->place = r->field == F_PAYLOADS ? PAYLOADS : SHAPES;
        r->field = NO_FIELD;
        return true;
    }
    if (r->place == SHAPE && r->field == F_SHAPE) {
        r->place = DIMS;
        r->field = NO_FIELD;
        return true;
    }
    if (r->place == TOP || r->place == SKIP)
        return skip_value(r);
    return report_bad(r, "unexpected list");
}

static bool on_end_array(void *ctx)
{
    struct index_parser *r = ctx;
    r->field = NO_FIELD;
    if (r->place == SKIP) {
        if (!--r->skip_depth)
            r->place = TOP;
    } else {
        r->place = r->place == DIMS ? SHAPE : TOP;
    }
    return true;
}

bool sm_index_parse(const char *p, size_t n, struct sm_index *out, struct sm_err *err)
{
    static const struct sm_json_ops ops = {
        .null = on_null,
        .boolean = on_boolean,
        .number = on_number,
        .string = on_string,
        .key = on_key,
        .start_map = on_start_map,
        .end_map = on_end_map,
        .start_array = on_start_array,
        .end_array = on_end_array,
    };
    struct index_parser r = {.x = out, .err = err};
    out->mode = 0;
    out->mode_step = -1;
    out->event_file = (struct sm_text){0};
    out->n_payloads = out->n_shapes = 0;
    sm_str_truncate(&out->strings, 0);
    if (!sm_json_parse(p, n, &ops, &r, err))
        return false;
    if (out->strings.failed)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for an index file");
    if (!r.started)
        return report_bad(&r, "no object");
    fix_texts(out);
    return true;
}

void sm_index_clear(struct sm_index *x)
{
    sm_free(x->payloads);
    sm_free(x->shapes);
    sm_str_clear(&x->strings);
    *x = (struct sm_index){0};
}

/* ---- writing: like json.dumps ---- */

static void write_payload(struct sm_str *out, const struct sm_index_payload *p)
{
    sm_str_add(out, "{\"tensorname\": ");
    sm_python_string(out, p->name);
    sm_str_printf(out, ", \"start_idx\": %llu, \"length\": %llu}", (unsigned long long)p->offset,
                  (unsigned long long)p->length);
}

static void write_shape(struct sm_str *out, const struct sm_index_shape *s)
{
    sm_str_add(out, "{\"tensorname\": ");
    sm_python_string(out, s->name);
    sm_str_add(out, ", \"originalname\": ");
    sm_python_string(out, s->original);
    sm_str_add(out, ", \"shape\": [");
    for (unsigned d = 0; d < s->n_dims; d++)
        sm_str_printf(out, "%s%llu", d ? ", " : "", (unsigned long long)s->dims[d]);
    sm_str_add(out, "]}");
}

void sm_index_write(struct sm_str *out, const struct sm_index *x)
{
    sm_str_printf(out, "{\"meta\": {\"mode\": \"%s\", \"mode_step\": %lld", sm_mode_name(x->mode),
                  (long long)x->mode_step);
    if (x->event_file.n) {
        sm_str_add(out, ", \"event_file_name\": ");
        sm_python_string(out, x->event_file);
    }
    sm_str_add(out, "}, \"tensor_payload\": [");
    for (size_t i = 0; i < x->n_payloads; i++) {
        sm_str_add(out, i ? ", " : "");
        write_payload(out, &x->payloads[i]);
    }
    sm_str_add(out, "], \"shape_payload\": [");
    for (size_t i = 0; i < x->n_shapes; i++) {
        sm_str_add(out, i ? ", " : "");
        write_shape(out, &x->shapes[i]);
    }
    sm_str_add(out, "]}");
}
