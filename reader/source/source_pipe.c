/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/source/source_pipe.h"
#include "reader/base/clock.h"
#include "reader/base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CHUNK = 64 * 1024 };
/* How soon after bytes have come they are looked for, as nothing tells of them. */
enum { BEAT_US = 200000 };

struct pipe_source {
    struct sm_source base;
    const char *path; /* what it is called; borrowed, or SM_PIPE_PATH */
    int in, copy;     /* in: -1 until the named pipe is open */
    bool whole;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t news;
    uint64_t size_bytes;
    int64_t mtime_us;
    bool ended;
    struct sm_err lost;
};
static struct pipe_source *the_pipe; /* set once, before there are threads */

/* ---- copying ---- */

static bool write_all(int fd, const char *p, size_t n)
{
    while (n) {
        ssize_t done = write(fd, p, n);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            p += done;
            n -= (size_t)done;
        }
    }
    return true;
}

/* What cannot be stored is lost, but the writer must not be held up. */
static void store(struct pipe_source *s, const char *p, size_t n)
{
    bool ok = s->lost.code == SM_OK && write_all(s->copy, p, n);
    int why = errno;
    pthread_mutex_lock(&s->lock);
    if (ok) {
        s->size_bytes += n;
        s->mtime_us = sm_clock_wall_us();
    } else if (s->lost.code == SM_OK) {
        errno = why;
        sm_err_errno(&s->lost, "the copy of standard input; what follows is lost");
    }
    pthread_cond_broadcast(&s->news);
    pthread_mutex_unlock(&s->lock);
}

static void *copy_all(void *arg)
{
    struct pipe_source *s = arg;
    static char buf[CHUNK];
    ssize_t n;
    if (s->in < 0) /* waits for somebody who writes */
        s->in = open(s->path, O_RDONLY | O_CLOEXEC);
    while ((n = read(s->in, buf, sizeof buf)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            store(s, buf, (size_t)n);
    pthread_mutex_lock(&s->lock);
    s->ended = true;
    pthread_cond_broadcast(&s->news);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* A file without a name, on a disk if there is one. */
static int open_copy(void)
{
    const char *const dirs[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
        struct sm_str path = {0};
        int fd = dirs[i] && *dirs[i] ? open(dirs[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : -1;
        if (fd < 0 && dirs[i] && *dirs[i]) { /* a file system that has no such files */
            sm_str_printf(&path, "%s/smdbg-XXXXXX", dirs[i]);
            fd = path.failed ? -1 : mkostemp(path.data, O_CLOEXEC);
            if (fd >= 0)
                unlink(path.data);
        }
        sm_str_clear(&path);
        if (fd >= 0)
            return fd;
    }
    return memfd_create("smdbg", MFD_CLOEXEC);
}

/* ---- the source ---- */

static bool pipe_list(struct sm_source *s, const char *dir,
                      bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir),
                      void *ctx, struct sm_err *err)
{
    (void)s;
    if (*dir)
        return sm_err_set(err, SM_ERR_MISSING, "%s: no such file", dir);
    each(ctx, SM_PIPE_FILE, 1, false);
    return true;
}

static bool check_path(const char *path, struct sm_err *err)
{
    return strcmp(path, SM_PIPE_FILE) == 0 ||
           sm_err_set(err, SM_ERR_MISSING, "%s: no such file", path);
}

static bool pipe_stat(struct sm_source *base, const char *path, struct sm_stat *out,
                      struct sm_err *err)
{
    struct pipe_source *s = (struct pipe_source *)base;
    *out = (struct sm_stat){.is_dir = true};
    if (!*path)
        return true;
    if (!check_path(path, err))
        return false;
    pthread_mutex_lock(&s->lock);
    *out = (struct sm_stat){.size_bytes = s->size_bytes, .mtime_us = s->mtime_us, .inode = 1};
    pthread_mutex_unlock(&s->lock);
    return true;
}

static bool pipe_read(struct sm_source *base, const char *path, uint64_t offset, void *buf,
                      size_t n, size_t *got, struct sm_err *err)
{
    struct sm_stat st;
    if (!pipe_stat(base, path, &st, err) || !check_path(path, err))
        return false;
    uint64_t left = offset < st.size_bytes ? st.size_bytes - offset : 0;
    return sm_source_pread(((struct pipe_source *)base)->copy, path, offset, buf,
                           left < n ? (size_t)left : n, got, err);
}

static int64_t pipe_beat(struct sm_source *s)
{
    (void)s;
    return sm_pipe_ended(NULL) ? 0 : BEAT_US;
}

static void pipe_free(struct sm_source *s)
{
    (void)s; /* the process keeps it */
}

static const struct sm_source_ops pipe_ops = {.list = pipe_list,
                                              .stat = pipe_stat,
                                              .read = pipe_read,
                                              .free = pipe_free,
                                              .beat_us = pipe_beat};

/* ---- the pipe ---- */

static struct pipe_source *new_pipe(void)
{
    struct pipe_source *s = sm_alloc_zero(1, sizeof *s);
    if (!s || !sm_source_init(&s->base, &pipe_ops, SM_PIPE_FILE)) {
        sm_free(s);
        return NULL;
    }
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_t how;
    pthread_condattr_init(&how);
    pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
    pthread_cond_init(&s->news, &how);
    pthread_condattr_destroy(&how);
    return s;
}

static bool start_copying(struct pipe_source *s, struct sm_err *err)
{
    pthread_t thread;
    sigset_t all, before; /* signals are for the loop */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&thread, NULL, copy_all, s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed) {
        errno = failed;
        return sm_err_errno(err, "a thread for standard input");
    }
    pthread_detach(thread);
    return true;
}

static bool begin_pipe(const char *path, int fd, bool whole, struct sm_err *err)
{
    struct pipe_source *s = the_pipe ? NULL : new_pipe();
    if (!s)
        return sm_err_set(err, SM_ERR_MEMORY, "a pipe: no memory, or one is read already");
    s->path = path;
    s->in = fd;
    s->whole = whole;
    s->copy = open_copy();
    the_pipe = s;
    if (s->copy < 0)
        return sm_err_errno(err, "a temporary file for standard input");
    return start_copying(s, err);
}

bool sm_pipe_begin(int fd, bool whole, struct sm_err *err)
{
    return begin_pipe(SM_PIPE_PATH, fd, whole, err);
}

bool sm_pipe_begin_named(const char *path, bool whole, struct sm_err *err)
{
    return begin_pipe(path, -1, whole, err);
}

bool sm_pipe_is_path(const char *path)
{
    return the_pipe && strcmp(path, the_pipe->path) == 0;
}

struct sm_source *sm_pipe_source(void)
{
    return the_pipe ? sm_source_ref(&the_pipe->base) : NULL;
}

bool sm_pipe_is_source(const struct sm_source *s)
{
    return s->ops == &pipe_ops;
}

bool sm_pipe_ended(struct sm_err *err)
{
    pthread_mutex_lock(&the_pipe->lock);
    bool ended = the_pipe->ended;
    if (err)
        *err = the_pipe->lost;
    pthread_mutex_unlock(&the_pipe->lock);
    return ended;
}

bool sm_pipe_wait(uint64_t n, int64_t limit_us)
{
    struct pipe_source *s = the_pipe;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += limit_us % 1000000 * 1000;
    until.tv_sec += limit_us / 1000000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (!s->whole)
        return false;
    pthread_mutex_lock(&s->lock);
    while (s->size_bytes <= n && !s->ended &&
           pthread_cond_timedwait(&s->news, &s->lock, &until) == 0)
        ;
    pthread_mutex_unlock(&s->lock);
    return true;
}
