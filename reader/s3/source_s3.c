/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/source_s3.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/s3/disk_cache.h"
#include "reader/s3/http.h"
#include "reader/s3/login.h"
#include "reader/s3/open_bucket.h"

#include <curl/curl.h>
#include <expat.h>
#include <stdio.h>
#include <string.h>

struct source_s3 {
    struct sm_source base;
    struct sm_open_bucket *bucket;
    char *prefix;          /* "" or ends with '/' */
    struct sm_asker asker; /* whoever reads below it */
};

static void s3_free(struct sm_source *s)
{
    struct source_s3 *x = (struct source_s3 *)s;
    sm_open_bucket_unref(x->bucket);
    sm_free(x->prefix);
    sm_free(x);
}

/* The key of a path; that of a folder without its '/'. */
static const char *key_of(const struct source_s3 *x, const char *path, struct sm_str *key)
{
    sm_str_printf(key, "%s%s", x->prefix, path);
    if (key->len && !*path)
        sm_str_truncate(key, key->len - 1);
    return sm_str_text(key);
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
    struct sm_str key = {0};
    struct sm_err none = {0};
    bool ok =
        sm_object_list_each(x->bucket->list, x->asker, key_of(x, dir, &key), give_name, &n, &none);
    if (!ok && (*dir || none.code != SM_ERR_MISSING)) /* a prefix may still get objects */
        *err = none;
    else
        ok = true;
    sm_str_clear(&key);
    return ok;
}

static bool s3_stat(struct sm_source *s, const char *path, struct sm_stat *out, struct sm_err *err)
{
    struct source_s3 *x = (struct source_s3 *)s;
    struct sm_listed e;
    struct sm_str key = {0};
    *out = (struct sm_stat){.is_dir = true, .inode = UINT64_MAX};
    if (!*path)
        return true;
    bool ok = sm_object_list_find_now(x->bucket->list, x->asker, key_of(x, path, &key), &e, err);
    if (ok)
        *out = (struct sm_stat){.size_bytes = e.size_bytes,
                                /* what a folder has may change at any time */
                                .mtime_us = e.is_dir ? sm_clock_mono_us() : e.modified_us,
                                .inode = e.identity,
                                .is_dir = e.is_dir};
    sm_str_clear(&key);
    return ok;
}

/* A block's part of an object, as it was when it was listed. */
static bool read_listed(struct sm_open_bucket *b, const char *key, uint64_t offset, void *buf,
                        size_t n, size_t *got, struct sm_err *err)
{
    struct sm_listed e;
    *got = 0;
    if (!sm_object_list_find(b->list, key, &e, err))
        return false;
    if (e.is_dir)
        return sm_err_set(err, SM_ERR_IO, "%s: is a folder", key);
    struct sm_block_place o = {e.path, e.etag, e.size_bytes, false};
    sm_object_ahead_follow(b->ahead, &e, offset, n);
    sm_object_ahead_start(b->ahead);
    return sm_object_blocks_read(b->blocks, &o, offset, buf, n, got, err);
}

/* An object that was put again since it was listed, or has gone, is listed again and read as it is
 * now, as a file would be. */
static bool s3_read(struct sm_source *s, const char *path, uint64_t offset, void *buf, size_t n,
                    size_t *got, struct sm_err *err)
{
    struct source_s3 *x = (struct source_s3 *)s;
    struct sm_str key = {0};
    struct sm_listed e;
    key_of(x, path, &key);
    bool ok = read_listed(x->bucket, sm_str_text(&key), offset, buf, n, got, err);
    if (!ok && (err->code == SM_ERR_DATA || err->code == SM_ERR_MISSING) &&
        sm_object_list_known(x->bucket->list, sm_str_text(&key), &e)) {
        sm_object_list_expire(x->bucket->list, sm_str_text(&key), false);
        ok = sm_object_list_find_now(x->bucket->list, x->asker, sm_str_text(&key), &e, err) &&
             read_listed(x->bucket, sm_str_text(&key), offset, buf, n, got, err);
    }
    sm_str_clear(&key);
    return ok;
}

static bool s3_ahead(struct sm_source *s, const char *path, uint64_t offset, uint64_t n)
{
    struct source_s3 *x = (struct source_s3 *)s;
    struct sm_str key = {0};
    key_of(x, path, &key);
    sm_object_ahead_add(x->bucket->ahead, sm_str_text(&key), offset, n);
    sm_object_ahead_start(x->bucket->ahead);
    sm_str_clear(&key);
    return true;
}

static const struct sm_source_ops ops = {
    .list = s3_list, .stat = s3_stat, .read = s3_read, .free = s3_free, .ahead = s3_ahead};

/* ---- addresses ---- */

/* "s3://BUCKET/PREFIX": the bucket's name, its length in *n, and *key, what is behind its '/'. */
static const char *split(const char *address, size_t *n, const char **key)
{
    const char *bucket = address + strlen("s3://");
    *n = strcspn(bucket, "/");
    *key = bucket + *n + (bucket[*n] == '/');
    return bucket;
}

static char *clean_prefix(const char *key)
{
    struct sm_str p = {0};
    sm_str_add(&p, key);
    while (p.len && p.data[p.len - 1] == '/')
        sm_str_truncate(&p, p.len - 1);
    sm_str_add(&p, p.len ? "/" : "");
    char *prefix = p.failed ? NULL : sm_strdup(sm_str_text(&p));
    sm_str_clear(&p);
    return prefix;
}

struct sm_source *sm_source_s3_new(const char *address, struct sm_err *err)
{
    size_t n;
    const char *key, *name = split(address, &n, &key);
    if (!n) {
        sm_err_set(err, SM_ERR_USAGE, "%s: an address is s3://BUCKET/PREFIX", address);
        return NULL;
    }
    struct source_s3 *x = sm_alloc_zero(1, sizeof *x);
    if (!x || !sm_source_init(&x->base, &ops, address)) {
        sm_free(x);
        sm_err_set(err, SM_ERR_MEMORY, "out of memory");
        return NULL;
    }
    x->prefix = clean_prefix(key);
    x->bucket = x->prefix ? sm_open_bucket_ref(name, n, err) : NULL;
    if (x->bucket) {
        x->asker = sm_object_list_asker(x->bucket->list, x->prefix);
        return &x->base;
    }
    if (!x->prefix)
        sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    sm_source_unref(&x->base);
    return NULL;
}

/* ---- folder or object ---- */

static bool stop_at_once(void *ctx, const struct sm_listed *e)
{
    (void)ctx, (void)e;
    return false;
}

/* A folder if there is anything below it, else an object of this key. */
static bool look_at_key(struct sm_open_bucket *b, const char *key, bool is_folder,
                        enum sm_s3_place *what, struct sm_err *err)
{
    struct sm_listed e;
    bool ok = sm_object_list_each(b->list, (struct sm_asker){0}, key, stop_at_once, NULL, err);
    *what = ok ? SM_S3_FOLDER : SM_S3_NOTHING;
    if (ok || err->code != SM_ERR_MISSING || is_folder)
        return ok || err->code == SM_ERR_MISSING;
    ok = sm_object_list_find_one(b->list, key, &e, err);
    *what = ok && !e.is_dir ? SM_S3_OBJECT : SM_S3_NOTHING;
    return ok || err->code == SM_ERR_MISSING;
}

bool sm_s3_look(const char *address, enum sm_s3_place *what, struct sm_err *err)
{
    size_t n;
    const char *key, *name = split(address, &n, &key);
    struct sm_open_bucket *b = sm_open_bucket_ref(name, n, err);
    char *prefix = clean_prefix(key);
    size_t length = prefix ? strlen(prefix) : 0;
    if (length)
        prefix[length - 1] = '\0';
    *what = SM_S3_NOTHING;
    bool ok = prefix && b && look_at_key(b, prefix, length <= strlen(key), what, err);
    if (!prefix)
        sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    sm_free(prefix);
    sm_open_bucket_unref(b);
    return ok;
}

void sm_s3_expire(const char *address)
{
    size_t n;
    const char *key, *name = split(address, &n, &key);
    struct sm_open_bucket *b = sm_open_bucket_find(name, n);
    char *prefix = b ? clean_prefix(key) : NULL;
    if (prefix && *prefix)
        prefix[strlen(prefix) - 1] = '\0';
    if (prefix)
        sm_object_list_expire(b->list, prefix, true);
    sm_free(prefix);
    sm_open_bucket_unref(b);
}

bool sm_s3_is_object(const char *address)
{
    size_t n;
    const char *key, *name = split(address, &n, &key);
    struct sm_listed e;
    struct sm_open_bucket *b = sm_open_bucket_find(name, n);
    bool yes = b && sm_object_list_known(b->list, key, &e) && !e.is_dir;
    sm_open_bucket_unref(b);
    return yes;
}

void sm_s3_cancel_by(const atomic_bool *flag)
{
    sm_http_cancel_by(flag);
}

struct sm_s3_counts sm_s3_counts(void)
{
    struct sm_http_counts c = sm_http_counts();
    return (struct sm_s3_counts){.requests = c.requests,
                                 .lists = c.lists,
                                 .logins = c.logins,
                                 .bytes = c.bytes,
                                 .kept_bytes = sm_disk_cache_bytes_read()};
}

void sm_s3_set_follow_rate(double lists_per_s)
{
    sm_object_list_set_rate(lists_per_s);
}

static void add_followed(void *ctx, const struct sm_open_bucket *b)
{
    struct sm_s3_followed *all = ctx;
    struct sm_followed f = sm_object_list_followed(b->list);
    all->runs += f.askers;
    all->folders += f.folders;
    all->news_us = f.news_us > all->news_us ? f.news_us : all->news_us;
    all->quiet_us = f.quiet_us > all->quiet_us ? f.quiet_us : all->quiet_us;
}

struct sm_s3_followed sm_s3_followed(void)
{
    struct sm_s3_followed all = {0};
    sm_open_buckets_each(add_followed, &all);
    return all;
}

const char *sm_s3_libraries(void)
{
    static char text[256];
    const curl_version_info_data *curl = curl_version_info(CURLVERSION_NOW);
    XML_Expat_Version expat = XML_ExpatVersionInfo();
    snprintf(text, sizeof text, "curl %s (%s), expat %d.%d.%d", curl->version,
             curl->ssl_version ? curl->ssl_version : "no TLS", expat.major, expat.minor,
             expat.micro);
    return text;
}

void sm_s3_keep_nothing(void)
{
    sm_disk_cache_forbid();
    sm_login_keep_nothing();
}
