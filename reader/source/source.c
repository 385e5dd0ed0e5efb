/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/source/source.h"

#include "reader/base/mem.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static atomic_ulong reads, fail_at;

void sm_source_fail_read_at(unsigned long n)
{
    atomic_store(&fail_at, n ? atomic_load(&reads) + n : 0);
}

unsigned long sm_source_read_count(void)
{
    return atomic_load(&reads);
}

static bool check_read(const char *path, struct sm_err *err)
{
    unsigned long n = atomic_fetch_add(&reads, 1) + 1;
    if (n == atomic_load(&fail_at))
        return sm_err_set(err, SM_ERR_IO, "%s: read failed (injected)", path);
    if (*path && !sm_source_path_ok(path, strlen(path)))
        return sm_err_set(err, SM_ERR_REFUSED, "%s: leaves the trial", path);
    return true;
}

bool sm_source_path_ok(const char *path, size_t n)
{
    if (!n || path[0] == '/' || memchr(path, 0, n))
        return false;
    while (n) {
        const char *slash = memchr(path, '/', n);
        size_t part = slash ? (size_t)(slash - path) : n;
        if (!part || (part == 1 && path[0] == '.') ||
            (part == 2 && path[0] == '.' && path[1] == '.'))
            return false;
        n -= part;
        path += part;
        if (slash && !--n)
            return false;
        path += slash != NULL;
    }
    return true;
}

bool sm_source_init(struct sm_source *s, const struct sm_source_ops *ops, const char *root)
{
    s->ops = ops;
    atomic_init(&s->refs, 1);
    s->root = sm_strdup(root);
    return s->root;
}

struct sm_source *sm_source_ref(struct sm_source *s)
{
    atomic_fetch_add(&s->refs, 1);
    return s;
}

void sm_source_unref(struct sm_source *s)
{
    if (s && atomic_fetch_sub(&s->refs, 1) == 1) {
        sm_free(s->root);
        s->ops->free(s);
    }
}

bool sm_source_list(struct sm_source *s, const char *dir,
                    bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir),
                    void *ctx, struct sm_err *err)
{
    return check_read(dir, err) && s->ops->list(s, dir, each, ctx, err);
}

bool sm_source_stat(struct sm_source *s, const char *path, struct sm_stat *out, struct sm_err *err)
{
    return check_read(path, err) && s->ops->stat(s, path, out, err);
}

bool sm_source_read(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n,
                    size_t *got, struct sm_err *err)
{
    return check_read(path, err) && s->ops->read(s, path, offset, buf, n, got, err);
}

bool sm_source_ahead(struct sm_source *s, const char *path, uint64_t offset, uint64_t n)
{
    return s->ops->ahead && sm_source_path_ok(path, strlen(path)) &&
           s->ops->ahead(s, path, offset, n);
}

int64_t sm_source_beat_us(struct sm_source *s)
{
    return s->ops->beat_us ? s->ops->beat_us(s) : 0;
}

bool sm_source_stored_facts(struct sm_source *s, const char *path, uint64_t offset, uint64_t length,
                            unsigned value, struct sm_source_known *out, struct sm_err *err)
{
    return !s->ops->about ||
           (check_read(path, err) && s->ops->about(s, path, offset, length, value, out, err));
}

bool sm_source_origin(struct sm_source *s, const char *path, uint64_t offset, struct sm_str *file,
                      uint64_t *at)
{
    if (s->ops->origin && s->ops->origin(s, path, offset, file, at))
        return true;
    *at = offset;
    sm_str_add(file, path);
    return false;
}

bool sm_source_slurp(struct sm_source *s, const char *path, size_t limit, struct sm_str *out,
                     struct sm_err *err)
{
    return sm_source_load(s, path, limit, out, NULL, err);
}

bool sm_source_load(struct sm_source *s, const char *path, size_t limit, struct sm_str *out,
                    struct sm_stat *st, struct sm_err *err)
{
    struct sm_stat own;
    size_t got;
    if (!check_read(path, err))
        return false;
    if (s->ops->slurp)
        return s->ops->slurp(s, path, limit, out, st, err);
    if (!st)
        st = &own;
    if (!s->ops->stat(s, path, st, err))
        return false;
    if (st->size_bytes > limit)
        return sm_err_set(err, SM_ERR_LIMIT, "%s: %llu bytes, more than %zu", path,
                          (unsigned long long)st->size_bytes, limit);
    char *buf = sm_alloc(st->size_bytes + 1);
    if (!buf)
        return sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
    bool ok = s->ops->read(s, path, 0, buf, st->size_bytes, &got, err);
    if (ok)
        sm_str_addn(out, buf, got);
    sm_free(buf);
    return ok && (!out->failed || sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path));
}

/* ---- one file ---- */

bool sm_source_pread(int fd, const char *path, uint64_t offset, void *buf, size_t n, size_t *got,
                     struct sm_err *err)
{
    *got = 0;
    if (offset > INT64_MAX - n)
        return sm_err_set(err, SM_ERR_DATA, "%s: offset %llu is beyond any file", path,
                          (unsigned long long)offset);
    while (*got < n) {
        ssize_t k = pread(fd, (char *)buf + *got, n - *got, (off_t)(offset + *got));
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0 && errno == ESPIPE)
            return sm_err_set(err, SM_ERR_IO, "%s: not a regular file", path);
        if (k < 0)
            return sm_err_errno(err, "%s", path);
        if (k == 0)
            break;
        *got += (size_t)k;
    }
    return true;
}

bool sm_source_open(struct sm_source *s, const char *path, int *fd, struct sm_err *err)
{
    *fd = -1;
    return check_read(path, err) && (!s->ops->open || s->ops->open(s, path, fd, err));
}

bool sm_file_open(struct sm_file *f, struct sm_source *s, const char *path, struct sm_err *err)
{
    sm_file_close(f);
    if (!sm_source_open(s, path, &f->fd, err))
        return false;
    f->source = s;
    f->path = path;
    return true;
}

bool sm_file_has(const struct sm_file *f, uint64_t offset, uint64_t n)
{
    return f->ahead && offset >= f->ahead_at && offset - f->ahead_at <= f->ahead_n &&
           n <= f->ahead_n - (offset - f->ahead_at);
}

void sm_file_ahead(struct sm_file *f, uint64_t offset, size_t n)
{
    size_t got = 0;
    sm_free(f->ahead);
    f->ahead = NULL;
    uint8_t *bytes = f->fd < 0 ? NULL : sm_alloc(n);
    if (bytes && sm_file_read(f, offset, bytes, n, &got, NULL)) {
        f->ahead = bytes;
        f->ahead_at = offset;
        f->ahead_n = got;
    } else {
        sm_free(bytes);
    }
}

bool sm_file_read(const struct sm_file *f, uint64_t offset, void *buf, size_t n, size_t *got,
                  struct sm_err *err)
{
    if (sm_file_has(f, offset, n)) {
        memcpy(buf, f->ahead + (offset - f->ahead_at), n);
        *got = n;
        return true;
    }
    if (f->fd < 0)
        return sm_source_read(f->source, f->path, offset, buf, n, got, err);
    return check_read(f->path, err) && sm_source_pread(f->fd, f->path, offset, buf, n, got, err);
}

void sm_file_close(struct sm_file *f)
{
    if (f->path && f->fd >= 0)
        close(f->fd);
    f->path = NULL;
    sm_free(f->ahead);
    f->ahead = NULL;
}
