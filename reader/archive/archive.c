/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/archive/archive_state.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/s3/source_s3.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- frames ---- */

bool sm_archive_read_at(const struct sm_archive *a, uint64_t at, void *buf, size_t n, size_t *got,
                        struct sm_err *err)
{
    return a->files ? sm_source_read(a->files, a->name, at, buf, n, got, err)
                    : sm_source_pread(a->fd, a->name, at, buf, n, got, err);
}

static bool read_at(const struct sm_archive *a, uint64_t at, void *buf, size_t n,
                    struct sm_err *err)
{
    size_t got;
    if (!sm_archive_read_at(a, at, buf, n, &got, err))
        return false;
    return got == n ||
           sm_err_set(err, SM_ERR_DATA, "the archive ends at %llu", (unsigned long long)at + got);
}

static bool check_head(const struct sm_archive_frame *f, const uint8_t *p, struct sm_err *err)
{
    struct sm_smdz_head h;
    if (!sm_smdz_head(p, &h) || memcmp(&h, &f->head, sizeof h) != 0)
        return sm_err_set(err, SM_ERR_DATA, "the head is damaged");
    bool small = f->head.kind == SM_SMDZ_VALUES || f->head.kind == SM_SMDZ_STATS;
    return !small || f->head.plain <= SM_ARCHIVE_FRAME_MAX ||
           sm_err_set(err, SM_ERR_LIMIT, "%lu bytes in a frame of values",
                      (unsigned long)f->head.plain);
}

/* Expects lengths that were checked against the file's. */
bool sm_archive_content(struct sm_archive *a, const struct sm_archive_frame *f, struct sm_str *out,
                        struct sm_err *err)
{
    size_t n = SM_SMDZ_HEAD + (size_t)f->head.packed;
    uint8_t *bytes = sm_alloc(n);
    bool ok = bytes ? read_at(a, f->at, bytes, n, err) && check_head(f, bytes, err) &&
                          sm_smdz_unpack(&f->head,
                                         (struct sm_bytes){bytes + SM_SMDZ_HEAD, f->head.packed},
                                         out, err)
                    : sm_err_set(err, SM_ERR_MEMORY, "no memory for a frame");
    sm_free(bytes);
    return ok || sm_err_prefix(err, "%s: frame at offset %llu", a->name, (unsigned long long)f->at);
}

void sm_archive_report(struct sm_archive *a, uint64_t at, const struct sm_err *err)
{
    sm_problems_add(&a->problems, a->name, (int64_t)at, err);
}

/* ---- cached frames ---- */

static struct sm_archive_kept *find_kept(struct sm_archive *a, uint32_t frame)
{
    for (int i = 0; i < SM_ARCHIVE_KEPT; i++)
        if (a->kept[i].used && a->kept[i].frame == frame)
            return &a->kept[i];
    return NULL;
}

static void keep(struct sm_archive *a, uint32_t frame, struct sm_str *bytes)
{
    struct sm_archive_kept *oldest = &a->kept[0];
    for (int i = 1; i < SM_ARCHIVE_KEPT; i++)
        if (a->kept[i].used < oldest->used)
            oldest = &a->kept[i];
    sm_str_clear(&oldest->bytes);
    *oldest = (struct sm_archive_kept){.frame = frame, .bytes = *bytes, .used = ++a->clock};
    *bytes = (struct sm_str){0};
}

static bool copy_kept(struct sm_archive *a, uint32_t frame, size_t at, void *buf, size_t n)
{
    pthread_mutex_lock(&a->lock);
    struct sm_archive_kept *k = find_kept(a, frame);
    if (k) {
        k->used = ++a->clock;
        memcpy(buf, k->bytes.data + at, n);
    }
    pthread_mutex_unlock(&a->lock);
    return k;
}

/* at + n must be within the frame's content. */
static bool copy_from(struct sm_archive *a, uint32_t frame, size_t at, void *buf, size_t n,
                      struct sm_err *err)
{
    struct sm_str bytes = {0};
    if (copy_kept(a, frame, at, buf, n))
        return true;
    bool ok = sm_archive_content(a, &a->frames[frame], &bytes, err);
    if (ok) {
        memcpy(buf, bytes.data + at, n);
        pthread_mutex_lock(&a->lock);
        keep(a, frame, &bytes);
        pthread_mutex_unlock(&a->lock);
    }
    sm_str_clear(&bytes);
    return ok;
}

/* ---- places ---- */

bool sm_archive_name_file(struct sm_archive *a, struct sm_text path, uint32_t number)
{
    pthread_mutex_lock(&a->lock);
    bool ok = sm_vec_reserve((void **)&a->file_of, &a->cap_files,
                             (size_t)sm_names_count(a->paths) + 1, sizeof *a->file_of);
    uint32_t id = ok ? sm_names_add(a->paths, path.p, path.n) : SM_NAME_NONE;
    ok = id != SM_NAME_NONE;
    if (ok)
        a->file_of[id] = number;
    pthread_mutex_unlock(&a->lock);
    return ok;
}

/* UINT32_MAX if the archive does not have the file. */
static uint32_t number_of(struct sm_archive *a, const char *path)
{
    pthread_mutex_lock(&a->lock);
    uint32_t id = sm_names_find(a->paths, path, strlen(path)),
             number = id == SM_NAME_NONE ? UINT32_MAX : a->file_of[id];
    pthread_mutex_unlock(&a->lock);
    return number;
}

/* The number of places at or before (file, offset, tag). */
static size_t count_upto(const struct sm_archive_locations *p, uint32_t file, uint64_t offset,
                         uint32_t tag)
{
    size_t lo = 0, hi = p->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const struct sm_archive_location *x = &p->items[mid];
        bool upto = x->file != file       ? x->file < file
                    : x->offset != offset ? x->offset < offset
                                          : x->tag <= tag;
        lo = upto ? mid + 1 : lo;
        hi = upto ? hi : mid;
    }
    return lo;
}

/* The place that holds (file, offset); NULL if there is none. */
static const struct sm_archive_location *bytes_at(const struct sm_archive *a, uint32_t file,
                                                  uint64_t offset)
{
    size_t n = count_upto(&a->values, file, offset, UINT32_MAX);
    const struct sm_archive_location *x = n ? &a->values.items[n - 1] : NULL;
    return x && x->file == file && offset - x->offset < x->length ? x : NULL;
}

static const struct sm_archive_location *facts_at(const struct sm_archive *a, uint32_t file,
                                                  uint64_t offset, unsigned value)
{
    uint32_t tag = (uint32_t)value << 1;
    size_t n = count_upto(&a->stats, file, offset, tag | 1);
    const struct sm_archive_location *x = n ? &a->stats.items[n - 1] : NULL;
    return x && x->file == file && x->offset == offset && (x->tag & ~1u) == tag ? x : NULL;
}

static bool is_covered(const struct sm_archive *a, uint32_t file, uint64_t offset, uint64_t length)
{
    const struct sm_archive_location *x;
    while (length && (x = bytes_at(a, file, offset))) {
        uint64_t n = x->length - (offset - x->offset);
        n = n < length ? n : length;
        offset += n;
        length -= n;
    }
    return !length;
}

/* ---- as a source ---- */

static bool lacks(const struct sm_archive *a, struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_DATA, "%s has not the whole record", a->name);
}

static bool archive_read(struct sm_source *s, const char *path, uint64_t offset, void *buf,
                         size_t n, size_t *got, struct sm_err *err)
{
    struct sm_archive *a = (struct sm_archive *)s;
    const struct sm_archive_location *x;
    uint32_t file = number_of(a, path);
    for (*got = 0; *got < n && (x = bytes_at(a, file, offset + *got));) {
        size_t in = (size_t)(offset + *got - x->offset),
               more = x->length - in < n - *got ? x->length - in : n - *got;
        if (!copy_from(a, x->frame, x->at + in, (char *)buf + *got, more, err))
            return false;
        *got += more;
    }
    return *got || !n || lacks(a, err);
}

static bool archive_about(struct sm_source *s, const char *path, uint64_t offset, uint64_t length,
                          unsigned value, struct sm_source_known *known, struct sm_err *err)
{
    struct sm_archive *a = (struct sm_archive *)s;
    uint32_t file = number_of(a, path);
    const struct sm_archive_location *x = facts_at(a, file, offset, value);
    struct sm_str *out = &known->bytes;
    known->only = x && (x->tag & 1);
    known->columns = &a->columns;
    if (!known->only && !is_covered(a, file, offset, length))
        return lacks(a, err);
    if (!x)
        return true;
    size_t begin = out->len;
    sm_str_fill(out, 0, x->length);
    if (out->failed || copy_from(a, x->frame, x->at, out->data + begin, x->length, err))
        return true;
    bool values_tell = !known->only && err->code != SM_ERR_MEMORY;
    sm_str_truncate(out, begin);
    if (values_tell)
        *err = (struct sm_err){0};
    return values_tell;
}

size_t sm_archive_frames(const struct sm_source *s)
{
    return ((const struct sm_archive *)s)->n_frames;
}

bool sm_archive_check(struct sm_source *s, size_t frame, uint64_t *at, struct sm_err *err)
{
    struct sm_archive *a = (struct sm_archive *)s;
    struct sm_str content = {0};
    *at = a->frames[frame].at;
    bool ok = sm_archive_content(a, &a->frames[frame], &content, err);
    sm_str_clear(&content);
    return ok;
}

static bool archive_left_out(struct sm_source *s, const char *path, uint64_t offset, unsigned value)
{
    struct sm_archive *a = (struct sm_archive *)s;
    const struct sm_archive_location *x = facts_at(a, number_of(a, path), offset, value);
    return x && (x->tag & 1);
}

static bool archive_stat(struct sm_source *s, const char *path, struct sm_stat *out,
                         struct sm_err *err)
{
    struct sm_archive *a = (struct sm_archive *)s;
    *out = (struct sm_stat){.is_dir = !*path, .inode = 1};
    uint32_t file = *path ? number_of(a, path) : 0;
    if (*path && file == UINT32_MAX)
        return sm_err_set(err, SM_ERR_MISSING, "%s: no such file in %s", path, a->name);
    size_t n = *path ? count_upto(&a->values, file, UINT64_MAX, UINT32_MAX) : 0;
    const struct sm_archive_location *last = n ? &a->values.items[n - 1] : NULL;
    out->size_bytes = last && last->file == file ? last->offset + last->length : 0;
    return true;
}

static bool archive_list(struct sm_source *s, const char *dir,
                         bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir),
                         void *ctx, struct sm_err *err)
{
    (void)each, (void)ctx;
    return sm_err_set(err, SM_ERR_MISSING, "%s: %s has no folders", dir,
                      ((struct sm_archive *)s)->name);
}

static void archive_free(struct sm_source *s)
{
    struct sm_archive *a = (struct sm_archive *)s;
    for (int i = 0; i < SM_ARCHIVE_KEPT; i++)
        sm_str_clear(&a->kept[i].bytes);
    pthread_mutex_destroy(&a->lock);
    sm_names_free(a->paths);
    sm_free(a->file_of);
    sm_free(a->frames);
    sm_free(a->values.items);
    sm_free(a->stats.items);
    sm_str_clear(&a->findings);
    sm_str_clear(&a->trial_text);
    sm_problems_clear(&a->problems);
    if (a->fd >= 0)
        close(a->fd);
    sm_source_unref(a->files);
    sm_free(a);
}

static const struct sm_source_ops ops = {
    .list = archive_list,
    .stat = archive_stat,
    .read = archive_read,
    .free = archive_free,
    .about = archive_about,
    .left_out = archive_left_out,
};

bool sm_archive_is(const struct sm_source *s)
{
    return s->ops == &ops;
}

const struct sm_archive_info *sm_archive_info(const struct sm_source *s)
{
    return &((const struct sm_archive *)s)->info;
}

/* ---- opening ---- */

/* Accepts a damaged header if a frame follows it. */
static bool begins_well(const uint8_t *p, size_t n)
{
    struct sm_smdz_head h;
    return sm_smdz_is_header(p, n) ||
           (n == SM_SMDZ_HEADER + SM_SMDZ_HEAD && sm_smdz_head(p + SM_SMDZ_HEADER, &h));
}

static int open_file(const char *path, uint64_t *size_bytes, struct sm_err *err)
{
    uint8_t begin[SM_SMDZ_HEADER + SM_SMDZ_HEAD];
    struct stat st;
    size_t got;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* opening a pipe must not block */
    if (fd < 0)
        sm_err_errno(err, "%s", path);
    if (fd < 0)
        return -1;
    bool ok = fstat(fd, &st) == 0 || sm_err_errno(err, "%s", path);
    ok = ok && (S_ISREG(st.st_mode) || sm_err_set(err, SM_ERR_DATA, "%s: " SM_NO_ARCHIVE, path));
    ok = ok && sm_source_pread(fd, path, 0, begin, sizeof begin, &got, err) &&
         (begins_well(begin, got) || sm_err_set(err, SM_ERR_DATA, "%s: " SM_NO_ARCHIVE, path));
    if (!ok)
        close(fd);
    *size_bytes = ok ? (uint64_t)st.st_size : 0;
    return ok ? fd : -1;
}

/* The folder of the file that has this address. */
static struct sm_source *open_bucket(const char *path, struct sm_err *err)
{
    char *folder = sm_strndup(path, (size_t)(strrchr(path, '/') - path));
    struct sm_source *s = folder ? sm_source_s3_new(folder, err) : NULL;
    if (!folder)
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
    sm_free(folder);
    return s;
}

/* Takes over fd and files. */
static struct sm_archive *make_archive(const char *path, int fd, struct sm_source *files)
{
    struct sm_archive *a = sm_alloc_zero(1, sizeof *a);
    struct sm_names *paths = sm_names_new();
    if (!a || !paths || !sm_source_init(&a->base, &ops, path)) {
        sm_names_free(paths);
        sm_free(a);
        if (fd >= 0)
            close(fd);
        sm_source_unref(files);
        return NULL;
    }
    const char *slash = strrchr(a->base.root, '/');
    a->name = slash && slash[1] ? slash + 1 : a->base.root;
    a->fd = fd;
    a->files = files;
    a->paths = paths;
    pthread_mutex_init(&a->lock, NULL);
    return a;
}

struct sm_source *sm_archive_open(const char *path, struct sm_err *err)
{
    uint64_t size_bytes = 0;
    bool is_s3 = sm_is_s3(path);
    struct sm_source *files = is_s3 ? open_bucket(path, err) : NULL;
    int fd = is_s3 ? -1 : open_file(path, &size_bytes, err);
    if (fd < 0 && !files)
        return NULL;
    struct sm_archive *a = make_archive(path, fd, files);
    if (!a) {
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
        return NULL;
    }
    a->size_bytes = size_bytes;
    return &a->base;
}
