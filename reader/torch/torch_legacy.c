/* SPDX-License-Identifier: Apache-2.0 */
/* Files of torch before 1.6, and pickles that hold arrays of numpy.
 *
 * The old form is five pickles after one another: a magic number, the version 1001, facts of the
 * machine, the object, and the list of its storages' keys. The storages follow in the order of that
 * list: the number of elements in 8 bytes, and the elements, little endian. */
#include "reader/base/bytes.h"
#include "reader/torch/torch_file.h"

static const char magic[] = "119547037146038801333356"; /* 0x1950a86a20f9469cfc6c */

struct legacy {
    struct sm_torch_container container;
    struct sm_file_span span;
    struct sm_pickle tree;            /* the object */
    struct sm_names *keys;            /* of storages */
    struct sm_ckpt_storage *storages; /* of each key */
    bool *known;                      /* it was found in the file */
    int64_t fault_at;                 /* where in the file a pickle is damaged; -1: not known */
};

static bool is_magic(const struct sm_pickle *t)
{
    const struct sm_pickle_node *n = sm_pickle_node(t, t->root);
    return n->kind == SM_PICKLE_LONG && sm_text_is((struct sm_text){n->text, n->n}, magic);
}

static bool no_memory(struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_MEMORY, "no memory for the storages of a file");
}

/* ---- storages ---- */

/* Bytes of an element of each key, as the persistent identifiers say. */
static bool sizes_of_keys(const struct legacy *l, struct sm_map *sizes, struct sm_err *err)
{
    const struct sm_pickle *t = &l->tree;
    for (uint32_t i = 0; i < t->n_nodes; i++) {
        if (sm_pickle_kind(t, i) != SM_PICKLE_PERSISTENT)
            continue;
        uint32_t id = sm_pickle_node(t, i)->inner;
        struct sm_text key = sm_pickle_text(t, sm_pickle_item(t, id, 2));
        enum sm_dtype dtype = sm_torch_storage_dtype(t, sm_pickle_item(t, id, 1));
        uint32_t number = key.p ? sm_names_find(l->keys, key.p, key.n) : SM_NAME_NONE;
        unsigned size = dtype == SM_DTYPE_NONE ? 1 : sm_dtype_info(dtype)->size_bytes;
        if (number != SM_NAME_NONE && !sm_map_put(sizes, number, size))
            return no_memory(err);
    }
    return true;
}

static bool take_keys(struct legacy *l, const struct sm_pickle *t, struct sm_err *err)
{
    const struct sm_pickle_node *list = sm_pickle_node(t, t->root);
    if (list->kind != SM_PICKLE_LIST)
        return sm_err_set(err, SM_ERR_DATA, "the list of storages is missing");
    for (uint32_t i = 0; i < list->n; i++) {
        struct sm_text key = sm_pickle_text(t, list->items[i]);
        if (sm_names_add(l->keys, key.n ? key.p : "", key.n) == SM_NAME_NONE)
            return no_memory(err);
    }
    size_t n = sm_names_count(l->keys);
    l->storages = sm_alloc_zero(n + 1, sizeof *l->storages);
    l->known = sm_alloc_zero(n + 1, sizeof *l->known);
    return (l->storages && l->known) || no_memory(err);
}

/* Storages follow one another, so after one whose length is not known none is. */
static bool place_storages(struct legacy *l, uint64_t at, struct sm_err *err)
{
    struct sm_map sizes = {0};
    uint64_t size, left;
    uint8_t count[8];
    bool ok = sizes_of_keys(l, &sizes, err);
    for (uint32_t i = 0; ok && i < sm_names_count(l->keys); i++) {
        if (!sm_map_get(&sizes, i, &size) || !size || !sm_span_read(&l->span, at, count, 8, NULL))
            break;
        at += sizeof count;
        left = l->span.size_bytes - at;
        uint64_t n = sm_get_u64(count);
        if (n > left / size)
            break;
        l->known[i] = true;
        l->storages[i] = (struct sm_ckpt_storage){
            .offset = l->span.at + at, .stored_bytes = n * size, .size_bytes = n * size};
        at += n * size;
    }
    sm_map_clear(&sizes);
    return ok;
}

static const struct legacy *legacy_of(const struct sm_torch_container *c)
{
    return (const struct legacy *)(const void *)c;
}

static bool find_storage(const struct sm_torch_container *c, struct sm_text key,
                         struct sm_ckpt_storage *out, struct sm_err *err)
{
    const struct legacy *l = legacy_of(c);
    uint32_t i = sm_names_find(l->keys, key.n ? key.p : "", key.n);
    if (i == SM_NAME_NONE || !l->known || !l->known[i])
        return sm_err_set(err, SM_ERR_DATA, "storage %.*s is not in the file, or cut off",
                          (int)(key.n < 40 ? key.n : 40), key.n ? key.p : "");
    *out = l->storages[i];
    return true;
}

static bool reopen_file(const struct sm_torch_container *c, struct sm_byte_stream *out,
                        struct sm_err *err)
{
    return sm_byte_stream_open(out, legacy_of(c)->span, SM_PACKING_NONE, 0, err);
}

/* ---- pickles ---- */

/* Reads the pickles up to the list of storages. What is wrong after the object does not hide it:
 * its tensors say that their storages are missing. */
static bool read_pickles(struct legacy *l, struct sm_pickle_input *in, struct sm_err *err)
{
    struct sm_pickle other = {0};
    struct sm_err later = {0};
    if (!sm_pickle_read(&l->tree, in, SM_TORCH_TREE_MAX, err))
        return false;
    if (!is_magic(&l->tree))
        return true;
    for (int i = 0; i < 3; i++) {
        sm_pickle_clear(&l->tree);
        if (!sm_pickle_read(&l->tree, in, SM_TORCH_TREE_MAX, err)) {
            if (i < 2) /* none of the object was read */
                sm_pickle_clear(&l->tree);
            return false;
        }
    }
    bool ok = sm_pickle_read(&other, in, SM_TORCH_TREE_MAX, &later) &&
              take_keys(l, &other, &later) && place_storages(l, sm_pickle_input_offset(in), &later);
    sm_pickle_clear(&other);
    if (!ok && later.code == SM_ERR_MEMORY)
        return no_memory(err);
    return true;
}

/* Reads the pickles of the range; close it in any case. */
static bool open_legacy(struct legacy *l, struct sm_file_span span, struct sm_err *err)
{
    struct sm_byte_stream stream = {0};
    struct sm_pickle_input in = {.stream = &stream};
    *l = (struct legacy){.container = {.file = span.file,
                                       .find = find_storage,
                                       .reopen = reopen_file,
                                       .pickle_at = span.at},
                         .span = span,
                         .keys = sm_names_new()};
    bool ok = l->keys ? sm_byte_stream_open(&stream, span, SM_PACKING_NONE, 0, err) &&
                            read_pickles(l, &in, err)
                      : no_memory(err);
    l->fault_at = ok || !stream.span.file ? -1 : (int64_t)(span.at + sm_pickle_input_offset(&in));
    sm_pickle_input_clear(&in);
    sm_byte_stream_close(&stream);
    return ok;
}

static void close_legacy(struct legacy *l)
{
    sm_pickle_clear(&l->tree);
    sm_names_free(l->keys);
    sm_free(l->storages);
    sm_free(l->known);
}

bool sm_torch_legacy_read(struct sm_file_span span, struct sm_ckpt_file *out, int64_t *at,
                          struct sm_err *err)
{
    struct legacy l;
    struct sm_err later = {0};
    bool whole = open_legacy(&l, span, err);
    struct sm_torch_reader r = {.out = out, .tree = &l.tree, .container = &l.container};
    bool ok = (whole || l.tree.root) && sm_torch_walk(&r, "", whole ? err : &later);
    *at = l.fault_at;
    if (later.code == SM_ERR_MEMORY)
        *err = later;
    sm_torch_reader_clear(&r);
    close_legacy(&l);
    return ok && whole;
}

bool sm_torch_legacy_storage(struct sm_file_span span, struct sm_ckpt_storage *out,
                             enum sm_dtype *dtype, struct sm_err *err)
{
    struct legacy l;
    bool ok = open_legacy(&l, span, err);
    if (ok && sm_pickle_kind(&l.tree, l.tree.root) == SM_PICKLE_PERSISTENT) {
        uint32_t id = sm_pickle_node(&l.tree, l.tree.root)->inner;
        *dtype = sm_torch_storage_dtype(&l.tree, sm_pickle_item(&l.tree, id, 1));
        ok = find_storage(&l.container, sm_pickle_text(&l.tree, sm_pickle_item(&l.tree, id, 2)),
                          out, err);
    } else if (ok) {
        ok = sm_err_set(err, SM_ERR_DATA, "the bytes of a storage hold none");
    }
    close_legacy(&l);
    return ok;
}
