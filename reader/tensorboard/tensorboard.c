/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of trial: its state, what follows from a read, and the paths that it opens. */
#include "reader/tensorboard/tensorboard.h"
#include "reader/kind/run_folder.h"
#include "reader/s3/source_s3.h"

#include <string.h>
#include <sys/stat.h>

/* ---- state ---- */

static void board_free(void *state)
{
    struct sm_board *b = state;
    sm_names_free(b->paths);
    sm_names_free(b->below);
    sm_free(b->folders);
    sm_free(b->files);
    sm_free(b->order);
    sm_free(b->queue);
    sm_run_info_clear(&b->info);
    sm_log_sink_clear(&b->sink);
    sm_free(b);
}

static void *board_new(const struct sm_trial_input *in)
{
    struct sm_board *b = sm_alloc_zero(1, sizeof *b);
    if (!b)
        return NULL;
    b->in = in;
    b->paths = sm_names_new();
    b->below = sm_names_new();
    if (b->paths && b->below)
        return b;
    board_free(b);
    return NULL;
}

/* ---- settling ---- */

/* What a restart removes is not taken from the run's earlier files later, either. */
static void note_removal(struct sm_board *b, const struct sm_batch *batch,
                         const struct sm_batch_part *p)
{
    uint32_t at = sm_names_find(b->paths, sm_names_text(batch->names, p->event_file),
                                sm_names_length(batch->names, p->event_file));
    for (size_t k = 0; k < b->n_files && b->order[k] != at; k++) {
        struct sm_board_file *f = &b->files[b->order[k]];
        if (sm_board_same_run(b, b->order[k], at) && f->purged_from > p->step)
            f->purged_from = p->step;
    }
}

static void settle_piece(struct sm_board *b, const struct sm_board_piece *x,
                         const struct sm_batch_file *read)
{
    struct sm_board_file *f = &b->files[x->file];
    enum sm_fate fate = read->fate;
    bool moved = read->size_bytes != f->taken;
    if (x->from != f->taken) /* one before it was not taken: both are read again */
        return;
    f->taken = read->size_bytes;
    f->version = read->own[SM_BOARD_VERSION];
    f->print = read->own[SM_BOARD_CHECKSUM];
    f->again = f->rest || (x->to && read->size_bytes < x->to);
    f->fault = fate == SM_FATE_BAD    ? SM_BOARD_BROKEN
               : fate == SM_FATE_LATE ? SM_BOARD_TORN
                                      : SM_BOARD_NO_FAULT;
    if (f->fault != SM_BOARD_TORN)
        f->torn_bytes = 0;
    else if (moved || !f->torn_bytes)
        f->torn_bytes = f->size_bytes;
}

static void board_settle(void *state, const struct sm_batch *batch, size_t n_merged)
{
    struct sm_board *b = state;
    for (size_t i = 0; i < batch->n_files && n_merged == batch->n_parts; i++)
        settle_piece(b, &b->queue[batch->first + i], &batch->files[i]);
    if (batch->info && n_merged == batch->n_parts)
        b->named = sm_run_info_add(&b->info, batch->info) && b->named;
    for (size_t i = 0; i < n_merged; i++)
        if (batch->parts[i].removes == SM_REMOVES_STEPS)
            note_removal(b, batch, &batch->parts[i]);
}

/* ---- the kind ---- */

static bool owns_path(const char *path, const struct stat *st)
{
    const char *slash = strrchr(path, '/');
    return st && S_ISREG(st->st_mode) && strstr(slash ? slash + 1 : path, "tfevents");
}

static struct sm_source *open_folder(const char *path, struct sm_err *err)
{
    const char *slash = strrchr(path, '/');
    char *folder =
        slash ? sm_strndup(path, slash == path ? 1 : (size_t)(slash - path)) : sm_strdup(".");
    struct sm_source *source = folder ? sm_source_files_new(folder, err) : NULL;
    if (!folder)
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
    sm_free(folder);
    return source;
}

static void find_run(struct sm_run_folder *f)
{
    bool any = false;
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        if (x->is_dir || x->claimed || !sm_board_is_event_file(x->name))
            continue;
        sm_run_folder_claim(f, x->name);
        any = true;
    }
    if (any)
        sm_run_folder_add(f, NULL, NULL);
}

static void board_unread(void *state)
{
    ((struct sm_board *)state)->named = false;
}

const struct sm_trial_traits sm_board_traits = {
    .name = "tensorboard",
    .label = "TensorBoard",
    .title = "TensorBoard directory",
    .files = "TensorBoard event files",
    .runs = true,
    .day_ends = true,
};

const struct sm_trial_kind sm_trial_kind_tensorboard = {
    .traits = &sm_board_traits,
    .find = find_run,
    .owns_path = owns_path,
    .open_path = open_folder,
    .detect = sm_board_detect,
    .new_state = board_new,
    .free_state = board_free,
    .list = sm_board_list,
    .read = sm_board_read,
    .settle = board_settle,
    .unread = board_unread,
};
