/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/disk_cache.h"

#include "reader/base/crc32c.h"
#include "reader/base/mem.h"
#include "reader/base/str.h"
#include "reader/base/vec.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A file is a block and four bytes: the checksum of it. The folder is looked through after each
 * sixteenth of the limit that is written, because other programs may write into it as well, and is
 * left with two sixteenths of room. */
enum { LIMIT_MIB = 1024, SUM_BYTES = 4, PARTS = 16, OLD_PART_S = 3600 };

struct sm_disk_cache {
    int fd; /* of the folder */
    uint64_t limit;
    pthread_mutex_t lock; /* guards written, and the folder while it is looked through */
    uint64_t written;     /* since it was looked through */
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
    struct timespec used;
    uint64_t bytes;
};
static int compare_entries(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    const struct timespec *x = &p->used, *y = &q->used;
    return x->tv_sec != y->tv_sec ? (x->tv_sec > y->tv_sec) - (x->tv_sec < y->tv_sec)
                                  : (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* What another process was writing when it was killed. */
static void remove_old_part(const struct sm_disk_cache *c, const char *name, const struct stat *st)
{
    if (strlen(name) > 2 && time(NULL) - st->st_mtime > OLD_PART_S)
        unlinkat(c->fd, name, 0);
}

/* The files of the folder; *all: their bytes. */
static struct entry *read_folder(const struct sm_disk_cache *c, size_t *n, uint64_t *all)
{
    struct entry *items = NULL;
    size_t cap = 0;
    DIR *d = fdopendir(openat(c->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat st;
        if (fstatat(c->fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (e->d_name[0] == '.') {
            remove_old_part(c, e->d_name, &st);
        } else if (SM_VEC_ROOM(items, *n, cap)) {
            items[(*n)++] = (struct entry){sm_strdup(e->d_name), st.st_mtim, (uint64_t)st.st_size};
            *all += (uint64_t)st.st_size;
        }
    }
    if (d)
        closedir(d);
    return items;
}

/* Removes the files that were longest unused down to three quarters of the limit, if there are too
 * many. With the lock. */
static void clean(struct sm_disk_cache *c)
{
    size_t n = 0;
    uint64_t all = 0;
    struct entry *items = read_folder(c, &n, &all);
    if (n)
        qsort(items, n, sizeof *items, compare_entries);
    bool too_many = all > c->limit / PARTS * (PARTS - 2);
    for (size_t i = 0; i < n; i++) {
        if (too_many && all > c->limit / 4 * 3 && items[i].name &&
            unlinkat(c->fd, items[i].name, 0) == 0)
            all -= items[i].bytes;
        sm_free(items[i].name);
    }
    sm_free(items);
    c->written = 0;
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
    pthread_mutex_init(&c->lock, NULL);
    clean(c);
    return c;
}

void sm_disk_cache_free(struct sm_disk_cache *c)
{
    if (!c)
        return;
    close(c->fd);
    pthread_mutex_destroy(&c->lock);
    sm_free(c);
}

/* A block and its checksum. False: the file has another size, or is damaged. */
static bool read_block(int fd, size_t n, uint8_t *bytes)
{
    uint32_t sum;
    struct stat st;
    return fstat(fd, &st) == 0 && (uint64_t)st.st_size == n + SUM_BYTES &&
           pread(fd, bytes, n, 0) == (ssize_t)n &&
           pread(fd, &sum, SUM_BYTES, (off_t)n) == SUM_BYTES && sum == sm_crc32c(bytes, n);
}

bool sm_disk_cache_get(struct sm_disk_cache *c, const char *name, size_t n, uint8_t **bytes)
{
    int fd = c && n ? openat(c->fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (fd < 0)
        return false;
    uint8_t *p = sm_alloc(n);
    bool ok = p && read_block(fd, n, p);
    if (ok) {
        futimens(fd, NULL);
        atomic_fetch_add(&n_read, n);
    }
    close(fd);
    if (p && !ok)
        unlinkat(c->fd, name, 0);
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

/* False: the file would be too large for the limit. */
static bool make_room(struct sm_disk_cache *c, uint64_t n)
{
    if (n > c->limit / 4)
        return false;
    pthread_mutex_lock(&c->lock);
    if (c->written + n > c->limit / PARTS)
        clean(c);
    c->written += n;
    pthread_mutex_unlock(&c->lock);
    return true;
}

/* Written under another name first: a reader of another process never sees a part. */
void sm_disk_cache_put(struct sm_disk_cache *c, const char *name, const uint8_t *bytes, size_t n)
{
    if (!c || !n || !make_room(c, n + SUM_BYTES))
        return;
    struct sm_str part = {0};
    uint32_t sum = sm_crc32c(bytes, n);
    sm_str_printf(&part, ".%s.%ld", name, (long)getpid());
    int fd = openat(c->fd, sm_str_text(&part), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                    0600);
    if (fd >= 0) {
        bool ok =
            write(fd, bytes, n) == (ssize_t)n && write(fd, &sum, SUM_BYTES) == (ssize_t)SUM_BYTES;
        ok = close(fd) == 0 && ok;
        if (!ok || renameat(c->fd, sm_str_text(&part), c->fd, name) != 0)
            unlinkat(c->fd, sm_str_text(&part), 0);
    }
    sm_str_clear(&part);
}
