/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of tensors: storages beside a pickle, by persistent identifiers, and bytes in it. */
#include "reader/base/vec.h"
#include "reader/torch/torch_file.h"

#include <string.h>

enum { INLINE_MAX = 64 << 20 }; /* bytes of arrays that are kept in memory, of one file */

void sm_torch_reader_clear(struct sm_torch_reader *r)
{
    sm_names_free(r->keys);
    sm_free(r->storages);
    sm_map_clear(&r->inlined);
    r->keys = NULL;
    r->storages = NULL;
}

static uint32_t no_memory(struct sm_err *err)
{
    sm_err_set(err, SM_ERR_MEMORY, "no memory for the storages of a file");
    return SM_NAME_NONE;
}

static uint32_t bad(struct sm_err *err, const char *what)
{
    sm_err_set(err, SM_ERR_DATA, "%s", what);
    return SM_NAME_NONE;
}

/* ---- storages beside the pickle ---- */

/* The number of the key, with room for what is known of it; NONE: no memory. */
static uint32_t number_of_key(struct sm_torch_reader *r, struct sm_text key)
{
    if (!r->keys && !(r->keys = sm_names_new()))
        return SM_NAME_NONE;
    uint32_t id = sm_names_add(r->keys, key.p, key.n);
    if (id == SM_NAME_NONE || id < r->n_storages)
        return id;
    if (!SM_VEC_ROOM(r->storages, r->n_storages, r->cap_storages))
        return SM_NAME_NONE;
    r->storages[r->n_storages++] = SM_NAME_NONE;
    return id;
}

/* Looked for again each time if it cannot be read, so that each tensor says so. */
static uint32_t storage_of_key(struct sm_torch_reader *r, struct sm_text key, struct sm_err *err)
{
    struct sm_ckpt_storage s = {0};
    uint32_t id = number_of_key(r, key);
    if (id == SM_NAME_NONE)
        return no_memory(err);
    if (r->storages[id] == SM_NAME_NONE && r->container->find(r->container, key, &s, err))
        r->storages[id] = sm_ckpt_add_storage(r->out, &s, err);
    return r->storages[id];
}

/* ---- bytes in the pickle ---- */

/* The text of _codecs.encode(text, 'latin1'), as protocol 2 writes bytes; 0: it is none. */
static uint32_t encoded_text(const struct sm_pickle *t, uint32_t node)
{
    const struct sm_pickle_object *o = sm_pickle_made_by(t, node, "_codecs.encode");
    uint32_t text = o ? sm_pickle_item(t, o->args, 0) : 0;
    return sm_pickle_kind(t, text) == SM_PICKLE_TEXT ? text : 0;
}

/* Characters up to U+00FF of UTF-8 as bytes, in place; returns how many. */
static size_t decode_latin1(uint8_t *p, size_t n)
{
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        bool two = (p[i] & 0xfc) == 0xc0 && i + 1 < n;
        p[to++] = two ? (uint8_t)(p[i] << 6 | (p[i + 1] & 0x3f)) : p[i];
        i += two;
    }
    return to;
}

bool sm_torch_bytes(const struct sm_pickle *t, uint32_t node, struct sm_str *out)
{
    uint32_t text = encoded_text(t, node);
    const struct sm_pickle_node *n = sm_pickle_node(t, text ? text : node);
    size_t before = out->len;
    if (n->is_far || (!text && n->kind != SM_PICKLE_BYTES))
        return false;
    sm_str_addn(out, n->text, n->n);
    if (text && !out->failed)
        sm_str_truncate(out, before + decode_latin1((uint8_t *)out->data + before, n->n));
    return !out->failed;
}

/* Reads far bytes once more, from the beginning of the stream. */
static bool read_far(struct sm_torch_reader *r, const struct sm_pickle_far *far, uint8_t *to,
                     struct sm_err *err)
{
    struct sm_byte_stream s = {0};
    size_t got = 0;
    bool ok = r->container->reopen(r->container, &s, err) &&
              sm_byte_stream_skip(&s, far->offset, err) &&
              sm_byte_stream_read(&s, to, (size_t)far->size_bytes, &got, err);
    sm_byte_stream_close(&s);
    return ok && (got == far->size_bytes ||
                  sm_err_set(err, SM_ERR_DATA, "the bytes of an array end too early"));
}

/* A copy of the bytes in the arena. */
static uint32_t copy_inline(struct sm_torch_reader *r, const struct sm_pickle_node *n, bool latin1,
                            struct sm_ckpt_storage *s, struct sm_err *err)
{
    uint64_t size = n->is_far ? n->far->size_bytes : n->n;
    if (size > INLINE_MAX - r->inline_bytes) {
        sm_err_set(err, SM_ERR_LIMIT, "arrays in a pickle have more than %d MiB", INLINE_MAX >> 20);
        return SM_NAME_NONE;
    }
    uint8_t *copy = sm_arena_alloc(&r->out->arena, (size_t)size + 1);
    if (!copy)
        return no_memory(err);
    r->inline_bytes += (size_t)size;
    if (!n->is_far)
        memcpy(copy, n->text, (size_t)size);
    else if (!read_far(r, n->far, copy, err))
        return SM_NAME_NONE;
    s->bytes = copy;
    s->size_bytes = s->stored_bytes = latin1 ? decode_latin1(copy, (size_t)size) : size;
    return sm_ckpt_add_storage(r->out, s, err);
}

static uint32_t place_inline(struct sm_torch_reader *r, uint32_t node, bool big_endian,
                             struct sm_err *err)
{
    uint32_t text = encoded_text(r->tree, node);
    const struct sm_pickle_node *n = sm_pickle_node(r->tree, text ? text : node);
    struct sm_ckpt_storage s = {.big_endian = big_endian};
    /* no bytes at all, as protocol 2 has them */
    if (sm_pickle_made_by(r->tree, node, "builtins.bytes"))
        return sm_ckpt_add_storage(r->out, &s, err);
    if (!text && n->kind != SM_PICKLE_BYTES)
        return bad(err, "the bytes of an array are missing");
    if (text || !n->is_far || r->container->deflated)
        return copy_inline(r, n, text, &s, err);
    s.offset = r->container->pickle_at + n->far->offset;
    s.size_bytes = s.stored_bytes = n->far->size_bytes;
    return sm_ckpt_add_storage(r->out, &s, err);
}

uint32_t sm_torch_inline(struct sm_torch_reader *r, uint32_t node, bool big_endian,
                         struct sm_err *err)
{
    uint64_t key = (uint64_t)node << 1 | big_endian, storage;
    if (sm_map_get(&r->inlined, key, &storage))
        return (uint32_t)storage;
    storage = place_inline(r, node, big_endian, err);
    if (storage != SM_NAME_NONE && !sm_map_put(&r->inlined, key, storage))
        return no_memory(err);
    return (uint32_t)storage;
}

/* ---- storages in the pickle ---- */

/* Reads the file of torch that bytes are: in the file, or in memory as a copy. */
static bool read_nested(struct sm_torch_reader *r, const struct sm_ckpt_storage *bytes,
                        struct sm_ckpt_storage *out, enum sm_dtype *dtype, struct sm_err *err)
{
    struct sm_file_span span = {r->container->file, bytes->offset, bytes->size_bytes};
    struct sm_file file = {0};
    if (!bytes->bytes)
        return sm_torch_legacy_storage(span, out, dtype, err);
    struct sm_source *source = sm_source_mem_new(err);
    bool ok = source && sm_source_mem_put(source, "x", bytes->bytes, (size_t)bytes->size_bytes);
    ok = (ok || sm_err_set(err, SM_ERR_MEMORY, "no memory for a storage in a pickle")) &&
         sm_file_open(&file, source, "x", err) &&
         sm_torch_legacy_storage((struct sm_file_span){&file, 0, bytes->size_bytes}, out, dtype,
                                 err);
    if (ok)
        out->bytes = bytes->bytes + out->offset;
    sm_file_close(&file);
    sm_source_unref(source);
    return ok;
}

/* torch.storage._load_from_bytes(bytes), which pickle writes where torch.save does not. */
static uint32_t nested_storage(struct sm_torch_reader *r, uint32_t node, enum sm_dtype *dtype,
                               struct sm_err *err)
{
    uint64_t key = (uint64_t)node << 32, known;
    struct sm_ckpt_storage s = {0};
    if (sm_map_get(&r->inlined, key, &known)) {
        *dtype = (enum sm_dtype)(known >> 32);
        return (uint32_t)known;
    }
    uint32_t bytes = sm_torch_inline(r, node, false, err), storage;
    if (bytes == SM_NAME_NONE || !read_nested(r, &r->out->storages[bytes], &s, dtype, err))
        return SM_NAME_NONE;
    storage = sm_ckpt_add_storage(r->out, &s, err);
    if (storage != SM_NAME_NONE && !sm_map_put(&r->inlined, key, (uint64_t)*dtype << 32 | storage))
        return no_memory(err);
    return storage;
}

/* ('storage', type, key, location, elements) and, in old files, a view of it: None, or (key, first
 * element, elements). */
struct persistent {
    struct sm_text key;
    enum sm_dtype dtype;
    int64_t elements;
    uint32_t view; /* node, or 0 */
};

static bool parse_persistent(const struct sm_pickle *t, const struct sm_pickle_node *n,
                             struct persistent *out)
{
    if (n->kind != SM_PICKLE_PERSISTENT ||
        !sm_text_is(sm_pickle_text(t, sm_pickle_item(t, n->inner, 0)), "storage"))
        return false;
    out->key = sm_pickle_text(t, sm_pickle_item(t, n->inner, 2));
    out->view = sm_pickle_item(t, n->inner, 5);
    out->dtype = sm_torch_storage_dtype(t, sm_pickle_item(t, n->inner, 1));
    if (!sm_pickle_integer(t, sm_pickle_item(t, n->inner, 4), &out->elements))
        out->elements = -1;
    return true;
}

struct sm_text sm_torch_storage_type(const struct sm_pickle *t, uint32_t node)
{
    const struct sm_pickle_node *n = sm_pickle_node(t, node);
    return n->kind == SM_PICKLE_PERSISTENT ? sm_pickle_text(t, sm_pickle_item(t, n->inner, 1))
                                           : sm_text("");
}

/* Of an element of a storage; 0: not known. */
static unsigned element_bytes(enum sm_dtype d)
{
    return d == SM_DTYPE_NONE ? 1 : sm_dtype_info(d)->size_bytes;
}

void sm_torch_each_storage(const struct sm_pickle *t,
                           bool (*each)(void *ctx, struct sm_text key, uint64_t size_bytes),
                           void *ctx)
{
    struct persistent p;
    for (size_t i = 0; i < t->n_nodes; i++)
        if (parse_persistent(t, &t->nodes[i], &p) && p.elements >= 0 && element_bytes(p.dtype) &&
            (uint64_t)p.elements <= INT64_MAX / element_bytes(p.dtype) &&
            !each(ctx, p.key, (uint64_t)p.elements * element_bytes(p.dtype)))
            return;
}

static uint32_t persistent_storage(struct sm_torch_reader *r, uint32_t node, enum sm_dtype *dtype,
                                   uint64_t *first, struct sm_err *err)
{
    const struct sm_pickle *t = r->tree;
    struct persistent p;
    int64_t begin = 0;
    if (!parse_persistent(t, sm_pickle_node(t, node), &p))
        return bad(err, "its elements are in no storage");
    *dtype = p.dtype;
    if (p.elements < 0)
        return bad(err, "a storage whose length is no number");
    if (p.view && (!sm_pickle_integer(t, sm_pickle_item(t, p.view, 1), &begin) || begin < 0))
        return bad(err, "a view of a storage that is none");
    *first = (uint64_t)begin;
    uint32_t storage = storage_of_key(r, p.key, err);
    if (storage == SM_NAME_NONE)
        return storage;
    unsigned size = element_bytes(p.dtype);
    if (size && (uint64_t)p.elements > r->out->storages[storage].size_bytes / size) {
        sm_err_set(err, SM_ERR_DATA, "storage %.*s has %llu bytes, less than its %lld elements",
                   (int)(p.key.n < 40 ? p.key.n : 40), p.key.p,
                   (unsigned long long)r->out->storages[storage].size_bytes, (long long)p.elements);
        return SM_NAME_NONE;
    }
    return storage;
}

uint32_t sm_torch_storage(struct sm_torch_reader *r, uint32_t node, enum sm_dtype *dtype,
                          uint64_t *first, struct sm_err *err)
{
    const struct sm_pickle_object *o =
        sm_pickle_made_by(r->tree, node, "torch.storage._load_from_bytes");
    *first = 0;
    return o ? nested_storage(r, sm_pickle_item(r->tree, o->args, 0), dtype, err)
             : persistent_storage(r, node, dtype, first, err);
}
