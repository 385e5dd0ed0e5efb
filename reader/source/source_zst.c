/* Reads "x" from "x.zst" when there is no "x". Keeps the last few decompressed files, since the
 * values of a step are usually read one after another. */
#include "reader/base/mem.h"
#include "reader/source/source.h"

#include <pthread.h>
#include <string.h>
#include <zstd.h>

#define ZST_LIMIT ((size_t)4 << 30) /* limit on one decompressed file */
enum { KEPT_FILES = 4, KEPT_BYTES = 64 << 20, PIECE = 128 << 10 };

struct kept {
    char *path;
    struct sm_str bytes;
    struct sm_stat of; /* stat of the compressed file */
    uint64_t used;
};
struct source_zst {
    struct sm_source base;
    struct sm_source *below;
    pthread_mutex_t lock;
    struct kept kept[KEPT_FILES];
    uint64_t clock;
};

static bool zst_list(struct sm_source *s, const char *dir,
                     bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir),
                     void *ctx, struct sm_err *err)
{
    return sm_source_list(((struct source_zst *)s)->below, dir, each, ctx, err);
}

static bool compressed_path(struct sm_str *out, const char *path, struct sm_err *err)
{
    sm_str_add(out, path);
    sm_str_add(out, ".zst");
    return !out->failed || sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
}

/* Whether the compressed file should be tried; if not, *err gets `why`. */
static bool is_missing(const struct sm_err *why, struct sm_err *err)
{
    if (why->code == SM_ERR_MISSING)
        return true;
    if (err)
        *err = *why;
    return false;
}

/* If neither file exists, reports the name that was asked for. */
static bool report_missing(const struct sm_err *why, struct sm_err *err)
{
    if (err && err->code == SM_ERR_MISSING)
        *err = *why;
    return false;
}

static bool zst_stat(struct sm_source *s, const char *path, struct sm_stat *out, struct sm_err *err)
{
    struct source_zst *z = (struct source_zst *)s;
    struct sm_err why = {0};
    if (sm_source_stat(z->below, path, out, &why))
        return true;
    if (!is_missing(&why, err))
        return false;
    struct sm_str other = {0};
    bool ok = compressed_path(&other, path, err) &&
              sm_source_stat(z->below, sm_str_text(&other), out, err);
    out->compressed = true;
    sm_str_clear(&other);
    return ok || report_missing(&why, err);
}

/* ---- decompressing in pieces: sizes declared in the file are not trusted ---- */

struct unpack_state {
    struct sm_source *below;
    const char *path; /* path of the compressed file */
    uint64_t at;      /* bytes of it read so far */
    char in[PIECE], out[PIECE];
    ZSTD_inBuffer src;
    ZSTD_DStream *stream;
};

static bool refill_input(struct unpack_state *u, struct sm_err *err)
{
    size_t got;
    if (!sm_source_read(u->below, u->path, u->at, u->in, sizeof u->in, &got, err))
        return false;
    u->at += got;
    u->src = (ZSTD_inBuffer){u->in, got, 0};
    return true;
}

/* Passes every piece to `take` until that returns false. */
static bool decompress_with(struct unpack_state *u,
                            bool (*take)(void *ctx, const char *bytes, size_t n), void *ctx,
                            struct sm_err *err)
{
    for (bool in_frame = true, end = false;;) {
        ZSTD_outBuffer dst = {u->out, sizeof u->out, 0};
        if (u->src.pos == u->src.size && !end) {
            if (!refill_input(u, err))
                return false;
            end = !u->src.size;
        }
        if (end && !in_frame)
            return true;
        size_t left = ZSTD_decompressStream(u->stream, &dst, &u->src);
        if (ZSTD_isError(left))
            return sm_err_set(err, SM_ERR_DATA, "%s: invalid zstd before offset %llu: %s", u->path,
                              (unsigned long long)u->at, ZSTD_getErrorName(left));
        in_frame = left;
        if (dst.pos && !take(ctx, u->out, dst.pos))
            return true;
        if (end && in_frame && !dst.pos)
            return sm_err_set(err, SM_ERR_WAIT, "%s: ends inside a zstd frame at offset %llu",
                              u->path, (unsigned long long)u->at);
    }
}

static bool decompress(struct source_zst *z, const char *path,
                       bool (*take)(void *ctx, const char *bytes, size_t n), void *ctx,
                       struct sm_err *err)
{
    struct unpack_state *u = sm_alloc(sizeof *u);
    if (!u)
        return sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
    u->below = z->below;
    u->path = path;
    u->at = 0;
    u->src = (ZSTD_inBuffer){u->in, 0, 0};
    u->stream = ZSTD_createDStream();
    bool ok = u->stream ? decompress_with(u, take, ctx, err)
                        : sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
    ZSTD_freeDStream(u->stream);
    sm_free(u);
    return ok;
}

struct whole_file {
    struct sm_str *out;
    size_t limit, begin;
    bool too_large;
};

static bool take_whole(void *ctx, const char *bytes, size_t n)
{
    struct whole_file *w = ctx;
    w->too_large = w->out->len - w->begin + n > w->limit;
    if (!w->too_large)
        sm_str_addn(w->out, bytes, n);
    return !w->too_large && !w->out->failed;
}

static bool load_packed(struct source_zst *z, const char *path, size_t limit, struct sm_str *out,
                        struct sm_stat *st, struct sm_err *err)
{
    struct sm_str other = {0};
    struct whole_file w = {.out = out, .limit = limit, .begin = out->len};
    bool ok = compressed_path(&other, path, err) &&
              (!st || sm_source_stat(z->below, sm_str_text(&other), st, err)) &&
              decompress(z, sm_str_text(&other), take_whole, &w, err);
    if (ok && w.too_large)
        ok = sm_err_set(err, SM_ERR_LIMIT, "%s: more than %zu bytes when decompressed",
                        sm_str_text(&other), limit);
    sm_str_clear(&other);
    return ok && (!out->failed || sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path));
}

/* ---- cached files ---- */

static struct kept *find_kept(struct source_zst *z, const char *path, const struct sm_stat *of)
{
    for (int i = 0; i < KEPT_FILES; i++) {
        struct kept *k = &z->kept[i];
        if (k->path && strcmp(k->path, path) == 0 && k->of.inode == of->inode &&
            k->of.size_bytes == of->size_bytes && k->of.mtime_us == of->mtime_us)
            return k;
    }
    return NULL;
}

static void keep_file(struct source_zst *z, const char *path, const struct sm_stat *of,
                      struct sm_str *bytes)
{
    struct kept *oldest = &z->kept[0];
    for (int i = 1; i < KEPT_FILES; i++)
        if (z->kept[i].used < oldest->used)
            oldest = &z->kept[i];
    char *copy = bytes->len <= KEPT_BYTES ? sm_strdup(path) : NULL;
    if (!copy)
        return;
    sm_free(oldest->path);
    sm_str_clear(&oldest->bytes);
    *oldest = (struct kept){.path = copy, .bytes = *bytes, .of = *of, .used = ++z->clock};
    *bytes = (struct sm_str){0};
}

static void copy_part(const struct sm_str *from, uint64_t offset, void *buf, size_t n, size_t *got)
{
    *got = offset >= from->len ? 0 : from->len - offset < n ? (size_t)(from->len - offset) : n;
    if (*got)
        memcpy(buf, from->data + offset, *got);
}

/* One range of a file, and all of it while it is small enough to be cached. */
struct file_part {
    char *buf;
    size_t n, got;
    uint64_t offset, at; /* of the range; of the next piece */
    struct sm_str all;
    bool cacheable, too_large;
};

static bool take_part(void *ctx, const char *bytes, size_t n)
{
    struct file_part *p = ctx;
    uint64_t want = p->offset + p->got, end = p->at + n;
    size_t more = want >= end                            ? 0
                  : (size_t)(end - want) < p->n - p->got ? (size_t)(end - want)
                                                         : p->n - p->got;
    if (more)
        memcpy(p->buf + p->got, bytes + (want - p->at), more);
    p->got += more;
    p->at = end;
    p->cacheable = p->cacheable && end <= KEPT_BYTES;
    if (p->cacheable)
        sm_str_addn(&p->all, bytes, n);
    else
        sm_str_clear(&p->all);
    p->cacheable = p->cacheable && !p->all.failed;
    p->too_large = end > ZST_LIMIT;
    return !p->too_large && (p->got < p->n || p->cacheable);
}

static bool read_part(struct source_zst *z, const char *path, const char *packed,
                      const struct sm_stat *of, struct file_part *p, struct sm_err *err)
{
    struct sm_err why = {0};
    bool ok = decompress(z, packed, take_part, p, &why);
    if (ok && p->cacheable) {
        pthread_mutex_lock(&z->lock);
        keep_file(z, path, of, &p->all);
        pthread_mutex_unlock(&z->lock);
    }
    sm_str_clear(&p->all);
    if (p->got == p->n) /* whatever follows the range */
        return true;
    if (p->too_large)
        return sm_err_set(err, SM_ERR_LIMIT, "%s: more than %llu bytes when decompressed", packed,
                          (unsigned long long)ZST_LIMIT);
    if (!ok && err)
        *err = why;
    return ok;
}

static bool copy_kept(struct source_zst *z, const char *path, const struct sm_stat *of,
                      struct file_part *p)
{
    pthread_mutex_lock(&z->lock);
    struct kept *k = find_kept(z, path, of);
    if (k) {
        k->used = ++z->clock;
        copy_part(&k->bytes, p->offset, p->buf, p->n, &p->got);
    }
    pthread_mutex_unlock(&z->lock);
    return k;
}

static bool read_packed(struct source_zst *z, const char *path, uint64_t offset, void *buf,
                        size_t n, size_t *got, struct sm_err *err)
{
    struct sm_stat of;
    struct sm_str other = {0};
    struct file_part p = {.buf = buf, .n = n, .offset = offset, .cacheable = true};
    bool ok =
        compressed_path(&other, path, err) &&
        sm_source_stat(z->below, sm_str_text(&other), &of, err) &&
        (copy_kept(z, path, &of, &p) || read_part(z, path, sm_str_text(&other), &of, &p, err));
    sm_str_clear(&other);
    *got = p.got;
    return ok;
}

static bool zst_read(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n,
                     size_t *got, struct sm_err *err)
{
    struct source_zst *z = (struct source_zst *)s;
    struct sm_err why = {0};
    if (sm_source_read(z->below, path, offset, buf, n, got, &why))
        return true;
    return is_missing(&why, err) &&
           (read_packed(z, path, offset, buf, n, got, err) || report_missing(&why, err));
}

static bool zst_slurp(struct sm_source *s, const char *path, size_t limit, struct sm_str *out,
                      struct sm_stat *st, struct sm_err *err)
{
    struct source_zst *z = (struct source_zst *)s;
    struct sm_err why = {0};
    if (sm_source_load(z->below, path, limit, out, st, &why))
        return true;
    if (!is_missing(&why, err))
        return false;
    if (!load_packed(z, path, limit, out, st, err))
        return report_missing(&why, err);
    if (st)
        st->compressed = true;
    return true;
}

/* A file that only exists as x.zst is read by its path. */
static bool zst_open(struct sm_source *s, const char *path, int *fd, struct sm_err *err)
{
    struct sm_err why = {0};
    if (sm_source_open(((struct source_zst *)s)->below, path, fd, &why))
        return true;
    *fd = -1;
    return is_missing(&why, err);
}

static void zst_free(struct sm_source *s)
{
    struct source_zst *z = (struct source_zst *)s;
    for (int i = 0; i < KEPT_FILES; i++) {
        sm_free(z->kept[i].path);
        sm_str_clear(&z->kept[i].bytes);
    }
    pthread_mutex_destroy(&z->lock);
    sm_source_unref(z->below);
    sm_free(z);
}

struct sm_source *sm_source_zst_new(struct sm_source *below, struct sm_err *err)
{
    static const struct sm_source_ops ops = {
        .list = zst_list,
        .stat = zst_stat,
        .read = zst_read,
        .free = zst_free,
        .slurp = zst_slurp,
        .open = zst_open,
    };
    struct source_zst *z = sm_alloc_zero(1, sizeof *z);
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
                     *source = dir ? sm_source_zst_new(dir, err) : NULL;
    sm_source_unref(dir);
    return source;
}
