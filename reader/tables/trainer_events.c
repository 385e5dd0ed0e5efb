/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and reads the sessions: which files there are, and the numbers of their events. */
#include "reader/tables/trainer_events.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/dtype.h"
#include "reader/format/event_walk.h"
#include "reader/format/tfrecord.h"
#include "reader/tables/table_settings.h"

#include <stdlib.h>
#include <string.h>

enum { SESSIONS_MAX = 1000, CHUNK_BYTES = 1 << 20, RECORD_MAX = 1 << 28 };

/* ---- folders ---- */

static const char *const folders[] = {"runs", "logs", "tensorboard"};

void sm_trainer_event_folders(void (*each)(void *ctx, const char *name), void *ctx)
{
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        each(ctx, folders[i]);
}

static bool is_event_file(const char *name)
{
    return strstr(name, "tfevents") && !strstr(name, ".tmp");
}

/* Lists a folder and those in it. */
struct walk {
    struct sm_source *source;
    const char *dir;                  /* "" is the run's own */
    bool below;                       /* dir is one of those in it */
    struct sm_trainer_events *events; /* NULL: says only whether there are any */
    bool found;
};

static void add_session(struct sm_trainer_events *e, const char *path);

static bool list_folder(struct walk *w);

static bool on_name(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct walk *w = ctx;
    struct sm_str path = {0};
    (void)inode;
    sm_str_printf(&path, "%s%s%s", w->dir, *w->dir ? "/" : "", name);
    bool session = !is_dir && is_event_file(name);
    if (!path.failed && is_dir && !w->below && *w->dir) {
        struct walk in = {w->source, path.data, true, w->events, false};
        w->found = list_folder(&in) || w->found;
    } else if (!path.failed && session && w->events) {
        sm_str_truncate(&path, sm_source_plain_name(sm_str_text(&path)));
        add_session(w->events, sm_str_text(&path));
    }
    w->found = w->found || session;
    sm_str_clear(&path);
    return w->events || !w->found;
}

static bool list_folder(struct walk *w)
{
    struct sm_err err = {0};
    return sm_source_list(w->source, w->dir, on_name, w, &err) && w->found;
}

bool sm_trainer_has_events(struct sm_run_folder *f, const char *dir)
{
    struct sm_str path = {0};
    sm_run_folder_join(f, dir, &path);
    struct walk w = {.source = sm_run_folder_source(f), .dir = sm_str_text(&path)};
    bool any = !path.failed && list_folder(&w);
    sm_str_clear(&path);
    return any;
}

/* ---- sessions ---- */

/* "events.out.tfevents.1700000000.host.1.0" */
static uint64_t time_of(const char *path)
{
    const char *at = strstr(path, "tfevents.");
    return at ? strtoull(at + strlen("tfevents."), NULL, 10) : 0;
}

static int by_time(const void *a, const void *b)
{
    const struct sm_trainer_session *x = a, *y = b;
    if (x->began != y->began)
        return x->began < y->began ? -1 : 1;
    return strcmp(x->path, y->path);
}

static void add_session(struct sm_trainer_events *e, const char *path)
{
    for (size_t i = 0; i < e->n; i++)
        if (strcmp(e->items[i].path, path) == 0)
            return;
    if (e->n >= SESSIONS_MAX)
        return;
    char *copy = SM_VEC_ROOM(e->items, e->n, e->cap) ? sm_strdup(path) : NULL;
    e->failed = e->failed || !copy;
    if (copy)
        e->items[e->n++] =
            (struct sm_trainer_session){.path = copy, .began = time_of(path), .first = INT64_MAX};
}

static void find_in(void *ctx, const char *name)
{
    struct sm_trainer_events *e = ctx;
    struct walk w = {.source = e->source, .dir = name, .events = e};
    list_folder(&w);
}

static void find_sessions(struct sm_trainer_events *e)
{
    size_t before = e->n;
    find_in(e, "");
    sm_trainer_event_folders(find_in, e);
    if (e->n > before)
        qsort(e->items, e->n, sizeof *e->items, by_time);
}

/* ---- events ---- */

/* What the Trainer's callback makes of the names of its history, back again. Appends. */
static void add_name(struct sm_str *out, struct sm_text tag)
{
    static const struct {
        const char *prefix, *word;
    } rows[] = {{"train/", ""}, {"eval/", "eval_"}, {"test/", "test_"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i].prefix);
        if (tag.n > n && memcmp(tag.p, rows[i].prefix, n) == 0) {
            sm_str_add(out, rows[i].word);
            tag.p += n;
            tag.n -= n;
            break;
        }
    }
    sm_str_addn(out, tag.p, tag.n);
}

static void take_number(struct sm_trainer_events *e, struct sm_trainer_session *s,
                        const struct sm_event_outline *event, const struct sm_walk_value *v)
{
    struct sm_str name = {0};
    if (event->step < 0 || !v->tag.n)
        return;
    add_name(&name, v->tag);
    uint32_t key = name.failed ? SM_NAME_NONE : sm_json_row_key(e->row, name.data, name.len);
    sm_str_clear(&name);
    if (key == SM_NAME_NONE || !SM_VEC_ROOM(s->points, s->n, s->cap)) {
        e->failed = true;
        return;
    }
    s->points[s->n++] = (struct sm_trainer_point){event->step, event->wall_time,
                                                  sm_dtype_load(v->dtype, v->element), key};
    s->first = event->step < s->first ? event->step : s->first;
}

static void set_settings(struct sm_trainer_events *e, struct sm_text json)
{
    sm_str_truncate(&e->settings, 0);
    sm_str_addn(&e->settings, json.p, json.n);
    e->settings_told = false;
    e->failed = e->failed || e->settings.failed;
}

void sm_trainer_tell_settings(struct sm_trainer_events *e, struct sm_log_sink *sink)
{
    struct sm_err err;
    if (e->settings_told)
        return;
    e->settings_told = true;
    if (e->settings.len)
        sm_settings_from_json(e->settings.data, e->settings.len, sink, &err);
    if (e->more_than_scalars)
        sm_log_unshown(sink, "values of TensorBoard that are no scalars");
}

static void note_more(struct sm_trainer_events *e)
{
    e->settings_told = e->settings_told && e->more_than_scalars;
    e->more_than_scalars = true;
}

/* The Trainer writes its arguments as a text of JSON. */
static void take_texts(struct sm_trainer_events *e, struct sm_bytes payload)
{
    struct sm_arena arena = {0};
    struct sm_event event;
    struct sm_err err;
    bool ok = sm_event_parse(payload, &arena, &event, &err);
    for (size_t i = 0; ok && i < event.n_values; i++) {
        const struct sm_event_value *v = &event.values[i];
        bool text = v->dtype == SM_DTYPE_STRING && v->strings && v->n_elements;
        if (text && sm_text_is(v->tag, "args/text_summary"))
            set_settings(e, v->strings[0]);
        else if (!text || !sm_text_is(v->tag, "model_config/text_summary"))
            note_more(e);
    }
    sm_arena_clear(&arena);
}

static void take_event(struct sm_trainer_events *e, struct sm_trainer_session *s,
                       struct sm_bytes payload)
{
    struct sm_event_outline event;
    struct sm_walk_value v;
    bool bad = false, others = false;
    if (!sm_event_outline(payload, &event))
        return;
    while (sm_event_next_value(&event.summary, &v, &bad)) {
        if (v.kind == SM_WALK_NUMBER)
            take_number(e, s, &event, &v);
        others = others || v.kind == SM_WALK_OTHER;
    }
    if (others)
        take_texts(e, payload);
}

/* ---- records ---- */

static void stop_at(struct sm_trainer_events *e, struct sm_trainer_session *s, struct sm_err *err)
{
    s->broken = true;
    sm_err_prefix(err, "the rest of the file is not read");
    sm_log_problem(e->sink, s->path, (int64_t)s->at, err);
}

/* Takes one record at p; returns its length, 0 if it is not whole or nothing more is read. *n: what
 * its header says. A wrong checksum at the end of the file may be of a record that is being
 * written.
 */
static size_t take_record(struct sm_trainer_events *e, struct sm_trainer_session *s,
                          struct sm_bytes p, uint64_t *n)
{
    struct sm_err err = {0};
    struct sm_bytes payload;
    enum sm_crc crc;
    bool ok = sm_frame_header(p, n, &err);
    if (ok && *n > RECORD_MAX)
        ok = sm_err_set(&err, SM_ERR_DATA, "a record of %llu bytes", (unsigned long long)*n);
    ok = ok && sm_frame_parse(p, true, &payload, &crc, &err);
    if (!ok && err.code == SM_ERR_DATA)
        stop_at(e, s, &err);
    if (!ok)
        return 0;
    size_t whole = payload.n + SM_FRAME_OVERHEAD;
    if (crc != SM_CRC_BAD) {
        take_event(e, s, payload);
    } else if (whole == p.n) {
        return 0;
    } else {
        sm_err_set(&err, SM_ERR_DATA, "the payload's checksum is wrong");
        sm_log_problem(e->sink, s->path, (int64_t)s->at, &err);
    }
    return whole;
}

/* The whole records of the buffer. *want: the bytes to read next. */
static size_t take_records(struct sm_trainer_events *e, struct sm_trainer_session *s,
                           struct sm_bytes p, size_t *want)
{
    size_t taken = 0;
    uint64_t n = 0;
    for (size_t whole = 1; whole && taken < p.n; s->at += whole) {
        whole = take_record(e, s, (struct sm_bytes){p.p + taken, p.n - taken}, &n);
        taken += whole;
    }
    *want = n > CHUNK_BYTES / 2 && n <= RECORD_MAX ? (size_t)n + SM_FRAME_OVERHEAD : CHUNK_BYTES;
    return taken;
}

/* Whether the file is another one than when it was read last. */
static bool has_changed(const struct sm_trainer_events *e, struct sm_trainer_session *s)
{
    struct sm_stat st;
    struct sm_err err;
    if (s->broken || !sm_source_stat(e->source, s->path, &st, &err))
        return false;
    bool same = st.size_bytes == s->seen.size_bytes && st.mtime_us == s->seen.mtime_us &&
                st.inode == s->seen.inode;
    s->seen = st;
    return !same;
}

static void read_session(struct sm_trainer_events *e, struct sm_trainer_session *s)
{
    struct sm_str buffer = {0};
    struct sm_err err;
    size_t want = CHUNK_BYTES, taken = 1, got = 0;
    while (taken && !s->broken && !e->failed) {
        size_t asked = want;
        sm_str_truncate(&buffer, 0);
        sm_str_fill(&buffer, 0, asked);
        e->failed = e->failed || buffer.failed;
        if (e->failed ||
            (!sm_source_read(e->source, s->path, s->at, buffer.data, asked, &got, &err) && !got))
            break;
        taken = take_records(e, s, (struct sm_bytes){(const uint8_t *)buffer.data, got}, &want);
        taken += !taken && got == asked && want > asked;
    }
    sm_str_clear(&buffer);
}

void sm_trainer_events_read(struct sm_trainer_events *e, bool look, struct sm_json_row *row,
                            struct sm_log_sink *sink)
{
    e->row = row;
    e->sink = sink;
    if (look)
        find_sessions(e);
    for (size_t i = 0; i < e->n && !e->failed; i++)
        if (has_changed(e, &e->items[i]))
            read_session(e, &e->items[i]);
}

int64_t sm_trainer_events_cut(const struct sm_trainer_events *e, size_t i)
{
    int64_t cut = INT64_MAX;
    while (++i < e->n)
        cut = e->items[i].first < cut ? e->items[i].first : cut;
    return cut;
}

void sm_trainer_events_clear(struct sm_trainer_events *e)
{
    for (size_t i = 0; i < e->n; i++) {
        sm_free(e->items[i].path);
        sm_free(e->items[i].points);
    }
    sm_str_clear(&e->settings);
    sm_free(e->items);
    e->items = NULL;
    e->n = e->cap = 0;
}
