/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/object_ask.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <stdatomic.h>
#include <string.h>

enum {
    ROUND_US = 100000, /* how old the count of all folders may be */
    ASKED_ALONE = 2,   /* folders of another one that are listed by themselves */
    EXPECTED_MANY = 4, /* objects below its folders */
};

struct sm_object_list *sm_object_list_new(struct sm_bucket *bucket)
{
    struct sm_object_list *l = sm_alloc_zero(1, sizeof *l);
    if (!l)
        return NULL;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->answered, NULL);
    l->bucket = bucket;
    l->names = sm_names_new();
    if (l->names)
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
    sm_map_clear(&l->askers);
    sm_list_round_clear(&l->round);
    sm_names_free(l->names);
    pthread_cond_destroy(&l->answered);
    pthread_mutex_destroy(&l->lock);
    sm_free(l);
}

struct sm_object_folder *sm_object_folder_known(const struct sm_object_list *l, const char *dir,
                                                size_t n)
{
    uint32_t id = sm_names_find(l->names, dir, n);
    uint64_t at;
    return id != SM_NAME_NONE && sm_map_get(&l->by_path, id, &at) ? l->folders[at] : NULL;
}

struct sm_object_folder *sm_object_folder(struct sm_object_list *l, const char *dir)
{
    struct sm_object_folder *f = sm_object_folder_known(l, dir, strlen(dir));
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
    f->name = id;
    l->folders[l->n++] = f;
    return f;
}

size_t sm_object_dir_length(const char *path, size_t n)
{
    while (n && path[n - 1] != '/')
        n--;
    return n - (n > 0);
}

const struct sm_object_item *sm_object_item_of(const struct sm_object_list *l,
                                               const struct sm_object_folder *f, const char *path,
                                               size_t n)
{
    size_t low = 0, high = f->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *name = sm_names_text(l->names, f->items[middle].path);
        int order = strncmp(name, path, n);
        if (order == 0 && !name[n])
            return &f->items[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct sm_object_item *sm_object_find(const struct sm_object_list *l, const char *path,
                                            struct sm_object_folder **of)
{
    struct sm_object_folder *f =
        sm_object_folder_known(l, path, sm_object_dir_length(path, strlen(path)));
    if (!f || !f->listed) {
        struct sm_str name = {0};
        sm_object_name_beginning(path, &name);
        f = sm_object_folder_known(l, sm_str_text(&name), name.len);
        sm_str_clear(&name);
    }
    *of = f && f->listed ? f : NULL;
    return *of ? sm_object_item_of(l, f, path, strlen(path)) : NULL;
}

/* ---- when ---- */

static _Atomic int64_t pause_us = 1000000; /* between two lists of folders that are known */

void sm_object_list_set_rate(double lists_per_s)
{
    atomic_store(&pause_us, (int64_t)(1e6 / lists_per_s));
}

/* What all folders count together, as of a moment ago at most. With the lock. */
static const struct sm_list_round *round_of(struct sm_object_list *l, int64_t now)
{
    int64_t pause = atomic_load(&pause_us);
    if (l->round_us && now - l->round_us < ROUND_US && l->round.pause_us == pause)
        return &l->round;
    sm_list_round_begin(&l->round, pause);
    for (size_t i = 0; i < l->n; i++)
        sm_list_round_add(&l->round, &l->folders[i]->turn, l->folders[i]->n, now);
    sm_list_round_end(&l->round);
    l->round_us = now;
    return &l->round;
}

struct sm_asker sm_object_list_asker(struct sm_object_list *l, const char *path)
{
    size_t n = strlen(path);
    uint64_t number = 0;
    pthread_mutex_lock(&l->lock);
    uint32_t id = sm_names_add(l->names, path, n);
    if (id != SM_NAME_NONE && !sm_map_get(&l->askers, id, &number)) {
        number = l->askers.count + 1;
        number = sm_map_put(&l->askers, id, number) ? number : 0;
    }
    pthread_mutex_unlock(&l->lock);
    return (struct sm_asker){(uint32_t)number, number ? (uint32_t)n : 0};
}

struct sm_followed sm_object_list_followed(struct sm_object_list *l)
{
    struct sm_followed f = {0};
    pthread_mutex_lock(&l->lock);
    const struct sm_list_round *round = round_of(l, sm_clock_mono_us());
    for (size_t i = 0; i < round->n; i++) {
        const struct sm_list_share *of = &round->of[i];
        int64_t wait = sm_list_round_wait_us(round, (uint32_t)i, of->lively > 0);
        f.folders += (size_t)(of->lively + of->quiet);
        f.askers += of->lively || of->quiet;
        if (of->lively && wait > f.news_us)
            f.news_us = wait;
        wait = of->quiet ? sm_list_round_wait_us(round, (uint32_t)i, false) : 0;
        f.quiet_us = wait > f.quiet_us ? wait : f.quiet_us;
    }
    pthread_mutex_unlock(&l->lock);
    return f;
}

/* A folder that is known, after it was listed again if that is due. False: the list failed. */
static bool refresh_known(struct sm_object_list *l, const char *dir, struct sm_object_folder *f,
                          struct sm_err *err)
{
    int64_t now = sm_clock_mono_us();
    bool due = sm_list_turn_is_due(&f->turn, round_of(l, now), now);
    sm_list_turn_ask(&f->turn, now);
    return !due || sm_object_ask(l, dir, f, err);
}

/* The length of the first part of a path that the folder above it has not, as far as folders above
 * were listed; 0: nothing is known to be missing, as of parts without a name, which lists leave
 * out. With the lock. */
static size_t missing_part(const struct sm_object_list *l, const char *dir)
{
    for (size_t n = strlen(dir); n; n = sm_object_dir_length(dir, n)) {
        const struct sm_object_folder *above =
            sm_object_folder_known(l, dir, sm_object_dir_length(dir, n));
        if (above && above->listed)
            return dir[0] == '/' || dir[n - 1] == '/' || sm_object_item_of(l, above, dir, n) ? 0
                                                                                             : n;
    }
    return 0;
}

/* Whether a folder that the one above it has not is the next number behind those that it has: it
 * may have been made since. With the lock. */
static bool may_be_new(const struct sm_object_list *l, const char *dir)
{
    size_t n = sm_object_dir_length(dir, strlen(dir));
    const struct sm_object_folder *above = sm_object_folder_known(l, dir, n);
    const char *last = above && above->listed && above->n
                           ? sm_names_text(l->names, above->items[above->n - 1].path)
                           : dir;
    size_t skip = n + (n > 0), digits = strspn(dir + skip, "0123456789");
    return strcmp(dir, last) > 0 && digits && digits == strspn(last + skip, "0123456789");
}

/* The folder above one that is not known; NULL: there is none that is worth a list of all below.
 * With the lock. */
static struct sm_object_folder *worth_below(struct sm_object_list *l, const char *dir)
{
    size_t n = sm_object_dir_length(dir, strlen(dir));
    char *parent = n ? sm_strndup(dir, n) : NULL;
    struct sm_object_folder *above = parent ? sm_object_folder(l, parent) : NULL;
    sm_free(parent);
    return above && !above->deep ? above : NULL;
}

static void await_lists(struct sm_object_list *l, const struct sm_object_folder *f,
                        const struct sm_object_folder *above)
{
    while (f->busy || (above && (above->busy || above->below_busy)))
        pthread_cond_wait(&l->answered, &l->lock);
}

/* Lists the third folder of another one with all that follows it there, and also the first one if
 * many are expected, so that many small ones are not one request each. With the lock. */
static bool ask_together(struct sm_object_list *l, const struct sm_object_folder *f,
                         struct sm_object_folder *above, const char *dir, struct sm_err *err)
{
    bool expected = above->expected >= EXPECTED_MANY;
    above->expected -= above->expected > 0;
    if (above->asked++ < ASKED_ALONE && !expected)
        return true;
    if (expected && !above->listed &&
        !sm_object_ask(l, sm_names_text(l->names, above->name), above, err))
        return false;
    await_lists(l, f, above);
    return f->listed || sm_object_ask_below(l, above, dir, err);
}

/* Lists a folder that is not known. With the lock. */
static bool ask_unknown(struct sm_object_list *l, const char *dir, struct sm_err *err)
{
    struct sm_object_folder *above = worth_below(l, dir), *f = sm_object_folder(l, dir);
    if (!f)
        return sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    await_lists(l, f, above);
    sm_list_turn_ask(&f->turn, sm_clock_mono_us());
    if (!f->listed && above && !ask_together(l, f, above, dir, err))
        return false;
    await_lists(l, f, NULL);
    return f->listed || sm_object_ask(l, dir, f, err);
}

/* The folder, listed if it is not known or due. *out NULL: a folder above has it not. */
static bool refresh(struct sm_object_list *l, const char *dir, struct sm_object_folder **out,
                    struct sm_err *err)
{
    struct sm_object_folder *f = sm_object_folder_known(l, dir, strlen(dir)), *above;
    while (f && f->busy)
        pthread_cond_wait(&l->answered, &l->lock);
    *out = f;
    if (f && f->listed)
        return refresh_known(l, dir, f, err);
    size_t missing = missing_part(l, dir);
    if (missing && (missing < strlen(dir) || !may_be_new(l, dir))) {
        char *parent = sm_strndup(dir, sm_object_dir_length(dir, missing));
        bool ok = parent ? refresh(l, parent, &above, err)
                         : sm_err_set(err, SM_ERR_MEMORY, "out of memory");
        sm_free(parent);
        if (!ok || missing_part(l, dir))
            return ok;
    }
    bool ok = ask_unknown(l, dir, err);
    *out = sm_object_folder_known(l, dir, strlen(dir));
    return ok;
}

/* ---- what is known ---- */

struct sm_listed sm_object_describe(const struct sm_object_list *l, const struct sm_object_item *i)
{
    return (struct sm_listed){.path = sm_names_text(l->names, i->path),
                              .is_dir = i->is_dir,
                              .size_bytes = i->size_bytes,
                              .modified_us = i->modified_us,
                              .etag = sm_names_text(l->names, i->etag),
                              .identity = (uint64_t)i->path + 1};
}

/* With the lock. */
static void note_asker(const struct sm_object_list *l, const char *path, size_t n,
                       struct sm_asker asker)
{
    struct sm_object_folder *f = sm_object_folder_known(l, path, n);
    if (!f || f->asker_length > asker.length)
        return;
    f->turn.asker = asker.number;
    f->asker_length = asker.length;
}

bool sm_object_list_each(struct sm_object_list *l, struct sm_asker asker, const char *dir,
                         sm_listed_each *each, void *ctx, struct sm_err *err)
{
    struct sm_object_folder *f;
    pthread_mutex_lock(&l->lock);
    note_asker(l, dir, strlen(dir), asker);
    bool ok = refresh(l, dir, &f, err);
    size_t n = ok && f ? f->n : 0;
    if (ok && !n)
        ok = sm_err_set(err, SM_ERR_MISSING, "%s: no such folder", dir);
    struct sm_object_item *copy = n ? sm_alloc(n * sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, f->items, n * sizeof *copy);
    pthread_mutex_unlock(&l->lock);
    if (n && !copy)
        return sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < n; i++) {
        pthread_mutex_lock(&l->lock);
        struct sm_listed e = sm_object_describe(l, &copy[i]);
        pthread_mutex_unlock(&l->lock);
        if (!each(ctx, &e))
            break;
    }
    sm_free(copy);
    return ok;
}

/* With the lock. */
static bool give(const struct sm_object_list *l, const char *path, const struct sm_object_item *i,
                 struct sm_listed *out, struct sm_err *err)
{
    if (i)
        *out = sm_object_describe(l, i);
    return i || sm_err_set(err, SM_ERR_MISSING, "%s: no such object", path);
}

/* A path of which only what begins with it was listed. With the lock. */
static bool refresh_one(struct sm_object_list *l, const char *path, struct sm_object_folder **out,
                        struct sm_err *err)
{
    struct sm_str name = {0};
    sm_object_name_beginning(path, &name);
    struct sm_object_folder *f = sm_object_folder_known(l, sm_str_text(&name), name.len);
    while (f && f->busy)
        pthread_cond_wait(&l->answered, &l->lock);
    bool ok = true;
    if (f && f->listed)
        ok = refresh_known(l, sm_str_text(&name), f, err);
    else if ((f = sm_object_folder(l, sm_str_text(&name))))
        ok = sm_object_ask(l, sm_str_text(&name), f, err);
    else
        ok = sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    sm_str_clear(&name);
    *out = f;
    return ok;
}

/* Lists what has the path. With the lock. */
static bool refresh_of(struct sm_object_list *l, const char *path, bool one, struct sm_err *err)
{
    struct sm_object_folder *of,
        *parent = sm_object_folder_known(l, path, sm_object_dir_length(path, strlen(path)));
    sm_object_find(l, path, &of);
    if ((!parent || !parent->listed) && (one || of))
        return refresh_one(l, path, &of, err);
    char *dir = sm_strndup(path, sm_object_dir_length(path, strlen(path)));
    bool ok = dir ? refresh(l, dir, &of, err) : sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    sm_free(dir);
    return ok;
}

/* With the lock. */
static bool find(struct sm_object_list *l, const char *path, bool again, bool one,
                 struct sm_listed *out, struct sm_err *err)
{
    struct sm_object_folder *of;
    bool ok = (!again && sm_object_find(l, path, &of)) || refresh_of(l, path, one, err);
    return ok && give(l, path, sm_object_find(l, path, &of), out, err);
}

bool sm_object_list_find(struct sm_object_list *l, const char *path, struct sm_listed *out,
                         struct sm_err *err)
{
    pthread_mutex_lock(&l->lock);
    bool ok = find(l, path, false, false, out, err);
    pthread_mutex_unlock(&l->lock);
    return ok;
}

bool sm_object_list_find_now(struct sm_object_list *l, struct sm_asker asker, const char *path,
                             struct sm_listed *out, struct sm_err *err)
{
    pthread_mutex_lock(&l->lock);
    note_asker(l, path, sm_object_dir_length(path, strlen(path)), asker);
    bool ok = find(l, path, true, false, out, err);
    pthread_mutex_unlock(&l->lock);
    return ok;
}

bool sm_object_list_find_one(struct sm_object_list *l, const char *path, struct sm_listed *out,
                             struct sm_err *err)
{
    pthread_mutex_lock(&l->lock);
    bool ok = find(l, path, false, true, out, err);
    pthread_mutex_unlock(&l->lock);
    return ok;
}

bool sm_object_list_known(struct sm_object_list *l, const char *path, struct sm_listed *out)
{
    struct sm_object_folder *of;
    pthread_mutex_lock(&l->lock);
    const struct sm_object_item *i = sm_object_find(l, path, &of);
    if (i)
        *out = sm_object_describe(l, i);
    pthread_mutex_unlock(&l->lock);
    return i;
}

bool sm_object_list_expect(struct sm_object_list *l, const char *path, struct sm_listed *out)
{
    size_t n = sm_object_dir_length(path, strlen(path));
    pthread_mutex_lock(&l->lock);
    uint32_t id = sm_names_add(l->names, path, strlen(path));
    const struct sm_object_folder *f = sm_object_folder_known(l, path, n);
    char *dir = f && f->listed ? NULL : sm_strndup(path, n);
    struct sm_object_folder *above = dir ? worth_below(l, dir) : NULL;
    if (above)
        above->expected++;
    if (id != SM_NAME_NONE)
        *out = (struct sm_listed){.path = sm_names_text(l->names, id), .identity = id + 1ULL};
    pthread_mutex_unlock(&l->lock);
    sm_free(dir);
    return id != SM_NAME_NONE;
}

uint64_t sm_object_list_count(struct sm_object_list *l)
{
    pthread_mutex_lock(&l->lock);
    uint64_t n = l->lists;
    pthread_mutex_unlock(&l->lock);
    return n;
}

bool sm_object_list_has_folder(struct sm_object_list *l, const char *path)
{
    struct sm_object_folder *of;
    pthread_mutex_lock(&l->lock);
    sm_object_find(l, path, &of);
    pthread_mutex_unlock(&l->lock);
    return of;
}

void sm_object_list_expire(struct sm_object_list *l, const char *path, bool below)
{
    struct sm_object_folder *of;
    size_t n = strlen(path);
    pthread_mutex_lock(&l->lock);
    sm_object_find(l, path, &of);
    if (of)
        of->turn.expired = true;
    for (size_t i = 0; below && i < l->n; i++) {
        const char *dir = sm_names_text(l->names, l->folders[i]->name);
        if (!n || (strncmp(dir, path, n) == 0 && (!dir[n] || dir[n] == '/')))
            l->folders[i]->turn.expired = true;
    }
    pthread_mutex_unlock(&l->lock);
}
