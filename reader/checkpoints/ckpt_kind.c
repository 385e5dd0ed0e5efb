/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of trial of checkpoints and dumps: a list looks which files there are, a read takes the
 * headers of those of one step and worker. */
#include "reader/base/clock.h"
#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/checkpoints/ckpt_beside.h"
#include "reader/checkpoints/ckpt_formats.h"
#include "reader/checkpoints/ckpt_names.h"
#include "reader/checkpoints/ckpt_read.h"
#include "reader/checkpoints/ckpt_source.h"
#include "reader/kind/trial_kind.h"

#include <stdlib.h>
#include <string.h>

/* What is known of the files of a step and worker, by the name of both. */
struct known_group {
    uint64_t print; /* of paths, sizes and times; 0: to be read */
};
struct ckpt_state {
    const struct sm_trial_input *in;
    struct sm_ckpt_folders *folders;
    struct sm_ckpt_layout layout; /* of the last list; groups that are queued come first */
    size_t n_queued;
    struct sm_names *names; /* "STEP WORKER" */
    struct known_group *known;
    size_t cap_known;
    int64_t own_step; /* in the name of the folder itself */
    bool named;       /* the trial has the collections */
    bool any;         /* something was taken */
    bool cut;         /* it was said that there are too many files */
};

static void ckpt_state_free(void *state)
{
    struct ckpt_state *s = state;
    sm_ckpt_layout_clear(&s->layout);
    sm_ckpt_folders_free(s->folders);
    sm_names_free(s->names);
    sm_free(s->known);
    sm_free(s);
}

/* The step in the name of the directory itself, as it was opened. */
static int64_t step_of_root(const struct sm_source *source)
{
    char *real = realpath(source->root, NULL);
    const char *whole = real ? real : source->root, *slash = strrchr(whole, '/');
    const char *name = slash ? slash + 1 : whole;
    struct sm_ckpt_step step;
    bool has = sm_ckpt_step_of(name, strlen(name), &step);
    free(real);
    return has ? step.n : 0;
}

static void *ckpt_state_new(const struct sm_trial_input *in)
{
    struct ckpt_state *s = sm_alloc_zero(1, sizeof *s);
    if (!s)
        return NULL;
    s->in = in;
    s->own_step = in->options.member ? 0 : step_of_root(in->source);
    s->names = sm_names_new();
    s->folders = sm_ckpt_folders_new();
    if (s->names && s->folders)
        return s;
    ckpt_state_free(s);
    return NULL;
}

/* ---- list ---- */

static uint64_t mix(uint64_t print, uint64_t with)
{
    print = (print ^ with) * 0x9e3779b97f4a7c15u;
    return print ^ print >> 29;
}

/* Of all that a group is read from; not 0. */
static uint64_t print_of(const struct sm_ckpt_group *g)
{
    uint64_t print = 1;
    for (size_t i = 0; i < g->n; i++) {
        for (const char *p = g->items[i].path; *p; p++)
            print = mix(print, (uint8_t)*p);
        print = mix(print, g->items[i].st.size_bytes);
        print = mix(print, (uint64_t)g->items[i].st.mtime_us);
    }
    return print | 1;
}

/* NULL: no memory. */
static struct known_group *known_of(struct ckpt_state *s, const struct sm_ckpt_group *g)
{
    struct sm_str key = {0};
    size_t before = s->cap_known;
    sm_str_printf(&key, "%lld %s", (long long)g->step, g->worker);
    uint32_t id = key.failed ? SM_NAME_NONE : sm_names_add(s->names, key.data, key.len);
    sm_str_clear(&key);
    if (id == SM_NAME_NONE ||
        !sm_vec_reserve((void **)&s->known, &s->cap_known, (size_t)id + 1, sizeof *s->known))
        return NULL;
    memset(s->known + before, 0, (s->cap_known - before) * sizeof *s->known);
    return &s->known[id];
}

static int64_t step_of(const struct ckpt_state *s, const struct sm_ckpt_group *g)
{
    return g->step == SM_CKPT_NO_STEP ? s->own_step : g->step;
}

/* Moves the groups that are to be read to the front, in their order. */
static bool queue_groups(struct ckpt_state *s, struct sm_ckpt_layout *l)
{
    s->n_queued = 0;
    for (size_t i = 0; i < l->n; i++) {
        const struct known_group *known = known_of(s, &l->groups[i]);
        if (!known)
            return false;
        if (known->print == print_of(&l->groups[i]) ||
            !sm_trial_includes_step(&s->in->options, step_of(s, &l->groups[i])))
            continue;
        struct sm_ckpt_group g = l->groups[i];
        l->groups[i] = l->groups[s->n_queued];
        l->groups[s->n_queued++] = g;
    }
    return true;
}

/* The settings beside the files, of the newest step that has some. */
static bool list_settings(struct ckpt_state *s, struct sm_tail_changes *n)
{
    struct sm_source *files = sm_ckpt_source_files(s->in->source);
    if (!s->n_queued || s->in->options.member)
        return true;
    const struct sm_ckpt_group *g = &s->layout.groups[s->n_queued - 1];
    const char *path = g->n ? g->items[0].path : "", *slash = strrchr(path, '/');
    char *folder = sm_strndup(path, slash ? (size_t)(slash - path) : 0);
    struct sm_run_info *info = n->info ? n->info : sm_alloc_zero(1, sizeof *info);
    bool ok = folder && info && sm_ckpt_add_settings(files, "", &info->config) &&
              (!*folder || sm_ckpt_add_settings(files, folder, &info->config));
    n->info = info;
    sm_free(folder);
    return ok;
}

/* Files that belong to no step are said to be there. */
static bool list_left_out(struct ckpt_state *s, struct sm_tail_changes *n)
{
    const struct sm_ckpt_layout *l = &s->layout;
    struct sm_str words = {0};
    bool ok = true;
    if (!s->n_queued || !l->n_left)
        return true;
    for (size_t i = 0; i < l->n_left && i < SM_CKPT_LEFT_NAMED && ok; i++) {
        sm_str_truncate(&words, 0);
        sm_str_printf(&words, "%s (no step)", l->left[i]);
        ok = !words.failed && sm_run_info_ignore(n->info, sm_str_text(&words));
    }
    if (l->n_left > SM_CKPT_LEFT_NAMED && ok)
        ok = sm_run_info_ignore(n->info, "other files without a step");
    sm_str_clear(&words);
    return ok;
}

static void report_cut(struct ckpt_state *s, struct sm_tail_changes *n)
{
    struct sm_err err;
    if (!s->layout.cut || s->cut)
        return;
    s->cut = true;
    sm_err_set(&err, SM_ERR_LIMIT, "more than %d files: the others are left out",
               SM_CKPT_FILES_MAX);
    sm_news_report(n, ".", &err);
}

static void ckpt_list_files(void *state, struct sm_tail_changes *n)
{
    struct ckpt_state *s = state;
    struct sm_source *files = sm_ckpt_source_files(s->in->source);
    struct sm_stat st;
    struct sm_err err = {0};
    n->exists = sm_source_stat(files, "", &st, &err);
    if (!n->exists) {
        sm_news_report(n, ".", &err);
        return;
    }
    sm_ckpt_layout_clear(&s->layout);
    sm_ckpt_folders_begin(s->folders, sm_clock_wall_us());
    sm_ckpt_layout_scan(files, "", s->in->options.member, s->folders, &s->layout);
    report_cut(s, n);
    bool ok = !s->layout.failed && queue_groups(s, &s->layout) && list_settings(s, n) &&
              list_left_out(s, n);
    n->one_worker = true;
    n->emptied = s->any && !s->layout.n;
    n->n_files = ok ? s->n_queued : 0;
    if (n->n_files && !s->named)
        ok = s->named = sm_ckpt_collections(n);
    n->no_memory = !ok;
}

/* ---- read, settle ---- */

static struct sm_batch *ckpt_read_groups(const void *state, size_t from, size_t to)
{
    const struct ckpt_state *s = state;
    struct sm_batch *b = sm_batch_new(from, to);
    bool no_memory = !b;
    for (size_t i = from; i < to && !no_memory; i++) {
        struct sm_ckpt_input in = {.source = s->in->source,
                                   .group = &s->layout.groups[i],
                                   .step = step_of(s, &s->layout.groups[i]),
                                   .adds = s->in->options.beside,
                                   .now_us = sm_clock_wall_us(),
                                   .may_be_late = s->in->options.follow};
        struct sm_batch_file *f = &b->files[b->n_files];
        f->fate = sm_ckpt_read_group(&in, b, &no_memory);
        f->print = print_of(in.group);
        b->n_files += !no_memory;
    }
    if (!no_memory)
        return b;
    if (b)
        sm_batch_free(b);
    return NULL;
}

static void ckpt_settle(void *state, const struct sm_batch *b, size_t n_merged)
{
    struct ckpt_state *s = state;
    size_t taken = 0;
    for (size_t i = 0; i < b->n_files; i++) {
        const struct sm_batch_file *f = &b->files[i];
        bool settled = f->fate == SM_FATE_BAD || (f->fate == SM_FATE_TAKEN && taken++ < n_merged);
        struct known_group *known = known_of(s, &s->layout.groups[b->first + i]);
        if (known && settled)
            known->print = f->print;
        s->any = s->any || settled;
    }
}

static void ckpt_everything(void *state)
{
    sm_ckpt_folders_forget(((struct ckpt_state *)state)->folders);
}

static void ckpt_unread(void *state)
{
    ((struct ckpt_state *)state)->named = false;
}

/* ---- finding runs ---- */

/* Whether the folder may have such files, by the names in it alone. */
static bool has_names(const struct sm_run_folder *f)
{
    bool any = false;
    for (size_t i = 0; i < sm_run_folder_count(f) && !any; i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        any = x->is_dir ? sm_ckpt_is_entered(x->name)
                        : sm_ckpt_is_name(x->name) || sm_ends_with(x->name, ".distcp");
    }
    return any;
}

static void claim_names(struct sm_run_folder *f)
{
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        if (x->is_dir ? sm_ckpt_is_entered(x->name) : sm_ckpt_is_name(x->name))
            sm_run_folder_claim(f, x->name);
    }
}

/* A file that was given: by its name, unless other programs call their data so, too; or by its
 * content, whatever its name is. */
static bool is_checkpoint(const struct sm_run_folder *f, const char *name)
{
    uint8_t head[SM_CKPT_HEAD];
    size_t n = sm_run_folder_head(f, name, head, sizeof head);
    if (sm_ends_with(name, ".bin"))
        return sm_ckpt_format_of(name, head, n);
    return sm_ckpt_is_name(name) || sm_ckpt_format_of_content(head, n);
}

static void find_checkpoints(struct sm_run_folder *f)
{
    if (sm_run_folder_is_given(f)) {
        const struct sm_run_item *x = sm_run_folder_count(f) ? sm_run_folder_item(f, 0) : NULL;
        if (!x || x->is_dir || x->claimed || !is_checkpoint(f, x->name))
            return;
        sm_run_folder_claim(f, x->name);
        sm_run_folder_add(f, x->name, NULL);
        return;
    }
    if (!has_names(f) || !sm_ckpt_layout_is_folder(sm_run_folder_source(f), sm_run_folder_path(f)))
        return;
    claim_names(f);
    if (!sm_run_folder_join_run(f))
        sm_run_folder_add(f, NULL, NULL);
}

static const struct sm_trial_traits traits = {
    .name = "checkpoints",
    .label = "checkpoints",
    .title = "checkpoints and tensor dumps",
    .files = "files of tensors (.safetensors, .pt, .npz)",
    .runs = true,
    .ranks = true,
    .silence_ends = true,
    .named_by_files = true,
};
const struct sm_trial_kind sm_trial_kind_checkpoints = {
    .traits = &traits,
    .find = find_checkpoints,
    .wrap = sm_ckpt_source_new,
    .unwrap = sm_ckpt_source_files,
    .new_state = ckpt_state_new,
    .free_state = ckpt_state_free,
    .list = ckpt_list_files,
    .read = ckpt_read_groups,
    .settle = ckpt_settle,
    .everything = ckpt_everything,
    .unread = ckpt_unread,
};
