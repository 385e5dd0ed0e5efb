/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/source_s3.h"

#include "reader/base/mem.h"
#include "reader/s3/blocks.h"
#include "reader/s3/disk_cache.h"
#include "reader/s3/http.h"
#include "reader/s3/object_list.h"

#include <string.h>

enum {
    SMALL_BYTES = 256 << 10, /* objects up to this are read ahead: the next ones of their folder */
    AHEAD = 40,              /* so many of them */
    BEAT_US = 3000000
};

struct source_s3 {
    struct sm_source base;
    struct sm_bucket *bucket;
    struct sm_object_list *listing;
    struct sm_object_blocks *blocks;
    char *prefix; /* "" or ends with '/' */
};

static void s3_free(struct sm_source *s)
{
    struct source_s3 *x = (struct source_s3 *)s;
    if (x->blocks)
        sm_object_blocks_free(x->blocks);
    if (x->listing)
        sm_object_list_free(x->listing);
    sm_bucket_free(x->bucket);
    sm_free(x->prefix);
    sm_free(x);
}

struct each_name {
    bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir);
    void *ctx;
};
static bool give_name(void *ctx, const struct sm_listed *e)
{
    const struct each_name *n = ctx;
    const char *slash = strrchr(e->path, '/');
    return n->each(n->ctx, slash ? slash + 1 : e->path, e->identity, e->is_dir);
}
static bool s3_list(struct sm_source *s, const char *dir,
                    bool (*each)(void *ctx, const char *name, uint64_t inode, bool is_dir),
                    void *ctx, struct sm_err *err)
{
    struct source_s3 *x = (struct source_s3 *)s;
    struct each_name n = {each, ctx};
    return sm_object_list_each(x->listing, dir, give_name, &n, err);
}

static bool s3_stat(struct sm_source *s, const char *path, struct sm_stat *out, struct sm_err *err)
{
    struct source_s3 *x = (struct source_s3 *)s;
    struct sm_listed e;
    *out = (struct sm_stat){.is_dir = true, .inode = UINT64_MAX};
    if (!*path)
        return true;
    if (!sm_object_list_find(x->listing, path, &e, err))
        return false;
    *out = (struct sm_stat){.size_bytes = e.size_bytes,
                            .mtime_us = e.modified_us,
                            .inode = e.identity,
                            .is_dir = e.is_dir};
    return true;
}

static void place_of(const struct source_s3 *x, const struct sm_listed *e, struct sm_str *key,
                     struct sm_block_place *out)
{
    sm_str_truncate(key, 0);
    sm_str_printf(key, "%s%s", x->prefix, e->path);
    *out = (struct sm_block_place){sm_str_text(key), e->etag, e->size_bytes};
}

/* Small objects are read one after the other in the order of their names: indexes of steps. */
static void read_ahead(struct source_s3 *x, const struct sm_listed *e)
{
    struct sm_listed next[AHEAD];
    struct sm_str key = {0};
    size_t n = sm_object_list_behind(x->listing, e->path, next, AHEAD);
    for (size_t i = 0; i < n; i++) {
        struct sm_block_place o;
        if (next[i].size_bytes > SMALL_BYTES)
            continue;
        place_of(x, &next[i], &key, &o);
        sm_object_blocks_ahead(x->blocks, &o, 0);
    }
    sm_str_clear(&key);
}

static bool s3_read(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n,
                    size_t *got, struct sm_err *err)
{
    struct source_s3 *x = (struct source_s3 *)s;
    struct sm_listed e;
    struct sm_str key = {0};
    struct sm_block_place o;
    *got = 0;
    if (!sm_object_list_find(x->listing, path, &e, err))
        return false;
    if (e.is_dir)
        return sm_err_set(err, SM_ERR_IO, "%s: is a folder", path);
    place_of(x, &e, &key, &o);
    if (e.size_bytes <= SMALL_BYTES)
        read_ahead(x, &e);
    bool ok = sm_object_blocks_read(x->blocks, &o, offset, buf, n, got, err);
    sm_str_clear(&key);
    return ok;
}

static int64_t s3_beat(struct sm_source *s)
{
    (void)s;
    return BEAT_US;
}

static const struct sm_source_ops ops = {
    .list = s3_list, .stat = s3_stat, .read = s3_read, .free = s3_free, .beat_us = s3_beat};

static bool start(struct source_s3 *x, const char *bucket, const char *prefix, struct sm_err *err)
{
    struct sm_str p = {0};
    sm_str_add(&p, prefix);
    while (p.len && p.data[p.len - 1] == '/')
        sm_str_truncate(&p, p.len - 1);
    sm_str_add(&p, p.len ? "/" : "");
    x->prefix = sm_strdup(sm_str_text(&p));
    sm_str_clear(&p);
    x->bucket = x->prefix ? sm_bucket_new(bucket, err) : NULL;
    if (!x->bucket)
        return false;
    x->listing = sm_object_list_new(x->bucket, x->prefix);
    x->blocks = sm_object_blocks_new(x->bucket, bucket);
    return (x->listing && x->blocks) || sm_err_set(err, SM_ERR_MEMORY, "out of memory");
}

struct sm_source *sm_source_s3_new(const char *address, struct sm_err *err)
{
    const char *bucket = address + strlen("s3://");
    size_t n = strcspn(bucket, "/");
    char *name = sm_strndup(bucket, n);
    struct source_s3 *x = sm_alloc_zero(1, sizeof *x);
    if (!n) {
        sm_err_set(err, SM_ERR_USAGE, "%s: an address is s3://BUCKET/PREFIX", address);
    } else if (!name || !x || !sm_source_init(&x->base, &ops, address)) {
        sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    } else if (start(x, name, bucket + n + (bucket[n] == '/'), err)) {
        sm_free(name);
        return &x->base;
    } else {
        sm_free(name);
        sm_source_unref(&x->base);
        return NULL;
    }
    sm_free(name);
    sm_free(x);
    return NULL;
}

struct sm_s3_counts sm_s3_counts(void)
{
    struct sm_http_counts c = sm_http_counts();
    return (struct sm_s3_counts){c.requests, c.lists, c.bytes};
}

void sm_s3_keep_nothing(void)
{
    sm_disk_cache_forbid();
}
