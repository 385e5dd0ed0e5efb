/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the tree of a result as JSON (doc/language.md): all on one line, or one line per row. */
#include "commands/answer/print.h"

#include "reader/base/base64.h"
#include "reader/base/json.h"

#include <inttypes.h>
#include <string.h>

struct json_printer {
    struct sm_json_writer *w;
    const struct sm_print_options *o;
};

/* ---- tensors ---- */

static void add_number(struct json_printer *j, const struct sm_tensor *t,
                       const struct sm_dtype_info *info, const uint8_t *p)
{
    int64_t i;
    if (info->kind == SM_KIND_FLOAT)
        sm_json_double(j->w, sm_dtype_load(t->dtype, p), info->single);
    else if (sm_dtype_load_i64(t->dtype, p, &i))
        sm_json_i64(j->w, i);
    else
        sm_json_u64(j->w, sm_dtype_load_u64(p));
}

static void add_element(struct json_printer *j, const struct sm_tensor *t, uint64_t i)
{
    const struct sm_dtype_info *info = sm_dtype_info(t->dtype);
    const uint8_t *p = t->data + i * info->size_bytes;
    switch (info->kind) {
    case SM_KIND_BOOL:
        sm_json_bool(j->w, *p != 0);
        break;
    case SM_KIND_STRING:
        sm_json_text(j->w, t->strings[i].p, t->strings[i].n);
        break;
    case SM_KIND_COMPLEX:
        sm_json_start_array(j->w);
        sm_json_double(j->w, sm_dtype_load(t->dtype, p), info->single);
        sm_json_double(j->w, sm_dtype_imag(t->dtype, p), info->single);
        sm_json_end_array(j->w);
        break;
    case SM_KIND_OTHER:
        sm_json_null(j->w);
        break;
    default:
        add_number(j, t, info, p);
    }
}

/* Nested arrays. With elide, the middle of a long axis is the string "...". */
static void add_axis(struct json_printer *j, const struct sm_tensor *t, unsigned axis,
                     uint64_t base, bool elide)
{
    if (axis == t->n_dims) {
        add_element(j, t, base);
        return;
    }
    uint64_t n = t->dims[axis], edge = j->o->edgeitems ? j->o->edgeitems : 1;
    sm_json_start_array(j->w);
    for (uint64_t i = 0; i < n; i++) {
        if (elide && n > 2 * edge && i == edge) {
            sm_json_text(j->w, "...", 3);
            i = n - edge;
        }
        add_axis(j, t, axis + 1, base * n + i, elide);
    }
    sm_json_end_array(j->w);
}

static void add_tensor(struct json_printer *j, const struct sm_tensor *t, bool whole)
{
    if (sm_dtype_info(t->dtype)->kind == SM_KIND_OTHER)
        sm_json_null(j->w);
    else
        add_axis(j, t, 0, 0, !whole && t->n > j->o->threshold);
}

/* ---- strings that are not UTF-8: an additional key with the bytes ---- */

static bool is_utf8(struct sm_text t)
{
    uint32_t rune;
    for (size_t i = 0, n; i < t.n; i += n)
        if (!(n = sm_utf8_decode(t.p + i, t.n - i, &rune)))
            return false;
    return true;
}

/* Adds the bytes in base64 as "raw" (for the key "name") or "raw_KEY". */
static void add_raw(struct json_printer *j, const struct sm_node *n)
{
    struct sm_str key = {0}, value = {0};
    sm_str_printf(&key, strcmp(n->key, "name") == 0 ? "raw" : "raw_%s", n->key);
    sm_base64_add(&value, n->text.p, n->text.n);
    sm_json_key(j->w, sm_str_text(&key));
    sm_json_text(j->w, sm_str_text(&value), value.len);
    sm_str_clear(&key);
    sm_str_clear(&value);
}

/* ---- the tree ---- */

static void add_node(struct json_printer *j, const struct sm_node *n);

static void add_member(struct json_printer *j, const struct sm_node *n)
{
    sm_json_key(j->w, n->key);
    add_node(j, n);
    if (n->type == SM_NODE_TEXT && !is_utf8(n->text))
        add_raw(j, n);
}

static void add_node(struct json_printer *j, const struct sm_node *n)
{
    switch (n->type) {
    case SM_NODE_NULL:
        sm_json_null(j->w);
        break;
    case SM_NODE_BOOL:
        sm_json_bool(j->w, n->b);
        break;
    case SM_NODE_INT:
        sm_json_i64(j->w, n->i);
        break;
    case SM_NODE_UINT:
        sm_json_u64(j->w, n->u);
        break;
    case SM_NODE_DOUBLE:
    case SM_NODE_FLOAT:
        sm_json_double(j->w, n->d, n->type == SM_NODE_FLOAT);
        break;
    case SM_NODE_TEXT:
        sm_json_text(j->w, n->text.p, n->text.n);
        break;
    case SM_NODE_LIST:
        sm_json_start_array(j->w);
        for (const struct sm_node *k = n->first; k; k = k->next)
            add_node(j, k);
        sm_json_end_array(j->w);
        break;
    case SM_NODE_MAP:
        sm_json_start_map(j->w);
        for (const struct sm_node *k = n->first; k; k = k->next)
            add_member(j, k);
        sm_json_end_map(j->w);
        break;
    case SM_NODE_TENSOR:
        add_tensor(j, n->tensor, n->whole);
    }
}

/* A row with the selected fields only; null if the row does not have a field. */
static void add_selected(struct json_printer *j, const struct sm_node *row)
{
    sm_json_start_map(j->w);
    for (const char *f = j->o->fields; *f;) {
        size_t n = strcspn(f, ",");
        char *key = sm_xstrndup(f, n);
        const struct sm_node *v = sm_node_get(row, key);
        if (v) {
            add_member(j, v);
        } else if (n) {
            sm_json_key(j->w, key);
            sm_json_null(j->w);
        }
        sm_free(key);
        f += n + (f[n] == ',');
    }
    sm_json_end_map(j->w);
}

static void add_row(struct json_printer *j, const struct sm_node *row)
{
    if (j->o->fields && row->type == SM_NODE_MAP)
        add_selected(j, row);
    else
        add_node(j, row);
}

static void print_document(const struct sm_node *n, const struct sm_print_options *o, bool as_list,
                           struct sm_str *out)
{
    struct json_printer j = {.w = sm_json_writer_new(out), .o = o};
    if (!n) {
        sm_json_null(j.w);
    } else if (as_list) {
        sm_json_start_array(j.w);
        for (const struct sm_node *row = n->first; row; row = row->next)
            add_row(&j, row);
        sm_json_end_array(j.w);
    } else {
        add_row(&j, n);
    }
    sm_json_writer_free(j.w);
    sm_str_addc(out, '\n');
}

void sm_print_json(const struct sm_result *r, const struct sm_print_options *o, struct sm_str *out)
{
    const struct sm_node *root =
        o->fields || o->output == SM_OUTPUT_JSONL ? sm_result_rows(r) : r->root;
    bool list = root && root->type == SM_NODE_LIST;
    if (o->output != SM_OUTPUT_JSONL || !list) {
        print_document(root, o, list, out);
        return;
    }
    for (const struct sm_node *row = root->first; row; row = row->next)
        print_document(row, o, false, out);
}
