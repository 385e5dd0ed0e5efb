/* SPDX-License-Identifier: Apache-2.0 */
/* Reads index files into batches; changes only its own batch. */
#include "reader/base/clock.h"
#include "reader/base/vec.h"
#include "reader/format/index_json.h"
#include "reader/format/location.h"
#include "reader/smdebug/smdebug.h"

#include <stdio.h>
#include <string.h>

enum { INDEX_FILE_MAX = 256 << 20, LATE_US = 60 * 1000000 };

struct index_reader {
    const struct sm_smdebug *files;
    struct sm_batch *batch;
    struct sm_index index;    /* scratch */
    struct sm_str path, text; /* scratch */
    bool no_memory;
};

static enum sm_fate out_of_memory(struct index_reader *r)
{
    r->no_memory = true;
    return SM_FATE_LATE;
}

static void report_index_problem(struct index_reader *r, const struct sm_err *err)
{
    sm_problems_add(&r->batch->problems, sm_str_text(&r->path), -1, err);
}

/* Reports that a member of meta is missing, or of no meaning, and what counts in its place. The
 * offset is that of the place that says it: the member, or the meta that has none. */
static void report_member(struct index_reader *r, const char *member, const char *instead)
{
    struct sm_err err;
    char quoted[32];
    size_t n = (size_t)snprintf(quoted, sizeof quoted, "\"%s\"", member);
    const char *here = memmem(r->text.data, r->text.len, quoted, n),
               *meta = memmem(r->text.data, r->text.len, "\"meta\"", 6),
               *at = here   ? here
                     : meta ? meta
                            : r->text.data;
    sm_err_set(&err, SM_ERR_DATA, "index: %s %s, %s", here ? "unknown" : "no", member, instead);
    sm_problems_add(&r->batch->problems, sm_str_text(&r->path), at - r->text.data, &err);
}

/* What is guessed may be wrong: the mode for a job with modes, the others for one that was
 * restarted or renamed. */
static void report_missing_members(struct index_reader *r)
{
    if (!r->index.mode)
        report_member(r, "mode", "the step counts as GLOBAL");
    if (r->index.mode_step < 0)
        report_member(r, "mode_step", "it counts as the number of the step");
    if (!r->index.event_file.n && r->index.n_payloads)
        report_member(r, "event_file_name", "the usual name is taken");
}

/* Whether a late file has been late for so long: what copies a trial may bring the files of a step
 * in any order. Without follow there is no later look. */
static bool was_given(const struct sm_smdebug *t, const struct queued *q, int64_t us)
{
    uint64_t since;
    return !t->in->options.follow ||
           (sm_map_get(&t->late_since, sm_smdebug_key(q->step, q->worker), &since) &&
            sm_clock_mono_us() - (int64_t)since >= us);
}

static bool ended_long_ago(const struct sm_smdebug *t)
{
    return !t->complete || sm_clock_wall_us() - t->ended_us >= SM_END_GRACE_US;
}

/* Whether the file will not change any more: the job has ended, or the same worker has written a
 * later step since, and some time has passed. A later step older than this file is of a run before
 * a restart and proves nothing. */
static bool is_final(struct index_reader *r, const struct queued *q, int64_t time_us)
{
    const struct sm_smdebug *t = r->files;
    struct sm_stat st;
    struct sm_err err;
    struct sm_str later = {0};
    if (t->ended)
        return ended_long_ago(t) || was_given(t, q, SM_END_GRACE_US);
    if (t->last_step[q->worker] <= q->step || !was_given(t, q, LATE_US))
        return false;
    sm_location_index(&later, t->last_step[q->worker], sm_names_text(t->workers, q->worker));
    bool older = later.failed || (sm_source_stat(t->in->source, sm_str_text(&later), &st, &err) &&
                                  st.mtime_us < time_us);
    sm_str_clear(&later);
    return !older;
}

/* ---- the event file ---- */

/* The name of the event file for an index without meta. */
static struct sm_text event_file(struct index_reader *r, const struct queued *q,
                                 struct sm_str *made)
{
    if (r->index.event_file.n || !r->index.n_payloads)
        return r->index.event_file;
    sm_location_events(made, q->step, sm_names_text(r->files->workers, q->worker));
    return (struct sm_text){sm_str_text(made), made->len};
}

static bool check_event_file(struct index_reader *r, struct sm_text file, struct sm_err *why)
{
    const struct sm_index *x = &r->index;
    struct sm_stat st;
    uint64_t end = 0;
    for (size_t i = 0; i < x->n_payloads; i++)
        if (x->payloads[i].offset + x->payloads[i].length > end)
            end = x->payloads[i].offset + x->payloads[i].length;
    if (!sm_source_stat(r->files->in->source, file.p, &st, why)) {
        if (why->code == SM_ERR_MISSING)
            why->code = SM_ERR_DATA; /* the index refers to it */
        return sm_err_prefix(why, "event file");
    }
    if (st.compressed || st.size_bytes >= end)
        return true;
    return sm_err_set(why, SM_ERR_DATA, "event file %s has %llu bytes, but the index says %llu",
                      file.p, (unsigned long long)st.size_bytes, (unsigned long long)end);
}

/* At the first list, only the newest file of each worker can be incomplete, unless the trial is
 * being copied; then it is followed and has not ended. For the others, requests for values will
 * show it. */
static bool may_be_incomplete(const struct sm_smdebug *t, const struct queued *q)
{
    bool copied = t->in->options.follow && !t->ended;
    return t->complete || copied || q->step >= t->last_step[q->worker];
}

/* ---- into the batch ---- */

static bool add_index_values(struct sm_batch *b, const struct sm_index *x)
{
    if (!sm_vec_reserve((void **)&b->values, &b->cap_values, b->n_values + x->n_payloads,
                        sizeof *b->values))
        return false;
    for (size_t i = 0; i < x->n_payloads; i++) {
        const struct sm_index_payload *p = &x->payloads[i];
        uint32_t name = sm_names_add(b->names, p->name.p, p->name.n);
        if (name == SM_NAME_NONE)
            return false;
        b->values[b->n_values++] =
            (struct sm_batch_value){.offset = p->offset, .length = p->length, .name = name};
    }
    return true;
}

static bool add_index_shapes(struct sm_batch *b, const struct sm_index *x)
{
    if (!sm_vec_reserve((void **)&b->shapes, &b->cap_shapes, b->n_shapes + x->n_shapes,
                        sizeof *b->shapes))
        return false;
    for (size_t i = 0; i < x->n_shapes; i++) {
        const struct sm_index_shape *s = &x->shapes[i];
        uint32_t name = sm_names_add(b->names, s->name.p, s->name.n);
        if (name == SM_NAME_NONE || !sm_vec_reserve((void **)&b->dims, &b->cap_dims,
                                                    b->n_dims + s->n_dims + 1, sizeof *b->dims))
            return false;
        b->shapes[b->n_shapes++] = (struct sm_batch_shape){name, b->n_dims};
        b->dims[b->n_dims++] = s->n_dims;
        for (unsigned d = 0; d < s->n_dims; d++)
            b->dims[b->n_dims++] = s->dims[d];
    }
    return true;
}

static bool add_part(struct index_reader *r, const struct queued *q, struct sm_text events,
                     int64_t time_us, int64_t written_us)
{
    struct sm_batch *b = r->batch;
    const struct sm_index *x = &r->index;
    const char *worker = sm_names_text(r->files->workers, q->worker);
    struct sm_batch_part p = {
        .step = q->step,
        .mode = x->mode ? x->mode : SM_MODE_GLOBAL,
        .mode_step = x->mode_step >= 0 ? x->mode_step : q->step,
        .time_us = time_us,
        .written_us = written_us,
        .worker = sm_names_add(b->names, worker, strlen(worker)),
        .event_file = SM_NAME_NONE,
        .first_value = b->n_values,
        .n_values = x->n_payloads,
        .first_shape = b->n_shapes,
        .n_shapes = x->n_shapes,
    };
    if (events.n)
        p.event_file = sm_names_add(b->names, events.p, events.n);
    if (p.worker != SM_NAME_NONE && (!events.n || p.event_file != SM_NAME_NONE) &&
        SM_VEC_ROOM(b->parts, b->n_parts, b->cap_parts) && add_index_values(b, x) &&
        add_index_shapes(b, x)) {
        b->parts[b->n_parts++] = p;
        return true;
    }
    b->n_values = p.first_value;
    b->n_shapes = p.first_shape;
    return false;
}

/* ---- again? ---- */

static struct sm_smdebug_print print_of(const struct index_reader *r, struct sm_text events)
{
    struct sm_bytes index = {(const uint8_t *)r->text.data, r->text.len};
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < r->index.n_payloads; i++)
        first = r->index.payloads[i].offset < first ? r->index.payloads[i].offset : first;
    return sm_smdebug_print(r->files->in->source, index, events.n ? events.p : NULL, first);
}

static bool is_same(const struct index_reader *r, const struct queued *q, uint64_t print)
{
    uint64_t before;
    return print && sm_map_get(&r->files->prints, sm_smdebug_key(q->step, q->worker), &before) &&
           before == print;
}

/* It was taken when its event file was missing or too short. */
static bool was_cut(const struct index_reader *r, const struct queued *q)
{
    uint64_t before;
    return sm_map_get(&r->files->prints, sm_smdebug_key(q->step, q->worker), &before) &&
           before == SM_PRINT_CUT;
}

/* Adds the file as a part, unless it is as before. */
static enum sm_fate take_index_file(struct index_reader *r, const struct queued *q,
                                    struct sm_text events, bool cut, struct sm_batch_file *f)
{
    struct sm_smdebug_print now = {.print = cut ? SM_PRINT_CUT : 0};
    if (!cut && may_be_incomplete(r->files, q)) /* so it may also be written again */
        now = print_of(r, events);
    f->print = now.print;
    if (is_same(r, q, now.print))
        return SM_FATE_SAME;
    if (!add_part(r, q, events, f->time_us, now.written_us))
        return out_of_memory(r);
    report_missing_members(r);
    r->batch->parts[r->batch->n_parts - 1].completes = was_cut(r, q);
    return SM_FATE_TAKEN;
}

static enum sm_fate read_index_file(struct index_reader *r, const struct queued *q,
                                    struct sm_batch_file *f)
{
    struct sm_err err = {0};
    struct sm_str made = {0};
    struct sm_text events = event_file(r, q, &made);
    enum sm_fate fate = SM_FATE_TAKEN;
    bool cut = false;
    if (events.n && !sm_source_path_ok(events.p, events.n)) {
        sm_err_set(&err, SM_ERR_REFUSED, "event file \"%s\" leaves the trial", events.p);
        report_index_problem(r, &err);
        events.n = 0;
    } else if (events.n && may_be_incomplete(r->files, q) && !check_event_file(r, events, &err)) {
        if (err.code == SM_ERR_MEMORY)
            fate = out_of_memory(r);
        else if (!(cut = is_final(r, q, f->time_us)))
            fate = SM_FATE_LATE;
        else
            report_index_problem(r, &err);
    }
    if (fate == SM_FATE_TAKEN)
        fate = made.failed ? out_of_memory(r) : take_index_file(r, q, events, cut, f);
    sm_str_clear(&made);
    return fate;
}

static enum sm_fate read_file(struct index_reader *r, const struct queued *q,
                              struct sm_batch_file *f)
{
    struct sm_err err = {0};
    struct sm_stat st = {0};
    sm_str_truncate(&r->path, 0);
    sm_str_truncate(&r->text, 0);
    sm_smdebug_path(r->files, q, &r->path);
    if (r->path.failed)
        return out_of_memory(r);
    bool ok = sm_source_load(r->files->in->source, sm_str_text(&r->path), INDEX_FILE_MAX, &r->text,
                             &st, &err);
    f->size_bytes = st.size_bytes;
    f->time_us = st.mtime_us;
    if (ok)
        ok = r->text.len ? sm_index_parse(r->text.data, r->text.len, &r->index, &err)
                         : sm_err_set(&err, SM_ERR_DATA, "the index file is empty");
    if (!ok && err.code == SM_ERR_MEMORY)
        return out_of_memory(r);
    if (!ok && err.code == SM_ERR_IO) {
        report_index_problem(r, &err); /* an I/O error may be temporary */
        return SM_FATE_LATE;
    }
    if (!ok && (err.code == SM_ERR_MISSING || !is_final(r, q, st.mtime_us)))
        return SM_FATE_LATE;
    if (!ok) {
        report_index_problem(r, &err);
        return SM_FATE_BAD;
    }
    if (r->files->in->options.mode != SM_MODE_ANY &&
        r->index.mode != (int)r->files->in->options.mode)
        return SM_FATE_UNWANTED;
    return read_index_file(r, q, f);
}

/* Says which index files are going to be read. */
static void announce(const struct sm_smdebug *t, size_t from, size_t to)
{
    struct sm_str path = {0};
    bool matters = true;
    for (size_t i = from; i < to && matters; i++) {
        sm_str_truncate(&path, 0);
        sm_smdebug_path(t, &t->queue[i], &path);
        matters = sm_source_ahead(t->in->source, sm_str_text(&path), 0, INDEX_FILE_MAX);
    }
    sm_str_clear(&path);
}

struct sm_batch *sm_smdebug_read(const void *state, size_t from, size_t to)
{
    const struct sm_smdebug *t = state;
    struct index_reader r = {.files = t, .batch = sm_batch_new(from, to)};
    struct sm_batch *b = r.batch;
    if (!b)
        return NULL;
    announce(t, from, to);
    for (size_t i = from; i < to && !r.no_memory; i++) {
        b->files[i - from].fate = read_file(&r, &t->queue[i], &b->files[i - from]);
        b->n_files++;
    }
    sm_index_clear(&r.index);
    sm_str_clear(&r.path);
    sm_str_clear(&r.text);
    if (!r.no_memory)
        return b;
    sm_batch_free(b);
    return NULL;
}
