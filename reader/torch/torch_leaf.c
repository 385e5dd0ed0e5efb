/* SPDX-License-Identifier: Apache-2.0 */
/* What a file of torch holds besides tensors, as JSON. */
#include "reader/base/json.h"
#include "reader/torch/torch_reader.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Lists in lists, and bytes of one leaf: what is more is only counted. The numbers of an
 * optimizer's parameters are a long list; lists in lists multiply. */
enum { LEVELS_MAX = 4, LIST_MAX = 48 << 10, NESTED_MAX = 4 << 10, TEXT_MAX = SM_TORCH_TEXT_MAX };

enum plain { PLAIN, HAS_PARTS, TOO_LONG };

/* ---- texts ---- */

void sm_torch_add_text(struct sm_str *out, const char *p, size_t n)
{
    struct sm_json_writer *w = sm_json_writer_new(out);
    sm_json_text(w, p, n);
    sm_json_writer_free(w);
}

void sm_torch_add_size(struct sm_str *out, uint64_t n, const char *what)
{
    sm_str_printf(out, "\"<%" PRIu64 " %s>\"", n, what);
}

static void add_string(struct sm_str *out, const struct sm_pickle_node *n)
{
    if (n->is_far || n->n > TEXT_MAX)
        sm_torch_add_size(out, n->is_far ? n->far->size_bytes : n->n, "bytes of text");
    else
        sm_torch_add_text(out, n->text, n->n);
}

void sm_torch_add_real(struct sm_str *out, double v)
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
        sm_torch_add_text(out, n->text, n->n < TEXT_MAX ? n->n : TEXT_MAX);
    else
        sm_str_addn(out, n->text, n->n);
}

bool sm_torch_add_scalar(const struct sm_pickle *t, uint32_t node, struct sm_str *out)
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
        sm_torch_add_real(out, n->real);
        return true;
    case SM_PICKLE_TEXT:
        add_string(out, n);
        return true;
    case SM_PICKLE_BYTES:
        sm_torch_add_size(out, n->is_far ? n->far->size_bytes : n->n, "bytes");
        return true;
    case SM_PICKLE_GLOBAL:
        sm_torch_add_text(out, n->text, n->n);
        return true;
    default:
        return false;
    }
}

/* ---- lists ---- */

static enum plain add_plain(const struct sm_pickle *t, uint32_t node, struct sm_str *out, int level)
{
    const struct sm_pickle_node *n = sm_pickle_node(t, sm_torch_unwrap(t, node));
    enum plain got = PLAIN;
    if (sm_torch_add_scalar(t, node, out) || sm_torch_add_call(t, node, out))
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
        sm_torch_add_size(json, n->n, "items");
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
