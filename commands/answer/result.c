/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/result.h"

#include "reader/base/grow.h"
#include "reader/base/str.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void sm_result_init(struct sm_result *r)
{
    *r = (struct sm_result){.quit_status = -1};
}

static void release_counted(struct sm_result *r)
{
    for (size_t i = 0; i < r->n_tensors; i++)
        sm_tensor_unref(r->tensors[i]);
    for (size_t i = 0; i < r->n_grids; i++)
        sm_grid_clear(r->grids[i]);
    r->n_tensors = r->n_grids = 0;
}

void sm_result_reset(struct sm_result *r)
{
    release_counted(r);
    sm_arena_reset(&r->arena);
    r->root = NULL;
    r->rows = NULL;
    r->columns = NULL;
    r->n_columns = 0;
    r->first = r->last = NULL;
    r->quit = r->verdict = r->missing = false;
    r->quit_status = -1;
}

const struct sm_node *sm_result_rows(const struct sm_result *r)
{
    return r->rows ? r->rows : r->root;
}

void sm_result_clear(struct sm_result *r)
{
    release_counted(r);
    sm_arena_clear(&r->arena);
    sm_free(r->tensors);
    sm_free(r->grids);
    *r = (struct sm_result){.quit_status = -1};
}

/* ---- the tree ---- */

static struct sm_node *add_node(struct sm_result *r, struct sm_node *parent, const char *key,
                                enum sm_node_type type)
{
    struct sm_node *n = sm_arena_xalloc(&r->arena, sizeof *n);
    n->type = type;
    n->key = key;
    if (!parent) {
        if (!r->root)
            r->root = n;
        return n;
    }
    if (parent->last)
        parent->last->next = n;
    else
        parent->first = n;
    parent->last = n;
    return n;
}

struct sm_node *sm_node_map(struct sm_result *r, struct sm_node *parent, const char *key)
{
    return add_node(r, parent, key, SM_NODE_MAP);
}

struct sm_node *sm_node_list(struct sm_result *r, struct sm_node *parent, const char *key)
{
    return add_node(r, parent, key, SM_NODE_LIST);
}

void sm_node_null(struct sm_result *r, struct sm_node *parent, const char *key)
{
    add_node(r, parent, key, SM_NODE_NULL);
}

void sm_node_bool(struct sm_result *r, struct sm_node *parent, const char *key, bool v)
{
    add_node(r, parent, key, SM_NODE_BOOL)->b = v;
}

void sm_node_int(struct sm_result *r, struct sm_node *parent, const char *key, int64_t v)
{
    add_node(r, parent, key, SM_NODE_INT)->i = v;
}

void sm_node_int_or_null(struct sm_result *r, struct sm_node *parent, const char *key, bool known,
                         int64_t v)
{
    if (known)
        sm_node_int(r, parent, key, v);
    else
        sm_node_null(r, parent, key);
}

void sm_node_uint(struct sm_result *r, struct sm_node *parent, const char *key, uint64_t v)
{
    add_node(r, parent, key, SM_NODE_UINT)->u = v;
}

void sm_node_double(struct sm_result *r, struct sm_node *parent, const char *key, double v,
                    bool single)
{
    add_node(r, parent, key, single ? SM_NODE_FLOAT : SM_NODE_DOUBLE)->d = v;
}

void sm_node_measure(struct sm_result *r, struct sm_node *parent, const char *key, double v,
                     bool bytes)
{
    struct sm_node *n = add_node(r, parent, key, SM_NODE_DOUBLE);
    n->d = v;
    n->bytes = bytes && v >= 0 && v < 1e18;
}

void sm_node_textn(struct sm_result *r, struct sm_node *parent, const char *key, const char *p,
                   size_t n)
{
    char *copy = sm_arena_xalloc(&r->arena, n + 1);
    if (n)
        memcpy(copy, p, n);
    copy[n] = 0;
    add_node(r, parent, key, SM_NODE_TEXT)->text = (struct sm_text){copy, n};
}

void sm_node_text(struct sm_result *r, struct sm_node *parent, const char *key, const char *z)
{
    if (z)
        sm_node_textn(r, parent, key, z, strlen(z));
    else
        sm_node_null(r, parent, key);
}

static void ref_tensor(struct sm_result *r, struct sm_tensor *t)
{
    SM_GROW(r->tensors, r->n_tensors, r->cap_tensors);
    r->tensors[r->n_tensors++] = sm_tensor_ref(t);
}

void sm_node_tensor(struct sm_result *r, struct sm_node *parent, const char *key,
                    struct sm_tensor *t, bool whole)
{
    struct sm_node *n = add_node(r, parent, key, SM_NODE_TENSOR);
    ref_tensor(r, t);
    n->tensor = t;
    n->whole = whole;
}

struct sm_node *sm_node_copy(struct sm_result *r, struct sm_node *parent,
                             const struct sm_node *from)
{
    if (from->type == SM_NODE_TEXT)
        sm_node_textn(r, parent, from->key, from->text.p, from->text.n);
    else if (from->type == SM_NODE_TENSOR)
        sm_node_tensor(r, parent, from->key, from->tensor, from->whole);
    else
        add_node(r, parent, from->key, from->type)->u = from->u;
    struct sm_node *n = parent ? parent->last : r->root;
    for (const struct sm_node *child = from->first; child; child = child->next)
        sm_node_copy(r, n, child);
    return n;
}

void sm_node_time(struct sm_result *r, struct sm_node *parent, const char *key, double seconds)
{
    if (isnan(seconds))
        sm_node_null(r, parent, key);
    else
        sm_node_double(r, parent, key, seconds, false);
}

void sm_node_exact(struct sm_result *r, struct sm_node *parent, const char *key,
                   const struct sm_exact *x, bool single)
{
    int64_t i;
    uint64_t u;
    if (x->is_int && sm_integer_signed(x->integer, &i))
        sm_node_int(r, parent, key, i);
    else if (x->is_int && sm_integer_unsigned(x->integer, &u))
        sm_node_uint(r, parent, key, u);
    else
        sm_node_double(r, parent, key, x->real, single);
}

void sm_node_element(struct sm_result *r, struct sm_node *parent, const char *key, enum sm_dtype d,
                     const uint8_t *p)
{
    const struct sm_dtype_info *info = sm_dtype_info(d);
    const struct sm_exact x = info->size_bytes ? sm_dtype_load_exact(d, p) : sm_exact_real(0);
    switch (info->kind) {
    case SM_KIND_FLOAT:
    case SM_KIND_INT:
    case SM_KIND_UINT:
        sm_node_exact(r, parent, key, &x, info->single);
        break;
    case SM_KIND_BOOL:
        sm_node_bool(r, parent, key, p[0] != 0);
        break;
    case SM_KIND_COMPLEX: {
        struct sm_node *pair = sm_node_list(r, parent, key);
        sm_node_double(r, pair, NULL, sm_dtype_load(d, p), info->single);
        sm_node_double(r, pair, NULL, sm_dtype_imag(d, p), info->single);
        break;
    }
    default:
        sm_node_null(r, parent, key);
    }
}

void sm_node_dims(struct sm_result *r, struct sm_node *parent, const char *key,
                  const uint64_t *dims, unsigned n_dims)
{
    struct sm_node *list = sm_node_list(r, parent, key);
    for (unsigned i = 0; i < n_dims; i++)
        sm_node_uint(r, list, NULL, dims[i]);
}

const struct sm_node *sm_node_get(const struct sm_node *map, const char *key)
{
    if (!map || map->type != SM_NODE_MAP)
        return NULL;
    for (const struct sm_node *n = map->first; n; n = n->next)
        if (n->key && strcmp(n->key, key) == 0)
            return n;
    return NULL;
}

/* ---- the blocks ---- */

static struct sm_block *add_block(struct sm_result *r, enum sm_block_kind kind)
{
    struct sm_block *b = sm_arena_xalloc(&r->arena, sizeof *b);
    b->kind = kind;
    if (r->last)
        r->last->next = b;
    else
        r->first = b;
    r->last = b;
    return b;
}

__attribute__((format(printf, 2, 0))) static const char *format_text(struct sm_result *r,
                                                                     const char *fmt, va_list ap)
{
    struct sm_str s = {0};
    sm_str_vprintf(&s, fmt, ap);
    const char *copy = sm_arena_xstrndup(&r->arena, sm_str_text(&s), s.len);
    sm_str_clear(&s);
    return copy;
}

void sm_result_text(struct sm_result *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add_block(r, SM_BLOCK_TEXT)->text = format_text(r, fmt, ap);
    va_end(ap);
}

void sm_result_piece(struct sm_result *r, const char *text, size_t n)
{
    add_block(r, SM_BLOCK_PIECE)->text = sm_arena_xstrndup(&r->arena, text, n);
}

void sm_result_prose(struct sm_result *r, size_t hang, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct sm_block *b = add_block(r, SM_BLOCK_PROSE);
    b->text = format_text(r, fmt, ap);
    b->hang = hang;
    va_end(ap);
}

void sm_result_dim(struct sm_result *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add_block(r, SM_BLOCK_DIM)->text = format_text(r, fmt, ap);
    va_end(ap);
}

/* Copies the columns: they may be local to the caller. */
static void add_columns(struct sm_result *r, enum sm_block_kind kind, const struct sm_node *node,
                        const struct sm_column *columns, size_t n)
{
    struct sm_block *b = add_block(r, kind);
    struct sm_column *copy = sm_arena_xalloc(&r->arena, (n + 1) * sizeof *copy);
    memcpy(copy, columns, n * sizeof *copy);
    b->node = node;
    b->columns = copy;
    b->n_columns = n;
}

void sm_result_table(struct sm_result *r, const struct sm_node *list,
                     const struct sm_column *columns, size_t n)
{
    add_columns(r, SM_BLOCK_TABLE, list, columns, n);
}

void sm_result_fields(struct sm_result *r, const struct sm_node *map,
                      const struct sm_column *columns, size_t n)
{
    add_columns(r, SM_BLOCK_FIELDS, map, columns, n);
}

void sm_result_array(struct sm_result *r, struct sm_tensor *t, bool whole,
                     const struct sm_format *f)
{
    struct sm_node *n = sm_arena_xalloc(&r->arena, sizeof *n);
    n->type = SM_NODE_TENSOR;
    n->tensor = t;
    ref_tensor(r, t);
    struct sm_block *b = add_block(r, SM_BLOCK_ARRAY);
    b->node = n;
    b->whole = whole;
    if (f)
        b->format = *f;
}

void sm_result_graphic(struct sm_result *r, const char *bytes)
{
    add_block(r, SM_BLOCK_GRAPHIC)->text = sm_arena_xstrndup(&r->arena, bytes, strlen(bytes));
}

struct sm_grid *sm_result_grid(struct sm_result *r, int w, int h)
{
    struct sm_grid *g = sm_arena_xalloc(&r->arena, sizeof *g);
    sm_grid_init(g, w, h);
    SM_GROW(r->grids, r->n_grids, r->cap_grids);
    r->grids[r->n_grids++] = g;
    add_block(r, SM_BLOCK_GRID)->grid = g;
    return g;
}

void sm_result_listing(struct sm_result *r, struct sm_node *list, const struct sm_column *columns,
                       size_t n)
{
    r->root = list;
    r->columns = columns;
    r->n_columns = n;
    sm_result_table(r, list, columns, n);
}

const char *sm_result_escape(struct sm_result *r, const char *p, size_t n)
{
    struct sm_str s = {0};
    sm_str_add_escaped(&s, p, n);
    const char *copy = sm_arena_xstrndup(&r->arena, sm_str_text(&s), s.len);
    sm_str_clear(&s);
    return copy;
}
