/* SPDX-License-Identifier: Apache-2.0 */
/* Items of a checkpoint of torch.distributed.checkpoint: pieces of tensors and other values, each a
 * small file of torch.save in the file of a rank. */
#include "reader/torch/dcp_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that are read at once: of the end of an item, where the directory is, and of its
 * beginning, where the pickle is. */
enum { TAIL = 2048, HEAD = 4096 };

static const char *folder_end(const struct sm_dcp_reader *r)
{
    const char *slash = strrchr(r->out->path, '/');
    return slash ? slash + 1 : r->out->path;
}

static bool is_tensor(const struct sm_dcp_reader *r, uint32_t name)
{
    return sm_dcp_member(r, r->by_name[name].meta, "size");
}

static bool join_path(struct sm_dcp_reader *r, uint32_t path)
{
    sm_str_truncate(&r->path, 0);
    sm_str_addn(&r->path, r->out->path, (size_t)(folder_end(r) - r->out->path));
    sm_str_add(&r->path, sm_names_text(r->paths, path));
    return !r->path.failed || sm_dcp_lack_memory(r);
}

/* ---- problems ---- */

static void report(struct sm_dcp_reader *r, const struct sm_dcp_item *x, int64_t at,
                   struct sm_err *err)
{
    const char *path = sm_str_text(&r->path);
    sm_err_strip(err, path);
    sm_err_prefix(err, "%.100s", sm_names_text(r->names, x->name));
    sm_problems_add(&r->out->problems, path, at, err);
}

/* One problem for a file of a rank, whatever it should have. */
static bool report_shards(struct sm_dcp_reader *r)
{
    for (uint32_t i = 0; i < sm_names_count(r->paths); i++) {
        struct sm_dcp_shard *s = &r->shards[i];
        if (s->there)
            continue;
        if (!join_path(r, i))
            return false;
        sm_err_strip(&s->why, sm_str_text(&r->path));
        sm_err_prefix(&s->why, "a shard of the checkpoint");
        struct sm_err err;
        sm_err_set(&err, s->why.code, "%.100s: %" PRIu64 " items are lost, such as %.60s",
                   s->why.msg, s->lost, sm_names_text(r->names, s->example));
        sm_problems_add(&r->out->problems, sm_str_text(&r->path), -1, &err);
    }
    return true;
}

/* ---- shards ---- */

/* Looks at each file that is named, once. */
static bool look_at_shards(struct sm_dcp_reader *r)
{
    uint32_t n = sm_names_count(r->paths);
    r->shards = sm_alloc_zero(n + 1, sizeof *r->shards);
    for (uint32_t i = 0; i < n && r->shards; i++) {
        struct sm_dcp_shard *s = &r->shards[i];
        if (!join_path(r, i))
            return false;
        s->there = sm_source_path_ok(sm_str_text(&r->path), r->path.len)
                       ? sm_source_stat(r->file->source, sm_str_text(&r->path), &s->st, &s->why)
                       : sm_err_set(&s->why, SM_ERR_REFUSED, "leaves the trial");
    }
    return r->shards || sm_dcp_lack_memory(r);
}

/* Opens the file of an item unless it is the one that is open. */
static bool open_shard(struct sm_dcp_reader *r, const struct sm_dcp_item *x, struct sm_file *open,
                       bool same)
{
    struct sm_dcp_shard *s = &r->shards[x->path];
    if (!same && s->there) {
        sm_file_close(open);
        if (!join_path(r, x->path))
            return false;
        s->there = sm_file_open(open, r->file->source, sm_str_text(&r->path), &s->why);
    }
    if (s->there)
        return true;
    if (!s->lost++ || !is_tensor(r, s->example))
        s->example = x->name;
    return true;
}

/* ---- one item ---- */

/* Where storages are that were read from the open shard. */
static const char *keep_path(struct sm_dcp_reader *r, const struct sm_dcp_item *x)
{
    const char *name = sm_names_text(r->paths, x->path);
    return sm_arena_strndup(&r->out->arena, name, strlen(name));
}

/* Makes a piece of the one tensor of a part; its storage is now one of the checkpoint. */
static bool take_piece(struct sm_dcp_reader *r, struct sm_dcp_item *x,
                       const struct sm_ckpt_file *part, struct sm_err *err)
{
    const struct sm_ckpt_tensor *t = part->tensors;
    if (part->n != 1 || t->n_pieces != 1 || t->change)
        return sm_err_set(err, SM_ERR_DATA, "a piece is no tensor as it should be");
    const struct sm_ckpt_piece *from = t->pieces;
    struct sm_ckpt_storage s = part->storages[from->storage];
    size_t bytes = (t->n_dims + 1) * sizeof(uint64_t);
    uint64_t *dims = sm_arena_alloc(&r->kept, bytes),
             *origin = sm_arena_alloc(&r->out->arena, bytes);
    int64_t *strides = sm_arena_alloc(&r->kept, bytes);
    unsigned n = 0;
    s.file = keep_path(r, x);
    if (!dims || !origin || !strides || !s.file)
        return sm_dcp_lack_memory(r);
    memset(origin, 0, bytes);
    if (s.bytes)
        return sm_err_set(err, SM_ERR_DATA, "a piece without elements");
    if (x->offset && (!sm_torch_sizes(&r->tree, x->offset, origin, &n, err) || n != t->n_dims))
        return sm_err_set(err, SM_ERR_DATA, "the offset of a piece is none");
    memcpy(dims, from->dims, t->n_dims * sizeof *dims);
    if (from->strides)
        memcpy(strides, from->strides, t->n_dims * sizeof *strides);
    x->piece = (struct sm_ckpt_piece){.storage = sm_ckpt_add_storage(r->out, &s, err),
                                      .first = from->first,
                                      .dims = dims,
                                      .strides = from->strides ? strides : NULL,
                                      .origin = origin};
    x->dtype = t->dtype;
    x->n_dims = t->n_dims;
    return x->piece.storage != SM_NAME_NONE;
}

static bool read_zip(struct sm_dcp_reader *r, struct sm_dcp_item *x, struct sm_torch_zip *zip,
                     struct sm_err *err)
{
    const char *name = sm_names_text(r->names, x->name);
    if (!is_tensor(r, x->name)) {
        zip->container.shard = keep_path(r, x);
        return zip->container.shard ? sm_torch_zip_read(zip, name, r->out, err)
                                    : sm_dcp_lack_memory(r);
    }
    struct sm_ckpt_file part = {.path = r->out->path,
                                .size_bytes = r->shards[x->path].st.size_bytes};
    bool ok = sm_torch_zip_read(zip, "", &part, err) && take_piece(r, x, &part, err);
    for (size_t i = 0; i < part.problems.n; i++) {
        struct sm_err why;
        sm_err_set(&why, part.problems.items[i].code, "%s", part.problems.items[i].message);
        report(r, x, part.problems.items[i].offset, &why);
    }
    x->is_read = ok;
    sm_ckpt_file_clear(&part);
    return ok;
}

static bool read_item(struct sm_dcp_reader *r, struct sm_dcp_item *x, struct sm_file *open,
                      int64_t *at, struct sm_err *err)
{
    struct sm_torch_zip zip;
    uint64_t size = r->shards[x->path].st.size_bytes;
    if (x->at > size || x->length > size - x->at)
        return sm_err_set(err, SM_ERR_DATA,
                          "its piece ends at %" PRIu64 ", but the file has %" PRIu64 " bytes",
                          x->at + x->length, size);
    if (x->packed)
        return sm_err_set(err, SM_ERR_LIMIT, "it is packed, which is not read");
    bool small = x->length <= HEAD;
    uint64_t tail = small ? x->length : TAIL;
    sm_file_ahead(open, x->at + x->length - tail, (size_t)tail);
    *at = (int64_t)x->at;
    struct sm_file_span span = {.file = open, .at = x->at, .size_bytes = x->length};
    if (!sm_torch_zip_open(&zip, span, err))
        return false;
    if (!small)
        sm_file_ahead(open, x->at, HEAD);
    bool ok = read_zip(r, x, &zip, err);
    *at = zip.fault_at < 0 ? *at : zip.fault_at;
    sm_torch_zip_close(&zip);
    return ok;
}

/* ---- all items ---- */

static int by_place(const void *a, const void *b, void *ctx)
{
    const struct sm_dcp_item *items = ctx, *x = &items[*(const size_t *)a],
                             *y = &items[*(const size_t *)b];
    int order = (x->path > y->path) - (x->path < y->path);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static bool read_in_order(struct sm_dcp_reader *r, const size_t *order)
{
    struct sm_file open = {0};
    bool ok = true;
    for (size_t i = 0; i < r->n_items && ok; i++) {
        struct sm_dcp_item *x = &r->items[order[i]];
        struct sm_err err = {0};
        int64_t at = (int64_t)x->at;
        ok = open_shard(r, x, &open, i && r->items[order[i - 1]].path == x->path);
        if (!ok || !r->shards[x->path].there || read_item(r, x, &open, &at, &err))
            continue;
        ok = err.code != SM_ERR_MEMORY && !r->err->code ? true : sm_dcp_lack_memory(r);
        report(r, x, at, &err);
    }
    sm_file_close(&open);
    return ok;
}

bool sm_dcp_read_items(struct sm_dcp_reader *r)
{
    size_t *order = sm_alloc((r->n_items + 1) * sizeof *order);
    for (size_t i = 0; i < r->n_items && order; i++)
        order[i] = i;
    bool ok = order ? look_at_shards(r) : sm_dcp_lack_memory(r);
    if (ok && r->n_items)
        qsort_r(order, r->n_items, sizeof *order, by_place, r->items);
    ok = ok && read_in_order(r, order) && report_shards(r);
    sm_free(order);
    return ok;
}
