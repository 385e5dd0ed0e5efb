/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/runs/run_ahead.h"

#include "reader/base/mem.h"
#include "reader/base/pool.h"
#include "reader/s3/source_s3.h"
#include "reader/trial_kinds.h"

#include <poll.h>

enum { THREADS = 16, AHEAD = 48, CANCEL_MS = 100 };
enum { TOLD_FILES = 8, TOLD_BYTES = 128 << 10 };

struct look {
    struct sm_job job;
    struct sm_run_ahead *ahead;
    const char *path;
    struct sm_run_folder *folder;
    struct sm_err err;
    bool done;
};
struct sm_run_ahead {
    struct sm_source *source;
    const char *only;
    const atomic_bool *cancelled;
    struct sm_pool *pool; /* without threads for what is on a disk */
    struct look *items[AHEAD];
    size_t n, most;
};

/* ---- one folder ---- */

/* A few small files beside those that make a folder a run are going to be read, too, when the run
 * is: its settings, its notes. */
static void tell_files(const struct sm_run_folder *f)
{
    struct sm_source *source = sm_run_folder_source(f);
    struct sm_str path = {0};
    struct sm_err err = {0};
    struct sm_stat st;
    bool matters = true;
    for (size_t i = 0, told = 0; i < sm_run_folder_count(f) && told < TOLD_FILES && matters; i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        if (x->is_dir ||
            !sm_source_stat(source, sm_run_folder_join(f, x->name, &path), &st, &err) ||
            st.size_bytes > TOLD_BYTES)
            continue;
        matters = sm_source_ahead(source, sm_str_text(&path), 0, TOLD_BYTES);
        told++;
    }
    sm_str_clear(&path);
}

static void look_at(struct look *x)
{
    size_t kinds = sm_trial_kind_count(), n;
    x->folder = sm_run_folder_new(x->ahead->source, x->path, x->ahead->only, &x->err);
    if (!x->folder)
        return;
    sm_run_folder_ask(x->folder, sm_trial_kind_at(kinds - 1)); /* it has files of other kinds */
    for (size_t i = 0; i + 1 < kinds; i++)
        sm_run_folder_ask(x->folder, sm_trial_kind_at(i));
    sm_run_folder_finds(x->folder, &n);
    if (n && x->ahead->pool)
        tell_files(x->folder);
}

static void run_look(struct sm_job *job)
{
    sm_s3_cancel_by(&job->cancelled);
    look_at((struct look *)job);
    sm_s3_cancel_by(NULL);
}

static void end_look(struct sm_job *job)
{
    ((struct look *)job)->done = true;
}

static void free_look(struct look *x)
{
    if (x->folder)
        sm_run_folder_free(x->folder);
    sm_free(x);
}

/* ---- those that follow each other ---- */

struct sm_run_ahead *sm_run_ahead_new(struct sm_source *source, const char *only,
                                      const atomic_bool *cancelled)
{
    struct sm_run_ahead *a = sm_alloc_zero(1, sizeof *a);
    bool far = sm_is_s3(source->root);
    if (!a)
        return NULL;
    *a = (struct sm_run_ahead){
        .source = source, .only = only, .cancelled = cancelled, .most = far ? AHEAD : 1};
    a->pool = far ? sm_pool_new(THREADS, 0, NULL) : NULL;
    if (a->pool || !far)
        return a;
    sm_free(a);
    return NULL;
}

void sm_run_ahead_free(struct sm_run_ahead *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->n; i++)
        atomic_store(&a->items[i]->job.cancelled, true);
    if (a->pool)
        sm_pool_free(a->pool);
    for (size_t i = 0; i < a->n; i++)
        free_look(a->items[i]);
    sm_free(a);
}

bool sm_run_ahead_add(struct sm_run_ahead *a, const char *path)
{
    struct look *x = a->n < a->most ? sm_alloc_zero(1, sizeof *x) : NULL;
    if (!x)
        return false;
    *x = (struct look){.job = {.run = run_look, .done = end_look, .urgency = SM_URGENCY_ASKED},
                       .ahead = a,
                       .path = path};
    a->items[a->n++] = x;
    if (a->pool)
        sm_pool_submit(a->pool, &x->job);
    return true;
}

/* False: cancelled. */
static bool await_look(struct sm_run_ahead *a, const struct look *x)
{
    while (!x->done) {
        struct pollfd news = {.fd = sm_pool_fd(a->pool), .events = POLLIN};
        if (a->cancelled && atomic_load(a->cancelled))
            return false;
        poll(&news, 1, CANCEL_MS);
        sm_pool_collect(a->pool, AHEAD);
    }
    return true;
}

struct sm_run_folder *sm_run_ahead_take(struct sm_run_ahead *a, struct sm_err *err)
{
    struct look *x = a->n ? a->items[0] : NULL;
    if (x && !a->pool)
        look_at(x);
    else if (!x || !await_look(a, x)) {
        sm_err_set(err, x ? SM_ERR_CANCELLED : SM_ERR_MEMORY, x ? "cancelled" : "out of memory");
        return NULL;
    }
    struct sm_run_folder *f = x->folder;
    *err = x->err;
    x->folder = NULL;
    free_look(x);
    a->n--;
    for (size_t i = 0; i < a->n; i++)
        a->items[i] = a->items[i + 1];
    return f;
}
