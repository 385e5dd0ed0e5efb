/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/object_ask.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
    WHOLE_EVERY = 10,
    SMALL_FOLDER = 200, /* names: always listed as a whole */
    OBJECTS_MAX = 5000000
};

/* In the name of a folder that stands for what begins with a path. Keys are UTF-8. */
#define BEGINNING "/\xff"

struct fill {
    struct sm_object_list *listing;
    struct sm_object_folder fresh; /* what this list has */
    size_t skip;                   /* bytes of the folder's path in front of a name */
    bool failed;
    struct sm_err *err;
};

bool sm_object_is_name(const char *p, size_t n)
{
    return n && !memchr(p, '/', n) && !sm_text_is((struct sm_text){p, n}, ".") &&
           !sm_text_is((struct sm_text){p, n}, "..");
}

bool sm_object_take(struct sm_object_list *l, const struct sm_object *o, size_t n,
                    struct sm_object_item *out, struct sm_err *err)
{
    if (l->objects >= OBJECTS_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "s3: more than %d objects", OBJECTS_MAX);
    *out = (struct sm_object_item){.path = sm_names_add(l->names, o->key, n),
                                   .etag = sm_names_add(l->names, o->etag, strlen(o->etag)),
                                   .size_bytes = o->size_bytes,
                                   .modified_us = o->modified_us,
                                   .is_dir = o->is_prefix};
    return (out->path != SM_NAME_NONE && out->etag != SM_NAME_NONE) ||
           sm_err_set(err, SM_ERR_MEMORY, "out of memory");
}

static bool take(void *ctx, const struct sm_object *o)
{
    struct fill *f = ctx;
    struct sm_object_list *l = f->listing;
    size_t n = strlen(o->key);
    struct sm_object_item item;
    n -= n && o->is_prefix;
    if (n <= f->skip || !sm_object_is_name(o->key + f->skip, n - f->skip))
        return true;
    pthread_mutex_lock(&l->lock);
    f->failed = !sm_object_take(l, o, n, &item, f->err);
    pthread_mutex_unlock(&l->lock);
    if (!f->failed && !SM_VEC_ROOM(f->fresh.items, f->fresh.n, f->fresh.cap))
        f->failed = !sm_err_set(f->err, SM_ERR_MEMORY, "out of memory");
    if (!f->failed)
        f->fresh.items[f->fresh.n++] = item;
    return !f->failed;
}

/* When the newest object of a list was put, by the clock of our lists; 0: before it began. */
static int64_t newest_us(const struct sm_object_folder *fresh, int64_t now)
{
    int64_t newest = 0;
    for (size_t i = 0; i < fresh->n; i++)
        if (fresh->items[i].modified_us > newest)
            newest = fresh->items[i].modified_us;
    int64_t age = sm_clock_wall_us() - newest;
    return age > 0 && age < now ? now - age : 0;
}

/* Whether a list again has something that the folder had not. With the lock. */
static bool is_news(const struct sm_object_folder *f, const struct fill *fill, bool whole)
{
    if (!whole || f->n != fill->fresh.n)
        return fill->fresh.n;
    for (size_t i = 0; i < f->n; i++) {
        const struct sm_object_item *a = &f->items[i], *b = &fill->fresh.items[i];
        if (a->path != b->path || a->etag != b->etag)
            return true;
    }
    return false;
}

/* With the lock. Joins what was listed behind the last known name, or takes the place of all. */
static bool merge(struct sm_object_folder *f, struct fill *fill, bool whole)
{
    if (whole) {
        fill->listing->objects -= f->n;
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
static void after_last(const struct sm_object_list *l, const struct sm_object_folder *f,
                       struct sm_str *out)
{
    const struct sm_object_item *last = &f->items[f->n - 1];
    sm_str_printf(out, "%s%s", sm_names_text(l->names, last->path),
                  last->is_dir ? "/\xf4\x8f\xbf\xbf" : "");
}

static int compare_items(const void *a, const void *b, void *names)
{
    const struct sm_object_item *p = a, *q = b;
    return strcmp(sm_names_text(names, p->path), sm_names_text(names, q->path));
}
void sm_object_sort(struct sm_object_list *l, struct sm_object_item *items, size_t n)
{
    if (n)
        qsort_r(items, n, sizeof *items, compare_items, l->names);
}

void sm_object_name_beginning(const char *path, struct sm_str *out)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) : 0;
    sm_str_addn(out, path, n);
    sm_str_printf(out, BEGINNING "%s", slash ? slash + 1 : path);
}

/* What the keys of a folder begin with; *skip: the bytes of it in front of names. */
static void name_prefix(const char *dir, struct sm_str *out, size_t *skip)
{
    const char *beginning = strstr(dir, BEGINNING);
    size_t n = beginning ? (size_t)(beginning - dir) : strlen(dir);
    sm_str_addn(out, dir, n);
    sm_str_add(out, n ? "/" : "");
    *skip = out->len;
    sm_str_add(out, beginning ? beginning + sizeof BEGINNING - 1 : "");
}

bool sm_object_ask(struct sm_object_list *l, const char *dir, struct sm_object_folder *f,
                   struct sm_err *err)
{
    bool again = f->listed,
         whole = !again || f->turn.expired || f->n <= SMALL_FOLDER || f->lists + 1 >= WHOLE_EVERY;
    struct fill fill = {.listing = l, .err = err};
    struct sm_str prefix = {0}, after = {0};
    name_prefix(dir, &prefix, &fill.skip);
    if (!whole)
        after_last(l, f, &after);
    f->busy = true;
    f->turn.expired = false;
    f->turn.listed_us = sm_clock_mono_us();
    pthread_mutex_unlock(&l->lock);
    bool ok = sm_bucket_list(l->bucket, sm_str_text(&prefix), "/",
                             whole ? NULL : sm_str_text(&after), take, &fill, err);
    pthread_mutex_lock(&l->lock);
    sm_object_sort(l, fill.fresh.items, fill.fresh.n); /* folders come behind objects */
    f->busy = false;
    pthread_cond_broadcast(&l->answered);
    if (ok && !fill.failed)
        sm_list_turn_news(&f->turn, again && is_news(f, &fill, whole)
                                        ? f->turn.listed_us
                                        : newest_us(&fill.fresh, f->turn.listed_us));
    if (ok && (fill.failed || !merge(f, &fill, whole)))
        ok = fill.failed ? false : sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    if (ok) {
        f->lists = whole ? 0 : f->lists + 1;
        f->listed = true;
        l->lists++;
        l->objects += fill.fresh.n;
    }
    sm_free(fill.fresh.items);
    sm_str_clear(&prefix);
    sm_str_clear(&after);
    return ok;
}
