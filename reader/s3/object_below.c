/* SPDX-License-Identifier: Apache-2.0 */
/* Many small folders in one list: that of all objects from a key on. */
#include "reader/s3/object_ask.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <string.h>

/* WORTH: folders in one answer. BEFORE: objects of it that may be of folders before the one that is
 * asked for. */
enum { WORTH = 4, BEFORE = 900 };

struct below {
    struct sm_object_list *list;
    size_t skip;                      /* bytes of the path of the folder above, and its '/' */
    struct sm_object_folder **filled; /* the folders that the answer has objects of */
    size_t n, cap;
    size_t keys, children; /* objects of the answer, and the folders directly below they are in */
    uint32_t child, last;  /* the last of these folders, and the last key; in names */
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

/* Counts the folder directly below that a key is in. */
static void count_child(struct below *b, const char *key)
{
    const char *slash = strchr(key + b->skip, '/');
    uint32_t child = slash ? sm_names_add(b->list->names, key, (size_t)(slash - key)) : b->child;
    b->keys++;
    b->children += child != b->child;
    b->child = child;
}

static bool take_key(void *ctx, const struct sm_object *o)
{
    struct below *b = ctx;
    if (strlen(o->key) <= b->skip || strstr(o->key + b->skip - 1, "//"))
        return true;
    pthread_mutex_lock(&b->list->lock);
    for (const char *slash = o->key + b->skip; !b->failed && (slash = strchr(slash, '/')); slash++)
        add_part(b, o, (size_t)(slash - o->key));
    count_child(b, o->key);
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

/* With the lock. */
static void end_folders(struct below *b, bool ok, bool more)
{
    struct sm_object_folder *before = NULL;
    for (size_t i = 0; i < b->n; i++) {
        struct sm_object_folder *f = b->filled[i];
        f->filling = false;
        f->listed = ok && !is_cut(b, f, more);
        f->turn.listed_us = sm_clock_mono_us();
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
    }
}

/* With the lock. Where the answer went on behind a folder and had nothing of it, nothing is in it.
 */
static bool end_asked(const struct below *b, const char *dir, bool more)
{
    struct sm_object_folder *f = sm_object_folder(b->list, dir);
    size_t n = strlen(dir);
    const char *last = more ? sm_names_text(b->list->names, b->last) : "";
    int order = more ? strncmp(last, dir, n) : 1;
    bool passed = order > 0 || (order == 0 && last[n] > '/');
    if (f && passed && !f->listed && !f->busy) {
        f->listed = true;
        f->turn.listed_us = sm_clock_mono_us();
    }
    return f;
}

/* The folder that a list begins with: the first of those before dir that are not known, as far as
 * dir is in the answer then. */
static const char *first_of(const struct sm_object_list *l, const struct sm_object_folder *above,
                            const char *dir)
{
    const struct sm_object_item *at =
        above->listed ? sm_object_item_of(l, above, dir, strlen(dir)) : NULL;
    if (!at)
        return dir;
    const struct sm_object_item *first = at;
    for (size_t left = BEFORE / (above->each ? above->each : 1); left && first > above->items;
         left--, first--) {
        const char *name = sm_names_text(l->names, first[-1].path);
        const struct sm_object_folder *f = sm_object_folder_known(l, name, strlen(name));
        if (!first[-1].is_dir || (f && f->listed))
            break;
    }
    return sm_names_text(l->names, first->path);
}

bool sm_object_ask_below(struct sm_object_list *l, struct sm_object_folder *above, const char *dir,
                         struct sm_err *err)
{
    struct sm_str prefix = {0}, after = {0};
    bool more = false;
    sm_str_printf(&prefix, "%s/", sm_names_text(l->names, above->name));
    sm_str_printf(&after, "%s/", first_of(l, above, dir));
    struct below b = {
        .list = l, .skip = prefix.len, .child = SM_NAME_NONE, .last = SM_NAME_NONE, .err = err};
    above->below_busy = true;
    pthread_mutex_unlock(&l->lock);
    bool ok = sm_bucket_list_page(l->bucket, sm_str_text(&prefix), sm_str_text(&after), take_key,
                                  &b, &more, err);
    pthread_mutex_lock(&l->lock);
    above->below_busy = false;
    pthread_cond_broadcast(&l->answered);
    ok = ok && !b.failed && (b.last != SM_NAME_NONE || !more);
    end_folders(&b, ok, more);
    above->deep = more && b.children < WORTH;
    above->each = b.children ? (unsigned)(b.keys / b.children) : above->each;
    l->lists += ok;
    if (ok && !end_asked(&b, dir, more))
        ok = sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    else if (b.failed && err && !err->code)
        sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    sm_free(b.filled);
    sm_str_clear(&prefix);
    sm_str_clear(&after);
    return ok;
}
