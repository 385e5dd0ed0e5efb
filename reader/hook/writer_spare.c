/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are made before they are needed, by another thread. Making one takes some file systems
 * half a millisecond, which the training would wait for; writing into it and giving it its name
 * takes 30 us. Nothing is told when this fails: the file is then made when it is needed, and then
 * it is told. */
#include "reader/hook/writer_private.h"

#include "reader/base/mem.h"
#include "reader/format/location.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SPARES_MAX = 8 };

/* An empty file. */
struct spare {
    int fd;
    char *path; /* owned */
};

struct hook_spares {
    struct sm_writer *maker; /* paths and scratch of the thread that makes files */
    unsigned n_made;
    pthread_mutex_t lock; /* for the rest; never held while a file is made */
    struct spare indexes[SPARES_MAX];
    unsigned n_indexes;
    int64_t step; /* the last one */
    bool wants_shared, ended;
    int shared_fd; /* -1: none */
    struct sm_str shared_name;
};

struct hook_spares *hook_spares_new(const char *dir, const char *worker)
{
    struct sm_err ignored;
    struct hook_spares *s = sm_alloc_zero(1, sizeof *s);
    if (!s || pthread_mutex_init(&s->lock, NULL) != 0) {
        sm_free(s);
        return NULL;
    }
    s->shared_fd = -1;
    s->ended = !sm_writer_open(dir, worker, &s->maker, &ignored);
    return s;
}

static void remove_spare(struct spare x)
{
    close(x.fd);
    unlink(x.path);
    sm_free(x.path);
}

static void remove_shared(struct hook_spares *s)
{
    const char *path = hook_file_path(s->maker, &s->shared_name, false);
    close(s->shared_fd);
    if (path)
        unlink(path);
    s->shared_fd = -1;
}

void hook_spares_end(struct hook_spares *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->ended = true;
    while (s->n_indexes)
        remove_spare(s->indexes[--s->n_indexes]);
    pthread_mutex_unlock(&s->lock);
}

void hook_spares_free(struct hook_spares *s)
{
    if (!s)
        return;
    hook_spares_end(s);
    if (s->shared_fd >= 0)
        remove_shared(s);
    sm_writer_close(s->maker);
    sm_str_clear(&s->shared_name);
    pthread_mutex_destroy(&s->lock);
    sm_free(s);
}

/* ---- by the thread that makes them ---- */

/* "index/000000000/000000000012_worker_0-spare-7.json.tmp": readers skip what ends so. fd -1: it is
 * not possible. */
static struct spare make_index(struct hook_spares *s)
{
    struct sm_err ignored;
    struct sm_str name = {0};
    struct sm_writer *w = s->maker;
    struct spare x = {.fd = -1};
    sm_location_index(&name, w->step, w->worker);
    sm_str_truncate(&name, name.len - strlen(".json"));
    sm_str_printf(&name, "-spare-%u.json", s->n_made++ % (2 * SPARES_MAX));
    if (!name.failed && hook_make_folders(w, &name, &ignored))
        x.fd = hook_create_temporary(w, &name, &ignored);
    sm_str_clear(&name);
    x.path = x.fd < 0 ? NULL : sm_strdup(sm_str_text(&w->path));
    if (x.fd < 0 || x.path)
        return x;
    close(x.fd);
    return (struct spare){.fd = -1};
}

static bool add_index(struct hook_spares *s)
{
    struct spare x = make_index(s);
    if (x.fd < 0)
        return false;
    pthread_mutex_lock(&s->lock);
    bool kept = !s->ended;
    if (kept)
        s->indexes[s->n_indexes++] = x;
    pthread_mutex_unlock(&s->lock);
    if (!kept)
        remove_spare(x);
    return kept;
}

static bool add_shared(struct hook_spares *s)
{
    struct sm_err ignored;
    struct sm_str name = {0};
    int fd = hook_create_shared(s->maker, &name, &ignored);
    pthread_mutex_lock(&s->lock);
    sm_str_clear(&s->shared_name);
    s->shared_fd = fd;
    s->shared_name = name;
    s->wants_shared = false;
    pthread_mutex_unlock(&s->lock);
    return fd >= 0;
}

bool hook_spares_make(struct hook_spares *s)
{
    pthread_mutex_lock(&s->lock);
    bool shared = !s->ended && s->wants_shared;
    bool index = !s->ended && s->n_indexes < SPARES_MAX;
    if (s->maker)
        s->maker->step = s->step;
    pthread_mutex_unlock(&s->lock);
    return shared ? add_shared(s) : index && add_index(s);
}

/* ---- by the thread that writes ---- */

bool hook_spares_want(struct hook_spares *s, int64_t step, bool shared)
{
    pthread_mutex_lock(&s->lock);
    s->step = step;
    s->wants_shared = shared && s->shared_fd < 0;
    bool wants = !s->ended && (s->wants_shared || s->n_indexes <= SPARES_MAX / 2);
    pthread_mutex_unlock(&s->lock);
    return wants;
}

static struct spare take_index(struct hook_spares *s)
{
    struct spare x = {.fd = -1};
    pthread_mutex_lock(&s->lock);
    if (s->n_indexes)
        x = s->indexes[--s->n_indexes];
    pthread_mutex_unlock(&s->lock);
    return x;
}

bool hook_spares_use(struct hook_spares *s, struct sm_writer *w, const struct sm_str *relative,
                     const struct sm_str *bytes)
{
    struct spare x = s && !bytes->failed ? take_index(s) : (struct spare){.fd = -1};
    struct iovec all = hook_iovec(sm_str_text(bytes), bytes->len);
    if (x.fd < 0)
        return false;
    const char *final = hook_file_path(w, relative, false);
    bool ok = hook_write_parts(x.fd, &all, 1);
    ok = close(x.fd) == 0 && ok && final && rename(x.path, final) == 0;
    if (!ok)
        unlink(x.path);
    sm_free(x.path);
    return ok;
}

int hook_spares_shared(struct hook_spares *s, struct sm_str *name)
{
    if (!s)
        return -1;
    pthread_mutex_lock(&s->lock);
    int fd = s->shared_fd;
    if (fd >= 0) {
        sm_str_clear(name);
        *name = s->shared_name;
        s->shared_name = (struct sm_str){0};
    }
    s->shared_fd = -1;
    pthread_mutex_unlock(&s->lock);
    return fd;
}
