/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/trials/file_check.h"

#define ALWAYS_A_WORKER 1000000u /* elements of work; this number makes a worker run it */

static void add_finding(struct sm_file_check *x, const struct sm_file_check_file *f,
                        enum sm_err_code code, const char *text)
{
    *(code == SM_ERR_MISSING ? &x->n_missing : &x->n_short) += 1;
    if (x->n_shown < SM_FILE_CHECK_SHOWN)
        x->shown[x->n_shown++] = (struct sm_file_check_finding){f->path, text, code};
}

/* ---- files left by a killed job, which was writing in the newest folder ---- */

static bool take_newest_folder(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct sm_str *newest = ctx;
    (void)inode;
    if (is_dir && strcmp(name, sm_str_text(newest)) > 0) {
        sm_str_truncate(newest, 0);
        sm_str_add(newest, name);
    }
    return true;
}

struct folder {
    struct sm_file_check *x;
    const char *path;
};

static bool add_leftover(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    const struct folder *f = ctx;
    (void)inode;
    if (!is_dir && sm_ends_with(name, ".tmp") && f->x->n_leftovers < SM_FILE_CHECK_SHOWN)
        f->x->leftovers[f->x->n_leftovers++] =
            sm_arena_xprintf(&f->x->arena, "%s/%s", f->path, name);
    return true;
}

static void find_leftovers(struct sm_file_check *x, const char *top)
{
    struct sm_str newest = {0};
    struct sm_err err = {0};
    if (sm_source_list(x->source, top, take_newest_folder, &newest, &err) && newest.len) {
        struct folder f = {x, sm_arena_xprintf(&x->arena, "%s/%s", top, sm_str_text(&newest))};
        sm_source_list(x->source, f.path, add_leftover, &f, &err);
    }
    sm_str_clear(&newest);
}

/* ---- work ---- */

static void run_check(struct sm_work *w)
{
    struct sm_file_check *x = (struct sm_file_check *)w;
    for (size_t i = 0; i < x->n_files && !atomic_load(&w->job.cancelled); i++) {
        struct sm_file_check_file *f = &x->files[i];
        struct sm_stat st;
        struct sm_err err = {0};
        if (!sm_source_stat(x->source, f->path, &st, &err))
            add_finding(x, f, err.code,
                        err.code == SM_ERR_MISSING ? "is missing" : "cannot be read");
        else if (!st.compressed && st.size_bytes < f->bytes)
            add_finding(
                x, f, SM_ERR_DATA,
                sm_arena_xprintf(&x->arena, "has %llu bytes instead of the %llu in the index",
                                 (unsigned long long)st.size_bytes, (unsigned long long)f->bytes));
    }
    find_leftovers(x, "events");
    find_leftovers(x, "index");
}

static void free_check(struct sm_work *w)
{
    struct sm_file_check *x = (struct sm_file_check *)w;
    sm_source_unref(x->source);
    sm_arena_clear(&x->arena);
    sm_free(x);
}

/* For each part, the end of its last entry in the event file, in bytes. */
static uint64_t *ends_of_parts(const struct sm_trial *t, struct sm_arena *a, uint32_t *n_parts)
{
    *n_parts = 0;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        for (size_t k = 0; k < x->n_entries; k++)
            *n_parts = sm_tensor_entry(t, x, k).part >= *n_parts ? sm_tensor_entry(t, x, k).part + 1
                                                                 : *n_parts;
    }
    uint64_t *ends = sm_arena_xalloc(a, (*n_parts + 1) * sizeof *ends);
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        for (size_t k = 0; k < x->n_entries; k++) {
            struct sm_entry e = sm_tensor_entry(t, x, k);
            if (e.kind != SM_ENTRY_SHAPE && e.offset + e.length > ends[e.part])
                ends[e.part] = e.offset + e.length;
        }
    }
    return ends;
}

static struct sm_file_check *new_check(struct sm_call *c)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_file_check *x = sm_xalloc_zero(1, sizeof *x);
    uint32_t n;
    const uint64_t *ends = ends_of_parts(t, &x->arena, &n);
    x->work = (struct sm_work){
        .run = run_check, .free = free_check, .what = c->cmd, .elements = ALWAYS_A_WORKER};
    x->source = sm_source_ref(sm_trial_source(t));
    x->files = sm_arena_xalloc(&x->arena, (n + 1) * sizeof *x->files);
    for (uint32_t i = 0; i < n; i++) {
        const struct sm_part *p = sm_trial_part(t, i);
        const char *path = sm_trial_event_path(t, p);
        if (path && !p->replaced)
            x->files[x->n_files++] = (struct sm_file_check_file){
                sm_arena_xstrndup(&x->arena, path, strlen(path)), ends[i]};
    }
    return x;
}

const struct sm_file_check *sm_file_check_ask(struct sm_call *c, struct sm_err *err)
{
    struct sm_work *w = sm_work_find(&c->works, c->cmd, NULL);
    if (w)
        return sm_work_check_done(w, err) ? (const struct sm_file_check *)w : NULL;
    struct sm_file_check *x = new_check(c);
    return sm_work_start(&c->works, &x->work, err) ? x : NULL;
}
