/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of the history of Hugging Face's Trainer. A newer file repeats the history of those
 * before it: only what was not handed on yet is. */
#include "reader/base/mem.h"
#include "reader/logs/log_fresh.h"
#include "reader/tables/table_settings.h"
#include "reader/tables/tables.h"
#include "reader/tables/trainer_files.h"
#include "reader/tables/trainer_history.h"
#include "reader/tables/trainer_told.h"

#include <string.h>

enum { STATE_BYTES_MAX = 256 * 1024 * 1024 };

struct trainer {
    const struct sm_trial_input *in;
    struct sm_trainer_files files;
    struct sm_trainer_file one; /* the member, if a file was given */
    struct sm_table_settings settings;
    struct sm_json_row row;
    struct sm_log_sink *sink;
    struct sm_trainer_events events; /* of a folder */
    struct sm_trainer_told told;
    bool late; /* a file may be being written: read it again */
};

/* Without the file's name. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

static bool load(struct trainer *t, const struct sm_trainer_file *file,
                 struct sm_trainer_history *h)
{
    struct sm_err err;
    struct sm_str text = {0};
    if (!file)
        return false;
    bool ok = sm_source_slurp(t->in->source, file->path, STATE_BYTES_MAX, &text, &err) &&
              sm_trainer_history_read(h, &text, &t->row, &err);
    bool late = !ok && err.code == SM_ERR_DATA && sm_is_fresh(file->stat.mtime_us);
    t->late = t->late || late;
    if (!ok && !late && err.code != SM_ERR_MISSING)
        sm_log_problem(t->sink, file->path, -1, &err);
    sm_str_clear(&text);
    if (!ok)
        sm_trainer_history_clear(h);
    return ok;
}

/* Takes over b if it is better: *from is then b's file. */
static void choose(struct sm_trainer_history *a, struct sm_trainer_history *b, bool better,
                   const struct sm_trainer_file **from, const struct sm_trainer_file *file)
{
    if (better) {
        struct sm_trainer_history old = *a;
        *a = *b;
        *b = old;
        *from = file;
    }
    sm_trainer_history_clear(b);
}

/* Later steps are newer, unless a file that was written later goes another way: then the training
 * was begun anew in the same folder. NULL: no file can be read. */
static const struct sm_trainer_file *load_newest(struct trainer *t, struct sm_trainer_history *h)
{
    struct sm_trainer_newest newest = sm_trainer_files_newest(&t->files);
    struct sm_trainer_history other = {0};
    const struct sm_trainer_file *from = load(t, newest.last, h) ? newest.last : NULL;
    /* a checkpoint that is torn leaves the one before it */
    for (const struct sm_trainer_file *x = newest.last; !from && x && x > t->files.items;)
        from = (--x)->there && x->checkpoint >= 0 && load(t, x, h) ? x : NULL;
    if (newest.own && load(t, newest.own, &other))
        choose(h, &other, !from || other.step >= h->step, &from, newest.own);
    if (from && newest.written != newest.own && newest.written != newest.last &&
        newest.written != from && newest.written->stat.mtime_us > from->stat.mtime_us &&
        load(t, newest.written, &other))
        choose(h, &other, !sm_point_list_begins(&h->points, &other.points), &from, newest.written);
    return from;
}

static const struct sm_trainer_file *load_files(struct trainer *t, struct sm_trainer_history *h)
{
    t->late = false;
    return load_newest(t, h);
}

static void restart(struct trainer *t)
{
    sm_log_restart(t->sink);
    t->settings = (struct sm_table_settings){0};
    sm_trainer_told_restart(&t->told, &t->events);
}

/* A training that was begun anew in the same folder has written its events, and no state yet: the
 * history is that of the training before. */
static void drop_void(const struct trainer *t, struct sm_point_list *points, int64_t written_us)
{
    int64_t cut = INT64_MAX;
    size_t kept = 0;
    for (size_t i = 0; i < t->events.n; i++) {
        const struct sm_trainer_session *s = &t->events.items[i];
        bool later = (double)s->began * 1e6 > (double)written_us;
        cut = later && s->first < cut ? s->first : cut;
    }
    for (size_t i = 0; i < points->n; i++)
        if (points->items[i].step < cut)
            points->items[kept++] = points->items[i];
    points->n = kept;
}

static void put_history(struct trainer *t, struct sm_trainer_history *h, int64_t written_us)
{
    drop_void(t, &h->points, written_us);
    if (!sm_points_go_on(&t->told.history, &h->points))
        restart(t);
    sm_trainer_note_times(&t->told, &t->events);
    sm_trainer_tell_history(&t->told, &h->points, &t->row, t->sink);
    sm_trainer_history_tell(h, t->sink);
}

static void put_settings(struct trainer *t, const char *path)
{
    char *folder = sm_strndup(path, folder_length(path));
    if (folder)
        sm_table_settings_read(&t->settings, t->in->source, folder, t->sink);
    sm_free(folder);
}

/* ---- the format ---- */

static void trainer_close(void *state)
{
    struct trainer *t = state;
    sm_trainer_files_clear(&t->files);
    sm_trainer_events_clear(&t->events);
    sm_trainer_told_clear(&t->told);
    sm_json_row_clear(&t->row);
    sm_free(t);
}

static void *trainer_open(const struct sm_trial_input *in)
{
    struct trainer *t = sm_alloc_zero(1, sizeof *t);
    if (!t)
        return NULL;
    t->in = in;
    t->files = (struct sm_trainer_files){.source = in->source, .folder = ""};
    t->events.source = in->source;
    t->one.path = (char *)(uintptr_t)in->options.member;
    return t;
}

/* A file that was given: nothing beside it is looked at. */
static const struct sm_trainer_file *load_one(struct trainer *t, struct sm_trainer_history *h)
{
    struct sm_stat st;
    struct sm_err err;
    bool there = sm_source_stat(t->in->source, t->one.path, &st, &err);
    if (!there || (t->one.there && !t->late && st.mtime_us == t->one.stat.mtime_us &&
                   st.size_bytes == t->one.stat.size_bytes && st.inode == t->one.stat.inode))
        return NULL;
    t->one.there = true;
    t->one.stat = st;
    t->late = false;
    return load(t, &t->one, h) ? &t->one : NULL;
}

/* In a bucket folders have no times, and a list is a request: new sessions are looked for when a
 * checkpoint has come. */
static bool has_times(const struct trainer *t)
{
    struct sm_stat st;
    struct sm_err err;
    return sm_source_stat(t->in->source, "", &st, &err) && st.mtime_us;
}

/* NULL: nothing has changed, or no file can be read. */
static const struct sm_trainer_file *load_folder(struct trainer *t, struct sm_trainer_history *h,
                                                 struct sm_err *err)
{
    bool changed = sm_trainer_files_look(&t->files, err) || t->late;
    sm_trainer_events_read(&t->events, changed || has_times(t), &t->row, t->sink);
    if (sm_trainer_is_overtaken(&t->told, &t->events)) {
        restart(t);
        changed = true;
    }
    return changed ? load_files(t, h) : NULL;
}

static bool trainer_poll(void *state, struct sm_log_sink *sink)
{
    struct trainer *t = state;
    struct sm_trainer_history h = {0};
    struct sm_err err = {0};
    const struct sm_trainer_file *from = NULL;
    t->sink = sink;
    from = t->one.path ? load_one(t, &h) : load_folder(t, &h, &err);
    if (err.code && err.code != SM_ERR_MISSING)
        sm_log_problem(sink, ".", -1, &err);
    if (from) {
        sm_log_written(sink, from->stat.mtime_us);
        put_history(t, &h, from->stat.mtime_us);
        put_settings(t, from->path);
    }
    sm_trainer_tell_events(&t->told, &t->events, &t->row, sink);
    if (t->events.failed || t->told.failed)
        sm_log_problem(sink, ".", -1,
                       (sm_err_set(&err, SM_ERR_MEMORY, "no memory for the events"), &err));
    sm_trainer_history_clear(&h);
    return false;
}

const struct sm_log_format sm_trainer_format = {
    .open = trainer_open, .close = trainer_close, .poll = trainer_poll};
