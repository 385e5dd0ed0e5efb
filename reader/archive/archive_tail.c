/* SPDX-License-Identifier: Apache-2.0 */
/* An archive's answers to the tail: its collections at once, its steps frame by frame. */
#include "reader/archive/archive_state.h"
#include "reader/archive/archive_steps.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/smdz.h"
#include "reader/format/wire.h"
#include "reader/kind/run_folder.h"
#include "reader/smdebug/smdebug.h"
#include "reader/tensorboard/tensorboard.h"

#include <string.h>

/* ---- contents ---- */

static bool get_collections(struct sm_bytes b, struct sm_text *worker, int64_t *time_us,
                            struct sm_text *text, struct sm_err *err)
{
    uint64_t time;
    size_t at = 0;
    return (sm_smdz_text(b, &at, worker) && sm_wire_get(b, &at, &time) &&
            sm_archive_get_time(time, time_us) && sm_smdz_text(b, &at, text)) ||
           sm_err_set(err, SM_ERR_DATA, "the frame with collections is broken");
}

static bool add_collections(struct sm_tail_changes *n, struct sm_bytes b, struct sm_err *err)
{
    struct sm_tail_changed_collections c = {0};
    struct sm_text worker, text;
    if (!get_collections(b, &worker, &c.time_us, &text, err))
        return false;
    c.worker = sm_arena_strndup(&n->arena, worker.p, worker.n);
    if (!sm_collections_parse(text.p, text.n, &n->arena, &c.def, err))
        return false;
    if (!c.worker || !SM_VEC_ROOM(n->collections, n->n_collections, n->cap_collections))
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for collections");
    n->collections[n->n_collections++] = c;
    return true;
}

static void list_collections(struct sm_archive *a, struct sm_tail_changes *n)
{
    struct sm_str content = {0};
    for (size_t i = 0; i < a->n_frames; i++) {
        struct sm_err err = {0};
        if (a->frames[i].head.kind != SM_SMDZ_COLLECTIONS || a->frames[i].refused)
            continue;
        if (sm_archive_content(a, &a->frames[i], &content, &err) &&
            add_collections(n, (struct sm_bytes){(const uint8_t *)content.data, content.len}, &err))
            continue;
        if (err.code == SM_ERR_MEMORY)
            n->no_memory = true;
        else
            sm_problems_add(&n->problems, a->name, (int64_t)a->frames[i].at, &err);
    }
    sm_str_clear(&content);
}

bool sm_archive_copy_collections(struct sm_source *s, const char *worker, struct sm_str *out,
                                 int64_t *time_us, struct sm_err *err)
{
    struct sm_archive *a = (struct sm_archive *)s;
    struct sm_str content = {0};
    bool found = false;
    for (size_t i = 0; !found && i < a->n_frames; i++) {
        struct sm_text name, text;
        if (a->frames[i].head.kind != SM_SMDZ_COLLECTIONS || a->frames[i].refused ||
            !sm_archive_content(a, &a->frames[i], &content, err) ||
            !get_collections((struct sm_bytes){(const uint8_t *)content.data, content.len}, &name,
                             time_us, &text, err))
            continue;
        found = sm_text_is(name, worker);
        if (found)
            sm_str_addn(out, text.p, text.n);
    }
    sm_str_clear(&content);
    return found ? !out->failed
                 : sm_err_set(err, SM_ERR_MISSING, "%s has no collections of %s", a->name, worker);
}

static void take_problems(struct sm_archive *a, struct sm_tail_changes *n)
{
    sm_problems_clear(&n->problems);
    n->problems = a->problems;
    a->problems = (struct sm_problems){0};
}

static bool is_steps(const struct sm_archive_frame *f)
{
    return f->head.kind == SM_SMDZ_STEPS && !f->refused;
}

static bool has_more(const struct sm_archive *a)
{
    for (size_t i = 0; i < a->n_frames; i++)
        if (is_steps(&a->frames[i]) && !a->frames[i].given)
            return true;
    return false;
}

/* The archive itself remembers what the trial has merged. */
struct archive_tail {
    struct sm_archive *archive;
    const struct sm_trial_input *in;
};

static void *archive_new(const struct sm_trial_input *in)
{
    struct archive_tail *t = sm_alloc(sizeof *t);
    if (t)
        *t = (struct archive_tail){(struct sm_archive *)in->source, in};
    return t;
}

static void archive_list(void *state, struct sm_tail_changes *n)
{
    struct sm_archive *a = ((struct archive_tail *)state)->archive;
    n->exists = n->final = n->one_by_one = true;
    n->archive = &a->info;
    n->no_memory = !a->loaded && !sm_archive_load(a);
    n->ended = a->info.ended;
    n->claimed = a->info.claimed;
    n->one_worker = a->info.one_worker;
    n->traits = a->info.board ? &sm_board_traits : &sm_smdebug_traits;
    if (n->no_memory)
        return;
    if (!a->collections_passed) {
        take_problems(a, n);
        list_collections(a, n);
        a->collections_passed = !n->no_memory;
    }
    n->n_files = has_more(a) ? a->n_frames : 0;
}

static void archive_unread(void *state)
{
    ((struct archive_tail *)state)->archive->collections_passed = false;
}

/* ---- steps ---- */

static bool name_file(void *ctx, struct sm_text path, uint32_t number)
{
    return sm_archive_name_file(ctx, path, number);
}

/* Counts `added` more merged entries; returns how many more are allowed. */
static uint64_t room(struct sm_archive *a, uint64_t added)
{
    pthread_mutex_lock(&a->lock);
    uint64_t most = sm_archive_room(a), left = most - a->n_entries;
    a->n_entries += added < left ? added : left;
    left = most - a->n_entries;
    pthread_mutex_unlock(&a->lock);
    return left;
}

/* False if there is no memory. */
static bool read_steps(struct sm_archive *a, const struct sm_archive_frame *f,
                       const struct sm_archive_steps *how, struct sm_batch *b)
{
    struct sm_str content = {0};
    struct sm_err err = {0};
    bool ok = sm_archive_content(a, f, &content, &err) &&
              sm_archive_get_steps(
                  how, (struct sm_bytes){(const uint8_t *)content.data, content.len}, b, &err);
    sm_str_clear(&content);
    if (!ok && err.code != SM_ERR_MEMORY)
        sm_problems_add(&b->problems, a->name, (int64_t)f->at, &err);
    return ok || err.code != SM_ERR_MEMORY;
}

/* Skips parts that were merged before memory ran out. */
static void skip_merged(const struct sm_archive_frame *f, struct sm_batch *b)
{
    size_t n = f->merged < b->n_parts ? f->merged : b->n_parts;
    b->n_parts -= n;
    if (n)
        memmove(b->parts, b->parts + n, b->n_parts * sizeof *b->parts);
}

static struct sm_batch *read_frame(const struct archive_tail *t, size_t number)
{
    struct sm_archive *a = t->archive;
    struct sm_batch *b = sm_batch_new(number, number + 1);
    const struct sm_archive_frame *f = &a->frames[number];
    const struct sm_archive_steps how = {
        .options = &t->in->options, .file = name_file, .ctx = a, .most = room(a, 0)};
    if (!b)
        return NULL;
    if (is_steps(f) && !f->given && !read_steps(a, f, &how, b)) {
        sm_batch_free(b);
        return NULL;
    }
    skip_merged(f, b);
    b->files[b->n_files++].fate = SM_FATE_TAKEN;
    return b;
}

/* A range is one frame. */
static struct sm_batch *archive_read(const void *state, size_t from, size_t to)
{
    (void)to;
    return read_frame(state, from);
}

static void archive_settle(void *state, const struct sm_batch *b, size_t n_merged)
{
    struct sm_archive *a = ((struct archive_tail *)state)->archive;
    struct sm_archive_frame *f = &a->frames[b->first];
    f->merged += (uint32_t)n_merged;
    f->given = n_merged == b->n_parts;
    room(a, b->n_values + b->n_shapes + b->n_parts);
}

/* ---- the kind ---- */

/* Any file: opening reports what is wrong with one that is no archive. */
static bool owns_path(const char *path, const struct stat *st)
{
    (void)path;
    return st;
}

static bool is_archive(struct sm_source *source)
{
    return sm_archive_is(source);
}

static void find_archives(struct sm_run_folder *f)
{
    for (size_t i = 0; i < sm_run_folder_count(f); i++) {
        const struct sm_run_item *x = sm_run_folder_item(f, i);
        uint8_t begin[SM_SMDZ_HEADER];
        if (x->is_dir || x->claimed || !sm_ends_with(x->name, ".smdz") ||
            sm_run_folder_head(f, x->name, begin, sizeof begin) < sizeof begin)
            continue;
        sm_run_folder_add(f, x->name, NULL);
        sm_run_folder_claim(f, x->name);
    }
}

const struct sm_trial_kind sm_trial_kind_archive = {
    .find = find_archives,
    .owns_path = owns_path,
    .open_path = sm_archive_open,
    .detect = is_archive,
    .new_state = archive_new,
    .free_state = sm_free,
    .list = archive_list,
    .read = archive_read,
    .settle = archive_settle,
    .unread = archive_unread,
};
