/* SPDX-License-Identifier: Apache-2.0 */
/* A directory on disk. Every path is opened relative to the root's descriptor and may not leave it,
 * not even through links. */
#include "reader/base/mem.h"
#include "reader/source/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The open root, referenced by the source and by each call that uses it. */
struct root {
    int fd;
    unsigned users;
};

struct source_dir {
    struct sm_source base;
    pthread_mutex_t lock; /* guards root and its users */
    /* NULL: not open (the directory does not exist yet or was removed, or its descriptor was needed
     * elsewhere) */
    struct root *root;
    struct source_dir *next; /* in all_dirs */
};
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER; /* taken before the lock of one */
static struct source_dir *all_dirs;

static void unref_root(struct root *r)
{
    if (r && --r->users == 0) {
        close(r->fd);
        sm_free(r);
    }
}

static struct root *open_root(const char *path)
{
    struct root *r = sm_alloc(sizeof *r);
    if (!r) {
        errno = ENOMEM;
        return NULL;
    }
    *r = (struct root){.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), .users = 1};
    if (r->fd >= 0)
        return r;
    int saved = errno;
    sm_free(r);
    errno = saved;
    return NULL;
}

static struct root *try_root(struct source_dir *d, bool again)
{
    pthread_mutex_lock(&d->lock);
    if (again) {
        unref_root(d->root);
        d->root = NULL;
    }
    if (!d->root)
        d->root = open_root(d->base.root);
    struct root *r = d->root;
    if (r)
        r->users++;
    pthread_mutex_unlock(&d->lock);
    return r;
}

static bool is_out_of_descriptors(void)
{
    return errno == EMFILE || errno == ENFILE;
}

/* Closes the roots that no call uses; they are opened again when needed. Keeps errno. False: there
 * are none. */
static bool close_idle_roots(void)
{
    int saved = errno;
    bool any = false;
    pthread_mutex_lock(&all_lock);
    for (struct source_dir *d = all_dirs; d; d = d->next) {
        pthread_mutex_lock(&d->lock);
        bool idle = d->root && d->root->users == 1;
        if (idle) {
            unref_root(d->root);
            d->root = NULL;
        }
        any = any || idle;
        pthread_mutex_unlock(&d->lock);
    }
    pthread_mutex_unlock(&all_lock);
    errno = saved;
    return any;
}

/* Opens the root on first use, and reopens it if `again`, after the directory was replaced; release
 * with drop_root. NULL with errno. */
static struct root *take_root(struct source_dir *d, bool again)
{
    struct root *r = try_root(d, again);
    return !r && is_out_of_descriptors() && close_idle_roots() ? try_root(d, false) : r;
}

static void drop_root(struct source_dir *d, struct root *r)
{
    int saved = errno;
    pthread_mutex_lock(&d->lock);
    unref_root(r);
    pthread_mutex_unlock(&d->lock);
    errno = saved;
}

/* For kernels without openat2: checks that the resolved path of fd is below that of root. */
static bool stays_inside(int root, int fd)
{
    char name[64], *inside = NULL, *outside = NULL;
    snprintf(name, sizeof name, "/proc/self/fd/%d", root);
    outside = realpath(name, NULL);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    inside = realpath(name, NULL);
    size_t n = outside ? strlen(outside) : 0;
    bool ok = inside && outside && strncmp(inside, outside, n) == 0 &&
              (inside[n] == '/' || inside[n] == 0 || n == 1);
    free(inside);
    free(outside);
    return ok;
}

static int try_below(int root, const char *path, int flags)
{
    static atomic_bool no_openat2;
    if (!atomic_load(&no_openat2)) {
        struct open_how how = {.flags = (uint64_t)flags,
                               .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
        long fd = syscall(SYS_openat2, root, path, &how, sizeof how);
        if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
            return (int)fd;
        atomic_store(&no_openat2, true);
    }
    int fd = openat(root, path, flags);
    if (fd >= 0 && !stays_inside(root, fd)) {
        close(fd);
        errno = EXDEV;
        return -1;
    }
    return fd;
}

static int open_below(int root, const char *path, int flags)
{
    int fd = try_below(root, path, flags);
    return fd < 0 && is_out_of_descriptors() && close_idle_roots() ? try_below(root, path, flags)
                                                                   : fd;
}

static bool report_open_error(const char *path, struct sm_err *err)
{
    if (errno == ENOENT || errno == ENOTDIR)
        return sm_err_set(err, SM_ERR_MISSING, "%s: no such file", *path ? path : "directory");
    if (errno == EXDEV || errno == ELOOP)
        return sm_err_set(err, SM_ERR_REFUSED, "%s: leaves the trial", path);
    return sm_err_errno(err, "%s", *path ? path : "directory");
}

/* Whether the open directory was deleted; another may exist under its name. */
static bool is_deleted(const struct root *r)
{
    struct stat st;
    return fstat(r->fd, &st) == 0 && st.st_nlink == 0;
}

static int open_path(struct source_dir *d, const char *path, int flags, struct sm_err *err)
{
    struct root *root = take_root(d, false);
    if (!root) {
        report_open_error(d->base.root, err);
        return -1;
    }
    const char *name = *path ? path : ".";
    flags |= O_CLOEXEC | (flags & O_PATH ? 0 : O_NONBLOCK);
    int fd = open_below(root->fd, name, flags);
    if ((fd < 0 ? errno == ENOENT : !*path) && is_deleted(root)) {
        if (fd >= 0)
            close(fd);
        drop_root(d, root);
        root = take_root(d, true);
        fd = root ? open_below(root->fd, name, flags) : -1;
    }
    if (fd < 0)
        report_open_error(path, err);
    if (root)
        drop_root(d, root);
    return fd;
}

static bool dir_list(struct sm_source *s, const char *path,
                     bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir),
                     void *ctx, struct sm_err *err)
{
    int fd = open_path((struct source_dir *)s, path, O_RDONLY | O_DIRECTORY, err);
    if (fd < 0)
        return false;
    DIR *dir = fdopendir(fd);
    if (!dir) {
        sm_err_errno(err, "%s", *path ? path : ".");
        close(fd);
        return false;
    }
    const struct dirent *e;
    struct stat st;
    bool more = true, ok = true;
    while (more && (errno = 0, e = readdir(dir))) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        bool is_dir = e->d_type == DT_DIR;
        if (e->d_type == DT_UNKNOWN || e->d_type == DT_LNK)
            is_dir = fstatat(fd, e->d_name, &st, 0) == 0 && S_ISDIR(st.st_mode);
        more = each(ctx, e->d_name, e->d_ino, is_dir);
    }
    if (more && errno)
        ok = sm_err_errno(err, "%s", *path ? path : ".");
    closedir(dir);
    return ok;
}

static bool stat_of(int fd, const char *path, struct sm_stat *out, struct sm_err *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return sm_err_errno(err, "%s", path);
    *out = (struct sm_stat){
        .size_bytes = (uint64_t)st.st_size,
        .mtime_us = (int64_t)st.st_mtim.tv_sec * 1000000 + st.st_mtim.tv_nsec / 1000,
        .device = st.st_dev,
        .inode = st.st_ino,
        .is_dir = S_ISDIR(st.st_mode),
    };
    return true;
}

/* Reopens the root if its path leads to another directory by now; the open one may still exist
 * under another name. */
static void renew_root(struct source_dir *d)
{
    struct stat now, ours;
    struct root *root = take_root(d, false);
    bool same = root && stat(d->base.root, &now) == 0 && fstat(root->fd, &ours) == 0 &&
                now.st_dev == ours.st_dev && now.st_ino == ours.st_ino;
    if (root)
        drop_root(d, root);
    if (!same && (root = take_root(d, true)))
        drop_root(d, root);
}

static bool dir_stat(struct sm_source *s, const char *path, struct sm_stat *out, struct sm_err *err)
{
    if (!*path)
        renew_root((struct source_dir *)s);
    int fd = open_path((struct source_dir *)s, path, O_PATH, err);
    if (fd < 0)
        return false;
    bool ok = stat_of(fd, path, out, err);
    close(fd);
    return ok;
}

static bool dir_open(struct sm_source *s, const char *path, int *fd, struct sm_err *err)
{
    *fd = open_path((struct source_dir *)s, path, O_RDONLY, err);
    return *fd >= 0;
}

static bool dir_read(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n,
                     size_t *got, struct sm_err *err)
{
    int fd;
    if (!dir_open(s, path, &fd, err))
        return false;
    bool ok = sm_source_pread(fd, path, offset, buf, n, got, err);
    close(fd);
    return ok;
}

/* Bytes appended after the stat are left to the next read. */
static bool dir_slurp(struct sm_source *s, const char *path, size_t limit, struct sm_str *out,
                      struct sm_stat *st, struct sm_err *err)
{
    struct sm_stat own;
    int fd = open_path((struct source_dir *)s, path, O_RDONLY, err);
    if (fd < 0)
        return false;
    if (!st)
        st = &own;
    char chunk[32 * 1024];
    uint64_t at = 0;
    size_t got = 1;
    bool ok = stat_of(fd, path, st, err) &&
              (st->size_bytes <= limit ||
               sm_err_set(err, SM_ERR_LIMIT, "%s: more than %zu bytes", path, limit));
    while (ok && at < st->size_bytes && got > 0) {
        uint64_t left = st->size_bytes - at;
        ok = sm_source_pread(fd, path, at, chunk, left < sizeof chunk ? (size_t)left : sizeof chunk,
                             &got, err);
        sm_str_addn(out, chunk, got);
        at += got;
    }
    close(fd);
    return ok && (!out->failed || sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path));
}

static void dir_free(struct sm_source *s)
{
    struct source_dir *d = (struct source_dir *)s;
    pthread_mutex_lock(&all_lock);
    struct source_dir **link = &all_dirs;
    while (*link != d)
        link = &(*link)->next;
    *link = d->next;
    pthread_mutex_unlock(&all_lock);
    unref_root(d->root);
    pthread_mutex_destroy(&d->lock);
    sm_free(d);
}

struct sm_source *sm_source_dir_new(const char *path, struct sm_err *err)
{
    static const struct sm_source_ops ops = {
        .list = dir_list,
        .stat = dir_stat,
        .read = dir_read,
        .free = dir_free,
        .slurp = dir_slurp,
        .open = dir_open,
    };
    struct source_dir *d = sm_alloc_zero(1, sizeof *d);
    if (!d || !sm_source_init(&d->base, &ops, path)) {
        sm_free(d);
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
        return NULL;
    }
    pthread_mutex_init(&d->lock, NULL);
    pthread_mutex_lock(&all_lock);
    d->next = all_dirs;
    all_dirs = d;
    pthread_mutex_unlock(&all_lock);
    return &d->base;
}
