/* "x" read from "x.zst" when there is no "x". The last few decompressed files are kept, since a step's values are
 * usually asked for one after another. */
#include "reader/base/mem.h"
#include "reader/source/source.h"

#include <pthread.h>
#include <string.h>
#include <zstd.h>

#define ZST_LIMIT ((size_t)4 << 30)      /* of one decompressed file */
enum { KEPT_FILES = 4, KEPT_BYTES = 64 << 20 };

struct kept {
    char *path;
    struct sm_str bytes;
    struct sm_stat of;                   /* the compressed file it came from */
    uint64_t used;
};
struct source_zst {
    struct sm_source base;
    struct sm_source *below;
    pthread_mutex_t lock;
    struct kept kept[KEPT_FILES];
    uint64_t clock;
};

static bool zst_list(struct sm_source *s, const char *dir, bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir), void *ctx,
                     struct sm_err *err)
{
    return sm_source_list(((struct source_zst *)s)->below, dir, each, ctx, err);
}

static bool compressed_path(struct sm_str *out, const char *path, struct sm_err *err)
{
    sm_str_add(out, path);
    sm_str_add(out, ".zst");
    return !out->failed || sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
}

static bool zst_stat(struct sm_source *s, const char *path, struct sm_stat *out, struct sm_err *err)
{
    struct source_zst *z = (struct source_zst *)s;
    if (sm_source_stat(z->below, path, out, err))
        return true;
    if (!err || err->code != SM_ERR_MISSING)
        return false;
    struct sm_str other = {0};
    bool ok = compressed_path(&other, path, err) && sm_source_stat(z->below, sm_str_text(&other), out, err);
    out->compressed = true;
    sm_str_clear(&other);
    return ok;
}

static bool decompress(const char *path, const struct sm_str *in, size_t limit, struct sm_str *out, struct sm_err *err)
{
    ZSTD_DStream *d = ZSTD_createDStream();
    if (!d)
        return sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
    char chunk[64 * 1024];
    ZSTD_inBuffer src = {sm_str_text(in), in->len, 0};
    size_t left = 1;
    bool ok = true;
    while (ok && (src.pos < src.size || left)) {
        ZSTD_outBuffer dst = {chunk, sizeof chunk, 0};
        size_t before = src.pos;
        left = ZSTD_decompressStream(d, &dst, &src);
        if (ZSTD_isError(left))
            ok = sm_err_set(err, SM_ERR_DATA, "%s: invalid zstd at offset %zu: %s", path, before, ZSTD_getErrorName(left));
        else if (out->len + dst.pos > limit)
            ok = sm_err_set(err, SM_ERR_LIMIT, "%s: more than %zu bytes when decompressed", path, limit);
        else if (!dst.pos && src.pos == src.size && left)
            ok = sm_err_set(err, SM_ERR_WAIT, "%s: ends inside a zstd frame at offset %zu", path, src.pos);
        else
            sm_str_addn(out, chunk, dst.pos);
        if (src.pos == src.size && !left)
            break;
    }
    ZSTD_freeDStream(d);
    return ok && (!out->failed || sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path));
}

static bool load(struct source_zst *z, const char *path, size_t limit, struct sm_str *out, struct sm_stat *st, struct sm_err *err)
{
    struct sm_str other = {0}, packed = {0};
    bool ok = compressed_path(&other, path, err) && sm_source_load(z->below, sm_str_text(&other), ZST_LIMIT, &packed, st, err) &&
              decompress(sm_str_text(&other), &packed, limit, out, err);
    sm_str_clear(&other);
    sm_str_clear(&packed);
    return ok;
}

static struct kept *find_kept(struct source_zst *z, const char *path, const struct sm_stat *of)
{
    for (int i = 0; i < KEPT_FILES; i++) {
        struct kept *k = &z->kept[i];
        if (k->path && strcmp(k->path, path) == 0 && k->of.inode == of->inode && k->of.size_bytes == of->size_bytes &&
            k->of.mtime_us == of->mtime_us)
            return k;
    }
    return NULL;
}

static void keep(struct source_zst *z, const char *path, const struct sm_stat *of, struct sm_str *bytes)
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

static bool read_packed(struct source_zst *z, const char *path, uint64_t offset, void *buf, size_t n, size_t *got,
                        struct sm_err *err)
{
    struct sm_stat of;
    struct sm_str other = {0}, bytes = {0};
    bool ok = compressed_path(&other, path, err) && sm_source_stat(z->below, sm_str_text(&other), &of, err);
    sm_str_clear(&other);
    if (!ok)
        return false;
    pthread_mutex_lock(&z->lock);
    struct kept *k = find_kept(z, path, &of);
    if (k) {
        k->used = ++z->clock;
        copy_part(&k->bytes, offset, buf, n, got);
    }
    pthread_mutex_unlock(&z->lock);
    if (k)
        return true;
    ok = load(z, path, ZST_LIMIT, &bytes, NULL, err);
    if (ok) {
        copy_part(&bytes, offset, buf, n, got);
        pthread_mutex_lock(&z->lock);
        keep(z, path, &of, &bytes);
        pthread_mutex_unlock(&z->lock);
    }
    sm_str_clear(&bytes);
    return ok;
}

static bool zst_read(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n, size_t *got, struct sm_err *err)
{
    struct source_zst *z = (struct source_zst *)s;
    if (sm_source_read(z->below, path, offset, buf, n, got, err))
        return true;
    return err && err->code == SM_ERR_MISSING && read_packed(z, path, offset, buf, n, got, err);
}

static bool zst_slurp(struct sm_source *s, const char *path, size_t limit, struct sm_str *out, struct sm_stat *st, struct sm_err *err)
{
    struct source_zst *z = (struct source_zst *)s;
    if (sm_source_load(z->below, path, limit, out, st, err))
        return true;
    if (!err || err->code != SM_ERR_MISSING || !load(z, path, limit, out, st, err))
        return false;
    if (st)
        st->compressed = true;
    return true;
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
    static const struct sm_source_ops ops = {.list = zst_list, .stat = zst_stat, .read = zst_read, .free = zst_free, .slurp = zst_slurp};
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
