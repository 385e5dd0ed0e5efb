/* SPDX-License-Identifier: Apache-2.0 */
/* Reads "x" from "x.zst" or "x.gz" when there is no "x". Keeps the last few such files: what was
 * decompressed of them, while that is small, since the values of a step are usually read one after
 * another; and the decompressor, so that a large file that is read in order is decompressed once,
 * and one that grows goes on where it ended.
 */
#include "reader/base/mem.h"
#include "reader/source/source.h"
#include "reader/source/unpack.h"

#include <pthread.h>
#include <string.h>

#define UNPACKED_LIMIT ((uint64_t)4 << 30) /* limit on one decompressed file */
enum { KEPT_FILES = 4, KEPT_BYTES = 64 << 20, PIECE = 128 << 10, TAIL = 64 };

static const struct sm_unpacker *const unpackers[] = {&sm_unpack_zstd, &sm_unpack_gzip};
enum { N_UNPACKERS = sizeof unpackers / sizeof *unpackers };

/* A compressed file that is being read. */
struct packed_file {
    const struct sm_unpacker *format;
    char *path; /* of the compressed file */
    struct sm_stat of;
    void *state; /* of the decompressor; NULL: at the end */
    char in[PIECE];
    size_t in_at, in_n;
    uint64_t taken;  /* bytes of the file that were read */
    char tail[TAIL]; /* the last tail_n of them */
    size_t tail_n;
    uint64_t at;         /* bytes decompressed */
    bool at_end;         /* of the compressed file */
    bool between;        /* the compressed bytes may end here */
    bool ended;          /* all was decompressed */
    bool partial;        /* the first bytes are not kept */
    struct sm_err fault; /* what is wrong with the bytes that come next */
    struct sm_str bytes; /* from the beginning, unless partial */
    uint64_t used;
};
struct source_packed {
    struct sm_source base;
    struct sm_source *below;
    pthread_mutex_t lock;
    struct packed_file *kept[KEPT_FILES];
    uint64_t clock;
};

size_t sm_source_plain_name(const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < N_UNPACKERS; i++) {
        size_t ending = strlen(unpackers[i]->ending);
        if (n > ending && strcmp(name + n - ending, unpackers[i]->ending) == 0)
            return n - ending;
    }
    return n;
}

static bool packed_list(struct sm_source *s, const char *dir,
                        bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir),
                        void *ctx, struct sm_err *err)
{
    return sm_source_list(((struct source_packed *)s)->below, dir, each, ctx, err);
}

/* The compressed file of a path, in *st and *out. False: there is none. *err, if it was not set by
 * the file itself, stays `why`: the name that was asked for is missing. */
static const struct sm_unpacker *find_packed(struct source_packed *z, const char *path,
                                             struct sm_str *out, struct sm_stat *st,
                                             const struct sm_err *why, struct sm_err *err)
{
    for (size_t i = 0; i < N_UNPACKERS && why->code == SM_ERR_MISSING; i++) {
        struct sm_err other = {0};
        sm_str_truncate(out, 0);
        sm_str_add(out, path);
        sm_str_add(out, unpackers[i]->ending);
        if (out->failed) {
            sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
            return NULL;
        }
        if (sm_source_stat(z->below, sm_str_text(out), st, &other) && !st->is_dir)
            return unpackers[i];
        if (other.code && other.code != SM_ERR_MISSING) {
            if (err)
                *err = other;
            return NULL;
        }
    }
    if (err)
        *err = *why;
    return NULL;
}

static bool packed_stat(struct sm_source *s, const char *path, struct sm_stat *out,
                        struct sm_err *err)
{
    struct source_packed *z = (struct source_packed *)s;
    struct sm_err why = {0};
    struct sm_str other = {0};
    if (sm_source_stat(z->below, path, out, &why))
        return true;
    bool ok = find_packed(z, path, &other, out, &why, err);
    out->compressed = true;
    sm_str_clear(&other);
    return ok;
}

/* ---- a file that is being decompressed ---- */

static void close_file(struct packed_file *f)
{
    if (!f)
        return;
    if (f->state)
        f->format->close(f->state);
    sm_free(f->path);
    sm_str_clear(&f->bytes);
    sm_free(f);
}

static struct packed_file *open_file(const struct sm_unpacker *format, const char *path,
                                     const struct sm_stat *of, struct sm_err *err)
{
    struct packed_file *f = sm_alloc(sizeof *f);
    if (f) {
        memset(f, 0, offsetof(struct packed_file, in));
        memset(&f->in_at, 0, sizeof *f - offsetof(struct packed_file, in_at));
        f->format = format;
        f->of = *of;
        f->path = sm_strdup(path);
        f->state = f->path ? format->open() : NULL;
    }
    if (f && f->state)
        return f;
    close_file(f);
    sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
    return NULL;
}

static bool refill_input(struct source_packed *z, struct packed_file *f, struct sm_err *err)
{
    if (!sm_source_read(z->below, f->path, f->taken, f->in, sizeof f->in, &f->in_n, err))
        return false;
    f->in_at = 0;
    f->taken += f->in_n;
    f->at_end = f->in_n == 0;
    if (f->in_n) {
        f->tail_n = f->in_n < TAIL ? f->in_n : TAIL;
        memcpy(f->tail, f->in + f->in_n - f->tail_n, f->tail_n);
    }
    return true;
}

/* Decompresses some of the input; returns how many bytes that made. */
static size_t step_on(struct packed_file *f, char *buf, size_t n)
{
    struct sm_unpack_room room = {f->in + f->in_at, f->in_n - f->in_at, buf, n};
    const char *wrong = f->format->step(f->state, &room, &f->between);
    size_t got = n - room.n_out;
    f->in_at = f->in_n - room.n_in;
    f->at += got;
    if (wrong)
        sm_err_set(&f->fault, SM_ERR_DATA, "%s: invalid %s before offset %llu: %s", f->path,
                   f->format->name, (unsigned long long)(f->taken - room.n_in), wrong);
    else if (f->at > UNPACKED_LIMIT)
        sm_err_set(&f->fault, SM_ERR_LIMIT, "%s: more than %llu bytes when decompressed", f->path,
                   (unsigned long long)UNPACKED_LIMIT);
    else if (!got && f->at_end)
        sm_err_set(&f->fault, SM_ERR_WAIT, "%s: ends inside %s data at offset %llu", f->path,
                   f->format->name, (unsigned long long)f->taken);
    return got;
}

/* The next bytes, at most n; *got is 0 at the end. */
static bool next_bytes(struct source_packed *z, struct packed_file *f, char *buf, size_t n,
                       size_t *got, struct sm_err *err)
{
    *got = 0;
    while (!*got && !f->ended && !f->fault.code) {
        if (f->in_at == f->in_n && !f->at_end && !refill_input(z, f, err))
            return false;
        f->ended = f->at_end && f->between;
        *got = f->ended ? 0 : step_on(f, buf, n);
    }
    if (!*got && f->fault.code && err)
        *err = f->fault;
    return *got || !f->fault.code;
}

/* ---- ranges ---- */

struct file_part {
    char *buf;
    size_t n, got;
    uint64_t offset; /* of the range */
};

static void copy_part(const struct sm_str *from, struct file_part *p)
{
    uint64_t want = p->offset + p->got;
    size_t there = want < from->len ? from->len - (size_t)want : 0;
    size_t more = there < p->n - p->got ? there : p->n - p->got;
    if (more)
        memcpy(p->buf + p->got, from->data + want, more);
    p->got += more;
}

/* Takes what the range has of n bytes that stand at `at`. */
static void take_part(struct file_part *p, const char *bytes, uint64_t at, size_t n)
{
    uint64_t want = p->offset + p->got, end = at + n;
    size_t left = p->n - p->got;
    if (want < at || want >= end)
        return;
    size_t more = end - want < left ? (size_t)(end - want) : left;
    memcpy(p->buf + p->got, bytes + (want - at), more);
    p->got += more;
}

static void keep_bytes(struct packed_file *f, const char *bytes, size_t n)
{
    if (!f->partial && f->bytes.len + n <= KEPT_BYTES)
        sm_str_addn(&f->bytes, bytes, n);
    else
        f->partial = true;
    f->partial = f->partial || f->bytes.failed;
    if (f->partial)
        sm_str_clear(&f->bytes);
}

static bool read_on(struct source_packed *z, struct packed_file *f, struct file_part *p,
                    struct sm_err *err)
{
    char *piece = sm_alloc(PIECE);
    bool ok = piece || sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", f->path);
    copy_part(&f->bytes, p);
    for (size_t got = 1; ok && got && p->got < p->n;) {
        uint64_t at = f->at;
        ok = next_bytes(z, f, piece, PIECE, &got, err);
        if (got)
            take_part(p, piece, at, got);
        if (got)
            keep_bytes(f, piece, got);
    }
    sm_free(piece);
    return ok;
}

/* ---- files that are kept ---- */

static bool is_same(const struct packed_file *f, const char *path, const struct sm_stat *of)
{
    return strcmp(f->path, path) == 0 && f->of.inode == of->inode &&
           f->of.size_bytes == of->size_bytes && f->of.mtime_us == of->mtime_us;
}

/* Whether the same file has grown, and the range can be had by going on: it was torn, or a frame
 * had ended. */
static bool has_grown(const struct packed_file *f, const char *path, const struct sm_stat *of,
                      const struct file_part *p)
{
    return strcmp(f->path, path) == 0 && f->of.inode == of->inode && f->of.device == of->device &&
           f->of.size_bytes < of->size_bytes && (!f->fault.code || f->fault.code == SM_ERR_WAIT) &&
           (!f->partial || f->at <= p->offset);
}

/* Whether the bytes before the new ones are still those that were read. */
static bool was_appended(struct source_packed *z, const struct packed_file *f)
{
    char now[TAIL];
    size_t got;
    return !f->tail_n ||
           (sm_source_read(z->below, f->path, f->taken - f->tail_n, now, f->tail_n, &got, NULL) &&
            got == f->tail_n && memcmp(now, f->tail, got) == 0);
}

/* Whether the range is among the bytes that are kept. */
static bool has_part(const struct packed_file *f, const struct file_part *p)
{
    return !f->partial &&
           (f->ended || (p->offset <= f->bytes.len && p->n <= f->bytes.len - p->offset));
}

/* Whether the range can be had without beginning anew. */
static bool can_go_on(const struct packed_file *f, const struct file_part *p)
{
    return !f->partial || (!f->ended && f->at <= p->offset);
}

/* True: the range was copied. Else *out is a file to go on with, which is not kept meanwhile, or
 * NULL. */
static bool use_kept(struct source_packed *z, const char *path, const struct sm_stat *of,
                     struct file_part *p, struct packed_file **out)
{
    bool copied = false;
    *out = NULL;
    pthread_mutex_lock(&z->lock);
    for (int i = 0; i < KEPT_FILES && !copied && !*out; i++) {
        struct packed_file *f = z->kept[i];
        if (!f || !is_same(f, path, of))
            continue;
        copied = has_part(f, p);
        if (copied) {
            copy_part(&f->bytes, p);
            f->used = ++z->clock;
        } else if (can_go_on(f, p)) {
            *out = f;
            z->kept[i] = NULL;
        }
    }
    pthread_mutex_unlock(&z->lock);
    return copied;
}

/* The file that has grown since, to go on where it ended then; of several the one that is farthest.
 * NULL: there is none. */
static struct packed_file *take_grown(struct source_packed *z, const char *path,
                                      const struct sm_stat *of, const struct file_part *p)
{
    int best = -1;
    pthread_mutex_lock(&z->lock);
    for (int i = 0; i < KEPT_FILES; i++)
        if (z->kept[i] && has_grown(z->kept[i], path, of, p) &&
            (best < 0 || z->kept[i]->at > z->kept[best]->at))
            best = i;
    struct packed_file *f = best < 0 ? NULL : z->kept[best];
    if (f)
        z->kept[best] = NULL;
    pthread_mutex_unlock(&z->lock);
    if (!f)
        return NULL;
    f->of = *of;
    f->ended = f->at_end = false;
    sm_err_clear(&f->fault);
    f->state = f->state ? f->state : f->format->open(); /* a frame has ended */
    if (f->state && was_appended(z, f))
        return f;
    close_file(f);
    return NULL;
}

/* In a free place, or in that of the one that was not used for longest. */
static void keep_file(struct source_packed *z, struct packed_file *f)
{
    int place = 0;
    pthread_mutex_lock(&z->lock);
    for (int i = 1; i < KEPT_FILES && z->kept[place]; i++)
        if (!z->kept[i] || z->kept[i]->used < z->kept[place]->used)
            place = i;
    struct packed_file *old = z->kept[place];
    f->used = ++z->clock;
    z->kept[place] = f;
    pthread_mutex_unlock(&z->lock);
    close_file(old);
}

static bool read_file(struct source_packed *z, const struct sm_unpacker *format, const char *path,
                      const struct sm_stat *of, struct file_part *p, struct sm_err *err)
{
    struct packed_file *f;
    if (use_kept(z, path, of, p, &f))
        return true;
    f = f ? f : take_grown(z, path, of, p);
    if (!f && !(f = open_file(format, path, of, err)))
        return false;
    bool ok = read_on(z, f, p, err);
    if (f->ended && f->state) {
        format->close(f->state);
        f->state = NULL;
    }
    if (ok || f->fault.code)
        keep_file(z, f);
    else
        close_file(f);
    return ok;
}

static bool packed_read(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n,
                        size_t *got, struct sm_err *err)
{
    struct source_packed *z = (struct source_packed *)s;
    struct sm_err why = {0};
    struct sm_str other = {0};
    struct sm_stat of;
    struct file_part p = {.buf = buf, .n = n, .offset = offset};
    if (sm_source_read(z->below, path, offset, buf, n, got, &why))
        return true;
    const struct sm_unpacker *format = find_packed(z, path, &other, &of, &why, err);
    bool ok = format && read_file(z, format, sm_str_text(&other), &of, &p, err);
    sm_str_clear(&other);
    *got = p.got;
    return ok;
}

/* ---- whole files ---- */

static bool add_all(struct source_packed *z, struct packed_file *f, size_t limit,
                    struct sm_str *out, struct sm_err *err)
{
    char *piece = sm_alloc(PIECE);
    bool ok = piece || sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", f->path);
    for (size_t got = 1; ok && got;) {
        ok = next_bytes(z, f, piece, PIECE, &got, err);
        if (ok && f->at > limit)
            ok = sm_err_set(err, SM_ERR_LIMIT, "%s: more than %zu bytes when decompressed", f->path,
                            limit);
        if (ok)
            sm_str_addn(out, piece, got);
        if (out->failed)
            ok = sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", f->path);
    }
    sm_free(piece);
    return ok;
}

static bool packed_slurp(struct sm_source *s, const char *path, size_t limit, struct sm_str *out,
                         struct sm_stat *st, struct sm_err *err)
{
    struct source_packed *z = (struct source_packed *)s;
    struct sm_err why = {0};
    struct sm_str other = {0};
    struct sm_stat of;
    if (sm_source_load(z->below, path, limit, out, st, &why))
        return true;
    const struct sm_unpacker *format = find_packed(z, path, &other, &of, &why, err);
    struct packed_file *f = format ? open_file(format, sm_str_text(&other), &of, err) : NULL;
    bool ok = f && add_all(z, f, limit, out, err);
    close_file(f);
    sm_str_clear(&other);
    if (ok && st) {
        *st = of;
        st->compressed = true;
    }
    return ok;
}

/* A file that is only there compressed is read by its path. */
static bool packed_open(struct sm_source *s, const char *path, int *fd, struct sm_err *err)
{
    struct sm_err why = {0};
    if (sm_source_open(((struct source_packed *)s)->below, path, fd, &why))
        return true;
    *fd = -1;
    if (why.code != SM_ERR_MISSING && err)
        *err = why;
    return why.code == SM_ERR_MISSING;
}

static void packed_free(struct sm_source *s)
{
    struct source_packed *z = (struct source_packed *)s;
    for (int i = 0; i < KEPT_FILES; i++)
        close_file(z->kept[i]);
    pthread_mutex_destroy(&z->lock);
    sm_source_unref(z->below);
    sm_free(z);
}

static bool packed_ahead(struct sm_source *s, const char *path, uint64_t offset, uint64_t n)
{
    return sm_source_ahead(((struct source_packed *)s)->below, path, offset, n);
}

static int64_t packed_beat_us(struct sm_source *s)
{
    return sm_source_beat_us(((struct source_packed *)s)->below);
}

struct sm_source *sm_source_packed_new(struct sm_source *below, struct sm_err *err)
{
    static const struct sm_source_ops ops = {
        .list = packed_list,
        .stat = packed_stat,
        .read = packed_read,
        .free = packed_free,
        .slurp = packed_slurp,
        .open = packed_open,
        .ahead = packed_ahead,
        .beat_us = packed_beat_us,
    };
    struct source_packed *z = sm_alloc_zero(1, sizeof *z);
    if (!z || !sm_source_init(&z->base, &ops, below->root)) {
        sm_free(z);
        sm_err_set(err, SM_ERR_MEMORY, "no memory");
        return NULL;
    }
    z->below = sm_source_ref(below);
    pthread_mutex_init(&z->lock, NULL);
    return &z->base;
}

struct sm_source *sm_source_tree_new(const char *path, struct sm_err *err)
{
    struct sm_source *dir = sm_source_dir_new(path, err),
                     *source = dir ? sm_source_packed_new(dir, err) : NULL;
    sm_source_unref(dir);
    return source;
}
