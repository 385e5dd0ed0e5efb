/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/checkpoints/ckpt_layout.h"
#include "reader/checkpoints/ckpt_formats.h"

#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = 5, LOOKS = 12 /* folders that are looked at for one file */ };

/* Where a scan is. */
struct place {
    const char *folder; /* "" is the root */
    int64_t step;
    const char *worker;
    unsigned depth;
};
struct scan {
    struct sm_source *files;
    const char *only;
    struct sm_ckpt_folders *folders; /* NULL: only names are looked at */
    struct sm_ckpt_layout *out;
    int looks;  /* left; -1: no limit */
    bool found; /* for is_folder: a file */
};

/* ---- groups ---- */

static struct sm_ckpt_group *group_of(struct sm_ckpt_layout *l, int64_t step, const char *worker)
{
    struct sm_str key = {0};
    sm_str_printf(&key, "%lld %s", (long long)step, worker);
    l->index = l->index ? l->index : sm_names_new();
    uint32_t id =
        l->index && !key.failed ? sm_names_add(l->index, key.data, key.len) : SM_NAME_NONE;
    sm_str_clear(&key);
    if (id != SM_NAME_NONE && id < l->n)
        return &l->groups[id];
    char *copy = id == SM_NAME_NONE ? NULL : sm_strdup(worker);
    if (!copy || !SM_VEC_ROOM(l->groups, l->n, l->cap)) {
        sm_free(copy);
        l->failed = true;
        return NULL;
    }
    l->groups[l->n] = (struct sm_ckpt_group){.step = step, .worker = copy};
    return &l->groups[l->n++];
}

/* Takes the path over. */
static void add_item(struct scan *s, const struct place *at, char *path,
                     const struct sm_ckpt_entry *file)
{
    const char *name = file->name;
    struct sm_ckpt_layout *l = s->out;
    struct sm_ckpt_step step = {.n = at->step};
    struct sm_str worker = {0};
    struct sm_ckpt_item item = {.path = path, .st = file->st};
    size_t stem = strlen(name);
    const char *dot = strrchr(name, '.');
    stem = dot && dot > name ? (size_t)(dot - name) : stem;
    if (at->step == SM_CKPT_NO_STEP && !sm_ckpt_step_of_file(name, stem, &step))
        step.n = SM_CKPT_NO_STEP;
    sm_str_add(&worker, at->worker);
    if (!worker.len)
        sm_ckpt_worker_of_file(name, &worker);
    l->cut = l->cut || l->n_items >= SM_CKPT_FILES_MAX;
    struct sm_ckpt_group *g = NULL;
    if (!l->cut && !worker.failed && !item.st.is_dir)
        g = group_of(l, step.n, sm_str_text(&worker));
    sm_str_clear(&worker);
    if (g && SM_VEC_ROOM(g->items, g->n, g->cap)) {
        g->items[g->n++] = item;
        l->n_items++;
    } else {
        l->failed = l->failed || g;
        sm_free(path);
    }
}

static int by_item(const void *a, const void *b)
{
    const struct sm_ckpt_item *x = a, *y = b;
    int order = sm_natural_cmp(x->path, y->path);
    return order ? order : strcmp(x->path, y->path);
}

static int by_group(const void *a, const void *b)
{
    const struct sm_ckpt_group *x = a, *y = b;
    int order = (x->step > y->step) - (x->step < y->step);
    return order ? order : sm_natural_cmp(x->worker, y->worker);
}

void sm_ckpt_layout_clear(struct sm_ckpt_layout *l)
{
    for (size_t i = 0; i < l->n; i++) {
        for (size_t k = 0; k < l->groups[i].n; k++)
            sm_free(l->groups[i].items[k].path);
        sm_free(l->groups[i].items);
        sm_free(l->groups[i].worker);
    }
    for (size_t i = 0; i < l->n_left && i < SM_CKPT_LEFT_NAMED; i++)
        sm_free(l->left[i]);
    sm_free(l->groups);
    sm_names_free(l->index);
    *l = (struct sm_ckpt_layout){0};
}

/* ---- folders ---- */

static char *join(const char *folder, const char *name)
{
    struct sm_str path = {0};
    sm_str_printf(&path, "%s%s%s", folder, *folder ? "/" : "", name);
    return path.failed ? NULL : path.data;
}

/* Folders between that name neither a step nor a worker. */
static bool is_between(const char *name)
{
    static const char *const names[] = {"checkpoints",  "checkpoint", "ckpt",     "ckpts",
                                        "tensor_dumps", "weights",    "model",    "models",
                                        "states",       "params",     "snapshots"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool sm_ckpt_is_entered(const char *folder)
{
    struct sm_str worker = {0};
    struct sm_ckpt_step step;
    bool is_worker = sm_ckpt_worker_of(folder, &worker);
    sm_str_clear(&worker);
    return is_worker || is_between(folder) || sm_ckpt_step_of(folder, strlen(folder), &step);
}

static void scan_folder(struct scan *s, const struct place *at);

/* name: without '/'. */
static void enter(struct scan *s, const struct place *at, const char *name)
{
    struct place in = {.step = at->step, .worker = at->worker, .depth = at->depth + 1};
    struct sm_ckpt_step step;
    struct sm_str worker = {0};
    bool is_worker = sm_ckpt_worker_of(name, &worker);
    bool is_step = !is_worker && sm_ckpt_step_of(name, strlen(name), &step);
    bool inside = at->step != SM_CKPT_NO_STEP || is_step || is_worker || is_between(name);
    if (is_step && at->step == SM_CKPT_NO_STEP)
        in.step = step.n;
    if (is_worker && !*at->worker)
        in.worker = sm_str_text(&worker);
    char *path = inside && in.depth <= DEPTH && !worker.failed ? join(at->folder, name) : NULL;
    in.folder = path;
    if (path)
        scan_folder(s, &in);
    sm_free(path);
    sm_str_clear(&worker);
}

/* Whether what looks for checkpoints takes the file for one: other programs call their data .bin,
 * too, and of these the content decides. */
static bool is_found(const struct scan *s, const struct place *at, const char *name)
{
    uint8_t head[SM_CKPT_HEAD];
    size_t n = 0;
    struct sm_err err;
    if (s->out || !sm_ends_with(name, ".bin"))
        return !sm_ends_with(name, ".index.json");
    char *path = join(at->folder, name);
    bool yes = path && sm_source_read(s->files, path, 0, head, sizeof head, &n, &err) &&
               sm_ckpt_format_of(name, head, n);
    sm_free(path);
    return yes;
}

/* A file of the folder; of a checkpoint in shards only what puts it together. */
static void take_file(struct scan *s, const struct place *at, const struct sm_ckpt_folder *f,
                      const struct sm_ckpt_entry *file)
{
    const char *name = file->name;
    if (f->has_metadata && sm_ends_with(name, ".distcp"))
        return;
    s->found = s->found || is_found(s, at, name);
    if (!s->out)
        return;
    char *path = join(at->folder, name);
    if (path)
        add_item(s, at, path, file);
    else
        s->out->failed = true;
}

/* Enters folders of the folder and takes its files. */
static void take_entries(struct scan *s, const struct place *at, const struct sm_ckpt_folder *f)
{
    for (size_t i = 0; i < f->n && (s->out || !s->found); i++) {
        const char *name = f->items[i].name;
        size_t n = strlen(name);
        if (name[n - 1] != '/') {
            take_file(s, at, f, &f->items[i]);
            continue;
        }
        char *folder = s->only ? NULL : sm_strndup(name, n - 1);
        if (folder)
            enter(s, at, folder);
        sm_free(folder);
    }
}

static void scan_folder(struct scan *s, const struct place *at)
{
    if (s->looks >= 0 && s->looks-- == 0)
        return;
    if (s->folders) {
        const struct sm_ckpt_folder *f = sm_ckpt_folders_look(s->folders, s->files, at->folder,
                                                              s->only, at->step == SM_CKPT_NO_STEP);
        s->out->failed = s->out->failed || !f || f->failed;
        if (f)
            take_entries(s, at, f);
        return;
    }
    struct sm_ckpt_folder names;
    sm_ckpt_folder_read(&names, s->files, at->folder, s->only, false);
    take_entries(s, at, &names);
    sm_ckpt_folder_clear(&names);
}

/* Takes the path over. */
static void leave_out(struct sm_ckpt_layout *l, char *path)
{
    if (l->n_left < SM_CKPT_LEFT_NAMED)
        l->left[l->n_left] = path;
    else
        sm_free(path);
    l->n_left++;
}

/* Files without a step beside others that have one: the last weights again, or what belongs to no
 * step. */
static void drop_stepless(struct sm_ckpt_layout *l)
{
    bool steps = l->n && l->groups[l->n - 1].step != SM_CKPT_NO_STEP;
    size_t kept = 0;
    for (size_t i = 0; i < l->n; i++) {
        struct sm_ckpt_group *g = &l->groups[i];
        if (!steps || g->step != SM_CKPT_NO_STEP) {
            l->groups[kept++] = *g;
            continue;
        }
        for (size_t k = 0; k < g->n; k++)
            leave_out(l, g->items[k].path);
        sm_free(g->items);
        sm_free(g->worker);
    }
    l->n = kept;
}

void sm_ckpt_layout_scan(struct sm_source *files, const char *folder, const char *only,
                         struct sm_ckpt_folders *folders, struct sm_ckpt_layout *out)
{
    struct scan s = {.files = files, .only = only, .folders = folders, .out = out, .looks = -1};
    struct place root = {.folder = folder, .step = SM_CKPT_NO_STEP, .worker = ""};
    scan_folder(&s, &root);
    for (size_t i = 0; i < out->n; i++)
        if (out->groups[i].n)
            qsort(out->groups[i].items, out->groups[i].n, sizeof *out->groups[i].items, by_item);
    if (out->n)
        qsort(out->groups, out->n, sizeof *out->groups, by_group);
    drop_stepless(out);
}

bool sm_ckpt_layout_is_folder(struct sm_source *files, const char *folder)
{
    struct scan s = {.files = files, .looks = LOOKS};
    struct place root = {.folder = folder, .step = SM_CKPT_NO_STEP, .worker = ""};
    scan_folder(&s, &root);
    return s.found;
}
