/* SPDX-License-Identifier: Apache-2.0 */
/* Zip files of torch: ROOT/data.pkl, ROOT/data/KEY for each storage, ROOT/byteorder; TorchScript
 * has ROOT/constants.pkl and ROOT/constants/KEY besides. */
#include "reader/base/vec.h"
#include "reader/torch/torch_file.h"

#include <string.h>

static const struct sm_torch_zip *zip_of(const struct sm_torch_container *c)
{
    return (const struct sm_torch_zip *)(const void *)c;
}

/* The member below the root; NULL: there is none. */
static const struct sm_zip_member *find_member(const struct sm_torch_zip *z, const char *folder,
                                               struct sm_text name)
{
    struct sm_str path = {0};
    sm_str_addn(&path, z->root.p, z->root.n);
    sm_str_add(&path, folder);
    sm_str_addn(&path, name.p, name.n);
    const struct sm_zip_member *m =
        path.failed ? NULL : sm_zip_find(&z->zip, (struct sm_text){sm_str_text(&path), path.len});
    sm_str_clear(&path);
    return m;
}

static bool find_storage(const struct sm_torch_container *c, struct sm_text key,
                         struct sm_ckpt_storage *out, struct sm_err *err)
{
    const struct sm_torch_zip *z = zip_of(c);
    const struct sm_zip_member *m = find_member(z, z->folder, key);
    struct sm_file_span span;
    if (z->zip.cut && (!m || (z->zip.last_cut && m == &z->zip.members[z->zip.n_members - 1])))
        return sm_err_set(err, SM_ERR_MISSING, "the file ends before its elements do");
    if (!m)
        return sm_err_set(err, SM_ERR_DATA, "storage %s%.*s is not in the file", z->folder,
                          (int)(key.n < 40 ? key.n : 40), key.n ? key.p : "");
    if (!sm_zip_span(&z->zip, m, &span, err))
        return false;
    *out = (struct sm_ckpt_storage){.file = c->shard,
                                    .offset = span.at,
                                    .stored_bytes = m->packed_bytes,
                                    .size_bytes = m->size_bytes,
                                    .crc32 = m->crc32,
                                    .deflated = m->method == SM_ZIP_DEFLATED,
                                    .big_endian = z->big_endian};
    return true;
}

static bool reopen_pickle(const struct sm_torch_container *c, struct sm_byte_stream *out,
                          struct sm_err *err)
{
    return sm_zip_stream(&zip_of(c)->zip, zip_of(c)->pickle, out, err);
}

/* The folder inside is named after the file at the time of writing: the first data.pkl is asked. */
static const struct sm_zip_member *find_pickle(const struct sm_zip *zip, struct sm_text *root)
{
    static const struct sm_text name = {"data.pkl", 8};
    for (size_t i = 0; i < zip->n_members; i++) {
        struct sm_text t = zip->members[i].name;
        bool ends = t.n >= name.n && memcmp(t.p + t.n - name.n, name.p, name.n) == 0;
        *root = (struct sm_text){t.p, ends ? t.n - name.n : 0};
        if (ends && (!root->n || root->p[root->n - 1] == '/'))
            return &zip->members[i];
    }
    return NULL;
}

static void read_byte_order(struct sm_torch_zip *z)
{
    const struct sm_zip_member *m = find_member(z, "", SM_TEXT("byteorder"));
    struct sm_str order = {0};
    z->big_endian = m && sm_zip_load(&z->zip, m, 16, &order, NULL) &&
                    strncmp(sm_str_text(&order), "big", 3) == 0;
    sm_str_clear(&order);
}

/* What is known when the directory is. */
static bool begin_zip(struct sm_torch_zip *z, struct sm_err *err)
{
    z->pickle = find_pickle(&z->zip, &z->root);
    if (!z->pickle) {
        sm_zip_close(&z->zip);
        return sm_err_set(err, SM_ERR_DATA, "a zip file without data.pkl: torch did not write it");
    }
    sm_zip_announce(&z->zip);
    read_byte_order(z);
    return true;
}

static void init_zip(struct sm_torch_zip *z, const struct sm_file *file)
{
    *z = (struct sm_torch_zip){
        .container = {.file = file, .find = find_storage, .reopen = reopen_pickle},
        .folder = "data/",
        .fault_at = -1};
}

bool sm_torch_zip_open(struct sm_torch_zip *z, struct sm_file_span span, struct sm_err *err)
{
    init_zip(z, span.file);
    return sm_zip_open(&z->zip, span, err) && begin_zip(z, err);
}

/* ---- files that are cut ---- */

/* The bytes of the storages that a pickle names. */
struct storage_sizes {
    struct sm_names *keys;
    uint64_t *sizes; /* by id in keys */
    size_t cap;
};

static bool note_size(void *ctx, struct sm_text key, uint64_t size_bytes)
{
    struct storage_sizes *s = ctx;
    uint32_t id = sm_names_add(s->keys, key.p, key.n);
    if (id == SM_NAME_NONE ||
        !sm_vec_reserve((void **)&s->sizes, &s->cap, (size_t)id + 1, sizeof *s->sizes))
        return false;
    s->sizes[id] = size_bytes;
    return true;
}

/* Of "ROOT/data/KEY". */
static uint64_t size_of_storage(void *ctx, struct sm_text name)
{
    const struct storage_sizes *s = ctx;
    size_t from = name.n;
    while (from && name.p[from - 1] != '/')
        from--;
    uint32_t id = from >= 6 && memcmp(name.p + from - 6, "/data/", 6) == 0
                      ? sm_names_find(s->keys, name.p + from, name.n - from)
                      : SM_NAME_NONE;
    return id == SM_NAME_NONE ? SM_ZIP_NO_SIZE : s->sizes[id];
}

/* The members again, now that the pickle, which is the first one, says how long the others are. */
static bool measure_members(struct sm_torch_zip *z, struct sm_file_span span, struct sm_err *err)
{
    struct storage_sizes sizes = {.keys = sm_names_new()};
    struct sm_pickle tree = {0};
    struct sm_err damage = {0};
    if (!sizes.keys)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a zip file");
    sm_torch_zip_tree(z, z->pickle, &tree, &damage);
    z->fault_at = -1;
    sm_torch_each_storage(&tree, note_size, &sizes);
    sm_zip_close(&z->zip);
    bool ok = sm_zip_open_cut(&z->zip, span, size_of_storage, &sizes, err);
    sm_pickle_clear(&tree);
    sm_names_free(sizes.keys);
    sm_free(sizes.sizes);
    return ok;
}

bool sm_torch_zip_open_cut(struct sm_torch_zip *z, struct sm_file_span span, struct sm_err *err)
{
    init_zip(z, span.file);
    return sm_zip_open_cut(&z->zip, span, NULL, NULL, err) && begin_zip(z, err) &&
           measure_members(z, span, err) && begin_zip(z, err);
}

void sm_torch_zip_close(struct sm_torch_zip *z)
{
    sm_zip_close(&z->zip);
}

static bool name_member(const struct sm_zip_member *m, struct sm_err *err)
{
    return sm_err_prefix(err, "%.*s", (int)(m->name.n < 60 ? m->name.n : 60), m->name.p);
}

bool sm_torch_zip_tree(struct sm_torch_zip *z, const struct sm_zip_member *m,
                       struct sm_pickle *tree, struct sm_err *err)
{
    struct sm_byte_stream stream = {0};
    struct sm_pickle_input in = {.stream = &stream};
    z->pickle = m;
    bool ok = sm_zip_stream(&z->zip, m, &stream, err);
    z->container.pickle_at = stream.span.at;
    z->container.deflated = m->method == SM_ZIP_DEFLATED;
    ok = ok && sm_pickle_read(tree, &in, SM_TORCH_TREE_MAX, err);
    if (!ok && stream.span.file)
        z->fault_at =
            (int64_t)(stream.span.at + (z->container.deflated ? 0 : sm_pickle_input_offset(&in)));
    sm_pickle_input_clear(&in);
    sm_byte_stream_close(&stream);
    return ok || name_member(m, err);
}

/* A pickle that could be read, but is not what was written: its tensors are listed. */
static void check_member(struct sm_torch_zip *z, const struct sm_zip_member *m,
                         struct sm_ckpt_file *out)
{
    struct sm_err err = {0};
    if (sm_zip_check(&z->zip, m, &err))
        return;
    name_member(m, &err);
    sm_ckpt_add_problem(out, (int64_t)z->container.pickle_at, &err);
}

static bool read_member(struct sm_torch_zip *z, const struct sm_zip_member *m, const char *prefix,
                        struct sm_ckpt_file *out, struct sm_err *err)
{
    struct sm_pickle tree = {0};
    struct sm_torch_reader r = {.out = out, .tree = &tree, .container = &z->container};
    struct sm_err later = {0};
    bool whole = sm_torch_zip_tree(z, m, &tree, err),
         ok = (whole || tree.root) && sm_torch_walk(&r, prefix, whole ? err : &later);
    if (whole && ok)
        check_member(z, m, out);
    z->lost += r.lost;
    if (later.code == SM_ERR_MEMORY)
        *err = later;
    ok = ok && whole;
    sm_torch_reader_clear(&r);
    sm_pickle_clear(&tree);
    return ok;
}

bool sm_torch_zip_read(struct sm_torch_zip *z, const char *prefix, struct sm_ckpt_file *out,
                       struct sm_err *err)
{
    const struct sm_zip_member *constants = find_member(z, "", SM_TEXT("constants.pkl"));
    if (!read_member(z, z->pickle, prefix, out, err))
        return false;
    z->folder = "constants/";
    return !constants || read_member(z, constants, "constants", out, err);
}
