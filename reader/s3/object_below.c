/* SPDX-License-Identifier: Apache-2.0 */
/* Many small folders in one list: that of all objects from a key on. */
#include "reader/s3/object_ask.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <string.h>

enum { WORTH = 4 /* folders in one answer */ };

struct below {
    struct sm_object_list *list;
    size_t skip;                      /* bytes of the path of the folder above, and its '/' */
    struct sm_object_folder **filled; /* the folders that the answer has objects of */
    size_t n, cap;
    uint32_t last; /* the last key, in names */
    bool failed;
    struct sm_err *err;
};

/* The folder of the first n bytes of a key if this answer fills it; NULL: it is known already, or
 * there is no memory. */
static struct sm_object_folder *filled_folder(struct below *b, const char *key, size_t n)
{
    char *dir = sm_strndup(key, n);
    struct sm_object_folder *f = dir ? sm_object_folder(b->list, dir) : NULL;
    bool is_new = f && !f->filling && !f->listed && !f->busy;
    sm_free(dir);
    b->failed = b->failed || !f || (is_new && !SM_VEC_ROOM(b->filled, b->n, b->cap));
    if (is_new && !b->failed) {
        f->filling = true;
        b->filled[b->n++] = f;
    }
    return f && f->filling ? f : NULL;
}

/* Adds what a folder has of a key: the object, or the folder of the next part. */
static void add_part(struct below *b, const struct sm_object *o, size_t dir_n)
{
    const char *name = o->key + dir_n + 1, *slash = strchr(name, '/');
    size_t n = slash ? (size_t)(slash - o->key) : strlen(o->key);
    struct sm_object part = *o;
    struct sm_object_item item;
    struct sm_object_folder *f = filled_folder(b, o->key, dir_n);
    part.is_prefix = slash;
    part.etag = slash ? "" : o->etag;
    if (!f || !sm_object_is_name(name, n - dir_n - 1))
        return;
    if (!sm_object_take(b->list, &part, n, &item, b->err) || !SM_VEC_ROOM(f->items, f->n, f->cap)) {
        b->failed = true;
        return;
    }
    if (f->n && f->items[f->n - 1].path == item.path && f->items[f->n - 1].is_dir && item.is_dir)
        return;
    f->items[f->n++] = item;
    b->list->objects++;
}

static bool take_key(void *ctx, const struct sm_object *o)
{
    struct below *b = ctx;
    if (strlen(o->key) <= b->skip || strstr(o->key, "//"))
        return true;
    pthread_mutex_lock(&b->list->lock);
    for (const char *slash = o->key + b->skip; !b->failed && (slash = strchr(slash, '/')); slash++)
        add_part(b, o, (size_t)(slash - o->key));
    b->last = sm_names_add(b->list->names, o->key, strlen(o->key));
    pthread_mutex_unlock(&b->list->lock);
    return !b->failed;
}

/* Whether the answer ended inside the folder. */
static bool is_cut(const struct below *b, const struct sm_object_folder *f, bool more)
{
    const char *dir = sm_names_text(b->list->names, f->name);
    const char *last = more ? sm_names_text(b->list->names, b->last) : "";
    size_t n = strlen(dir);
    return more && strncmp(last, dir, n) == 0 && last[n] == '/';
}

/* With the lock. The number of folders directly below that are known now. */
static size_t end_folders(struct below *b, bool ok, bool more)
{
    struct sm_object_folder *before = NULL;
    size_t whole = 0;
    for (size_t i = 0; i < b->n; i++) {
        struct sm_object_folder *f = b->filled[i];
        f->filling = false;
        f->listed = ok && !is_cut(b, f, more);
        f->listed_us = sm_clock_mono_us();
        if (f->listed)
            sm_object_sort(b->list, f->items, f->n);
        else
            b->list->objects -= f->n;
        f->n = f->listed ? f->n : 0;
        if (!f->listed)
            continue;
        if (before)
            before->next = f;
        before = f;
        whole += !strchr(sm_names_text(b->list->names, f->name) + b->skip, '/');
    }
    return whole;
}

/* With the lock. An answer without the folder says that nothing is in it. */
static bool end_asked(struct sm_object_list *l, const char *dir, bool more)
{
    struct sm_object_folder *f = sm_object_folder(l, dir);
    if (f && !more && !f->listed && !f->busy) {
        f->listed = true;
        f->listed_us = sm_clock_mono_us();
    }
    return f;
}

bool sm_object_ask_below(struct sm_object_list *l, struct sm_object_folder *above, const char *dir,
                         struct sm_err *err)
{
    struct sm_str prefix = {0}, after = {0};
    bool more = false;
    sm_str_printf(&prefix, "%s/", sm_names_text(l->names, above->name));
    sm_str_printf(&after, "%s/", dir);
    struct below b = {.list = l, .skip = prefix.len, .last = SM_NAME_NONE, .err = err};
    above->below_busy = true;
    pthread_mutex_unlock(&l->lock);
    bool ok = sm_bucket_list_page(l->bucket, sm_str_text(&prefix), sm_str_text(&after), take_key,
                                  &b, &more, err);
    pthread_mutex_lock(&l->lock);
    above->below_busy = false;
    pthread_cond_broadcast(&l->answered);
    ok = ok && !b.failed && (b.last != SM_NAME_NONE || !more);
    size_t whole = end_folders(&b, ok, more);
    above->deep = more && whole < WORTH;
    if (ok && !end_asked(l, dir, more))
        ok = sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    else if (b.failed && err && !err->code)
        sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    sm_free(b.filled);
    sm_str_clear(&prefix);
    sm_str_clear(&after);
    return ok;
}
