/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/smdebug/smdebug.h"

#include "reader/base/clock.h"
#include "reader/base/vec.h"
#include "reader/format/location.h"
#include "reader/kind/run_folder.h"

#include <string.h>

static void smdebug_free(void *state)
{
    struct sm_smdebug *t = state;
    sm_names_free(t->workers);
    sm_map_clear(&t->taken);
    sm_map_clear(&t->bad);
    sm_map_clear(&t->prints);
    sm_map_clear(&t->late_since);
    sm_map_clear(&t->folder_time);
    sm_map_clear(&t->folder_since);
    sm_map_clear(&t->folder_quiet);
    sm_map_clear(&t->collections);
    sm_str_clear(&t->odd_names);
    sm_str_clear(&t->newest_name);
    sm_free(t->last_step);
    sm_free(t->late_folders);
    sm_free(t->queue);
    sm_free(t);
}

static void *smdebug_new(const struct sm_trial_input *in)
{
    struct sm_smdebug *t = sm_alloc_zero(1, sizeof *t);
    if (!t)
        return NULL;
    t->in = in;
    t->everything = true;
    t->workers = sm_names_new();
    if (t->workers)
        return t;
    smdebug_free(t);
    return NULL;
}

/* ---- the directory itself ---- */

/* Forgets everything, when the directory was removed or replaced by another. */
static void forget_all(struct sm_smdebug *t)
{
    t->gone = t->gone || t->taken.count || t->collections.count;
    sm_map_clear(&t->taken);
    sm_map_clear(&t->bad);
    sm_map_clear(&t->prints);
    sm_map_clear(&t->late_since);
    sm_map_clear(&t->folder_time);
    sm_map_clear(&t->folder_since);
    sm_map_clear(&t->folder_quiet);
    sm_map_clear(&t->collections);
    for (size_t w = 0; w < t->cap_last; w++)
        t->last_step[w] = -1;
    sm_str_truncate(&t->newest_name, 0);
    t->n_late = 0;
    t->everything = true;
    t->listed = false;
}

static void check_root(struct sm_smdebug *t, struct sm_tail_changes *n)
{
    struct sm_stat st;
    struct sm_err err = {0};
    if (!sm_news_check_root(n, t->in->source, &st, &err)) {
        if (err.code == SM_ERR_MISSING)
            forget_all(t);
        return;
    }
    if (t->root.inode && (t->root.device != st.device || t->root.inode != st.inode))
        forget_all(t);
    t->root = (struct seen){.device = st.device, .inode = st.inode};
    t->ended = n->ended;
    t->ended_us = n->ended_us;
}

/* Checks the file taken last, for changes that a list cannot see: the folder was emptied, or the
 * file overwritten in place. */
static void check_newest(struct sm_smdebug *t)
{
    struct sm_stat st;
    struct sm_err err = {0};
    if (!t->newest_name.len)
        return;
    if (!sm_source_stat(t->in->source, sm_str_text(&t->newest_name), &st, &err)) {
        if (err.code == SM_ERR_MISSING)
            forget_all(t);
        return;
    }
    if (st.size_bytes != t->newest.size_bytes || st.mtime_us != t->newest.time_us)
        t->touched =
            sm_map_remove(&t->taken, sm_smdebug_key(t->newest_file.step, t->newest_file.worker));
}

/* ---- listing ---- */

static void smdebug_list(void *state, struct sm_tail_changes *n)
{
    struct sm_smdebug *t = state;
    t->n_queue = 0;
    t->complete = t->listed;
    t->listed = true;
    sm_str_clear(&t->odd_names);
    check_root(t, n);
    if (n->exists) {
        check_newest(t);
        sm_smdebug_list_collections(t, n);
        sm_smdebug_list_index(t, n);
    }
    n->recreated = t->gone && (t->n_queue || n->n_collections);
    t->gone = t->gone && !n->recreated;
    n->emptied = t->gone;
    n->n_files = t->n_queue;
}

/* ---- settling ---- */

static void note_late(struct sm_smdebug *t, int64_t folder)
{
    if (sm_smdebug_was_late(t, folder))
        return;
    if (SM_VEC_ROOM(t->late_folders, t->n_late, t->cap_late))
        t->late_folders[t->n_late++] = folder;
    else
        t->everything = true;
}

static bool is_newest(const struct sm_smdebug *t, const struct queued *q)
{
    return q->step == t->newest_file.step && q->worker == t->newest_file.worker;
}

static void note_newest(struct sm_smdebug *t, const struct queued *q, const struct sm_batch_file *f)
{
    t->newest =
        (struct seen){.inode = q->inode, .size_bytes = f->size_bytes, .time_us = f->time_us};
    t->newest_file = *q;
    sm_str_clear(&t->newest_name);
    sm_smdebug_path(t, q, &t->newest_name);
    if (t->newest_name.failed)
        sm_str_clear(&t->newest_name);
}

static bool settle_late(struct sm_smdebug *t, const struct queued *q, uint64_t key)
{
    uint64_t since;
    note_late(t, q->folder);
    return sm_map_get(&t->late_since, key, &since) ||
           sm_map_put(&t->late_since, key, (uint64_t)sm_clock_mono_us());
}

static bool settle_taken(struct sm_smdebug *t, const struct queued *q, uint64_t key, uint64_t print)
{
    if (!print)
        sm_map_remove(&t->prints, key);
    else if (!sm_map_put(&t->prints, key, print))
        return false;
    return sm_map_put(&t->taken, key, q->inode);
}

/* False: the file is not remembered, so all folders must be searched again. */
static bool settle_file(struct sm_smdebug *t, const struct queued *q, const struct sm_batch_file *f,
                        bool merged)
{
    uint64_t key = sm_smdebug_key(q->step, q->worker);
    if (f->fate == SM_FATE_LATE)
        return settle_late(t, q, key);
    sm_map_remove(&t->late_since, key);
    if (f->fate == SM_FATE_BAD)
        return sm_map_put(&t->bad, key, q->inode);
    return merged && settle_taken(t, q, key, f->print);
}

static void smdebug_settle(void *state, const struct sm_batch *b, size_t n_merged)
{
    struct sm_smdebug *t = state;
    const struct queued *newest = NULL;
    size_t taken = 0, at = 0;
    for (size_t i = 0; i < b->n_files; i++) {
        const struct queued *q = &t->queue[b->first + i];
        enum sm_fate fate = b->files[i].fate;
        bool merged = fate != SM_FATE_TAKEN || taken++ < n_merged,
             known = settle_file(t, q, &b->files[i], merged);
        t->everything = t->everything || !known;
        if (known && (fate == SM_FATE_TAKEN || (fate == SM_FATE_SAME && is_newest(t, q)))) {
            newest = q;
            at = i;
        }
    }
    if (newest)
        note_newest(t, newest, &b->files[at]);
}

static void smdebug_everything(void *state)
{
    struct sm_smdebug *t = state;
    t->everything = true;
    sm_map_clear(&t->bad);
}

static void smdebug_unread(void *state)
{
    struct sm_smdebug *t = state;
    sm_map_clear(&t->collections);
    t->everything = true;
}

const struct sm_trial_traits sm_smdebug_traits = {
    .name = "smdebug", .label = "smdebug", .title = "smdebug trial"};

/* ---- finding runs ---- */

static bool note_number(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    bool *numbered = ctx;
    (void)inode;
    *numbered = *numbered || (is_dir && *name && strspn(name, "0123456789") == strlen(name));
    return !*numbered;
}

static bool has_numbered(struct sm_run_folder *f, const char *dir)
{
    struct sm_str path = {0};
    struct sm_err err = {0};
    bool numbered = false;
    if (sm_run_folder_has_dir(f, dir))
        sm_source_list(sm_run_folder_source(f), sm_run_folder_join(f, dir, &path), note_number,
                       &numbered, &err);
    sm_str_clear(&path);
    return numbered;
}

/* A folder of this name may be anything; in a trial it has folders of numbers. */
static void find_trial(struct sm_run_folder *f)
{
    if (!has_numbered(f, "index") && !has_numbered(f, "events") &&
        !has_numbered(f, "collections") && !sm_run_folder_has_file(f, SM_CLAIM_FILE))
        return;
    sm_run_folder_add(f, NULL, NULL);
    sm_run_folder_claim_all(f);
}

const struct sm_trial_kind sm_trial_kind_smdebug = {
    .find = find_trial,
    .traits = &sm_smdebug_traits,
    .new_state = smdebug_new,
    .free_state = smdebug_free,
    .list = smdebug_list,
    .read = sm_smdebug_read,
    .settle = smdebug_settle,
    .everything = smdebug_everything,
    .unread = smdebug_unread,
};
