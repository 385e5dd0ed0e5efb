/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions of the hook except settings, saving and errors: creation, steps, the end. */
#include "reader/hook/hook_private.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation ---- */

static int64_t int_from_environment(const char *const *names, int64_t fallback)
{
    for (; *names; names++) {
        const char *text = getenv(*names);
        int64_t v;
        if (text && hook_parse_int(text, &v, NULL))
            return v;
    }
    return fallback;
}

static void read_rank(struct smdbg_hook *h)
{
    static const char *const ranks[] = {"RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID", NULL};
    static const char *const sizes[] = {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS", NULL};
    h->rank = int_from_environment(ranks, 0);
    h->world_size = int_from_environment(sizes, 1);
}

static void free_hook(struct smdbg_hook *h)
{
    hook_queue_close(h);
    hook_early_free(h);
    hook_directory_leave(h);
    hook_params_clear(&h->params);
    hook_plan_clear(&h->plan);
    pthread_mutex_destroy(&h->lock);
    sm_str_clear(&h->error);
    sm_free(h->dir);
    sm_free(h->worker);
    sm_free(h->board_dir);
    sm_writer_close(h->writer);
    hook_spares_free(h->spares);
    hook_board_free(h->board);
    hook_metrics_free(h->metrics);
    hook_state_free(h->state);
    sm_free(h);
}

smdbg_hook *smdbg_hook_new(const char *out_dir)
{
    struct sm_err err = {0};
    struct smdbg_hook *h = sm_alloc_zero(1, sizeof *h);
    if (!h)
        return NULL;
    if (pthread_mutex_init(&h->lock, NULL) != 0 || !hook_queue_init(&h->queue, &err)) {
        sm_free(h);
        return NULL;
    }
    h->forks = hook_forks();
    h->disabled = !out_dir || !*out_dir;
    bool named = !h->disabled;
    h->dir = sm_strdup(h->disabled ? "" : out_dir);
    if (!h->dir || !hook_plan_init(&h->plan, &err)) {
        free_hook(h);
        return NULL;
    }
    read_rank(h);
    h->platform_ends = hook_in_sagemaker();
    h->metrics = hook_metrics_new();
    h->reports = h->metrics != NULL;
    h->last_saved = -1;
    h->state = hook_state_new(h->next, &err);
    h->restarted = h->next[0] > 0;
    if (!named)
        sm_err_set(&err, SM_ERR_USAGE, "no output directory: nothing will be saved");
    if (named && !hook_directory_make(h, &err))
        h->disabled = true;
    if (err.code)
        hook_fail(h, &err);
    errno = h->dir_errno;
    return h;
}

/* ---- items for the queue ---- */

bool hook_push(struct smdbg_hook *h, struct hook_item *x)
{
    struct sm_err err;
    if (x)
        return hook_queue_push(h, x);
    sm_err_set(&err, SM_ERR_MEMORY, "no memory to save a tensor");
    hook_fail(h, &err);
    return false;
}

static void push_plain(struct smdbg_hook *h, enum hook_item_kind kind)
{
    hook_push(h, hook_queue_item(&h->queue, kind, NULL, 0));
}

void hook_push_step(struct smdbg_hook *h)
{
    struct hook_item *x = hook_queue_item(&h->queue, HOOK_STEP, NULL, 0);
    if (x) {
        x->mode = h->mode;
        x->step = h->step;
        x->mode_step = h->mode_step;
    }
    hook_push(h, x);
    h->in_step = true;
    h->last_saved = h->step;
}

static void push_collections(struct smdbg_hook *h)
{
    struct sm_str json = {0};
    struct hook_item *x = NULL;
    if (hook_plan_json(&h->plan, &h->params, h->include_all ? h->world_size : 1, &json))
        x = hook_queue_item(&h->queue, HOOK_COLLECTIONS, NULL, json.len);
    if (x)
        memcpy(x->data, json.data, json.len);
    hook_push(h, x);
    sm_str_clear(&json);
    h->wrote_collections = true;
    h->plan.n_joined = 0;
    h->joined_steps = 0;
}

/* Members that came later are written, too, but a run that names something new at each step must
 * not write all its names each time: for each step as many as LATE_NAMES. */
static bool collections_are_due(struct smdbg_hook *h)
{
    enum { LATE_NAMES = 64 };
    if (!h->wrote_collections)
        return true;
    return h->plan.n_joined && ++h->joined_steps * LATE_NAMES >= h->plan.n_member;
}

/* ---- steps ---- */

bool hook_writes(const struct smdbg_hook *h)
{
    return !h->disabled && !h->dry_run && (h->include_all || h->rank == 0);
}

/* The collections file follows the first saved step: only then are the tensor names known. */
static void end_step(struct smdbg_hook *h)
{
    bool ended = h->in_step;
    if (ended) {
        push_plain(h, HOOK_END_STEP);
        h->saved_step = true;
    }
    h->in_step = false;
    if (h->saved_step && collections_are_due(h))
        push_collections(h);
    if (ended)
        hook_queue_end_step(h);
}

/* The default directory is the folder tensorboard of the trial. */
static bool start_board(struct smdbg_hook *h, struct sm_err *err)
{
    struct sm_str dir = {0};
    sm_str_printf(&dir, "%s/tensorboard", h->dir);
    h->board = dir.failed
                   ? NULL
                   : hook_board_new(h->board_dir ? h->board_dir : sm_str_text(&dir), h->worker);
    sm_str_clear(&dir);
    return h->board || sm_err_set(err, SM_ERR_MEMORY, "no memory for TensorBoard files");
}

/* Takes the directory. If that fails, the hook saves nothing. */
static bool open_hook(struct smdbg_hook *h, int64_t first_step, struct sm_err *err)
{
    char name[40];
    bool default_name = !h->worker;
    snprintf(name, sizeof name, "worker_%" PRId64, h->rank);
    bool ok = (!default_name || hook_set_text(&h->worker, name, err)) &&
              hook_directory_take(h, first_step, err);
    h->disabled = h->disabled || !ok;
    if (default_name && !h->started) { /* the rank may still change */
        sm_free(h->worker);
        h->worker = NULL;
    }
    return ok;
}

int smdbg_hook_open(smdbg_hook *h)
{
    struct sm_err err = {0};
    int result = 0;
    if (!hook_enter(h))
        return -1;
    pthread_mutex_lock(&h->lock);
    if (!h->dir_errno && !open_hook(h, 0, &err))
        result = hook_fail_now(h, &err);
    int why = h->dir_errno;
    pthread_mutex_unlock(&h->lock);
    hook_leave();
    errno = why;
    return why ? -1 : result;
}

const char *smdbg_hook_dir(smdbg_hook *h)
{
    return h ? h->dir : "";
}

static bool start_hook(struct smdbg_hook *h, int64_t first_step, struct sm_err *err)
{
    if (h->started)
        return true;
    h->started = true;
    if (!open_hook(h, first_step, err))
        return false;
    if (h->export_board && hook_writes(h) && !h->board && !start_board(h, err))
        hook_fail(h, err); /* the trial is written nevertheless */
    if (hook_writes(h) && !h->include_all)
        push_plain(h, HOOK_CLAIM);
    struct sm_err failed = {0};
    if (!hook_sampler_start(h, &failed))
        hook_fail(h, &failed); /* what is saved does not need it */
    return true;
}

/* Not saved in EVAL and PREDICT, whatever the intervals are; the original library does the same. */
static bool is_training_only(const struct hook_collection *c)
{
    return strcmp(c->name, "gradients") == 0 || strcmp(c->name, "optimizer_variables") == 0;
}

static uint64_t collections_saved_now(const struct smdbg_hook *h)
{
    uint64_t mask = 0;
    bool evaluating = h->mode == SMDBG_EVAL || h->mode == SMDBG_PREDICT;
    for (size_t i = 0; i < h->plan.n; i++) {
        const struct hook_collection *c = &h->plan.items[i];
        struct sm_save_rule r = hook_save_rule(&c->params, &h->params, h->mode);
        if (c->saved && !(evaluating && is_training_only(c)) &&
            sm_save_rule_matches(&r, h->mode_step))
            mask |= (uint64_t)1 << i;
    }
    return mask;
}

/* Queues the progress of the job, which is written when there is a new checkpoint. */
static void push_state(struct smdbg_hook *h)
{
    struct hook_progress p = {.saved = h->last_saved};
    for (int i = 0; i <= SMDBG_GLOBAL; i++)
        p.last[i] = h->next[i] - 1;
    struct hook_item *x = hook_queue_item(&h->queue, HOOK_STATE, NULL, sizeof p);
    if (x)
        memcpy(x->data, &p, sizeof p);
    hook_push(h, x);
}

/* The next step has a number, too. */
/* What the program and its archives can name (reader/smdebug/smdebug.h). */
static const int64_t STEP_MAX = ((int64_t)1 << 47) - 1;

static int begin_step(struct smdbg_hook *h, smdbg_mode mode, bool numbered, int64_t step,
                      int64_t mode_step)
{
    struct sm_err err = {0};
    bool ok = (mode >= SMDBG_TRAIN && mode <= SMDBG_GLOBAL) ||
              sm_err_set(&err, SM_ERR_USAGE, "%d is not a mode", (int)mode);
    if (ok && numbered && (step < 0 || mode_step < 0 || step > STEP_MAX || mode_step > STEP_MAX))
        ok = sm_err_set(&err, SM_ERR_USAGE, "a step number must be from 0 to %" PRId64, STEP_MAX);
    ok = ok && start_hook(h, numbered ? step : 0, &err);
    if (!ok)
        return hook_fail_now(h, &err);
    end_step(h);
    if (h->state && h->rank == 0 && hook_writes(h) && h->next[0])
        push_state(h);
    h->mode = (int)mode;
    h->step = numbered ? step : h->next[0];
    h->mode_step = numbered ? mode_step : mode == SMDBG_GLOBAL ? h->step : h->next[mode];
    h->next[0] = h->step + 1;
    h->next[mode] = h->mode_step + 1;
    uint64_t saving = hook_writes(h) ? collections_saved_now(h) : 0;
    atomic_store_explicit(&h->saving, saving, memory_order_relaxed);
    h->ever_saving |= saving;
    hook_early_push(h);
    return hook_result(h);
}

int smdbg_hook_step(smdbg_hook *h, smdbg_mode mode)
{
    if (!hook_enter(h))
        return -1;
    pthread_mutex_lock(&h->lock);
    int result = begin_step(h, mode, false, 0, 0);
    pthread_mutex_unlock(&h->lock);
    hook_leave();
    return result;
}

int smdbg_hook_step_at(smdbg_hook *h, smdbg_mode mode, int64_t step, int64_t mode_step)
{
    if (!hook_enter(h))
        return -1;
    pthread_mutex_lock(&h->lock);
    int result = begin_step(h, mode, true, step, mode_step);
    pthread_mutex_unlock(&h->lock);
    hook_leave();
    return result;
}

int64_t smdbg_hook_next_step(smdbg_hook *h, int mode)
{
    if (mode < 0 || mode > SMDBG_GLOBAL || !hook_enter(h))
        return 0;
    pthread_mutex_lock(&h->lock);
    int64_t next = h->next[mode == SMDBG_GLOBAL ? 0 : mode];
    pthread_mutex_unlock(&h->lock);
    hook_leave();
    return next;
}

/* ---- the end ---- */

int smdbg_hook_flush(smdbg_hook *h)
{
    if (!hook_enter(h))
        return -1;
    hook_queue_flush(h);
    int result = hook_result(h);
    hook_leave();
    return result;
}

/* Queues the rest of the run, once; then nothing is saved any more. */
static void end_run(struct smdbg_hook *h)
{
    struct sm_err err = {0};
    if (h->early && !h->started)
        begin_step(h, SMDBG_GLOBAL, false, 0, 0);
    if (h->started && hook_writes(h) && !h->ended) {
        if (!hook_tell_unsaved(h, &err))
            hook_fail(h, &err);
        end_step(h);
        if (!h->wrote_collections || h->plan.n_joined)
            push_collections(h);
        push_plain(h, HOOK_END);
    }
    h->ended = h->disabled = true;
    atomic_store_explicit(&h->saving, 0, memory_order_relaxed);
}

int smdbg_hook_end(smdbg_hook *h)
{
    if (!hook_enter(h))
        return -1;
    pthread_mutex_lock(&h->lock);
    end_run(h);
    pthread_mutex_unlock(&h->lock);
    hook_queue_flush(h);
    smdbg_counts counts = hook_counts_of(h);
    hook_leave();
    return counts.errors ? -1 : 0;
}

int smdbg_hook_close(smdbg_hook *h)
{
    int result = smdbg_hook_end(h);
    if (!hook_enter(h))
        return -1;
    free_hook(h);
    hook_leave();
    return result;
}
