/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor_files/ckpt_open.h"

#include "reader/tensor_files/ckpt_inflate.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HANDLES = 8, HELD = 4, STREAMS = 4 };

struct sm_ckpt_handle {
    char *path;
    int fd; /* -1: read by path */
    unsigned users;
    uint64_t used;
};
/* A storage, decompressed, as it is in the file. */
struct sm_ckpt_held {
    char *path;
    uint64_t offset, size;
    uint8_t *bytes;
    unsigned users;
    uint64_t used;
};
struct sm_ckpt_stream {
    char *path;
    uint64_t offset;
    struct sm_ckpt_inflate inflate;
};
/* What is kept is in its place; a thread that uses a handle or a held storage counts as a user, a
 * stream leaves its place while it is used. */
struct sm_ckpt_open {
    struct sm_source *files;
    pthread_mutex_t lock;
    struct sm_ckpt_handle *handles[HANDLES];
    struct sm_ckpt_held *held[HELD];
    struct sm_ckpt_stream *streams[STREAMS];
    uint64_t clock;
};

struct sm_ckpt_open *sm_ckpt_open_new(struct sm_source *files)
{
    struct sm_ckpt_open *o = sm_alloc_zero(1, sizeof *o);
    if (!o)
        return NULL;
    o->files = files;
    pthread_mutex_init(&o->lock, NULL);
    return o;
}

static void free_handle(struct sm_ckpt_handle *h)
{
    if (!h)
        return;
    if (h->fd >= 0)
        close(h->fd);
    sm_free(h->path);
    sm_free(h);
}

static void free_held(struct sm_ckpt_held *h)
{
    if (!h)
        return;
    sm_free(h->path);
    sm_free(h->bytes);
    sm_free(h);
}

static void free_stream(struct sm_ckpt_stream *s)
{
    if (!s)
        return;
    sm_ckpt_inflate_end(&s->inflate);
    sm_free(s->path);
    sm_free(s);
}

void sm_ckpt_open_free(struct sm_ckpt_open *o)
{
    if (!o)
        return;
    for (int i = 0; i < HANDLES; i++)
        free_handle(o->handles[i]);
    for (int i = 0; i < HELD; i++)
        free_held(o->held[i]);
    for (int i = 0; i < STREAMS; i++)
        free_stream(o->streams[i]);
    pthread_mutex_destroy(&o->lock);
    sm_free(o);
}

static bool lack_memory(struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_MEMORY, "no memory to read elements");
}

/* ---- files ---- */

/* The place of a handle, or of the one used longest ago that nobody uses. With the lock; NULL: all
 * are in use. */
static struct sm_ckpt_handle **place_of_handle(struct sm_ckpt_open *o, const char *path)
{
    struct sm_ckpt_handle **place = NULL;
    for (int i = 0; i < HANDLES; i++) {
        struct sm_ckpt_handle *h = o->handles[i];
        if (h && strcmp(h->path, path) == 0)
            return &o->handles[i];
        if (!h || (!h->users && (!place || (*place && (*place)->used > h->used))))
            place = !place || *place ? &o->handles[i] : place;
    }
    return place;
}

static struct sm_ckpt_handle *new_handle(struct sm_ckpt_open *o, const char *path,
                                         struct sm_err *err)
{
    struct sm_ckpt_handle *h = sm_alloc_zero(1, sizeof *h);
    char *copy = sm_strdup(path);
    if (!h || !copy || !sm_source_open(o->files, path, &h->fd, err)) {
        if (!h || !copy)
            lack_memory(err);
        sm_free(h);
        sm_free(copy);
        return NULL;
    }
    h->path = copy;
    return h;
}

static void leave_handle(struct sm_ckpt_open *o, struct sm_ckpt_handle *h)
{
    bool kept = false;
    if (!h)
        return;
    pthread_mutex_lock(&o->lock);
    for (int i = 0; i < HANDLES; i++)
        kept = kept || o->handles[i] == h;
    h->users--;
    bool last = !kept && !h->users;
    pthread_mutex_unlock(&o->lock);
    if (last)
        free_handle(h);
}

/* A handle that is kept, or a new one. */
static struct sm_ckpt_handle *take_handle(struct sm_ckpt_open *o, const char *path,
                                          struct sm_err *err)
{
    pthread_mutex_lock(&o->lock);
    struct sm_ckpt_handle **place = place_of_handle(o, path), *h = place ? *place : NULL;
    if (!h || strcmp(h->path, path) != 0) {
        h = new_handle(o, path, err);
        if (h && place) {
            free_handle(*place);
            *place = h;
        }
    }
    if (h) {
        h->users++;
        h->used = ++o->clock;
    }
    pthread_mutex_unlock(&o->lock);
    return h;
}

/* A handle to a file that was replaced under its name goes. */
static void forget_handle(struct sm_ckpt_open *o, const struct sm_ckpt_handle *h)
{
    pthread_mutex_lock(&o->lock);
    for (int i = 0; i < HANDLES; i++)
        if (o->handles[i] == h)
            o->handles[i] = NULL;
    pthread_mutex_unlock(&o->lock);
}

/* Whether the open file is the one whose header was read. */
static bool is_as_before(const struct sm_ckpt_handle *h, const struct sm_stat *st)
{
    struct stat now;
    if (h->fd < 0 || fstat(h->fd, &now) != 0)
        return true;
    int64_t mtime_us = (int64_t)now.st_mtim.tv_sec * 1000000 + now.st_mtim.tv_nsec / 1000;
    return (uint64_t)now.st_size == st->size_bytes && mtime_us == st->mtime_us;
}

/* The handle of the file that a storage is in. */
static bool use_file(struct sm_ckpt_reader *r, const struct sm_ckpt_storage *s, struct sm_err *err)
{
    struct sm_str path = {0};
    if (r->handle && r->file == s->file)
        return true;
    leave_handle(r->open, r->handle);
    r->handle = NULL;
    if (s->file)
        sm_str_add(&path, r->origin->folder);
    sm_str_add(&path, s->file ? s->file : r->origin->path);
    for (int again = 0; again < 2 && !path.failed; again++) {
        r->handle = take_handle(r->open, sm_str_text(&path), err);
        if (!r->handle || s->file || is_as_before(r->handle, r->origin->st))
            break;
        sm_err_set(err, SM_ERR_MISSING, "%s was written anew: its elements of before are gone",
                   sm_str_text(&path));
        forget_handle(r->open, r->handle);
        leave_handle(r->open, r->handle);
        r->handle = NULL;
    }
    r->file = s->file;
    sm_str_clear(&path);
    return r->handle;
}

/* Bytes of the file at an offset, all of them. */
static bool read_exactly(struct sm_ckpt_reader *r, uint64_t at, void *buf, size_t n,
                         struct sm_err *err)
{
    const struct sm_ckpt_handle *h = r->handle;
    size_t got;
    bool ok = h->fd >= 0 ? sm_source_pread(h->fd, h->path, at, buf, n, &got, err)
                         : sm_source_read(r->open->files, h->path, at, buf, n, &got, err);
    if (ok && got < n)
        ok = sm_err_set(err, SM_ERR_DATA, "%s ends at %llu, inside of a tensor", h->path,
                        (unsigned long long)at + got);
    return ok;
}

/* ---- decompression ---- */

static bool read_packed(void *ctx, uint64_t at, void *buf, size_t n, struct sm_err *err)
{
    return read_exactly(ctx, at, buf, n, err);
}

static void leave_stream(struct sm_ckpt_reader *r)
{
    struct sm_ckpt_open *o = r->open;
    struct sm_ckpt_stream *old = r->stream;
    if (!old)
        return;
    pthread_mutex_lock(&o->lock);
    for (int i = 0; i < STREAMS && old; i++)
        if (!o->streams[i]) {
            o->streams[i] = old;
            old = NULL;
        }
    if (old) {
        struct sm_ckpt_stream *first = o->streams[0];
        memmove(o->streams, o->streams + 1, (STREAMS - 1) * sizeof *o->streams);
        o->streams[STREAMS - 1] = old;
        old = first;
    }
    pthread_mutex_unlock(&o->lock);
    free_stream(old);
    r->stream = NULL;
}

static bool is_stream_of(const struct sm_ckpt_stream *x, const char *path, uint64_t offset,
                         uint64_t at)
{
    return x && x->offset == offset && x->inflate.at <= at && strcmp(x->path, path) == 0;
}

/* A decompressor that is not yet behind `at`. */
static bool use_stream(struct sm_ckpt_reader *r, const struct sm_ckpt_storage *s, uint64_t at,
                       struct sm_err *err)
{
    struct sm_ckpt_open *o = r->open;
    const char *path = r->handle->path;
    if (is_stream_of(r->stream, path, s->offset, at))
        return true;
    leave_stream(r);
    pthread_mutex_lock(&o->lock);
    for (int i = 0; i < STREAMS && !r->stream; i++)
        if (is_stream_of(o->streams[i], path, s->offset, at)) {
            r->stream = o->streams[i];
            o->streams[i] = NULL;
        }
    pthread_mutex_unlock(&o->lock);
    if (r->stream)
        return true;
    struct sm_ckpt_stream *x = sm_alloc_zero(1, sizeof *x);
    char *copy = sm_strdup(path);
    if (x && copy && sm_ckpt_inflate_begin(&x->inflate, s->offset, s->stored_bytes)) {
        x->path = copy;
        x->offset = s->offset;
        r->stream = x;
        return true;
    }
    sm_free(x);
    sm_free(copy);
    return lack_memory(err);
}

/* Without looking at what is held. */
static bool read_storage(struct sm_ckpt_reader *r, const struct sm_ckpt_storage *s, uint64_t at,
                         void *buf, size_t n, struct sm_err *err)
{
    if (!use_file(r, s, err))
        return false;
    if (!s->deflated)
        return read_exactly(r, s->offset + at, buf, n, err);
    at += s->skip_bytes;
    if (!use_stream(r, s, at, err))
        return false;
    if (sm_ckpt_inflate_read(&r->stream->inflate, at, buf, n, read_packed, r, err))
        return true;
    free_stream(r->stream);
    r->stream = NULL;
    if (err && err->code != SM_ERR_MEMORY)
        sm_err_prefix(err, "%s", r->handle->path);
    return false;
}

/* ---- held storages ---- */

static void leave_held(struct sm_ckpt_reader *r)
{
    struct sm_ckpt_open *o = r->open;
    bool kept = false;
    if (!r->held)
        return;
    pthread_mutex_lock(&o->lock);
    for (int i = 0; i < HELD; i++)
        kept = kept || o->held[i] == r->held;
    r->held->users--;
    if (!kept && !r->held->users)
        free_held(r->held);
    pthread_mutex_unlock(&o->lock);
    r->held = NULL;
}

static bool is_held(const struct sm_ckpt_held *h, const char *path, const struct sm_ckpt_storage *s)
{
    return h && h->offset == s->offset && h->size == s->size_bytes && strcmp(h->path, path) == 0;
}

/* One that is kept, with the lock; NULL: none. */
static struct sm_ckpt_held *find_held(struct sm_ckpt_open *o, const char *path,
                                      const struct sm_ckpt_storage *s)
{
    for (int i = 0; i < HELD; i++)
        if (is_held(o->held[i], path, s)) {
            o->held[i]->users++;
            o->held[i]->used = ++o->clock;
            return o->held[i];
        }
    return NULL;
}

static struct sm_ckpt_held *new_held(struct sm_ckpt_reader *r, const struct sm_ckpt_storage *s)
{
    struct sm_err err = {0};
    struct sm_ckpt_held *h = sm_alloc_zero(1, sizeof *h);
    if (!h)
        return NULL;
    *h = (struct sm_ckpt_held){.path = sm_strdup(r->handle->path),
                               .offset = s->offset,
                               .size = s->size_bytes,
                               .bytes = sm_alloc((size_t)s->size_bytes),
                               .users = 1};
    if (h->path && h->bytes && read_storage(r, s, 0, h->bytes, (size_t)s->size_bytes, &err))
        return h;
    free_held(h);
    return NULL;
}

/* In the place of the one that was used longest ago. */
static void keep_held(struct sm_ckpt_open *o, struct sm_ckpt_held *h)
{
    int at = 0;
    pthread_mutex_lock(&o->lock);
    for (int i = 1; i < HELD && o->held[at]; i++)
        if (!o->held[i] || o->held[i]->used < o->held[at]->used)
            at = i;
    if (o->held[at] && !o->held[at]->users)
        free_held(o->held[at]);
    o->held[at] = h;
    h->used = ++o->clock;
    pthread_mutex_unlock(&o->lock);
}

static struct sm_ckpt_reader *reader_of(struct sm_ckpt_bytes *b)
{
    return (struct sm_ckpt_reader *)b;
}

static const uint8_t *hold_storage(struct sm_ckpt_bytes *b, const struct sm_ckpt_storage *s)
{
    struct sm_ckpt_reader *r = reader_of(b);
    struct sm_err err = {0};
    if (!use_file(r, s, &err))
        return NULL;
    if (is_held(r->held, r->handle->path, s))
        return r->held->bytes;
    leave_held(r);
    pthread_mutex_lock(&r->open->lock);
    r->held = find_held(r->open, r->handle->path, s);
    pthread_mutex_unlock(&r->open->lock);
    if (!r->held && (r->held = new_held(r, s)))
        keep_held(r->open, r->held);
    return r->held ? r->held->bytes : NULL;
}

static bool read_held(struct sm_ckpt_bytes *b, const struct sm_ckpt_storage *s, uint64_t at,
                      void *buf, size_t n, struct sm_err *err)
{
    const uint8_t *held =
        s->deflated && s->size_bytes <= SM_CKPT_HELD_MAX / 16 ? hold_storage(b, s) : NULL;
    if (!held)
        return read_storage(reader_of(b), s, at, buf, n, err);
    memcpy(buf, held + at, n);
    return true;
}

/* ---- readers ---- */

void sm_ckpt_reader_begin(struct sm_ckpt_reader *r, struct sm_ckpt_open *o,
                          const struct sm_ckpt_origin *origin)
{
    *r = (struct sm_ckpt_reader){
        .bytes = {.hold = hold_storage, .read = read_held}, .open = o, .origin = origin};
}

void sm_ckpt_reader_end(struct sm_ckpt_reader *r)
{
    leave_stream(r);
    leave_held(r);
    leave_handle(r->open, r->handle);
}
