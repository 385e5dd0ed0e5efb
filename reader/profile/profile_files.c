/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/profile_files.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/profile/profile_name.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MAX = 12,
    FILES_MAX = 2000000,
    FOLDERS_MAX = 200000,
    HOT_FOLDERS = 2,    /* the newest ones of a folder, which are looked at each time */
    YOUNG_US = 1000000, /* a folder that changed so lately may change again unseen */
    ALL_SCANS = 60      /* all folders and files are looked at each so many times */
};
#define GROWING_US ((int64_t)300 * 1000000)
#define NO_FOLDER  UINT32_MAX

struct sm_profile_folder {
    char *path;
    uint32_t first_child, next; /* next: of the same parent, newest first */
    uint32_t parent;
    int64_t mtime_us, start_us; /* start_us: as a .metadata file in it says; 0: none */
    uint64_t inode;
    uint8_t depth;
    bool in_system, listed;
    bool open, told; /* files may come; sm_profile_files_open_folders told of it */
};

bool sm_profile_files_init(struct sm_profile_files *f, struct sm_source *source)
{
    *f = (struct sm_profile_files){.source = sm_source_ref(source)};
    f->nodes = sm_names_new();
    f->paths = sm_names_new();
    f->python = sm_names_new();
    return f->nodes && f->paths && f->python;
}

void sm_profile_files_clear(struct sm_profile_files *f)
{
    for (size_t i = 0; i < f->n; i++) {
        sm_free(f->items[i].path);
        sm_pevents_free(f->items[i].timeline);
        sm_str_clear(&f->items[i].head);
    }
    for (size_t i = 0; i < f->n_folders; i++)
        sm_free(f->folders[i].path);
    sm_free(f->items);
    sm_free(f->folders);
    sm_free(f->active);
    sm_free(f->queue);
    sm_names_free(f->nodes);
    sm_names_free(f->paths);
    sm_names_free(f->python);
    sm_map_clear(&f->by_path);
    sm_problems_clear(&f->problems);
    sm_source_unref(f->source);
    *f = (struct sm_profile_files){0};
}

static char *join(const char *dir, const char *name, size_t n)
{
    struct sm_str s = {0};
    sm_str_add(&s, dir);
    sm_str_addc(&s, '/');
    sm_str_addn(&s, name, n);
    char *path = s.failed ? NULL : sm_strdup(sm_str_text(&s));
    sm_str_clear(&s);
    return path;
}

/* ---- files ---- */

static uint32_t node_id(struct sm_profile_files *f, struct sm_text node)
{
    struct sm_str name = {0};
    sm_profile_node_name(node, &name);
    uint32_t id = name.failed ? SM_NAME_NONE : sm_names_add(f->nodes, sm_str_text(&name), name.len);
    sm_str_clear(&name);
    return id;
}

/* Whether a file begins as a temporary one did, which it then is, with its final name. */
static bool begins_as(struct sm_profile_files *f, const char *path, const struct sm_str *head)
{
    char buf[SM_PROFILE_HEAD_BYTES];
    struct sm_err err;
    size_t got;
    return head->len && sm_source_read(f->source, path, 0, buf, head->len, &got, &err) &&
           got == head->len && memcmp(buf, head->data, got) == 0;
}

/* A timeline that was read while it was being written goes on where that ended. */
static void take_over(struct sm_profile_files *f, struct sm_profile_file *x)
{
    for (size_t i = 0; i < f->n_active; i++) {
        struct sm_profile_file *old = &f->items[f->active[i]];
        if (!old->temporary || old->over || old->node != x->node ||
            old->timeline_kind != x->timeline_kind || !begins_as(f, x->path, &old->head))
            continue;
        x->timeline = old->timeline;
        x->offset = old->offset;
        old->timeline = NULL;
        old->over = true;
        return;
    }
}

static bool add_file(struct sm_profile_files *f, struct sm_profile_file *x, uint32_t path)
{
    if (f->n >= FILES_MAX || !SM_VEC_ROOM(f->items, f->n, f->cap) ||
        !SM_VEC_ROOM(f->active, f->n_active, f->cap_active) || !sm_map_put(&f->by_path, path, f->n))
        return false;
    f->active[f->n_active++] = (uint32_t)f->n;
    f->items[f->n++] = *x;
    f->n_of[x->kind]++;
    if (x->order_us > f->newest_us[x->kind])
        f->newest_us[x->kind] = x->order_us;
    return true;
}

static int64_t trace_start(const struct sm_profile_files *f, uint32_t folder)
{
    while (folder != NO_FOLDER && !f->folders[folder].start_us)
        folder = f->folders[folder].parent;
    return folder == NO_FOLDER ? 0 : f->folders[folder].start_us;
}

static size_t unpacked_length(const char *name)
{
    size_t n = strlen(name);
    return sm_ends_with(name, ".gz") ? n - 3 : sm_ends_with(name, ".zst") ? n - 4 : n;
}

static void note_file(struct sm_profile_files *f, uint32_t folder, const char *name, uint64_t inode)
{
    const struct sm_profile_folder *d = &f->folders[folder];
    size_t n = unpacked_length(name);
    char *path = join(d->path, name, n);
    struct sm_profile_name what;
    uint64_t known;
    uint32_t id = path ? sm_names_add(f->paths, path, strlen(path)) : SM_NAME_NONE;
    if (id == SM_NAME_NONE || !sm_profile_name_read(path, d->in_system, &what) ||
        (sm_map_get(&f->by_path, id, &known) && f->items[known].inode == inode)) {
        f->no_memory = f->no_memory || id == SM_NAME_NONE;
        if (path && !d->in_system && strncmp(name, "python_stats", 12) == 0)
            sm_names_add(f->python, path, strlen(path));
        sm_free(path);
        return;
    }
    struct sm_profile_file x = {.path = path,
                                .kind = what.metrics ? SM_PROFILE_METRICS : SM_PROFILE_TIMELINE,
                                .timeline_kind = what.kind,
                                .node = node_id(f, what.node),
                                .order_us = what.order_us,
                                .inode = inode,
                                .packed = name[n],
                                .temporary = what.temporary};
    if (what.kind == SM_PEVENTS_TENSORFLOW)
        x.base_us = x.order_us = trace_start(f, folder);
    if (x.kind == SM_PROFILE_TIMELINE && !x.temporary)
        take_over(f, &x);
    if (x.node == SM_NAME_NONE || !add_file(f, &x, id)) {
        f->no_memory = true;
        sm_pevents_free(x.timeline);
        sm_free(path);
    }
}

/* ---- folders ---- */

static void note_folder(struct sm_profile_files *f, uint32_t parent, const char *name,
                        bool in_system)
{
    char *path =
        parent == NO_FOLDER ? sm_strdup(name) : join(f->folders[parent].path, name, strlen(name));
    uint32_t n = sm_names_count(f->paths);
    uint32_t id = path ? sm_names_add(f->paths, path, strlen(path)) : SM_NAME_NONE;
    uint8_t depth = parent == NO_FOLDER ? 0 : f->folders[parent].depth + 1;
    if (id != n || depth > DEPTH_MAX || f->n_folders >= FOLDERS_MAX ||
        !SM_VEC_ROOM(f->folders, f->n_folders, f->cap_folders)) {
        f->no_memory = f->no_memory || id == SM_NAME_NONE;
        sm_free(path); /* known already, mostly */
        return;
    }
    uint32_t at = (uint32_t)f->n_folders++;
    f->folders[at] = (struct sm_profile_folder){.path = path,
                                                .first_child = NO_FOLDER,
                                                .next = NO_FOLDER,
                                                .parent = parent,
                                                .depth = depth,
                                                .in_system = in_system};
    if (parent == NO_FOLDER)
        return;
    uint32_t *link = &f->folders[parent].first_child;
    while (*link != NO_FOLDER && sm_natural_cmp(f->folders[*link].path, path) > 0)
        link = &f->folders[*link].next;
    f->folders[at].next = *link;
    *link = at;
}

struct listing {
    struct sm_profile_files *files;
    struct name {
        char *name;
        uint64_t inode;
        bool is_dir;
    } * names;
    size_t n, cap;
};

static bool collect_name(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct listing *l = ctx;
    if (*name == '.')
        return true;
    char *copy = SM_VEC_ROOM(l->names, l->n, l->cap) ? sm_strdup(name) : NULL;
    if (copy)
        l->names[l->n++] = (struct name){copy, inode, is_dir};
    l->files->no_memory = l->files->no_memory || !copy;
    return copy && l->n < FILES_MAX;
}

static int by_name(const void *a, const void *b)
{
    return sm_natural_cmp(((const struct name *)a)->name, ((const struct name *)b)->name);
}

/* Folders come in ascending order, so that each is put before those of its parent at once. */
static void take_names(struct sm_profile_files *f, uint32_t folder, struct listing *l)
{
    struct sm_text node;
    int64_t start_us;
    if (l->n)
        qsort(l->names, l->n, sizeof *l->names, by_name);
    for (size_t i = 0; i < l->n; i++)
        if (!l->names[i].is_dir && sm_profile_metadata_read(l->names[i].name, &node, &start_us))
            f->folders[folder].start_us = start_us;
    for (size_t i = 0; i < l->n; i++) {
        const struct name *x = &l->names[i];
        if (x->is_dir)
            note_folder(f, folder, x->name, f->folders[folder].in_system);
        else
            note_file(f, folder, x->name, x->inode);
        f->ended = f->ended || strcmp(x->name, "training_job_end.ts") == 0;
    }
}

static void list_folder(struct sm_profile_files *f, uint32_t folder)
{
    struct listing l = {.files = f};
    struct sm_err err = {0};
    if (!sm_source_list(f->source, f->folders[folder].path, collect_name, &l, &err) &&
        err.code != SM_ERR_MISSING)
        sm_problems_add(&f->problems, f->folders[folder].path, -1, &err);
    take_names(f, folder, &l);
    for (size_t i = 0; i < l.n; i++)
        sm_free(l.names[i].name);
    sm_free(l.names);
}

/* all: also at folders that are too old to get files. The depth is bounded by that of folders. */
static void look_at(struct sm_profile_files *f, uint32_t folder, bool open, bool all)
{
    struct sm_profile_folder *d = &f->folders[folder];
    struct sm_stat st;
    struct sm_err err;
    unsigned hot = 0;
    if (!sm_source_stat(f->source, d->path, &st, &err) || !st.is_dir)
        return;
    f->exists = true;
    d->open = open;
    if (!d->listed || st.mtime_us != d->mtime_us || st.inode != d->inode || all) {
        d->listed = true;
        d->mtime_us = sm_clock_wall_us() - st.mtime_us < YOUNG_US ? 0 : st.mtime_us;
        d->inode = st.inode;
        list_folder(f, folder);
    }
    for (uint32_t c = f->folders[folder].first_child; c != NO_FOLDER; c = f->folders[c].next) {
        bool is_hot = hot < HOT_FOLDERS;
        if (!all && !is_hot && f->folders[c].listed)
            continue;
        hot += f->folders[c].listed || all;
        look_at(f, c, open && is_hot, all);
    }
}

/* ---- what is to be read ---- */

/* Whether the file may have more bytes later. */
static bool may_grow(const struct sm_profile_files *f, const struct sm_profile_file *x)
{
    return !x->over &&
           (x->temporary || x->order_us >= f->newest_us[x->kind] - GROWING_US || !x->offset);
}

static bool has_more(struct sm_profile_files *f, struct sm_profile_file *x)
{
    struct sm_stat st;
    struct sm_err err = {0};
    if (x->over || !sm_source_stat(f->source, x->path, &st, &err)) {
        x->over = x->over || x->temporary;
        return false;
    }
    if (st.size_bytes < x->offset && !st.compressed && !x->packed) {
        sm_err_set(&err, SM_ERR_DATA, "has become shorter: %llu bytes, %llu were read",
                   (unsigned long long)st.size_bytes, (unsigned long long)x->offset);
        sm_problems_add(&f->problems, x->path, -1, &err);
        x->offset = st.size_bytes;
    }
    x->packed = x->packed || st.compressed;
    x->size_bytes = st.size_bytes;
    return x->packed ? !x->offset : st.size_bytes > x->offset && st.size_bytes != x->seen_bytes;
}

static int by_order(const void *a, const void *b, void *files)
{
    const struct sm_profile_files *f = files;
    const struct sm_profile_file *x = &f->items[*(const uint32_t *)a],
                                 *y = &f->items[*(const uint32_t *)b];
    if (x->temporary != y->temporary)
        return x->temporary ? 1 : -1;
    if (x->order_us != y->order_us)
        return x->order_us < y->order_us ? -1 : 1;
    return strcmp(x->path, y->path);
}

static void forget(struct sm_profile_file *x)
{
    sm_pevents_free(x->timeline);
    x->timeline = NULL;
    sm_str_clear(&x->head);
}

static void fill_queue(struct sm_profile_files *f)
{
    size_t kept = 0;
    f->n_queue = 0;
    for (size_t i = 0; i < f->n_active; i++) {
        uint32_t at = f->active[i];
        if (has_more(f, &f->items[at])) {
            if (SM_VEC_ROOM(f->queue, f->n_queue, f->cap_queue))
                f->queue[f->n_queue++] = at;
            else
                f->no_memory = true;
        }
        if (may_grow(f, &f->items[at]))
            f->active[kept++] = at;
        else if (!f->n_queue || f->queue[f->n_queue - 1] != at)
            forget(&f->items[at]);
    }
    f->n_active = kept;
    if (f->n_queue)
        qsort_r(f->queue, f->n_queue, sizeof *f->queue, by_order, f);
}

void sm_profile_files_list(struct sm_profile_files *f)
{
    bool all = f->scans++ % ALL_SCANS == 0;
    f->no_memory = false;
    if (!f->n_folders) {
        note_folder(f, NO_FOLDER, "system", true);
        note_folder(f, NO_FOLDER, "framework", false);
    }
    for (uint32_t i = 0; i < 2 && i < f->n_folders; i++)
        look_at(f, i, true, all);
    fill_queue(f);
}

void sm_profile_files_open_folders(struct sm_profile_files *f,
                                   void (*each)(void *ctx, const char *path), void *ctx)
{
    if (!f->told_root)
        each(ctx, "");
    f->told_root = true;
    for (size_t i = 0; i < f->n_folders; i++) {
        struct sm_profile_folder *d = &f->folders[i];
        if (d->open && !d->told)
            each(ctx, d->path);
        d->told = d->open;
    }
}
