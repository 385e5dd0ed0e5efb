/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/checkpoints/ckpt_source.h"

#include "reader/base/map.h"
#include "reader/base/vec.h"
#include "reader/format/event.h"
#include "reader/format/tfrecord.h"
#include "reader/tensor_files/ckpt_gather.h"
#include "reader/tensor_files/ckpt_open.h"

#include <pthread.h>
#include <string.h>

/* A file that was added: what a record is made of lives as long as the source. */
struct added_file {
    struct sm_ckpt_file file;
    char *path, *folder;
    struct sm_stat st;
};
/*  at                                                      at + length
 *  | frame | head of the event | elements ...   | footer |
 *  | ------- head_n ---------- |                           */
struct record {
    uint64_t at, length;
    const char *head; /* NULL: `whole`, of strings */
    uint32_t head_n, tensor;
    struct added_file *in;
};
/* The records of one path, in the order of their offsets, which only grows. */
struct record_file {
    struct record **records;
    size_t n, cap;
    uint64_t size;
};
struct source_ckpt {
    struct sm_source base;
    struct sm_source *files;
    struct sm_ckpt_open *open;
    pthread_mutex_t lock; /* of all below; records themselves do not change */
    struct sm_names *paths;
    struct record_file *by_path; /* by id in paths */
    size_t cap_paths;
    struct added_file **added;
    size_t n_added, cap_added;
    struct sm_arena arena; /* records, heads */
};

static const struct sm_source_ops ckpt_ops;

static struct source_ckpt *ckpt_of(struct sm_source *s)
{
    return (struct source_ckpt *)s;
}

/* ---- reading ---- */

static struct record_file *file_of(const struct source_ckpt *s, const char *path)
{
    uint32_t id = sm_names_find(s->paths, path, strlen(path));
    return id == SM_NAME_NONE ? NULL : &s->by_path[id];
}

/* With the lock; NULL: none has the offset. */
static const struct record *record_at(const struct record_file *f, uint64_t offset)
{
    size_t lo = 0, hi = f->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (f->records[mid]->at + f->records[mid]->length <= offset)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < f->n ? f->records[lo] : NULL;
}

/* Bytes [from, from + n) of the content, which begins and ends with an element. */
static bool read_content(struct source_ckpt *s, const struct record *r, uint64_t from, uint8_t *out,
                         size_t n, struct sm_err *err)
{
    const struct sm_ckpt_tensor *t = &r->in->file.tensors[r->tensor];
    size_t size = sm_dtype_info((enum sm_dtype)t->dtype)->size_bytes;
    struct sm_ckpt_origin origin = {.path = r->in->path, .folder = r->in->folder, .st = &r->in->st};
    struct sm_ckpt_reader reader;
    uint8_t one[16];
    bool ok = true;
    sm_ckpt_reader_begin(&reader, s->open, &origin);
    while (n > 0 && ok) {
        size_t in = (size_t)(from % size), whole = in ? 0 : n / size;
        uint8_t *to = whole ? out : one;
        ok = sm_ckpt_gather(&reader.bytes, r->in->file.storages, t, from / size, whole ? whole : 1,
                            to, err);
        size_t part = whole ? whole * size : size - in < n ? size - in : n;
        if (ok && !whole)
            memcpy(out, one + in, part);
        from += part;
        out += part;
        n -= part;
    }
    sm_ckpt_reader_end(&reader);
    return ok;
}

/* Bytes of a record from `at` on; returns how many, 0 with an error. */
static size_t read_record(struct source_ckpt *s, const struct record *r, uint64_t at, uint8_t *out,
                          size_t n, struct sm_err *err)
{
    uint64_t end = r->length - SM_FRAME_FOOTER;
    uint8_t footer[SM_FRAME_FOOTER];
    const uint8_t *from = (const uint8_t *)r->head + at;
    uint64_t left = r->head_n - at;
    if (at >= r->head_n && at < end) {
        left = end - at;
        n = left < n ? (size_t)left : n;
        return read_content(s, r, at - r->head_n, out, n, err) ? n : 0;
    }
    if (at >= end) {
        sm_put_u32(footer, SM_FOOTER_UNWRITTEN);
        from = footer + (at - end);
        left = r->length - at;
    }
    n = left < n ? (size_t)left : n;
    memcpy(out, from, n);
    return n;
}

static bool ckpt_read(struct sm_source *source, const char *path, uint64_t offset, void *buf,
                      size_t n, size_t *got, struct sm_err *err)
{
    struct source_ckpt *s = ckpt_of(source);
    uint8_t *out = buf;
    size_t part = 1;
    pthread_mutex_lock(&s->lock);
    bool ours = file_of(s, path);
    pthread_mutex_unlock(&s->lock);
    if (!ours)
        return sm_source_read(s->files, path, offset, buf, n, got, err);
    for (*got = 0; *got < n; *got += part) {
        pthread_mutex_lock(&s->lock);
        const struct record *r = record_at(file_of(s, path), offset + *got);
        pthread_mutex_unlock(&s->lock);
        if (!r)
            return true;
        part = read_record(s, r, offset + *got - r->at, out + *got, n - *got, err);
        if (!part)
            return false;
    }
    return true;
}

/* ---- the other operations ---- */

static bool ckpt_list(struct sm_source *s, const char *dir,
                      bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir),
                      void *ctx, struct sm_err *err)
{
    return sm_source_list(ckpt_of(s)->files, dir, each, ctx, err);
}

static bool ckpt_stat(struct sm_source *source, const char *path, struct sm_stat *out,
                      struct sm_err *err)
{
    struct source_ckpt *s = ckpt_of(source);
    pthread_mutex_lock(&s->lock);
    const struct record_file *f = file_of(s, path);
    if (f)
        *out = (struct sm_stat){.size_bytes = f->size, .inode = 1};
    pthread_mutex_unlock(&s->lock);
    return f || sm_source_stat(s->files, path, out, err);
}

static bool ckpt_open(struct sm_source *source, const char *path, int *fd, struct sm_err *err)
{
    struct source_ckpt *s = ckpt_of(source);
    pthread_mutex_lock(&s->lock);
    bool ours = file_of(s, path);
    pthread_mutex_unlock(&s->lock);
    *fd = -1;
    return ours || sm_source_open(s->files, path, fd, err);
}

/* Of several pieces the first counts; what is packed begins where the packed bytes begin. */
static bool ckpt_origin(struct sm_source *source, const char *path, uint64_t offset,
                        struct sm_str *file, uint64_t *at)
{
    struct source_ckpt *s = ckpt_of(source);
    pthread_mutex_lock(&s->lock);
    const struct record_file *f = file_of(s, path);
    const struct record *r = f ? record_at(f, offset) : NULL;
    const struct sm_ckpt_tensor *t = r ? &r->in->file.tensors[r->tensor] : NULL;
    const struct sm_ckpt_storage *storage =
        t && t->n_pieces ? &r->in->file.storages[t->pieces->storage] : NULL;
    bool known = storage && !storage->bytes;
    if (known) {
        sm_str_add(file, storage->file ? r->in->folder : "");
        sm_str_add(file, storage->file ? storage->file : r->in->path);
        *at = storage->offset +
              (storage->deflated ? 0
                                 : sm_ckpt_stored_bytes((enum sm_dtype)t->dtype, t->pieces->first));
    }
    pthread_mutex_unlock(&s->lock);
    return known && !file->failed;
}

/* Whether the elements are all bytes of the storage, in their order. A piece of that many elements
 * is all of the tensor. */
static bool is_all_of(const struct sm_ckpt_tensor *t, const struct sm_ckpt_storage *s)
{
    int64_t strides[SM_CKPT_DIMS_MAX];
    const struct sm_ckpt_piece *p = t->pieces;
    unsigned size = sm_dtype_info((enum sm_dtype)t->dtype)->size_bytes;
    if (t->n_pieces != 1 || p->first || t->change || s->big_endian ||
        sm_dtype_stored_bits((enum sm_dtype)t->dtype) % 8 || t->n * size != s->size_bytes)
        return false;
    sm_ckpt_c_strides(t->dims, t->n_dims, strides);
    for (unsigned i = 0; i < t->n_dims && p->strides; i++)
        if (t->dims[i] > 1 && p->strides[i] != strides[i])
            return false;
    return true;
}

static bool ckpt_content_crc(struct sm_source *source, const char *path, uint64_t offset,
                             uint32_t *before, uint32_t *crc32)
{
    struct source_ckpt *s = ckpt_of(source);
    pthread_mutex_lock(&s->lock);
    const struct record_file *f = file_of(s, path);
    const struct record *r = f ? record_at(f, offset) : NULL;
    const struct sm_ckpt_tensor *t = r ? &r->in->file.tensors[r->tensor] : NULL;
    const struct sm_ckpt_storage *storage =
        t && t->n_pieces ? &r->in->file.storages[t->pieces->storage] : NULL;
    bool known = storage && storage->crc32 && is_all_of(t, storage);
    if (known) {
        *before = storage->crc32_before;
        *crc32 = storage->crc32;
    }
    pthread_mutex_unlock(&s->lock);
    return known;
}

static size_t ckpt_head_bytes(struct sm_source *source, const char *path, uint64_t offset)
{
    struct source_ckpt *s = ckpt_of(source);
    pthread_mutex_lock(&s->lock);
    const struct record_file *f = file_of(s, path);
    const struct record *r = f ? record_at(f, offset) : NULL;
    pthread_mutex_unlock(&s->lock);
    return r && r->at == offset ? r->head_n : 0;
}

static int64_t ckpt_beat_us(struct sm_source *s)
{
    return sm_source_beat_us(ckpt_of(s)->files);
}

static void free_added(struct added_file *a)
{
    sm_ckpt_file_clear(&a->file);
    sm_free(a->path);
    sm_free(a->folder);
    sm_free(a);
}

static void ckpt_free(struct sm_source *source)
{
    struct source_ckpt *s = ckpt_of(source);
    for (size_t i = 0; i < s->n_added; i++)
        free_added(s->added[i]);
    for (uint32_t i = 0; s->paths && i < sm_names_count(s->paths); i++)
        sm_free(s->by_path[i].records);
    sm_free(s->by_path);
    sm_free(s->added);
    sm_names_free(s->paths);
    sm_arena_clear(&s->arena);
    sm_ckpt_open_free(s->open);
    pthread_mutex_destroy(&s->lock);
    sm_source_unref(s->files);
    sm_free(s);
}

static const struct sm_source_ops ckpt_ops = {
    .list = ckpt_list,
    .stat = ckpt_stat,
    .read = ckpt_read,
    .free = ckpt_free,
    .open = ckpt_open,
    .beat_us = ckpt_beat_us,
    .origin = ckpt_origin,
    .content_crc = ckpt_content_crc,
    .head_bytes = ckpt_head_bytes,
    .in_pieces = true,
};

struct sm_source *sm_ckpt_source_new(struct sm_source *files, struct sm_err *err)
{
    struct source_ckpt *s = sm_alloc_zero(1, sizeof *s);
    struct sm_names *paths = sm_names_new();
    struct sm_ckpt_open *open = sm_ckpt_open_new(files);
    if (!s || !paths || !open || !sm_source_init(&s->base, &ckpt_ops, files->root)) {
        sm_free(s);
        sm_names_free(paths);
        sm_ckpt_open_free(open);
        sm_err_set(err, SM_ERR_MEMORY, "no memory");
        return NULL;
    }
    s->files = sm_source_ref(files);
    s->paths = paths;
    s->open = open;
    pthread_mutex_init(&s->lock, NULL);
    return &s->base;
}

struct sm_source *sm_ckpt_source_files(struct sm_source *s)
{
    return s->ops == &ckpt_ops ? ckpt_of(s)->files : s;
}

/* ---- adding ---- */

/* The bytes of a record before the elements; of strings all but the footer. The tag is short: a
 * head must fit into what is read of a record at first. */
static bool make_head(const struct sm_ckpt_tensor *t, const struct sm_ckpt_part *part,
                      struct sm_str *out, uint64_t *content)
{
    struct sm_event_value v = {.tag = SM_TEXT("t"),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = (enum sm_dtype)t->dtype,
                               .proto_dtype = sm_dtype_info((enum sm_dtype)t->dtype)->proto_code,
                               .n_dims = t->n_dims,
                               .n_elements = t->n,
                               .strings = t->strings};
    struct sm_event e = {.wall_time = part->time, .step = part->step, .values = &v, .n_values = 1};
    struct sm_str head = {0}, tail = {0};
    uint8_t frame[SM_FRAME_HEADER];
    memcpy(v.dims, t->dims, t->n_dims * sizeof *v.dims);
    *content = t->strings ? 0 : t->n * sm_dtype_info(v.dtype)->size_bytes;
    v.content.n = (size_t)*content;
    bool ok = sm_event_write_around(&head, &tail, &e, NULL);
    sm_frame_head(frame, head.len + *content);
    sm_str_addn(out, frame, sizeof frame);
    sm_str_addn(out, sm_str_text(&head), head.len);
    sm_str_clear(&head);
    sm_str_clear(&tail);
    return ok && !out->failed;
}

static bool add_record(struct source_ckpt *s, struct record_file *f,
                       const struct sm_ckpt_part *part, struct added_file *in, uint32_t tensor,
                       struct sm_str *head)
{
    uint64_t content;
    sm_str_truncate(head, 0);
    if (!make_head(&in->file.tensors[tensor], part, head, &content) ||
        !SM_VEC_ROOM(f->records, f->n, f->cap))
        return false;
    struct record *r = sm_arena_alloc(&s->arena, sizeof *r);
    if (!r)
        return false;
    *r = (struct record){.at = f->size,
                         .length = head->len + content + SM_FRAME_FOOTER,
                         .head = sm_arena_strndup(&s->arena, head->data, head->len),
                         .head_n = (uint32_t)head->len,
                         .tensor = tensor,
                         .in = in};
    f->size += r->length;
    f->records[f->n] = r;
    f->n += r->head != NULL;
    return r->head;
}

/* The folder of a path, with '/' at its end; "" for none. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return sm_strndup(path, slash ? (size_t)(slash + 1 - path) : 0);
}

/* Takes a file over; NULL: no memory. */
static struct added_file *take_file(struct source_ckpt *s, struct sm_ckpt_file *file,
                                    const struct sm_stat *st)
{
    struct added_file *a = sm_alloc_zero(1, sizeof *a);
    if (!a)
        return NULL;
    a->path = sm_strdup(file->path);
    a->folder = folder_of(file->path);
    a->st = *st;
    if (!a->path || !a->folder || !SM_VEC_ROOM(s->added, s->n_added, s->cap_added)) {
        free_added(a);
        return NULL;
    }
    a->file = *file;
    a->file.leaves = (struct sm_run_fields){0};
    a->file.problems = (struct sm_problems){0};
    a->file.order = NULL;
    a->file.shapes = NULL;
    a->file.n_shapes = 0;
    a->file.path = a->path;
    file->arena = (struct sm_arena){0};
    file->tensors = NULL;
    file->storages = NULL;
    file->n = file->cap = file->n_storages = file->cap_storages = 0;
    s->added[s->n_added++] = a;
    return a;
}

static struct record_file *open_path(struct source_ckpt *s, const char *path)
{
    uint32_t id = sm_names_add(s->paths, path, strlen(path));
    size_t before = s->cap_paths;
    if (id == SM_NAME_NONE ||
        !sm_vec_reserve((void **)&s->by_path, &s->cap_paths, (size_t)id + 1, sizeof *s->by_path))
        return NULL;
    memset(s->by_path + before, 0, (s->cap_paths - before) * sizeof *s->by_path);
    return &s->by_path[id];
}

bool sm_ckpt_source_add(struct sm_source *source, const struct sm_ckpt_part *part,
                        struct sm_ckpt_place *places)
{
    if (source->ops != &ckpt_ops)
        return false;
    struct source_ckpt *s = ckpt_of(source);
    struct sm_str head = {0};
    size_t n = 0;
    pthread_mutex_lock(&s->lock);
    struct record_file *f = open_path(s, part->path);
    bool ok = f;
    for (size_t i = 0; i < part->n_files && ok; i++) {
        size_t tensors = part->files[i]->n;
        struct added_file *in = take_file(s, part->files[i], &part->stats[i]);
        ok = in;
        for (uint32_t k = 0; k < tensors && ok; k++) {
            ok = add_record(s, f, part, in, k, &head);
            if (ok)
                places[n++] =
                    (struct sm_ckpt_place){f->records[f->n - 1]->at, f->records[f->n - 1]->length};
        }
    }
    pthread_mutex_unlock(&s->lock);
    sm_str_clear(&head);
    return ok;
}
