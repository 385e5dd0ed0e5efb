/* SPDX-License-Identifier: Apache-2.0 */
/* torch.distributed.checkpoint: .metadata, a pickle that says which pieces of which tensors are
 * where in the files of the ranks (__0_0.distcp); each piece is a small file of torch.save there.
 *
 *   Metadata: state_dict_metadata {NAME: TensorStorageMetadata {properties, size, chunks}},
 *             storage_data {MetadataIndex {fqn, offset, index}: _StorageInfo {relative_path,
 *             offset, length}}
 *
 * A tensor that lacks a piece is left out: it would have zeros that nobody saved. */
#include "reader/checkpoints/ckpt_format.h"
#include "reader/checkpoints/torch_file.h"

#include "reader/base/vec.h"

#include <string.h>

/* An item of storage_data. */
struct item {
    uint32_t offset; /* node: torch.Size or None */
    uint32_t path;   /* id in paths */
    uint64_t at, length;
    size_t next; /* of the same name, plus 1; 0: none */
};
/* A file of a rank. */
struct shard {
    bool there;
    struct sm_stat st;
};
struct dcp_reader {
    const struct sm_file *file;
    struct sm_ckpt_file *out;
    struct sm_pickle tree;
    struct sm_names *names, *paths;
    struct item *items;
    size_t n_items, cap_items;
    size_t *first; /* by id in names: the first item, plus 1 */
    size_t cap_first;
    struct shard *shards; /* by id in paths */
    struct sm_file open;  /* the shard read last */
    struct sm_str path;   /* of it, with the folder */
    struct sm_err *err;
};

static bool dcp_owns(const char *name, const uint8_t *head, size_t n)
{
    (void)head;
    (void)n;
    return strcmp(name, ".metadata") == 0;
}

/* ---- the pickle ---- */

/* A member of an object's state; 0 (None): there is none. */
static uint32_t member_of(const struct dcp_reader *r, uint32_t node, const char *key)
{
    const struct sm_pickle_object *o = sm_pickle_object(&r->tree, node);
    uint32_t value = 0, state = o ? o->state : 0;
    if (sm_pickle_kind(&r->tree, state) == SM_PICKLE_TUPLE)
        state = sm_pickle_item(&r->tree, state, 1);
    return sm_pickle_get(&r->tree, state, key, &value) ? value : 0;
}

static struct sm_text text_of(const struct dcp_reader *r, uint32_t node)
{
    return sm_pickle_kind(&r->tree, node) == SM_PICKLE_TEXT ? sm_pickle_text(&r->tree, node)
                                                            : (struct sm_text){0};
}

static bool lack_memory(struct dcp_reader *r)
{
    return sm_err_set(r->err, SM_ERR_MEMORY, "no memory for a checkpoint of shards");
}

static bool add_item(struct dcp_reader *r, uint32_t key, uint32_t value)
{
    struct sm_text name = text_of(r, member_of(r, key, "fqn")),
                   path = text_of(r, member_of(r, value, "relative_path"));
    int64_t at, length;
    if (!name.n || !path.n || !sm_pickle_integer(&r->tree, member_of(r, value, "offset"), &at) ||
        at < 0 || !sm_pickle_integer(&r->tree, member_of(r, value, "length"), &length) ||
        length < 0)
        return true; /* of another version */
    uint32_t id = sm_names_add(r->names, name.p, name.n),
             file = sm_names_add(r->paths, path.p, path.n);
    size_t before = r->cap_first;
    if (id == SM_NAME_NONE || file == SM_NAME_NONE ||
        !sm_vec_reserve((void **)&r->first, &r->cap_first, (size_t)id + 1, sizeof *r->first) ||
        !SM_VEC_ROOM(r->items, r->n_items, r->cap_items))
        return lack_memory(r);
    memset(r->first + before, 0, (r->cap_first - before) * sizeof *r->first);
    r->items[r->n_items] = (struct item){.offset = member_of(r, key, "offset"),
                                         .path = file,
                                         .at = (uint64_t)at,
                                         .length = (uint64_t)length,
                                         .next = r->first[id]};
    r->first[id] = ++r->n_items;
    return true;
}

static bool add_items(struct dcp_reader *r, uint32_t dict)
{
    const struct sm_pickle_node *d = sm_pickle_node(&r->tree, dict);
    bool ok = true;
    for (uint32_t i = 0; d->kind == SM_PICKLE_DICT && i + 1 < d->n && ok; i += 2)
        ok = add_item(r, d->items[i], d->items[i + 1]);
    return ok;
}

/* ---- shards ---- */

static void join_path(struct dcp_reader *r, uint32_t path)
{
    const char *slash = strrchr(r->out->path, '/');
    sm_str_truncate(&r->path, 0);
    sm_str_addn(&r->path, r->out->path, slash ? (size_t)(slash + 1 - r->out->path) : 0);
    sm_str_add(&r->path, sm_names_text(r->paths, path));
}

/* Looks at each file that is named, once. */
static bool look_at_shards(struct dcp_reader *r)
{
    uint32_t n = sm_names_count(r->paths);
    r->shards = sm_alloc_zero(n + 1, sizeof *r->shards);
    for (uint32_t i = 0; i < n && r->shards; i++) {
        struct sm_err err = {0};
        join_path(r, i);
        if (r->path.failed)
            return lack_memory(r);
        r->shards[i].there =
            sm_source_path_ok(sm_str_text(&r->path), r->path.len)
                ? sm_source_stat(r->file->source, sm_str_text(&r->path), &r->shards[i].st, &err)
                : sm_err_set(&err, SM_ERR_REFUSED, "leaves the trial");
        if (r->shards[i].there)
            continue;
        sm_err_strip(&err, sm_str_text(&r->path));
        sm_err_prefix(&err, "a shard of the checkpoint");
        sm_problems_add(&r->out->problems, sm_str_text(&r->path), -1, &err);
    }
    return r->shards || lack_memory(r);
}

/* The small file of torch.save that an item is, read into `part`. */
static bool read_item(struct dcp_reader *r, const struct item *x, struct sm_ckpt_file *part,
                      struct sm_err *err)
{
    struct sm_torch_zip zip;
    const char *name = sm_names_text(r->paths, x->path);
    const struct shard *shard = &r->shards[x->path];
    join_path(r, x->path);
    if (!r->open.path || strcmp(r->open.path, name) != 0) {
        sm_file_close(&r->open);
        if (!sm_file_open(&r->open, r->file->source, sm_str_text(&r->path), err))
            return false;
        r->open.path = name;
    }
    if (x->at > shard->st.size_bytes || x->length > shard->st.size_bytes - x->at)
        return sm_err_set(err, SM_ERR_DATA, "a piece ends at %llu, but %s has %llu bytes",
                          (unsigned long long)x->at + x->length, name,
                          (unsigned long long)shard->st.size_bytes);
    struct sm_file file = r->open;
    file.path = sm_str_text(&r->path);
    struct sm_file_span span = {.file = &file, .at = x->at, .size_bytes = x->length};
    part->path = r->out->path;
    part->size_bytes = shard->st.size_bytes;
    if (!sm_torch_zip_open(&zip, span, err))
        return false;
    bool ok = sm_torch_zip_read(&zip, part, err);
    sm_torch_zip_close(&zip);
    return ok;
}

/* ---- tensors ---- */

/* Makes a piece of the one tensor of a part; its storage is now one of the checkpoint. */
static bool take_piece(struct dcp_reader *r, const struct item *x, const struct sm_ckpt_file *part,
                       const struct sm_ckpt_view *v, struct sm_ckpt_piece *out, struct sm_err *err)
{
    const struct sm_ckpt_tensor *t = part->tensors;
    uint64_t *origin = sm_arena_alloc(&r->out->arena, (v->n_dims + 1) * sizeof *origin);
    unsigned n = 0;
    if (!origin)
        return lack_memory(r);
    if (part->n != 1 || t->n_dims != v->n_dims || t->dtype != (uint8_t)v->dtype ||
        t->n_pieces != 1 || t->change)
        return sm_err_set(err, SM_ERR_DATA, "a piece has another type or shape than it should");
    if (x->offset && (!sm_torch_sizes(&r->tree, x->offset, origin, &n, err) || n != v->n_dims))
        return sm_err_set(err, SM_ERR_DATA, "the offset of a piece is none");
    struct sm_ckpt_storage s = part->storages[t->pieces->storage];
    const char *name = sm_names_text(r->paths, x->path);
    s.file = sm_arena_strndup(&r->out->arena, name, strlen(name));
    if (!s.file || s.bytes)
        return s.file ? sm_err_set(err, SM_ERR_DATA, "a piece without elements") : lack_memory(r);
    *out = *t->pieces;
    out->storage = sm_ckpt_add_storage(r->out, &s, err);
    out->origin = origin;
    return out->storage != SM_NAME_NONE;
}

static bool covers(const struct sm_ckpt_piece *pieces, size_t n, const struct sm_ckpt_view *v)
{
    uint64_t whole = 1, covered = 0;
    for (unsigned k = 0; k < v->n_dims; k++)
        whole *= v->dims[k]; /* only compared */
    for (size_t i = 0; i < n; i++) {
        uint64_t size = 1;
        for (unsigned k = 0; k < v->n_dims; k++)
            size *= pieces[i].dims[k];
        covered += size;
    }
    return covered == whole;
}

/* All pieces of one tensor. */
static bool put_together(struct dcp_reader *r, size_t first, const struct sm_ckpt_view *v,
                         struct sm_err *err)
{
    struct sm_ckpt_piece *pieces = NULL;
    struct sm_arena kept = {0};
    size_t n = 0, cap = 0;
    bool ok = true;
    for (size_t i = first; i && ok; i = r->items[i - 1].next) {
        const struct item *x = &r->items[i - 1];
        struct sm_ckpt_file part = {0};
        ok = r->shards[x->path].there ||
             sm_err_set(err, SM_ERR_MISSING, "a shard with a piece of it is missing");
        ok = ok && (SM_VEC_ROOM(pieces, n, cap) || lack_memory(r));
        ok = ok && read_item(r, x, &part, err) && take_piece(r, x, &part, v, &pieces[n], err);
        if (ok) { /* sizes and strides stay until the tensor has copied them */
            const struct sm_ckpt_piece *from = part.tensors->pieces;
            size_t bytes = (v->n_dims + 1) * sizeof(uint64_t);
            uint64_t *dims = sm_arena_alloc(&kept, bytes);
            int64_t *strides = from->strides ? sm_arena_alloc(&kept, bytes) : NULL;
            ok = (dims && (strides || !from->strides)) || lack_memory(r);
            if (ok)
                memcpy(dims, from->dims, v->n_dims * sizeof *dims);
            if (ok && strides)
                memcpy(strides, from->strides, v->n_dims * sizeof *strides);
            pieces[n].dims = dims;
            pieces[n++].strides = strides;
        }
        sm_ckpt_file_clear(&part);
    }
    if (ok && !covers(pieces, n, v))
        ok = sm_err_set(err, SM_ERR_DATA, "its pieces do not make up its shape");
    ok = ok && sm_ckpt_add_pieces(r->out, v, pieces, n, err);
    sm_free(pieces);
    sm_arena_clear(&kept);
    return ok;
}

static bool add_tensor(struct dcp_reader *r, struct sm_text name, uint32_t meta)
{
    uint64_t dims[SM_CKPT_DIMS_MAX];
    struct sm_err err = {0};
    struct sm_ckpt_view v = {.name = name, .dims = dims};
    const struct sm_pickle_object *properties =
        sm_pickle_object(&r->tree, member_of(r, meta, "properties"));
    uint32_t state = properties ? properties->state : 0, id, type = 0, size;
    if (sm_pickle_kind(&r->tree, state) == SM_PICKLE_TUPLE)
        type = sm_pickle_item(&r->tree, state, 0);
    else
        sm_pickle_get(&r->tree, state, "dtype", &type);
    size = member_of(r, meta, "size");
    id = sm_names_find(r->names, name.p, name.n);
    if (!size)
        return true; /* no tensor: bytes */
    v.dtype = sm_torch_dtype(&r->tree, type);
    bool ok = sm_dtype_info(v.dtype)->size_bytes ||
              sm_err_set(&err, SM_ERR_DATA, "an element type that is not known");
    ok = ok && sm_torch_sizes(&r->tree, size, dims, &v.n_dims, &err) &&
         (id != SM_NAME_NONE || sm_err_set(&err, SM_ERR_DATA, "it has no pieces")) &&
         put_together(r, r->first[id], &v, &err);
    if (ok || err.code == SM_ERR_MEMORY || r->err->code)
        return ok || lack_memory(r);
    sm_err_prefix(&err, "tensor %.*s", (int)(name.n < 100 ? name.n : 100), name.p);
    sm_ckpt_add_problem(r->out, -1, &err);
    return true;
}

static bool add_tensors(struct dcp_reader *r, uint32_t dict)
{
    const struct sm_pickle_node *d = sm_pickle_node(&r->tree, dict);
    bool ok = true;
    for (uint32_t i = 0; d->kind == SM_PICKLE_DICT && i + 1 < d->n && ok; i += 2)
        ok = !text_of(r, d->items[i]).n || add_tensor(r, text_of(r, d->items[i]), d->items[i + 1]);
    return ok;
}

/* ---- the file ---- */

static bool read_tree(struct dcp_reader *r)
{
    struct sm_file_span span;
    struct sm_byte_stream stream = {0};
    struct sm_pickle_input in = {.stream = &stream};
    bool ok = sm_span_of_file(&span, r->file, r->err) &&
              sm_byte_stream_open(&stream, span, SM_PACKING_NONE, span.size_bytes, r->err) &&
              sm_pickle_read(&r->tree, &in, SM_TORCH_TREE_MAX, r->err);
    sm_pickle_input_clear(&in);
    sm_byte_stream_close(&stream);
    return ok;
}

static bool dcp_read(const struct sm_file *f, struct sm_ckpt_file *out, int64_t *at,
                     struct sm_err *err)
{
    struct dcp_reader r = {
        .file = f, .out = out, .names = sm_names_new(), .paths = sm_names_new(), .err = err};
    *at = -1;
    bool ok = (r.names && r.paths) || lack_memory(&r);
    ok = ok && read_tree(&r);
    uint32_t root = ok ? r.tree.root : 0;
    uint32_t tensors = ok ? member_of(&r, root, "state_dict_metadata") : 0;
    if (ok && !tensors)
        ok = sm_err_set(err, SM_ERR_DATA, "no metadata of a checkpoint of torch");
    ok = ok && add_items(&r, member_of(&r, root, "storage_data")) && look_at_shards(&r) &&
         add_tensors(&r, tensors);
    sm_file_close(&r.open);
    sm_pickle_clear(&r.tree);
    sm_names_free(r.names);
    sm_names_free(r.paths);
    sm_free(r.items);
    sm_free(r.first);
    sm_free(r.shards);
    sm_str_clear(&r.path);
    return ok;
}

const struct sm_ckpt_format sm_ckpt_format_dcp = {
    .name = "dcp", .owns = dcp_owns, .read = dcp_read};
