/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/wandb/wandb_item.h"

#include "reader/format/wire.h"
#include "reader/logs/log_json.h"

#include <math.h>

enum {
    FIELD_KEY = 1,
    FIELD_NESTED_KEY = 2,
    FIELD_NONE = 3,
    FIELD_BOOLEAN = 4,
    FIELD_INTEGER = 5, /* zigzag */
    FIELD_NUMBER = 6,
    FIELD_TEXT = 7,
    FIELD_JSON = 8,
    FIELD_VALUE_JSON = 16
};

static void set_number(struct sm_wandb_item *item, double v)
{
    item->type = SM_WANDB_NUMBER;
    item->number = v;
}

bool sm_wandb_non_finite(struct sm_bytes text, double *out)
{
    struct sm_text t = {(const char *)text.p, text.n};
    bool negative = sm_text_is(t, "-Infinity");
    if (sm_text_is(t, "NaN"))
        *out = NAN;
    else if (negative || sm_text_is(t, "Infinity"))
        *out = negative ? -INFINITY : INFINITY;
    else
        return false;
    return true;
}

void sm_wandb_item_settle(struct sm_wandb_item *item)
{
    double v;
    struct sm_text t = {(const char *)item->value.p, item->value.n};
    if (item->type != SM_WANDB_JSON || (t.n && (t.p[0] == '{' || t.p[0] == '[')))
        return;
    if (sm_log_number(t.p, t.n, &v)) {
        set_number(item, v);
    } else if (sm_text_is(t, "true") || sm_text_is(t, "false")) {
        set_number(item, t.n == 4);
        item->boolean = true;
    } else if (t.n == 0 || sm_text_is(t, "null")) {
        item->type = SM_WANDB_NONE;
    } else if (t.n > 1 && t.p[0] == '"' &&
               sm_wandb_non_finite((struct sm_bytes){item->value.p + 1, t.n - 2}, &v)) {
        set_number(item, v);
    }
}

static void set_value(struct sm_wandb_item *item, const struct sm_wire_field *f)
{
    double number;
    item->boolean = false;
    item->value = (struct sm_bytes){0};
    switch (f->number) {
    case FIELD_BOOLEAN:
        set_number(item, f->value != 0);
        item->boolean = true;
        break;
    case FIELD_INTEGER:
        set_number(item, (double)((int64_t)(f->value >> 1) ^ -(int64_t)(f->value & 1)));
        break;
    case FIELD_NUMBER:
        memcpy(&number, &f->value, sizeof number);
        set_number(item, number);
        break;
    case FIELD_TEXT:
        item->type = SM_WANDB_TEXT;
        item->value = f->bytes;
        break;
    default:
        item->type = SM_WANDB_JSON;
        item->value = f->bytes;
    }
}

static bool is_value(const struct sm_wire_field *f)
{
    switch (f->number) {
    case FIELD_BOOLEAN:
    case FIELD_INTEGER:
        return f->wire == 0;
    case FIELD_NUMBER:
        return f->wire == 1;
    default:
        return (f->number == FIELD_TEXT || f->number == FIELD_JSON ||
                f->number == FIELD_VALUE_JSON) &&
               f->wire == 2;
    }
}

static bool is_name(const struct sm_wire_field *f)
{
    return f->wire == 2 && (f->number == FIELD_KEY || f->number == FIELD_NESTED_KEY);
}

/* The names do not stand side by side: copies them. */
static void gather_path(struct sm_bytes b, struct sm_wandb_item *out, struct sm_str *scratch)
{
    struct sm_wire_field f;
    const uint8_t *from = b.p;
    sm_str_truncate(scratch, 0);
    for (; sm_wire_next(&b, &f); from = b.p)
        if (is_name(&f))
            sm_str_addn(scratch, from, (size_t)(b.p - from));
    out->path = (struct sm_bytes){(const uint8_t *)sm_str_text(scratch), scratch->len};
}

bool sm_wandb_item_parse(struct sm_bytes b, struct sm_wandb_item *out, struct sm_str *scratch)
{
    struct sm_bytes rest = b;
    struct sm_wire_field f;
    const uint8_t *from = b.p;
    bool split = false;
    *out = (struct sm_wandb_item){.path = {b.p, 0}};
    for (; sm_wire_next(&rest, &f); from = rest.p) {
        if (is_value(&f)) {
            set_value(out, &f);
        } else if (is_name(&f)) {
            split = split || (out->path.n && out->path.p + out->path.n != from);
            if (!out->path.n)
                out->path.p = from;
            out->path.n = (size_t)(rest.p - out->path.p);
        }
    }
    if (split)
        gather_path(b, out, scratch);
    return rest.n == 0 && out->path.n;
}

void sm_wandb_path_join(struct sm_bytes path, struct sm_str *out)
{
    struct sm_wire_field f;
    for (bool first = true; sm_wire_next(&path, &f); first = false) {
        if (!first)
            sm_str_addc(out, '.');
        for (size_t i = 0; i < f.bytes.n; i++)
            sm_str_addc(out, f.bytes.p[i] ? (char)f.bytes.p[i] : '?');
    }
}

static void add_number(double v, struct sm_str *out)
{
    char text[32];
    sm_format_shortest(v, false, text);
    sm_str_add(out, isnan(v) ? "NaN" : isfinite(v) ? text : v > 0 ? "Infinity" : "-Infinity");
}

void sm_wandb_item_json(const struct sm_wandb_item *item, struct sm_str *out)
{
    if (item->value.n && item->type != SM_WANDB_TEXT) {
        sm_str_addn(out, item->value.p, item->value.n);
    } else if (item->type == SM_WANDB_TEXT) {
        struct sm_json_writer *w = sm_json_writer_new(out);
        sm_json_text(w, (const char *)item->value.p, item->value.n);
        sm_json_writer_free(w);
    } else if (item->boolean) {
        sm_str_add(out, item->number != 0 ? "true" : "false");
    } else if (item->type == SM_WANDB_NUMBER) {
        add_number(item->number, out);
    } else {
        sm_str_add(out, "null");
    }
}
