/* SPDX-License-Identifier: Apache-2.0 */
/* What each kind of item writes: into the trial, and into the files beside it. */
#include "reader/hook/hook_private.h"

#include "reader/base/mem.h"

#include <string.h>

/* Closing the writer removes the files of the step; the next step opens a new one. */
static void abandon_step(struct smdbg_hook *h, const struct sm_err *err)
{
    hook_fail(h, err);
    sm_writer_close(h->writer);
    h->writer = NULL;
}

static bool write_strings(struct smdbg_hook *h, const struct hook_item *x, struct sm_event_value *v,
                          struct sm_err *err)
{
    struct sm_text *strings = sm_alloc_zero(x->n, sizeof *strings);
    const char *p = (const char *)x->data;
    if (!strings)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to write %s", x->name);
    for (uint64_t i = 0; i < x->n; i++) {
        strings[i] = sm_text(p);
        p += strings[i].n + 1;
    }
    v->strings = strings;
    bool ok = sm_writer_tensor(h->writer, v, x->wall_time, err);
    sm_free(strings);
    return ok;
}

static bool write_tensor(struct smdbg_hook *h, const struct hook_item *x, struct sm_err *err)
{
    struct sm_event_value v = {.tag = sm_text(x->name),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = x->dtype,
                               .n_dims = x->n_dims,
                               .n_elements = x->n,
                               .content = {x->data, x->bytes}};
    memcpy(v.dims, x->dims, x->n_dims * sizeof *x->dims);
    if (x->dtype == SM_DTYPE_STRING)
        return write_strings(h, x, &v, err);
    return x->scalar || (x->n == 1 && h->share_files)
               ? sm_writer_number(h->writer, &v, x->wall_time, err)
               : sm_writer_tensor(h->writer, &v, x->wall_time, err);
}

static bool count_step(struct smdbg_hook *h, const struct hook_step_totals *step)
{
    pthread_mutex_lock(&h->queue.lock);
    h->counts.steps++;
    h->counts.tensors += step->tensors;
    h->counts.bytes += step->bytes;
    pthread_mutex_unlock(&h->queue.lock);
    return true;
}

static bool write_item(struct smdbg_hook *h, const struct hook_item *x, struct sm_err *err)
{
    struct hook_step_totals *step = &h->totals;
    switch (x->kind) {
    case HOOK_STEP:
        *step = (struct hook_step_totals){0};
        return sm_writer_begin_step(h->writer, x->step, x->mode, x->mode_step, err);
    case HOOK_TENSOR:
        step->tensors++;
        step->bytes += x->bytes;
        return write_tensor(h, x, err);
    case HOOK_BOARD:
    case HOOK_METRIC:
    case HOOK_STATE:
        return true;
    case HOOK_SHAPE:
        return sm_writer_shape(h->writer, sm_text(x->name), sm_text(x->name), x->dims, x->n_dims,
                               err);
    case HOOK_END_STEP:
        return sm_writer_end_step(h->writer, err) && count_step(h, step);
    case HOOK_COLLECTIONS:
        return sm_writer_collections_json(h->writer,
                                          (struct sm_text){(const char *)x->data, x->bytes}, err);
    case HOOK_CLAIM:
        return sm_writer_set_claim(h->writer, true, err);
    case HOOK_END:
        hook_spares_end(h->spares);
        return (h->platform_ends || sm_writer_end_job(h->writer, err)) &&
               (h->include_all || sm_writer_set_claim(h->writer, false, err));
    }
    return true;
}

static bool open_writer(struct smdbg_hook *h, struct sm_err *err)
{
    return sm_writer_make_parents(h->dir, err) &&
           sm_writer_open(h->dir, h->worker, &h->writer, err);
}

/* Errors are reported, but the step of the trial is still written. */
static void write_board(struct smdbg_hook *h, const struct hook_item *x)
{
    struct sm_err err;
    bool ok = true;
    if (x->kind == HOOK_STEP)
        hook_board_begin_step(h->board, x->step, x->mode);
    else if (x->kind == HOOK_TENSOR || x->kind == HOOK_BOARD)
        ok = hook_board_add(h->board, x, &err);
    else if (x->kind == HOOK_END_STEP)
        ok = hook_board_end_step(h->board, &err);
    if (!ok)
        hook_fail(h, &err);
}

static void write_side_files(struct smdbg_hook *h, const struct hook_item *x)
{
    struct sm_err err;
    if (h->board)
        write_board(h, x);
    if (x->metric && !hook_metrics_add(h->metrics, x, &err))
        hook_fail(h, &err);
    if (x->kind == HOOK_STATE && !hook_state_update(h->state, x, &err))
        hook_fail(h, &err);
}

/* Opens a writer if there is none, but not inside a step: the rest of a failed step is skipped. */
static void write_to_trial(struct smdbg_hook *h, const struct hook_item *x)
{
    struct sm_err err = {0};
    bool is_step_item = x->kind == HOOK_TENSOR || x->kind == HOOK_BOARD || x->kind == HOOK_SHAPE ||
                        x->kind == HOOK_END_STEP;
    if (x->kind == HOOK_METRIC || x->kind == HOOK_STATE || (!h->writer && is_step_item))
        return;
    if (!h->writer && !open_writer(h, &err))
        hook_fail(h, &err);
    else if (!write_item(h, x, &err))
        abandon_step(h, &err);
}

void hook_item_write(struct smdbg_hook *h, const struct hook_item *x)
{
    write_to_trial(h, x);
    write_side_files(h, x);
}
