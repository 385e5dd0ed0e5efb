/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/source/watch.h"

#include "reader/base/map.h"
#include "reader/base/mem.h"

#include <errno.h>
#include <stdint.h>
#include <sys/inotify.h>
#include <sys/statfs.h>
#include <unistd.h>

/* That a watcher watches a directory. */
struct watched {
    int descriptor;
    unsigned tag;
    struct sm_watch *watch;
    struct watched *next_of_dir; /* in hub.dirs */
    struct watched *next_of_watch;
};
struct sm_watch {
    sm_watch_event *each;
    void *ctx;
    struct watched *dirs;
    bool unsure;           /* one of them is on a file system that others may write to */
    struct sm_watch *next; /* in hub.watches */
};
/* The instance that all watchers share; it exists while there are any. */
static struct {
    int fd;
    struct sm_watch *watches;
    struct sm_map dirs; /* inotify's descriptor of a directory -> the first struct watched */
} hub = {.fd = -1};

static struct watched *first_of(int descriptor)
{
    uint64_t at;
    return sm_map_get(&hub.dirs, (uint64_t)descriptor, &at) ? (struct watched *)(uintptr_t)at
                                                            : NULL;
}

static void set_first(int descriptor, struct watched *x)
{
    if (x)
        sm_map_put(&hub.dirs, (uint64_t)descriptor, (uint64_t)(uintptr_t)x);
    else
        sm_map_remove(&hub.dirs, (uint64_t)descriptor);
}

struct sm_watch *sm_watch_new(sm_watch_event *each, void *ctx, struct sm_err *err)
{
    struct sm_watch *w = sm_alloc_zero(1, sizeof *w);
    if (!w) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory for inotify");
        return NULL;
    }
    if (hub.fd < 0)
        hub.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (hub.fd < 0) {
        sm_err_errno(err, "inotify");
        sm_free(w);
        return NULL;
    }
    *w = (struct sm_watch){.each = each, .ctx = ctx, .next = hub.watches};
    hub.watches = w;
    return w;
}

/* Takes x out of the list of its directory, which is not watched any more if that was the last. */
static void forget_dir(struct watched *x)
{
    struct watched *first = first_of(x->descriptor), **link = &first;
    while (*link && *link != x)
        link = &(*link)->next_of_dir;
    if (!*link)
        return; /* the directory was removed */
    *link = x->next_of_dir;
    set_first(x->descriptor, first);
    if (!first)
        inotify_rm_watch(hub.fd, x->descriptor);
}

void sm_watch_free(struct sm_watch *w)
{
    if (!w)
        return;
    for (struct watched *x = w->dirs, *next; x; x = next) {
        next = x->next_of_watch;
        forget_dir(x);
        sm_free(x);
    }
    struct sm_watch **link = &hub.watches;
    while (*link != w)
        link = &(*link)->next;
    *link = w->next;
    sm_free(w);
    if (hub.watches)
        return;
    close(hub.fd);
    hub.fd = -1;
    sm_map_clear(&hub.dirs);
}

int sm_watch_fd(void)
{
    return hub.fd;
}

/* Kinds of file system that only this machine writes to. */
static bool is_of_this_machine(const char *dir)
{
    static const unsigned long local[] = {
        0xef53,     /* ext2 to ext4 */
        0x58465342, /* xfs */
        0x9123683e, /* btrfs */
        0xf2f52010, /* f2fs */
        0x2fc12fc1, /* zfs */
        0x01021994, /* tmpfs */
        0x794c7630, /* overlayfs */
    };
    struct statfs fs;
    if (statfs(dir, &fs) != 0)
        return false;
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        if ((unsigned long)fs.f_type == local[i])
            return true;
    return false;
}

bool sm_watch_is_sure(const struct sm_watch *w)
{
    return w->dirs && !w->unsure;
}

bool sm_watch_add(struct sm_watch *w, const char *dir, unsigned tag, struct sm_err *err)
{
    int d = inotify_add_watch(hub.fd, dir,
                              IN_CREATE | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE |
                                  IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
    if (d < 0 && (errno == ENOENT || errno == ENOTDIR))
        return sm_err_set(err, SM_ERR_MISSING, "%s: no such directory", dir);
    if (d < 0)
        return sm_err_errno(err, "inotify on %s", dir);
    for (struct watched *x = first_of(d); x; x = x->next_of_dir)
        if (x->watch == w) {
            x->tag = tag;
            return true;
        }
    struct watched *x = sm_alloc_zero(1, sizeof *x);
    struct watched *first = first_of(d);
    if (!x || (!first && !sm_map_put(&hub.dirs, (uint64_t)d, 0))) {
        sm_free(x);
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for inotify");
    }
    *x = (struct watched){d, tag, w, first, w->dirs};
    w->unsure = w->unsure || !is_of_this_machine(dir);
    w->dirs = x;
    set_first(d, x);
    return true;
}

static void deliver_event(const struct inotify_event *e)
{
    if (e->mask & IN_Q_OVERFLOW)
        for (struct sm_watch *w = hub.watches; w; w = w->next)
            w->each(w->ctx, 0, NULL);
    for (struct watched *x = first_of(e->wd); x; x = x->next_of_dir)
        x->watch->each(x->watch->ctx, x->tag, e->len ? e->name : NULL);
    if (e->mask & IN_IGNORED)
        set_first(e->wd, NULL); /* they are freed with their watchers */
}

void sm_watch_pump(void)
{
    _Alignas(struct inotify_event) char buf[16 * 1024];
    ssize_t n;
    while (hub.fd >= 0 && (n = read(hub.fd, buf, sizeof buf)) > 0)
        for (ssize_t at = 0; at < n;) {
            const struct inotify_event *e = (const void *)(buf + at);
            deliver_event(e);
            at += (ssize_t)(sizeof *e + e->len);
        }
}
