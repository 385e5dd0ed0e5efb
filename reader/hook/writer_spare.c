/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are made before they are needed, by another thread. Making one takes some file systems
 * half a millisecond, which the training would wait for; giving it its name takes 10 us. They have
 * no name until then (O_TMPFILE), so that neither a reader nor a killed process leaves anything of
 * them, and so that making one does not hold the lock of the folder that the names go to. Where the
 * file system cannot do that, nothing is made ahead. */
#include "reader/hook/writer_private.h"

#include "reader/base/mem.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { SPARES_MAX = 8 };

struct hook_spares {
    char *dir;            /* of the trial */
    pthread_mutex_t lock; /* for the rest; never held while a file is made */
    int files[SPARES_MAX];
    unsigned n;
    bool ended;
};

struct hook_spares *hook_spares_new(const char *dir)
{
    struct hook_spares *s = sm_alloc_zero(1, sizeof *s);
    if (!s || !(s->dir = sm_strdup(dir)) || pthread_mutex_init(&s->lock, NULL) != 0) {
        sm_free(s ? s->dir : NULL);
        sm_free(s);
        return NULL;
    }
    s->ended = access("/proc/self/fd", F_OK) != 0; /* without it they could not be named */
    return s;
}

void hook_spares_end(struct hook_spares *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->ended = true;
    while (s->n)
        close(s->files[--s->n]);
    pthread_mutex_unlock(&s->lock);
}

void hook_spares_free(struct hook_spares *s)
{
    if (!s)
        return;
    hook_spares_end(s);
    pthread_mutex_destroy(&s->lock);
    sm_free(s->dir);
    sm_free(s);
}

bool hook_spares_make(struct hook_spares *s)
{
    int fd = open(s->dir, O_TMPFILE | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
    pthread_mutex_lock(&s->lock);
    bool keep = fd >= 0 && !s->ended && s->n < SPARES_MAX;
    if (keep)
        s->files[s->n++] = fd;
    bool more = keep && s->n < SPARES_MAX;
    s->ended = s->ended || fd < 0;
    pthread_mutex_unlock(&s->lock);
    if (fd >= 0 && !keep)
        close(fd);
    return more;
}

bool sm_writer_use_spares(struct sm_writer *w, struct hook_spares *s)
{
    w->spares = s;
    if (!s)
        return false;
    pthread_mutex_lock(&s->lock);
    bool wants = !s->ended && s->n <= SPARES_MAX / 2;
    pthread_mutex_unlock(&s->lock);
    return wants;
}

int hook_spares_take(struct hook_spares *s)
{
    if (!s)
        return -1;
    pthread_mutex_lock(&s->lock);
    int fd = s->n ? s->files[--s->n] : -1;
    pthread_mutex_unlock(&s->lock);
    return fd;
}

/* By the descriptor itself, which Linux allows since 6.10 (before, to a process that may read all
 * files), else by its name in /proc. */
bool hook_spare_name(int fd, const char *path)
{
    char self[40];
    if (linkat(fd, "", AT_FDCWD, path, AT_EMPTY_PATH) == 0)
        return true;
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}
