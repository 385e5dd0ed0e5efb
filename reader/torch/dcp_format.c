/* SPDX-License-Identifier: Apache-2.0 */
/* torch.distributed.checkpoint: .metadata, a pickle that says which pieces of which tensors are
 * where in the files of the ranks (__0_0.distcp); each piece is a small file of torch.save there.
 * Ranks that save without each other write __0.metadata, __1.metadata, each of its own pieces.
 *
 *   Metadata: state_dict_metadata {NAME: TensorStorageMetadata {properties, size, chunks}},
 *             storage_data {MetadataIndex {fqn, offset, index}: _StorageInfo {relative_path,
 *             offset, length, transform_descriptors}}
 *
 * Of a tensor that lacks a piece only the shape is known: it would have zeros that nobody saved.
 * Of metadata that are damaged counts what stands before the damage. */
#include "reader/tensor_files/ckpt_format.h"
#include "reader/tensor_files/ckpt_shards.h"
#include "reader/torch/dcp_names.h"
#include "reader/torch/dcp_reader.h"

#include "reader/base/vec.h"

#include <inttypes.h>
#include <string.h>

static bool dcp_owns(const char *name, const uint8_t *head, size_t n)
{
    (void)head;
    (void)n;
    return sm_ckpt_is_metadata(name);
}

/* ---- the pickle ---- */

uint32_t sm_dcp_member(const struct sm_dcp_reader *r, uint32_t node, const char *key)
{
    const struct sm_pickle_object *o = sm_pickle_object(&r->tree, node);
    uint32_t value = 0, state = o ? o->state : 0;
    if (sm_pickle_kind(&r->tree, state) == SM_PICKLE_TUPLE)
        state = sm_pickle_item(&r->tree, state, 1);
    return sm_pickle_get(&r->tree, state, key, &value) ? value : 0;
}

static struct sm_text text_of(const struct sm_dcp_reader *r, uint32_t node)
{
    return sm_pickle_kind(&r->tree, node) == SM_PICKLE_TEXT ? sm_pickle_text(&r->tree, node)
                                                            : (struct sm_text){0};
}

bool sm_dcp_lack_memory(struct sm_dcp_reader *r)
{
    return sm_err_set(r->err, SM_ERR_MEMORY, "no memory for a checkpoint of shards");
}

/* What is known of a name; NULL: no memory. */
static struct sm_dcp_name *name_of(struct sm_dcp_reader *r, struct sm_text name, uint32_t *id)
{
    size_t before = r->cap_names;
    *id = sm_names_add(r->names, name.p, name.n);
    if (*id == SM_NAME_NONE ||
        !sm_vec_reserve((void **)&r->by_name, &r->cap_names, (size_t)*id + 1, sizeof *r->by_name)) {
        sm_dcp_lack_memory(r);
        return NULL;
    }
    memset(r->by_name + before, 0, (r->cap_names - before) * sizeof *r->by_name);
    return &r->by_name[*id];
}

static bool add_name(struct sm_dcp_reader *r, uint32_t key, uint32_t value)
{
    struct sm_text text = text_of(r, key);
    uint32_t id;
    struct sm_dcp_name *name = text.n ? name_of(r, text, &id) : NULL;
    if (name)
        name->meta = value;
    return name || !text.n;
}

static bool add_item(struct sm_dcp_reader *r, uint32_t key, uint32_t value)
{
    struct sm_text text = text_of(r, sm_dcp_member(r, key, "fqn")),
                   path = text_of(r, sm_dcp_member(r, value, "relative_path"));
    int64_t at, length;
    uint32_t id;
    if (!text.n || !path.n ||
        !sm_pickle_integer(&r->tree, sm_dcp_member(r, value, "offset"), &at) || at < 0 ||
        !sm_pickle_integer(&r->tree, sm_dcp_member(r, value, "length"), &length) || length < 0)
        return true; /* of another version, or cut */
    struct sm_dcp_name *name = name_of(r, text, &id);
    uint32_t file = sm_names_add(r->paths, path.p, path.n);
    if (!name || file == SM_NAME_NONE || !SM_VEC_ROOM(r->items, r->n_items, r->cap_items))
        return sm_dcp_lack_memory(r);
    r->items[r->n_items] =
        (struct sm_dcp_item){.name = id,
                             .offset = sm_dcp_member(r, key, "offset"),
                             .path = file,
                             .packed = sm_dcp_member(r, value, "transform_descriptors"),
                             .at = (uint64_t)at,
                             .length = (uint64_t)length,
                             .next = name->first};
    name->first = ++r->n_items;
    return true;
}

static bool add_each(struct sm_dcp_reader *r, uint32_t dict,
                     bool (*add)(struct sm_dcp_reader *r, uint32_t key, uint32_t value))
{
    const struct sm_pickle_node *d = sm_pickle_node(&r->tree, dict);
    bool ok = true;
    for (uint32_t i = 0; d->kind == SM_PICKLE_DICT && i + 1 < d->n && ok; i += 2)
        ok = add(r, d->items[i], d->items[i + 1]);
    return ok;
}

/* ---- tensors ---- */

static enum sm_dtype dtype_of(const struct sm_dcp_reader *r, uint32_t meta)
{
    const struct sm_pickle_object *properties =
        sm_pickle_object(&r->tree, sm_dcp_member(r, meta, "properties"));
    uint32_t state = properties ? properties->state : 0, type = 0;
    if (sm_pickle_kind(&r->tree, state) == SM_PICKLE_TUPLE)
        type = sm_pickle_item(&r->tree, state, 0);
    else
        sm_pickle_get(&r->tree, state, "dtype", &type);
    return sm_torch_dtype(&r->tree, type);
}

/* The pieces of a name that were read; *whole: none of them lacks. False: no memory. */
static bool pieces_of(struct sm_dcp_reader *r, const struct sm_dcp_name *name,
                      const struct sm_ckpt_view *v, struct sm_ckpt_piece **pieces, size_t *n,
                      bool *whole)
{
    size_t cap = 0;
    *whole = true;
    for (size_t i = name->first; i; i = r->items[i - 1].next) {
        const struct sm_dcp_item *x = &r->items[i - 1];
        if (!x->is_read) {
            *whole = false; /* which is said */
            continue;
        }
        if (x->dtype != (uint8_t)v->dtype || x->n_dims != v->n_dims) {
            struct sm_err err;
            sm_err_set(&err, SM_ERR_DATA,
                       "tensor %.100s: a piece has another type or shape than it should",
                       v->name.p);
            sm_ckpt_add_problem(r->out, -1, &err);
            *whole = false;
            continue;
        }
        if (!SM_VEC_ROOM(*pieces, *n, cap))
            return sm_dcp_lack_memory(r);
        (*pieces)[(*n)++] = x->piece;
    }
    return true;
}

/* All pieces of one tensor, or those of one rank. */
static bool put_together(struct sm_dcp_reader *r, const struct sm_dcp_name *name,
                         const struct sm_ckpt_view *v, bool *added, struct sm_err *err)
{
    struct sm_ckpt_piece *pieces = NULL;
    size_t n = 0;
    bool whole, ok = pieces_of(r, name, v, &pieces, &n, &whole);
    bool covered = sm_ckpt_pieces_cover(pieces, n, v->dims, v->n_dims);
    const char *slash = strrchr(r->out->path, '/');
    bool of_rank = sm_ckpt_is_metadata_of_rank(slash ? slash + 1 : r->out->path);
    if (ok && whole && n && (covered || of_rank)) {
        struct sm_ckpt_tensor *t = sm_ckpt_add_pieces(r->out, v, pieces, n, err);
        ok = *added = t;
        if (t)
            t->shard = of_rank;
    } else if (ok && whole && n) {
        ok = sm_err_set(err, SM_ERR_DATA, "its pieces do not make up its shape");
    }
    sm_free(pieces);
    return ok;
}

/* A tensor, or its shape. *lost counts those of which the metadata name no piece. */
static bool add_tensor(struct sm_dcp_reader *r, uint32_t id, uint64_t *lost)
{
    const struct sm_dcp_name *name = &r->by_name[id];
    uint64_t dims[SM_CKPT_DIMS_MAX];
    struct sm_err err = {0};
    const char *text = sm_names_text(r->names, id);
    struct sm_ckpt_view v = {
        .name = {text, strlen(text)}, .dims = dims, .dtype = dtype_of(r, name->meta)};
    uint32_t size = sm_dcp_member(r, name->meta, "size");
    bool added = false;
    if (!size)
        return true; /* no tensor */
    bool ok = sm_dtype_info(v.dtype)->size_bytes ||
              sm_err_set(&err, SM_ERR_DATA, "an element type that is not known");
    bool has_shape = sm_torch_sizes(&r->tree, size, dims, &v.n_dims, &err);
    ok = ok && has_shape && put_together(r, name, &v, &added, &err);
    *lost += ok && !name->first;
    if (has_shape && !added && err.code != SM_ERR_MEMORY &&
        !sm_ckpt_add_shape(r->out, v.name, v.n_dims, dims, ok ? &err : NULL))
        ok = false;
    if (ok || err.code == SM_ERR_MEMORY || r->err->code == SM_ERR_MEMORY)
        return ok || sm_dcp_lack_memory(r);
    sm_err_prefix(&err, "tensor %.100s", text);
    sm_ckpt_add_problem(r->out, -1, &err);
    return true;
}

static bool add_tensors(struct sm_dcp_reader *r)
{
    struct sm_err err;
    uint64_t lost = 0;
    bool ok = true;
    for (uint32_t i = 0; i < sm_names_count(r->names) && ok; i++)
        ok = add_tensor(r, i, &lost);
    if (!ok || !lost)
        return ok;
    sm_err_set(&err, SM_ERR_DATA, "where the pieces of %" PRIu64 " tensors are is not known", lost);
    sm_ckpt_add_problem(r->out, -1, &err);
    return true;
}

/* ---- the file ---- */

/* The tree of the metadata, or what stands before their damage, which is at byte *at. */
static bool read_tree(struct sm_dcp_reader *r, int64_t *at, struct sm_err *err)
{
    struct sm_file_span span;
    struct sm_byte_stream stream = {0};
    struct sm_pickle_input in = {.stream = &stream};
    bool ok = sm_span_of_file(&span, r->file, err) &&
              sm_byte_stream_open(&stream, span, SM_PACKING_NONE, span.size_bytes, err) &&
              sm_pickle_read(&r->tree, &in, SM_TORCH_TREE_MAX, err);
    if (!ok && stream.span.file)
        *at = (int64_t)sm_pickle_input_offset(&in);
    sm_pickle_input_clear(&in);
    sm_byte_stream_close(&stream);
    return ok;
}

/* The metadata among what stands before a damage: the object itself, or it lies in a tuple. */
static uint32_t root_of(const struct sm_dcp_reader *r)
{
    uint32_t root = r->tree.root;
    bool tuple = root && sm_pickle_kind(&r->tree, root) == SM_PICKLE_TUPLE;
    return tuple ? sm_pickle_item(&r->tree, root, 0) : root;
}

static bool take_tree(struct sm_dcp_reader *r)
{
    uint32_t root = root_of(r), names = root ? sm_dcp_member(r, root, "state_dict_metadata") : 0;
    if (!names)
        return sm_err_set(r->err, SM_ERR_DATA, "no metadata of a checkpoint of torch");
    return add_each(r, names, add_name) &&
           add_each(r, sm_dcp_member(r, root, "storage_data"), add_item) && sm_dcp_read_items(r) &&
           add_tensors(r);
}

static void clear(struct sm_dcp_reader *r)
{
    sm_pickle_clear(&r->tree);
    sm_names_free(r->names);
    sm_names_free(r->paths);
    sm_free(r->by_name);
    sm_free(r->items);
    sm_free(r->shards);
    sm_arena_clear(&r->kept);
    sm_str_clear(&r->path);
}

static bool dcp_read(const struct sm_file *f, struct sm_ckpt_file *out, int64_t *at,
                     struct sm_err *err)
{
    struct sm_err damage = {0};
    struct sm_dcp_reader r = {
        .file = f, .out = out, .names = sm_names_new(), .paths = sm_names_new(), .err = err};
    *at = -1;
    bool ok = (r.names && r.paths) || sm_dcp_lack_memory(&r);
    bool whole = ok && read_tree(&r, at, &damage);
    ok = ok && (whole || r.tree.root) && take_tree(&r);
    if (!whole && err->code != SM_ERR_MEMORY) {
        *err = damage;
        sm_err_prefix(err, "the metadata are damaged");
    }
    clear(&r);
    return ok && whole;
}

const struct sm_ckpt_format sm_ckpt_format_dcp = {
    .files = SM_FILES_DCP, .owns = dcp_owns, .read = dcp_read};
