#include "reader/source/watch.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <unistd.h>

struct watched {
    int descriptor;
    unsigned tag;
};
struct sm_watch {
    int fd;
    struct watched *items;
    size_t n, cap;
};

/* Watches take at most a quarter of the descriptors that the process may have: who cannot watch
 * looks from time to time, but who cannot open a file reads nothing. */
static atomic_uint n_watches;

static bool may_watch(void)
{
    struct rlimit most;
    return getrlimit(RLIMIT_NOFILE, &most) != 0 || atomic_load(&n_watches) < most.rlim_cur / 4;
}

struct sm_watch *sm_watch_new(struct sm_err *err)
{
    if (!may_watch()) {
        sm_err_set(err, SM_ERR_LIMIT, "inotify: too many open files");
        return NULL;
    }
    struct sm_watch *w = sm_alloc_zero(1, sizeof *w);
    if (!w) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory for inotify");
        return NULL;
    }
    w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->fd < 0) {
        sm_err_errno(err, "inotify");
        sm_free(w);
        return NULL;
    }
    atomic_fetch_add(&n_watches, 1);
    return w;
}

void sm_watch_free(struct sm_watch *w)
{
    if (!w)
        return;
    close(w->fd);
    atomic_fetch_sub(&n_watches, 1);
    sm_free(w->items);
    sm_free(w);
}

int sm_watch_fd(const struct sm_watch *w)
{
    return w->fd;
}

bool sm_watch_add(struct sm_watch *w, const char *dir, unsigned tag, struct sm_err *err)
{
    int d = inotify_add_watch(w->fd, dir,
                              IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE |
                                  IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
    if (d < 0 && (errno == ENOENT || errno == ENOTDIR))
        return sm_err_set(err, SM_ERR_MISSING, "%s: no such directory", dir);
    if (d < 0)
        return sm_err_errno(err, "inotify on %s", dir);
    for (size_t i = 0; i < w->n; i++)
        if (w->items[i].descriptor == d) {
            w->items[i].tag = tag;
            return true;
        }
    if (!SM_VEC_ROOM(w->items, w->n, w->cap))
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for inotify");
    w->items[w->n++] = (struct watched){d, tag};
    return true;
}

static void deliver_event(struct sm_watch *w, const struct inotify_event *e,
                          void (*each)(void *ctx, unsigned tag, const char *name), void *ctx)
{
    if (e->mask & IN_Q_OVERFLOW) {
        each(ctx, 0, NULL);
        return;
    }
    for (size_t i = 0; i < w->n; i++) {
        if (w->items[i].descriptor != e->wd)
            continue;
        unsigned tag = w->items[i].tag;
        if (e->mask & IN_IGNORED)
            w->items[i] = w->items[--w->n];
        else
            each(ctx, tag, e->len ? e->name : NULL);
        return;
    }
}

void sm_watch_pump(struct sm_watch *w, void (*each)(void *ctx, unsigned tag, const char *name),
                   void *ctx)
{
    _Alignas(struct inotify_event) char buf[16 * 1024];
    ssize_t n;
    while ((n = read(w->fd, buf, sizeof buf)) > 0)
        for (ssize_t at = 0; at < n;) {
            const struct inotify_event *e = (const void *)(buf + at);
            deliver_event(w, e, each, ctx);
            at += (ssize_t)(sizeof *e + e->len);
        }
}
