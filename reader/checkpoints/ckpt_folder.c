/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/checkpoints/ckpt_folder.h"

#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/checkpoints/ckpt_layout.h"
#include "reader/torch/dcp_names.h"

#include <stdlib.h>
#include <string.h>

struct sm_ckpt_folders {
    struct sm_names *paths;
    struct sm_ckpt_folder **all; /* by id in paths; NULL: not looked at yet */
    size_t cap;
    int64_t now_us;
};

/* ---- one folder ---- */

struct listing {
    struct sm_ckpt_folder *to;
    const char *only;
};

static bool take_name(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    const struct listing *l = ctx;
    struct sm_ckpt_folder *f = l->to;
    struct sm_str copy = {0};
    (void)inode;
    f->has_metadata = f->has_metadata || (!is_dir && sm_ckpt_is_metadata(name));
    if (l->only  ? strcmp(name, l->only) != 0
        : is_dir ? name[0] == '.' || sm_ckpt_is_temporary(name)
                 : !sm_ckpt_is_name(name))
        return true;
    sm_str_printf(&copy, "%s%s", name, is_dir ? "/" : "");
    if (copy.failed || !SM_VEC_ROOM(f->items, f->n, f->cap)) {
        sm_str_clear(&copy);
        f->failed = true;
        return false;
    }
    f->items[f->n++] = (struct sm_ckpt_entry){.name = copy.data};
    return f->n < SM_CKPT_FILES_MAX;
}

static int by_name(const void *a, const void *b)
{
    const struct sm_ckpt_entry *x = a, *y = b;
    return sm_natural_cmp(x->name, y->name);
}

/* What cannot be looked at counts as a folder. */
static void look_at_file(struct sm_ckpt_folder *f, struct sm_source *files, const char *folder,
                         struct sm_ckpt_entry *e, struct sm_str *path)
{
    struct sm_err err = {0};
    sm_str_truncate(path, 0);
    sm_str_printf(path, "%s%s%s", folder, *folder ? "/" : "", e->name);
    f->failed = f->failed || path->failed;
    e->st.is_dir =
        path->failed || !sm_source_stat(files, sm_str_text(path), &e->st, &err) || e->st.is_dir;
    f->newest_us = e->st.mtime_us > f->newest_us ? e->st.mtime_us : f->newest_us;
}

void sm_ckpt_folder_read(struct sm_ckpt_folder *f, struct sm_source *files, const char *path,
                         const char *only, bool stats)
{
    struct listing l = {f, only};
    struct sm_str file = {0};
    struct sm_err err = {0};
    struct sm_stat st;
    *f = (struct sm_ckpt_folder){0};
    if (stats && sm_source_stat(files, path, &st, &err))
        f->newest_us = f->changed_us = st.mtime_us; /* before it is listed: what comes later makes
                                                       it newer */
    sm_source_list(files, path, take_name, &l, &err);
    if (f->n)
        qsort(f->items, f->n, sizeof *f->items, by_name);
    for (size_t i = 0; i < f->n && stats; i++)
        if (!sm_ends_with(f->items[i].name, "/"))
            look_at_file(f, files, path, &f->items[i], &file);
    sm_str_clear(&file);
}

void sm_ckpt_folder_clear(struct sm_ckpt_folder *f)
{
    for (size_t i = 0; i < f->n; i++)
        sm_free(f->items[i].name);
    sm_free(f->items);
    *f = (struct sm_ckpt_folder){0};
}

/* ---- all folders ---- */

struct sm_ckpt_folders *sm_ckpt_folders_new(void)
{
    struct sm_ckpt_folders *c = sm_alloc_zero(1, sizeof *c);
    if (c && !(c->paths = sm_names_new())) {
        sm_free(c);
        c = NULL;
    }
    return c;
}

void sm_ckpt_folders_forget(struct sm_ckpt_folders *c)
{
    for (size_t i = 0; i < c->cap; i++)
        if (c->all[i])
            sm_ckpt_folder_clear(c->all[i]);
}

void sm_ckpt_folders_free(struct sm_ckpt_folders *c)
{
    if (!c)
        return;
    sm_ckpt_folders_forget(c);
    for (size_t i = 0; i < c->cap; i++)
        sm_free(c->all[i]);
    sm_names_free(c->paths);
    sm_free(c->all);
    sm_free(c);
}

void sm_ckpt_folders_begin(struct sm_ckpt_folders *c, int64_t now_us)
{
    for (size_t i = 0; i < c->cap; i++) {
        if (c->all[i] && !c->all[i]->used)
            sm_ckpt_folder_clear(c->all[i]);
        if (c->all[i])
            c->all[i]->used = false;
    }
    c->now_us = now_us;
}

/* A clock that went back makes everything look new. */
static bool is_known(const struct sm_ckpt_folders *c, const struct sm_ckpt_folder *f)
{
    int64_t looked = c->now_us - f->looked_us, quiet = c->now_us - f->newest_us;
    return f->looked_us && !f->failed && looked >= 0 && looked < SM_CKPT_LOOK_US &&
           quiet > SM_CKPT_QUIET_US;
}

static bool is_unchanged(struct sm_source *files, const char *path, const struct sm_ckpt_folder *f)
{
    struct sm_stat st;
    struct sm_err err = {0};
    return f->changed_us && sm_source_stat(files, path, &st, &err) && st.mtime_us == f->changed_us;
}

const struct sm_ckpt_folder *sm_ckpt_folders_look(struct sm_ckpt_folders *c,
                                                  struct sm_source *files, const char *path,
                                                  const char *only, bool grows)
{
    size_t before = c->cap;
    uint32_t id = sm_names_add(c->paths, path, strlen(path));
    if (id == SM_NAME_NONE ||
        !sm_vec_reserve((void **)&c->all, &c->cap, (size_t)id + 1, sizeof *c->all))
        return NULL;
    memset(c->all + before, 0, (c->cap - before) * sizeof *c->all);
    struct sm_ckpt_folder *f = c->all[id] = c->all[id] ? c->all[id] : sm_alloc_zero(1, sizeof *f);
    if (!f)
        return NULL;
    if (!is_known(c, f) || (grows && !is_unchanged(files, path, f))) {
        sm_ckpt_folder_clear(f);
        sm_ckpt_folder_read(f, files, path, only, true);
        f->looked_us = c->now_us;
    }
    f->used = true;
    return f;
}
