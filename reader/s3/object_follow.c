/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects follow another one, as far as lists know them. */
#include "reader/s3/object_ask.h"

#include "reader/base/str.h"

#include <string.h>

/* The folder behind one, of the same folder, if it is known. With the lock. */
static struct sm_object_folder *next_beside(const struct sm_object_list *l,
                                            const struct sm_object_folder *f)
{
    const char *a = sm_names_text(l->names, f->name),
               *b = f->next ? sm_names_text(l->names, f->next->name) : a;
    size_t n = sm_object_dir_length(a, strlen(a));
    return n == sm_object_dir_length(b, strlen(b)) && memcmp(a, b, n) == 0 ? f->next : NULL;
}

size_t sm_object_list_behind(struct sm_object_list *l, const char *path, struct sm_listed *out,
                             size_t n)
{
    struct sm_object_folder *f;
    size_t got = 0;
    pthread_mutex_lock(&l->lock);
    const struct sm_object_item *i = sm_object_find(l, path, &f);
    for (size_t k = i ? (size_t)(i - f->items) + 1 : 0; i && got < n; k++) {
        for (; f && f->listed && k >= f->n; k = 0)
            f = next_beside(l, f);
        if (!f || !f->listed)
            break;
        if (!f->items[k].is_dir)
            out[got++] = sm_object_describe(l, &f->items[k]);
    }
    pthread_mutex_unlock(&l->lock);
    return got;
}

/* The object of a name in a folder, or NULL. With the lock. */
static const struct sm_object_item *item_in(const struct sm_object_list *l, const char *dir,
                                            const char *name)
{
    struct sm_object_folder *of;
    struct sm_str path = {0};
    sm_str_printf(&path, "%s/%s", dir, name);
    const struct sm_object_item *i =
        path.failed ? NULL : sm_object_find(l, sm_str_text(&path), &of);
    sm_str_clear(&path);
    return i && !i->is_dir ? i : NULL;
}

size_t sm_object_list_beside(struct sm_object_list *l, const char *path, struct sm_listed *out,
                             size_t n)
{
    size_t dir = sm_object_dir_length(path, strlen(path)), got = 0;
    pthread_mutex_lock(&l->lock);
    const struct sm_object_folder *above =
        dir ? sm_object_folder_known(l, path, sm_object_dir_length(path, dir)) : NULL;
    const struct sm_object_item *at =
        above && above->listed ? sm_object_item_of(l, above, path, dir) : NULL;
    const struct sm_object_item *end = at ? above->items + above->n : NULL;
    for (size_t looked = 0; at && ++at < end && got < n && looked < n; looked++) {
        const struct sm_object_item *i =
            at->is_dir ? item_in(l, sm_names_text(l->names, at->path), path + dir + 1) : NULL;
        if (i)
            out[got++] = sm_object_describe(l, i);
    }
    pthread_mutex_unlock(&l->lock);
    return got;
}
