/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/trainer_files.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Looked at each time: more are when the folder has changed. */
enum { CHECKPOINTS_MAX = 100000, LOOKED_AT = 16 };

bool sm_is_checkpoint_name(const char *name, int64_t *n)
{
    static const char prefix[] = "checkpoint-";
    char *end;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    const char *digits = name + sizeof prefix - 1;
    size_t k = strspn(digits, "0123456789");
    *n = strtoll(digits, &end, 10);
    return k && k < 16 && !*end;
}

static bool add_file(struct sm_trainer_files *f, int64_t n, const char *name)
{
    struct sm_str path = {0};
    sm_str_printf(&path, "%s%s%s" SM_TRAINER_STATE, f->folder, name, *name ? "/" : "");
    char *copy = !path.failed && f->n < CHECKPOINTS_MAX && SM_VEC_ROOM(f->items, f->n, f->cap)
                     ? sm_strdup(sm_str_text(&path))
                     : NULL;
    sm_str_clear(&path);
    f->failed = f->failed || !copy;
    if (copy)
        f->items[f->n++] = (struct sm_trainer_file){.checkpoint = n, .path = copy};
    return copy;
}

static bool on_name(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct sm_trainer_files *f = ctx;
    int64_t n;
    (void)inode;
    return !is_dir || !sm_is_checkpoint_name(name, &n) || add_file(f, n, name);
}

static int by_checkpoint(const void *a, const void *b)
{
    const struct sm_trainer_file *x = a, *y = b;
    return (x->checkpoint > y->checkpoint) - (x->checkpoint < y->checkpoint);
}

static void drop_files(struct sm_trainer_files *f)
{
    for (size_t i = 0; i < f->n; i++)
        sm_free(f->items[i].path);
    f->n = 0;
}

static bool list_folder(struct sm_trainer_files *f, const char *dir, struct sm_err *err)
{
    drop_files(f);
    f->failed = false;
    bool ok = add_file(f, -1, "") && sm_source_list(f->source, dir, on_name, f, err);
    if (f->failed)
        sm_err_set(err, SM_ERR_MEMORY, "no memory");
    if (f->n)
        qsort(f->items, f->n, sizeof *f->items, by_checkpoint);
    return ok && !f->failed;
}

/* A file that cannot be looked at stays as it was; *err says why. */
static bool look_at(struct sm_trainer_files *f, struct sm_trainer_file *x, struct sm_err *err)
{
    struct sm_stat st = {0};
    struct sm_err own;
    bool there = sm_source_stat(f->source, x->path, &st, &own);
    if (!there && own.code != SM_ERR_MISSING) {
        *err = own;
        return false;
    }
    there = there && !st.is_dir;
    bool changed = there != x->there ||
                   (there && (st.inode != x->stat.inode || st.size_bytes != x->stat.size_bytes ||
                              st.mtime_us != x->stat.mtime_us));
    x->there = there;
    x->stat = st;
    return changed;
}

bool sm_trainer_files_look(struct sm_trainer_files *f, struct sm_err *err)
{
    struct sm_stat st;
    size_t n = strlen(f->folder);
    bool changed = false, listed = false;
    char *dir = sm_strndup(f->folder, n ? n - 1 : 0);
    sm_err_clear(err);
    if (dir && sm_source_stat(f->source, dir, &st, err) &&
        (!f->n || !st.mtime_us || st.mtime_us != f->listed_us)) {
        listed = list_folder(f, dir, err);
        f->listed_us = listed ? st.mtime_us : 0;
        changed = listed;
    }
    sm_free(dir);
    for (size_t i = 0; i < f->n; i++)
        if (listed || i == 0 || i + LOOKED_AT > f->n)
            changed = look_at(f, &f->items[i], err) || changed;
    return changed;
}

struct sm_trainer_newest sm_trainer_files_newest(const struct sm_trainer_files *f)
{
    struct sm_trainer_newest x = {0};
    for (size_t i = 0; i < f->n; i++) {
        const struct sm_trainer_file *y = &f->items[i];
        if (!y->there)
            continue;
        if (y->checkpoint < 0)
            x.own = y;
        else
            x.last = y;
        if (!x.written || y->stat.mtime_us > x.written->stat.mtime_us)
            x.written = y;
    }
    return x;
}

void sm_trainer_files_clear(struct sm_trainer_files *f)
{
    drop_files(f);
    sm_free(f->items);
    f->items = NULL;
    f->cap = 0;
}
