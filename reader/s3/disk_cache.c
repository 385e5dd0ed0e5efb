/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/disk_cache.h"

#include "reader/base/mem.h"
#include "reader/base/str.h"
#include "reader/base/vec.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIMIT_MIB = 1024 };

struct sm_disk_cache {
    int fd; /* of the folder */
    uint64_t limit;
    _Atomic uint64_t bytes;
};
static atomic_bool forbidden;
static atomic_ullong n_read;

uint64_t sm_disk_cache_bytes_read(void)
{
    return atomic_load(&n_read);
}

void sm_disk_cache_forbid(void)
{
    atomic_store(&forbidden, true);
}

static uint64_t limit_bytes(void)
{
    const char *said = getenv("SMDBG_S3_CACHE_MIB");
    char *end;
    unsigned long long mib = said && *said ? strtoull(said, &end, 10) : LIMIT_MIB;
    return (uint64_t)mib << 20;
}

static bool make_folder(const struct sm_str *path)
{
    return mkdir(sm_str_text(path), 0700) == 0 || access(sm_str_text(path), W_OK) == 0;
}

/* Opens the folder, made with its parents. -1: it cannot be. */
static int open_folder(void)
{
    static const char *const below[] = {"/smdbg", "/s3"};
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct sm_str path = {0};
    if (base && *base == '/')
        sm_str_add(&path, base);
    else if (home && *home == '/')
        sm_str_printf(&path, "%s/.cache", home);
    bool ok = path.len && make_folder(&path);
    for (size_t i = 0; ok && i < 2; i++) {
        sm_str_add(&path, below[i]);
        ok = make_folder(&path);
    }
    int fd = ok ? open(sm_str_text(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) : -1;
    sm_str_clear(&path);
    return fd;
}

/* ---- keeping the limit ---- */

struct entry {
    char *name;
    int64_t used_s;
    uint64_t bytes;
};
static int compare_entries(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    return (p->used_s > q->used_s) - (p->used_s < q->used_s);
}

/* Removes the oldest files down to three quarters of the limit, if there are too many. */
static void clean(struct sm_disk_cache *c)
{
    struct entry *items = NULL;
    size_t n = 0, cap = 0;
    uint64_t all = 0;
    DIR *d = fdopendir(dup(c->fd));
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat st;
        if (e->d_name[0] == '.' || fstatat(c->fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            !SM_VEC_ROOM(items, n, cap))
            continue;
        items[n++] = (struct entry){sm_strdup(e->d_name), st.st_mtime, (uint64_t)st.st_size};
        all += (uint64_t)st.st_size;
    }
    if (d)
        closedir(d);
    if (n)
        qsort(items, n, sizeof *items, compare_entries);
    bool too_many = all > c->limit;
    for (size_t i = 0; i < n; i++) {
        if (too_many && all > c->limit / 4 * 3 && items[i].name &&
            unlinkat(c->fd, items[i].name, 0) == 0)
            all -= items[i].bytes;
        sm_free(items[i].name);
    }
    sm_free(items);
    atomic_store(&c->bytes, all);
}

struct sm_disk_cache *sm_disk_cache_new(void)
{
    uint64_t limit = limit_bytes();
    struct sm_disk_cache *c =
        limit && !atomic_load(&forbidden) ? sm_alloc_zero(1, sizeof *c) : NULL;
    if (!c)
        return NULL;
    c->fd = open_folder();
    c->limit = limit;
    if (c->fd < 0) {
        sm_free(c);
        return NULL;
    }
    clean(c);
    return c;
}

void sm_disk_cache_free(struct sm_disk_cache *c)
{
    if (c)
        close(c->fd);
    sm_free(c);
}

bool sm_disk_cache_get(struct sm_disk_cache *c, const char *name, size_t n, uint8_t **bytes)
{
    int fd = c && n ? openat(c->fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (fd < 0)
        return false;
    struct stat st;
    uint8_t *p = fstat(fd, &st) == 0 && (uint64_t)st.st_size == n ? sm_alloc(n) : NULL;
    bool ok = p && pread(fd, p, n, 0) == (ssize_t)n;
    if (ok) {
        futimens(fd, NULL);
        atomic_fetch_add(&n_read, n);
    }
    close(fd);
    if (ok)
        *bytes = p;
    else
        sm_free(p);
    return ok;
}

bool sm_disk_cache_has(const struct sm_disk_cache *c, const char *name)
{
    return c && faccessat(c->fd, name, R_OK, 0) == 0;
}

/* Written under another name first: a reader of another process never sees a part. */
void sm_disk_cache_put(struct sm_disk_cache *c, const char *name, const uint8_t *bytes, size_t n)
{
    if (!c || !n || atomic_load(&c->bytes) + n > c->limit)
        return;
    struct sm_str part = {0};
    sm_str_printf(&part, ".%s.%ld", name, (long)getpid());
    int fd = openat(c->fd, sm_str_text(&part), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                    0600);
    if (fd >= 0) {
        bool ok = write(fd, bytes, n) == (ssize_t)n;
        ok = close(fd) == 0 && ok;
        ok = ok && renameat(c->fd, sm_str_text(&part), c->fd, name) == 0;
        if (ok)
            atomic_fetch_add(&c->bytes, n);
        else
            unlinkat(c->fd, sm_str_text(&part), 0);
    }
    sm_str_clear(&part);
}
