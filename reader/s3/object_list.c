/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/object_list.h"

#include "reader/base/clock.h"
#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE_EVERY = 10, PAUSE_US = 1000000, OBJECTS_MAX = 5000000 };

struct item {
    uint32_t path, etag; /* in names */
    uint64_t size_bytes;
    int64_t modified_us;
    bool is_dir;
};
struct folder {
    struct item *items; /* ascending by path */
    size_t n, cap;
    bool listed, busy; /* busy: a thread is asking the server */
    unsigned lists;    /* since the last whole one */
};
struct sm_object_list {
    struct sm_bucket *bucket;
    char *prefix;
    pthread_mutex_t lock;
    pthread_cond_t answered;
    struct sm_names *names;
    struct sm_map by_path; /* id of a folder's path -> its place */
    struct folder **folders;
    size_t n, cap, objects;
    int64_t relisted_us; /* when a known folder was listed again the last time */
};

struct sm_object_list *sm_object_list_new(struct sm_bucket *bucket, const char *prefix)
{
    struct sm_object_list *l = sm_alloc_zero(1, sizeof *l);
    if (!l)
        return NULL;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->answered, NULL);
    l->bucket = bucket;
    l->prefix = sm_strdup(prefix);
    l->names = sm_names_new();
    if (l->prefix && l->names)
        return l;
    sm_object_list_free(l);
    return NULL;
}

void sm_object_list_free(struct sm_object_list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        sm_free(l->folders[i]->items);
        sm_free(l->folders[i]);
    }
    sm_free(l->folders);
    sm_map_clear(&l->by_path);
    sm_names_free(l->names);
    pthread_cond_destroy(&l->answered);
    pthread_mutex_destroy(&l->lock);
    sm_free(l->prefix);
    sm_free(l);
}

static struct folder *known_folder(const struct sm_object_list *l, const char *dir, size_t n)
{
    uint32_t id = sm_names_find(l->names, dir, n);
    uint64_t at;
    return id != SM_NAME_NONE && sm_map_get(&l->by_path, id, &at) ? l->folders[at] : NULL;
}

static struct folder *make_folder(struct sm_object_list *l, const char *dir)
{
    struct folder *f = known_folder(l, dir, strlen(dir));
    uint32_t id = f ? 0 : sm_names_add(l->names, dir, strlen(dir));
    if (f)
        return f;
    if (id == SM_NAME_NONE || !SM_VEC_ROOM(l->folders, l->n, l->cap) ||
        !(f = sm_alloc_zero(1, sizeof *f)))
        return NULL;
    if (!sm_map_put(&l->by_path, id, l->n)) {
        sm_free(f);
        return NULL;
    }
    l->folders[l->n++] = f;
    return f;
}

/* ---- asking the server ---- */

struct fill {
    struct sm_object_list *listing;
    struct folder fresh; /* what this list has */
    size_t skip;         /* bytes of the prefix in front of a key */
    bool no_memory, too_many;
};

static bool take(void *ctx, const struct sm_object *o)
{
    struct fill *f = ctx;
    struct sm_object_list *l = f->listing;
    size_t n = strlen(o->key);
    if (n <= f->skip || strncmp(o->key, l->prefix, f->skip) != 0)
        return true;
    const char *path = o->key + f->skip;
    n -= f->skip;
    if (path[n - 1] == '/') {
        if (!o->is_prefix) /* an object that stands for the folder itself */
            return true;
        n--;
    }
    if (!SM_VEC_ROOM(f->fresh.items, f->fresh.n, f->fresh.cap)) {
        f->no_memory = true;
        return false;
    }
    f->too_many = l->objects + f->fresh.n >= OBJECTS_MAX;
    pthread_mutex_lock(&l->lock);
    struct item item = {.path = sm_names_add(l->names, path, n),
                        .etag = sm_names_add(l->names, o->etag, strlen(o->etag)),
                        .size_bytes = o->size_bytes,
                        .modified_us = o->modified_us,
                        .is_dir = o->is_prefix};
    pthread_mutex_unlock(&l->lock);
    f->no_memory = item.path == SM_NAME_NONE || item.etag == SM_NAME_NONE;
    if (f->no_memory || f->too_many)
        return false;
    f->fresh.items[f->fresh.n++] = item;
    return true;
}

/* With the lock. Joins what was listed behind the last known name, or takes the place of all. */
static bool merge(struct folder *f, struct fill *fill, bool whole)
{
    if (whole) {
        sm_free(f->items);
        f->items = fill->fresh.items;
        f->n = fill->fresh.n;
        f->cap = fill->fresh.cap;
        fill->fresh.items = NULL;
        return true;
    }
    if (!sm_vec_reserve((void **)&f->items, &f->cap, f->n + fill->fresh.n, sizeof *f->items))
        return false;
    if (fill->fresh.n)
        memcpy(f->items + f->n, fill->fresh.items, fill->fresh.n * sizeof *f->items);
    f->n += fill->fresh.n;
    return true;
}

/* Where a list again begins: behind the last object, or behind all below the last folder. */
static void after_last(const struct sm_object_list *l, const struct folder *f, struct sm_str *out)
{
    const struct item *last = &f->items[f->n - 1];
    sm_str_printf(out, "%s%s%s", l->prefix, sm_names_text(l->names, last->path),
                  last->is_dir ? "/\xf4\x8f\xbf\xbf" : "");
}

static int compare_items(const void *a, const void *b, void *names)
{
    const struct item *p = a, *q = b;
    return strcmp(sm_names_text(names, p->path), sm_names_text(names, q->path));
}
/* An answer has objects first, then folders. */
static void sort_items(struct fill *f)
{
    pthread_mutex_lock(&f->listing->lock);
    if (f->fresh.n)
        qsort_r(f->fresh.items, f->fresh.n, sizeof *f->fresh.items, compare_items,
                f->listing->names);
    pthread_mutex_unlock(&f->listing->lock);
}

/* Called with the lock, which is given back while the server is asked. */
static bool ask(struct sm_object_list *l, const char *dir, struct folder *f, struct sm_err *err)
{
    bool whole = !f->listed || !f->n || f->lists + 1 >= WHOLE_EVERY;
    struct fill fill = {.listing = l, .skip = strlen(l->prefix)};
    struct sm_str prefix = {0}, after = {0};
    sm_str_printf(&prefix, "%s%s%s", l->prefix, dir, *dir ? "/" : "");
    if (!whole)
        after_last(l, f, &after);
    f->busy = true;
    pthread_mutex_unlock(&l->lock);
    bool ok = sm_bucket_list(l->bucket, sm_str_text(&prefix), "/",
                             whole ? NULL : sm_str_text(&after), take, &fill, err);
    sort_items(&fill);
    pthread_mutex_lock(&l->lock);
    f->busy = false;
    pthread_cond_broadcast(&l->answered);
    if (ok && fill.too_many)
        ok = sm_err_set(err, SM_ERR_LIMIT, "s3: more than %d objects", OBJECTS_MAX);
    else if (ok && (fill.no_memory || !merge(f, &fill, whole)))
        ok = sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    if (ok) {
        f->lists = whole ? 0 : f->lists + 1;
        f->listed = true;
        l->objects += fill.fresh.n;
    }
    sm_free(fill.fresh.items);
    sm_str_clear(&prefix);
    sm_str_clear(&after);
    return ok;
}

/* *of: its folder if that was listed, else NULL. With the lock. */
static const struct item *find_item(const struct sm_object_list *l, const char *path,
                                    const struct folder **of)
{
    const char *slash = strrchr(path, '/');
    const struct folder *f = known_folder(l, path, slash ? (size_t)(slash - path) : 0);
    *of = f && f->listed ? f : NULL;
    if (!*of)
        return NULL;
    size_t low = 0, high = f->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(sm_names_text(l->names, f->items[middle].path), path);
        if (order == 0)
            return &f->items[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Whether the folder that has this one was listed, and has it not. */
static bool known_missing(const struct sm_object_list *l, const char *dir)
{
    const struct folder *of;
    return *dir && !find_item(l, dir, &of) && of;
}

/* Lists the folder if it is not known, or if a second has passed since any was listed again. */
static bool refresh(struct sm_object_list *l, const char *dir, struct folder **out,
                    struct sm_err *err)
{
    int64_t now = sm_clock_mono_us();
    struct folder *f = known_folder(l, dir, strlen(dir));
    while (f && f->busy)
        pthread_cond_wait(&l->answered, &l->lock);
    *out = f;
    if (f && f->listed && now - l->relisted_us < PAUSE_US)
        return true;
    if (!f && known_missing(l, dir))
        return true;
    if (f && f->listed)
        l->relisted_us = now;
    if (!f && !(*out = f = make_folder(l, dir)))
        return sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    return ask(l, dir, f, err);
}

/* ---- what is known ---- */

static struct sm_listed describe(const struct sm_object_list *l, const struct item *i)
{
    return (struct sm_listed){.path = sm_names_text(l->names, i->path),
                              .is_dir = i->is_dir,
                              .size_bytes = i->size_bytes,
                              .modified_us = i->modified_us,
                              .etag = sm_names_text(l->names, i->etag),
                              .identity = (uint64_t)i->path + 1};
}

bool sm_object_list_each(struct sm_object_list *l, const char *dir, sm_listed_each *each, void *ctx,
                         struct sm_err *err)
{
    struct folder *f;
    pthread_mutex_lock(&l->lock);
    bool ok = refresh(l, dir, &f, err);
    size_t n = ok && f ? f->n : 0;
    if (ok && !n && *dir)
        ok = sm_err_set(err, SM_ERR_MISSING, "%s: no such folder", dir);
    struct item *copy = n ? sm_alloc(n * sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, f->items, n * sizeof *copy);
    pthread_mutex_unlock(&l->lock);
    if (n && !copy)
        return sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        pthread_mutex_lock(&l->lock);
        struct sm_listed e = describe(l, &copy[i]);
        pthread_mutex_unlock(&l->lock);
        if (!each(ctx, &e))
            break;
    }
    sm_free(copy);
    return ok;
}

bool sm_object_list_find(struct sm_object_list *l, const char *path, struct sm_listed *out,
                         struct sm_err *err)
{
    const char *slash = strrchr(path, '/');
    char *dir = sm_strndup(path, slash ? (size_t)(slash - path) : 0);
    const struct folder *of;
    struct folder *f;
    if (!dir)
        return sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    pthread_mutex_lock(&l->lock);
    bool ok = true;
    const struct item *i = find_item(l, path, &of);
    if (!i) {
        ok = refresh(l, dir, &f, err);
        i = ok ? find_item(l, path, &of) : NULL;
    }
    if (i)
        *out = describe(l, i);
    else if (ok)
        ok = sm_err_set(err, SM_ERR_MISSING, "%s: no such object", path);
    pthread_mutex_unlock(&l->lock);
    sm_free(dir);
    return ok;
}

size_t sm_object_list_behind(struct sm_object_list *l, const char *path, struct sm_listed *out,
                             size_t n)
{
    const struct folder *f;
    size_t got = 0;
    pthread_mutex_lock(&l->lock);
    const struct item *i = find_item(l, path, &f);
    for (size_t k = i ? (size_t)(i - f->items) + 1 : 0; i && k < f->n && got < n; k++) {
        if (!f->items[k].is_dir)
            out[got++] = describe(l, &f->items[k]);
    }
    pthread_mutex_unlock(&l->lock);
    return got;
}
