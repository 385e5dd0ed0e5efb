/* SPDX-License-Identifier: Apache-2.0 */
/* What a file of torch holds besides tensors, as JSON. */
#include "reader/base/json.h"
#include "reader/checkpoints/torch_reader.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Lists in lists, and bytes of one leaf: what is more is only counted. The numbers of an
 * optimizer's parameters are a long list; lists in lists multiply. */
enum { LEVELS_MAX = 4, LIST_MAX = 48 << 10, NESTED_MAX = 4 << 10, TEXT_MAX = 16 << 10 };

enum plain { PLAIN, HAS_PARTS, TOO_LONG };

/* ---- texts ---- */

static void add_text(struct sm_str *out, const char *p, size_t n)
{
    struct sm_json_writer *w = sm_json_writer_new(out);
    sm_json_text(w, p, n);
    sm_json_writer_free(w);
}

static void add_size(struct sm_str *out, uint64_t n, const char *what)
{
    sm_str_printf(out, "\"<%" PRIu64 " %s>\"", n, what);
}

static void add_string(struct sm_str *out, const struct sm_pickle_node *n)
{
    if (n->is_far || n->n > TEXT_MAX)
        add_size(out, n->is_far ? n->far->size_bytes : n->n, "bytes of text");
    else
        add_text(out, n->text, n->n);
}

static void add_real(struct sm_str *out, double v)
{
    char number[32];
    sm_format_shortest(v, false, number);
    sm_str_add(out, isnan(v) ? "NaN" : isinf(v) ? (v < 0 ? "-Infinity" : "Infinity") : number);
}

/* Integers of more than 64 bits are numbers too, unless they were too long to divide. */
static void add_long(struct sm_str *out, const struct sm_pickle_node *n)
{
    bool hex = n->n > 1 && (n->text[1] == 'x' || (n->n > 2 && n->text[2] == 'x'));
    if (hex || n->n > 100)
        add_text(out, n->text, n->n < TEXT_MAX ? n->n : TEXT_MAX);
    else
        sm_str_addn(out, n->text, n->n);
}

static bool add_scalar(const struct sm_pickle *t, uint32_t node, struct sm_str *out)
{
    const struct sm_pickle_node *n = sm_pickle_node(t, node);
    switch ((enum sm_pickle_kind)n->kind) {
    case SM_PICKLE_NONE:
        sm_str_add(out, "null");
        return true;
    case SM_PICKLE_BOOL:
        sm_str_add(out, n->truth ? "true" : "false");
        return true;
    case SM_PICKLE_INTEGER:
        sm_str_printf(out, "%" PRId64, n->integer);
        return true;
    case SM_PICKLE_LONG:
        add_long(out, n);
        return true;
    case SM_PICKLE_REAL:
        add_real(out, n->real);
        return true;
    case SM_PICKLE_TEXT:
        add_string(out, n);
        return true;
    case SM_PICKLE_BYTES:
        add_size(out, n->is_far ? n->far->size_bytes : n->n, "bytes");
        return true;
    case SM_PICKLE_GLOBAL:
        add_text(out, n->text, n->n);
        return true;
    default:
        return false;
    }
}

/* ---- calls that make one value ---- */

/* numpy.core.multiarray.scalar(dtype, bytes) */
static bool add_numpy_scalar(const struct sm_pickle *t, const struct sm_pickle_object *o,
                             struct sm_str *out)
{
    struct sm_str bytes = {0};
    bool big_endian;
    enum sm_dtype d = sm_torch_numpy_dtype(t, sm_pickle_item(t, o->args, 0), &big_endian);
    const struct sm_dtype_info *info = sm_dtype_info(d);
    int64_t v;
    bool ok = sm_torch_bytes(t, sm_pickle_item(t, o->args, 1), &bytes) && info->size_bytes &&
              bytes.len == info->size_bytes && info->kind != SM_KIND_COMPLEX && !big_endian;
    if (ok && info->kind == SM_KIND_BOOL)
        sm_str_add(out, bytes.data[0] ? "true" : "false");
    else if (ok && sm_dtype_load_i64(d, (const uint8_t *)bytes.data, &v))
        sm_str_printf(out, "%" PRId64, v);
    else if (ok && d == SM_DTYPE_UINT64)
        sm_str_printf(out, "%" PRIu64, sm_dtype_load_u64((const uint8_t *)bytes.data));
    else if (ok)
        add_real(out, sm_dtype_load(d, (const uint8_t *)bytes.data));
    sm_str_clear(&bytes);
    return ok;
}

/* Bytes, as protocol 2 writes them. */
static bool add_encoded(const struct sm_pickle *t, uint32_t node, struct sm_str *out)
{
    struct sm_str bytes = {0};
    bool ok = sm_torch_bytes(t, node, &bytes);
    if (ok)
        add_size(out, bytes.len, "bytes");
    sm_str_clear(&bytes);
    return ok;
}

/* The parts of a path or device, joined. */
static bool add_joined(const struct sm_pickle *t, const struct sm_pickle_object *o, char between,
                       struct sm_str *out)
{
    const struct sm_pickle_node *args = sm_pickle_node(t, o->args);
    struct sm_str text = {0};
    for (uint32_t i = 0; args->kind == SM_PICKLE_TUPLE && i < args->n && text.len < TEXT_MAX; i++) {
        if (text.len && text.data[text.len - 1] != between)
            sm_str_addc(&text, between);
        sm_torch_key(t, args->items[i], &text);
    }
    add_text(out, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return true;
}

static bool has_suffix(struct sm_text t, const char *suffix)
{
    struct sm_text s = sm_text(suffix);
    return t.n >= s.n && sm_text_same((struct sm_text){t.p + t.n - s.n, s.n}, s);
}

/* A call with one plain argument, like that of an enumeration, is that argument. */
static bool add_call(const struct sm_pickle *t, uint32_t node, struct sm_str *out)
{
    const struct sm_pickle_object *o = sm_pickle_object(t, node);
    if (!o || o->list || o->dict || o->state || o->keywords)
        return false;
    struct sm_text name = sm_pickle_text(t, o->callable);
    const struct sm_pickle_node *args = sm_pickle_node(t, o->args);
    if (sm_text_is(name, "numpy.core.multiarray.scalar"))
        return add_numpy_scalar(t, o, out);
    if (sm_text_is(name, "torch.device"))
        return add_joined(t, o, ':', out);
    if (sm_text_is(name, "builtins.getattr"))
        return add_joined(t, o, '.', out);
    if (sm_text_is(name, "_codecs.encode") && add_encoded(t, node, out))
        return true;
    if (name.n > 8 && memcmp(name.p, "pathlib.", 8) == 0 && has_suffix(name, "Path"))
        return add_joined(t, o, '/', out);
    return args->kind == SM_PICKLE_TUPLE && args->n == 1 &&
           sm_pickle_kind(t, args->items[0]) != SM_PICKLE_GLOBAL &&
           sm_pickle_kind(t, args->items[0]) != SM_PICKLE_BYTES &&
           add_scalar(t, args->items[0], out);
}

/* ---- lists ---- */

static enum plain add_plain(const struct sm_pickle *t, uint32_t node, struct sm_str *out, int level)
{
    const struct sm_pickle_node *n = sm_pickle_node(t, sm_torch_unwrap(t, node));
    enum plain got = PLAIN;
    if (add_scalar(t, node, out) || add_call(t, node, out))
        return PLAIN;
    const struct sm_pickle_object *complex = sm_pickle_made_by(t, node, "builtins.complex");
    if (complex)
        n = sm_pickle_node(t, complex->args);
    if (n->kind < SM_PICKLE_TUPLE || n->kind > SM_PICKLE_SET || level >= LEVELS_MAX)
        return HAS_PARTS;
    sm_str_addc(out, '[');
    for (uint32_t i = 0; i < n->n && got == PLAIN; i++) {
        sm_str_add(out, i ? ", " : "");
        got = out->len > (level ? NESTED_MAX : LIST_MAX)
                  ? TOO_LONG
                  : add_plain(t, n->items[i], out, level + 1);
    }
    sm_str_addc(out, ']');
    return got;
}

enum sm_torch_leaf sm_torch_leaf(const struct sm_pickle *t, uint32_t node, struct sm_str *json)
{
    const struct sm_pickle_node *n = sm_pickle_node(t, sm_torch_unwrap(t, node));
    sm_str_truncate(json, 0);
    enum plain got = add_plain(t, node, json, 0);
    if (got == TOO_LONG) {
        sm_str_truncate(json, 0);
        add_size(json, n->n, "items");
    }
    return got == HAS_PARTS ? SM_TORCH_NOT_LEAF : SM_TORCH_LEAF;
}

/* ---- keys ---- */

void sm_torch_key(const struct sm_pickle *t, uint32_t key, struct sm_str *out)
{
    const struct sm_pickle_node *n = sm_pickle_node(t, key);
    bool is_bytes = n->kind == SM_PICKLE_BYTES;
    if (n->is_far || (is_bytes && n->n > TEXT_MAX)) {
        sm_str_add(out, "...");
        return;
    }
    if (n->kind == SM_PICKLE_TEXT || is_bytes || n->kind == SM_PICKLE_GLOBAL) {
        sm_str_addn(out, n->text, n->n);
        return;
    }
    if (n->kind == SM_PICKLE_TUPLE && n->n < 16) {
        for (uint32_t i = 0; i < n->n; i++) {
            sm_str_add(out, i ? "." : "");
            if (sm_pickle_kind(t, n->items[i]) != SM_PICKLE_TUPLE)
                sm_torch_key(t, n->items[i], out);
        }
        return;
    }
    struct sm_str json = {0};
    sm_str_add(out, sm_torch_leaf(t, key, &json) == SM_TORCH_LEAF ? sm_str_text(&json) : "key");
    sm_str_clear(&json);
}
