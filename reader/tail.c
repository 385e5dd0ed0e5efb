#include "reader/tail.h"

#include "reader/base/vec.h"
#include "reader/format/location.h"
#include "reader/tail_state.h"

#include <string.h>

struct sm_tail *sm_tail_new(struct sm_source *source, const struct sm_trial_options *o,
                            struct sm_err *err)
{
    struct sm_tail *t = sm_alloc_zero(1, sizeof *t);
    if (!t)
        goto no_memory;
    t->workers = sm_names_new();
    t->only_worker = o->worker ? sm_strdup(o->worker) : NULL;
    t->source = sm_source_ref(source);
    t->options = *o;
    t->everything = true;
    if (t->workers && (t->only_worker || !o->worker))
        return t;
    sm_tail_free(t);
no_memory:
    sm_err_set(err, SM_ERR_MEMORY, "no memory for a trial");
    return NULL;
}

void sm_tail_free(struct sm_tail *t)
{
    if (!t)
        return;
    sm_board_free(t->board);
    sm_source_unref(t->source);
    sm_names_free(t->workers);
    sm_map_clear(&t->taken);
    sm_map_clear(&t->bad);
    sm_map_clear(&t->collections);
    sm_str_clear(&t->odd_names);
    sm_str_clear(&t->newest_name);
    sm_free(t->only_worker);
    sm_free(t->last_step);
    sm_free(t->late_folders);
    sm_free(t->queue);
    sm_free(t);
}

void sm_tail_everything(struct sm_tail *t)
{
    t->everything = true;
    sm_map_clear(&t->bad);
}

void sm_news_free(struct sm_news *n)
{
    if (!n)
        return;
    sm_arena_clear(&n->arena);
    sm_free(n->collections);
    sm_problems_clear(&n->problems);
    sm_free(n);
}

void sm_tail_report(struct sm_news *n, const char *file, const struct sm_err *err)
{
    if (err->code == SM_ERR_MEMORY)
        n->no_memory = true;
    else if (err->code != SM_ERR_MISSING)
        sm_problems_add(&n->problems, file, -1, err);
}

/* ---- the directory itself ---- */

/* Forgets everything, when the directory was removed or replaced by another. */
static void forget_all(struct sm_tail *t)
{
    t->gone = t->gone || t->taken.count || t->collections.count;
    sm_map_clear(&t->taken);
    sm_map_clear(&t->bad);
    sm_map_clear(&t->collections);
    for (size_t w = 0; w < t->cap_last; w++)
        t->last_step[w] = -1;
    sm_str_truncate(&t->newest_name, 0);
    t->n_late = 0;
    t->everything = true;
    t->listed = false;
}

static bool file_exists(struct sm_tail *t, struct sm_news *n, const char *file)
{
    struct sm_stat st;
    struct sm_err err = {0};
    if (sm_source_stat(t->source, file, &st, &err))
        return !st.is_dir;
    sm_tail_report(n, file, &err);
    return false;
}

static void check_root(struct sm_tail *t, struct sm_news *n)
{
    struct sm_stat st;
    struct sm_err err = {0};
    n->exists = sm_source_stat(t->source, "", &st, &err);
    if (!n->exists && err.code == SM_ERR_MISSING)
        forget_all(t);
    if (!n->exists) {
        sm_tail_report(n, ".", &err);
        return;
    }
    if (t->root.inode && (t->root.device != st.device || t->root.inode != st.inode))
        forget_all(t);
    t->root = (struct seen){.device = st.device, .inode = st.inode};
    t->ended = n->ended = file_exists(t, n, SM_END_FILE);
    n->claimed = file_exists(t, n, SM_CLAIM_FILE);
}

/* Checks the file taken last, for changes that a list cannot see: the folder was emptied, or the
 * file overwritten in place. */
static void check_newest(struct sm_tail *t)
{
    struct sm_stat st;
    struct sm_err err = {0};
    if (!t->newest_name.len)
        return;
    if (!sm_source_stat(t->source, sm_str_text(&t->newest_name), &st, &err)) {
        if (err.code == SM_ERR_MISSING)
            forget_all(t);
        return;
    }
    if (st.size_bytes != t->newest.size_bytes || st.mtime_us != t->newest.time_us)
        sm_map_remove(&t->taken, sm_tail_key(t->newest_file.step, t->newest_file.worker));
}

/* ---- listing ---- */

/* Decided once there are event files; can change until a trial's first file appears. */
static bool is_board(struct sm_tail *t, struct sm_news *n)
{
    if (t->board || t->decided)
        return t->board;
    if (sm_board_is_one(t->source)) {
        t->board = sm_board_new(t->source, &t->options, t->only_worker);
        n->no_memory = n->no_memory || !t->board;
    }
    return t->board;
}

struct sm_news *sm_tail_list(struct sm_tail *t)
{
    struct sm_news *n = sm_alloc_zero(1, sizeof *n);
    if (!n)
        return NULL;
    n->folders[0] = n->folders[1] = -1;
    t->n_queue = 0;
    t->complete = t->listed;
    t->listed = true;
    sm_str_clear(&t->odd_names);
    if (sm_archive_is(t->source)) {
        sm_archive_list(t->source, n);
        return n;
    }
    check_root(t, n);
    if (n->exists && is_board(t, n)) {
        sm_board_list(t->board, n);
        return n;
    }
    if (n->exists) {
        check_newest(t);
        sm_tail_list_collections(t, n);
        sm_tail_list_index(t, n);
    }
    n->recreated = t->gone && (t->n_queue || n->n_collections);
    t->gone = t->gone && !n->recreated;
    n->emptied = t->gone;
    n->n_files = t->n_queue;
    t->decided = t->decided || n->n_files || n->n_collections;
    return n;
}

/* ---- settling ---- */

static void note_late(struct sm_tail *t, int64_t folder)
{
    if (sm_tail_was_late(t, folder))
        return;
    if (SM_VEC_ROOM(t->late_folders, t->n_late, t->cap_late))
        t->late_folders[t->n_late++] = folder;
    else
        t->everything = true;
}

static void note_newest(struct sm_tail *t, const struct queued *q, const struct sm_batch_file *f)
{
    t->newest =
        (struct seen){.inode = q->inode, .size_bytes = f->size_bytes, .time_us = f->time_us};
    t->newest_file = *q;
    sm_str_clear(&t->newest_name);
    sm_tail_path(t, q, &t->newest_name);
    if (t->newest_name.failed)
        sm_str_clear(&t->newest_name);
}

void sm_tail_settle(struct sm_tail *t, const struct sm_batch *b, size_t n_merged)
{
    if (sm_archive_is(t->source)) {
        sm_archive_settle(t->source, b, n_merged);
        return;
    }
    if (t->board) {
        sm_board_settle(t->board, b, n_merged);
        return;
    }
    const struct queued *newest = NULL;
    size_t taken = 0, at = 0;
    for (size_t i = 0; i < b->n_files; i++) {
        const struct queued *q = &t->queue[b->first + i];
        uint64_t key = sm_tail_key(q->step, q->worker);
        enum sm_fate fate = b->files[i].fate;
        bool known = true;
        if (fate == SM_FATE_LATE)
            note_late(t, q->folder);
        else if (fate == SM_FATE_BAD)
            known = sm_map_put(&t->bad, key, q->inode);
        else if (fate == SM_FATE_UNWANTED || taken++ < n_merged)
            known = sm_map_put(&t->taken, key, q->inode);
        else
            known = false;
        t->everything = t->everything || !known;
        if (fate == SM_FATE_TAKEN && known) {
            newest = q;
            at = i;
        }
    }
    if (newest)
        note_newest(t, newest, &b->files[at]);
}

void sm_tail_unread(struct sm_tail *t)
{
    if (sm_archive_is(t->source))
        sm_archive_unread(t->source);
    sm_map_clear(&t->collections);
    t->everything = true;
}
