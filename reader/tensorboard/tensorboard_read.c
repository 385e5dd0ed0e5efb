/* Reads the records of event files into batches; changes only its own batch. */
#include "reader/base/clock.h"
#include "reader/base/vec.h"
#include "reader/format/event.h"
#include "reader/format/tfrecord.h"
#include "reader/tensor/tensor.h"
#include "reader/tensorboard/tensorboard.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CHUNK_BYTES = 4 << 20, RECHECK_BYTES = 4096, RECORD_MAX = 256 << 20 };
/* A file that has not changed for so long is not being written. */
enum { WRITTEN_US = 10 * 1000000 };

struct board_reader {
    const struct sm_board *board;
    const struct sm_board_file *file;
    const char *path; /* of the file */
    struct sm_batch *batch;
    struct sm_arena arena; /* memory of one event */
    struct sm_str buffer;
    uint64_t at; /* offset of the next record in the file */
    uint32_t version;
    bool torn; /* the record there may be incomplete */
    bool no_memory;
};

static void report_problem(struct board_reader *r, const struct sm_err *err)
{
    sm_problems_add(&r->batch->problems, r->path, (int64_t)r->at, err);
}

static uint32_t worker_name(struct board_reader *r)
{
    return r->file->run_bytes ? sm_names_add(r->batch->names, r->path, r->file->run_bytes)
                              : sm_names_add(r->batch->names, ".", 1);
}

/* The mode, if the run has one of the names that frameworks (and smdebug) use for it; otherwise
 * GLOBAL. */
static int mode_of_run(const struct board_reader *r)
{
    static const struct {
        const char *name;
        int mode;
    } rows[] = {{"train", SM_MODE_TRAIN}, {"eval", SM_MODE_EVAL}, {"validation", SM_MODE_EVAL},
                {"val", SM_MODE_EVAL},    {"test", SM_MODE_EVAL}, {"predict", SM_MODE_PREDICT}};
    const struct sm_trial_input *in = r->board->in;
    bool own = !r->file->run_bytes && in->options.kind; /* the run is the folder that was opened */
    const char *path = own ? in->source->root : r->path;
    size_t n = own ? strlen(path) : r->file->run_bytes, from = n;
    while (from && path[from - 1] != '/')
        from--;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == n - from &&
            strncasecmp(rows[i].name, path + from, n - from) == 0)
            return rows[i].mode;
    return SM_MODE_GLOBAL;
}

static struct sm_batch_part *new_part(struct board_reader *r, const struct sm_event *e,
                                      enum sm_batch_removal removes)
{
    struct sm_batch *b = r->batch;
    uint32_t events = sm_names_add(b->names, r->path, strlen(r->path)), worker = worker_name(r);
    if (events == SM_NAME_NONE || worker == SM_NAME_NONE ||
        !SM_VEC_ROOM(b->parts, b->n_parts, b->cap_parts)) {
        r->no_memory = true;
        return NULL;
    }
    b->parts[b->n_parts] = (struct sm_batch_part){
        .step = e->step,
        .mode_step = e->step,
        .mode = mode_of_run(r),
        .time_us = sm_clock_us_of(e->wall_time),
        .worker = worker,
        .event_file = events,
        .adds = true,
        .removes = removes,
        .first_value = b->n_values,
        .first_shape = b->n_shapes,
    };
    return &b->parts[b->n_parts++];
}

/* The part for records of this step: the last one if it is of this step, else a new one. */
static struct sm_batch_part *part_for(struct board_reader *r, const struct sm_event *e)
{
    enum sm_batch_removal removes = r->version < 2 ? SM_REMOVES_LATER : SM_REMOVES_NOTHING;
    struct sm_batch *b = r->batch;
    struct sm_batch_part *last = b->n_parts ? &b->parts[b->n_parts - 1] : NULL;
    if (last && last->step == e->step && last->removes == removes &&
        strcmp(sm_names_text(b->names, last->event_file), r->path) == 0)
        return last;
    return new_part(r, e, removes);
}

static bool add_event_value(struct board_reader *r, const struct sm_event_value *v,
                            struct sm_batch_value x)
{
    struct sm_batch *b = r->batch;
    x.name = sm_names_add(b->names, v->tag.p, v->tag.n);
    if (x.name == SM_NAME_NONE || !SM_VEC_ROOM(b->values, b->n_values, b->cap_values))
        return false;
    b->values[b->n_values++] = x;
    return true;
}

static bool is_wanted(struct board_reader *r, const struct sm_event *e)
{
    struct sm_err err;
    if (e->step < 0 && e->n_values) {
        sm_err_set(&err, SM_ERR_DATA, "values of the negative step %lld", (long long)e->step);
        report_problem(r, &err);
    }
    return e->step >= 0 && e->step < r->file->purged_from &&
           sm_trial_includes_step(&r->board->in->options, e->step);
}

/* "brain.Event:2" */
static void note_version(struct board_reader *r, struct sm_text text)
{
    static const char start[] = "brain.Event:";
    enum { N = sizeof start - 1 };
    if (text.n > N && memcmp(text.p, start, N) == 0 && text.p[N] >= '0' && text.p[N] <= '9')
        r->version = (uint32_t)(text.p[N] - '0');
}

static void add_event(struct board_reader *r, const struct sm_event *e, uint64_t length)
{
    struct sm_batch_part *p = NULL;
    note_version(r, e->file_version);
    if (e->starts_session && r->version >= 2 && e->step >= 0)
        new_part(r, e, SM_REMOVES_STEPS);
    if (!is_wanted(r, e))
        return;
    for (size_t i = 0; i < e->n_values && i <= UINT16_MAX && !r->no_memory; i++) {
        if (!sm_tensor_can_be(e->values[i].kind))
            continue;
        p = p ? p : part_for(r, e);
        r->no_memory =
            !p || !add_event_value(
                      r, &e->values[i],
                      (struct sm_batch_value){.offset = r->at,
                                              .length = length,
                                              .value = (uint16_t)i,
                                              .form = (uint8_t)sm_value_form_of(&e->values[i])});
        if (p)
            p->n_values += !r->no_memory;
    }
}

/* ---- records that are not valid ---- */

/* Whether the file may still get what is missing at the end of its records. */
static bool is_being_written(const struct board_reader *r)
{
    const struct sm_board_file *f = r->file;
    bool grown = f->torn_bytes && r->at == f->taken && f->size_bytes > f->torn_bytes;
    return r->board->in->options.follow && !f->later && !grown &&
           sm_clock_wall_us() - f->time_us < WRITTEN_US;
}

/* Whether a record begins somewhere after the start of p, so that its writer has gone on. */
static bool has_later_record(struct sm_bytes p)
{
    for (size_t i = 1; i + SM_FRAME_OVERHEAD <= p.n; i++) {
        struct sm_bytes rest = {p.p + i, p.n - i}, payload;
        enum sm_crc crc;
        if (sm_get_u64(rest.p) <= rest.n && sm_get_u64(rest.p) &&
            sm_frame_parse(rest, true, &payload, &crc, NULL) && crc != SM_CRC_BAD)
            return true;
    }
    return false;
}

static bool has_bytes(struct sm_bytes p)
{
    size_t i = 0;
    while (i < p.n && !p.p[i])
        i++;
    return i < p.n;
}

/* p has no valid header: err is SM_ERR_WAIT if it may still come. */
static void judge_header(struct board_reader *r, struct sm_bytes p, struct sm_err *err)
{
    bool zeros = err->code == SM_ERR_WAIT;
    if (p.n < SM_FRAME_HEADER || (zeros && !has_bytes(p)))
        return;
    if (is_being_written(r) && !has_later_record(p)) {
        r->torn = true;
        err->code = SM_ERR_WAIT;
    } else if (zeros) {
        sm_err_set(err, SM_ERR_DATA, "zeros instead of a record");
    }
}

/* Handles one record at p; returns its length, 0 if it is incomplete. */
static size_t parse_record(struct board_reader *r, struct sm_bytes p, struct sm_err *err)
{
    struct sm_bytes payload;
    enum sm_crc crc;
    struct sm_event e;
    struct sm_err bad = {0};
    uint64_t length;
    if (!sm_frame_header(p, &length, err)) {
        judge_header(r, p, err);
        return 0;
    }
    if (!sm_frame_parse(p, true, &payload, &crc, err))
        return 0;
    size_t n = payload.n + SM_FRAME_OVERHEAD;
    if (crc == SM_CRC_BAD && n == p.n && is_being_written(r)) {
        r->torn = true;
        sm_err_set(err, SM_ERR_WAIT, "the payload's checksum is wrong");
        return 0;
    }
    if (crc == SM_CRC_BAD)
        sm_err_set(&bad, SM_ERR_DATA, "the payload's checksum is wrong");
    else if (sm_event_parse(payload, &r->arena, &e, &bad))
        add_event(r, &e, n);
    if (bad.code == SM_ERR_MEMORY)
        r->no_memory = true;
    else if (bad.code)
        report_problem(r, &bad);
    sm_arena_reset(&r->arena);
    return n;
}

/* Buffers up to `want` bytes from r->at on. */
static bool fill_buffer(struct board_reader *r, size_t want, struct sm_err *err)
{
    size_t got = 0;
    sm_str_truncate(&r->buffer, 0);
    sm_str_fill(&r->buffer, 0, want);
    if (r->buffer.failed)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to read events");
    if (!sm_source_read(r->board->in->source, r->path, r->at, r->buffer.data, want, &got, err))
        return false;
    sm_str_truncate(&r->buffer, got);
    return true;
}

/* The length of the record at p according to its header; 0 if the header is incomplete. */
static uint64_t length_at(const uint8_t *p, size_t n)
{
    uint64_t payload;
    if (!sm_frame_header((struct sm_bytes){p, n}, &payload, NULL))
        return 0;
    return payload < INT64_MAX - SM_FRAME_OVERHEAD ? payload + SM_FRAME_OVERHEAD : INT64_MAX;
}

/* Skips a record that exceeds the size limit. */
static void skip_record(struct board_reader *r, uint64_t length)
{
    struct sm_err err;
    sm_err_set(&err, SM_ERR_LIMIT, "skipped a record of %llu bytes (limit %d)",
               (unsigned long long)length, RECORD_MAX);
    report_problem(r, &err);
    r->at += length;
}

/* An I/O error may be temporary. */
static bool report_unreadable(struct board_reader *r, const struct sm_err *err)
{
    if (err->code == SM_ERR_MEMORY)
        return !(r->no_memory = true);
    report_problem(r, err);
    return r->torn = true;
}

/* Takes the complete records of the buffer, and returns their bytes. */
static size_t take_records(struct board_reader *r, struct sm_err *err)
{
    const uint8_t *p = (const uint8_t *)r->buffer.data;
    size_t left = r->buffer.len, taken = 0, n;
    while (left - taken && !r->no_memory &&
           (n = parse_record(r, (struct sm_bytes){p + taken, left - taken}, err)) > 0) {
        taken += n;
        r->at += n;
    }
    return taken;
}

/* Reads every complete record from the last position on. False: a record is broken, and with it the
 * rest of the file. */
static bool read_records(struct board_reader *r, struct sm_err *err)
{
    size_t want = r->file->fault == SM_BOARD_BROKEN ? RECHECK_BYTES : CHUNK_BYTES;
    while (!r->no_memory) {
        if (!fill_buffer(r, want, err))
            return err->code == SM_ERR_MISSING || report_unreadable(r, err);
        const uint8_t *p = (const uint8_t *)r->buffer.data;
        size_t left = r->buffer.len, taken = take_records(r, err);
        uint64_t whole = taken < left ? length_at(p + taken, left - taken) : 0;
        if (taken < left && err->code != SM_ERR_WAIT)
            return sm_err_prefix(err, "the rest of the file is not read");
        if (r->torn)
            return true;
        if (whole > RECORD_MAX)
            skip_record(r, whole);
        else if (left < want || (!taken && whole <= want))
            return true; /* the end of what is written so far */
        want = whole > CHUNK_BYTES && whole <= RECORD_MAX ? (size_t)whole : CHUNK_BYTES;
    }
    return true;
}

static bool is_of_run(const struct board_reader *r)
{
    const char *run = r->board->in->options.worker;
    size_t n = r->file->run_bytes;
    return !run || (strlen(run) == n && memcmp(run, r->path, n) == 0) ||
           (!n && strcmp(run, ".") == 0);
}

static void read_file(struct board_reader *r, struct sm_batch_file *f)
{
    struct sm_err err = {0};
    r->at = r->file->taken;
    r->version = r->file->version;
    r->torn = false;
    f->fate = is_of_run(r) ? SM_FATE_TAKEN : SM_FATE_UNWANTED;
    if (f->fate == SM_FATE_TAKEN && !read_records(r, &err)) {
        report_problem(r, &err);
        f->fate = SM_FATE_BAD;
    } else if (r->torn) {
        f->fate = SM_FATE_LATE;
    }
    f->size_bytes = r->at;
    f->own[SM_BOARD_VERSION] = r->version;
    f->own[SM_BOARD_CHECKSUM] = r->file->print;
    if (r->at != r->file->taken)
        sm_board_print(r->board->in->source, r->path, r->at, &f->own[SM_BOARD_CHECKSUM], &err);
}

struct sm_batch *sm_board_read(const void *state, size_t from, size_t to)
{
    const struct sm_board *b = state;
    struct board_reader r = {.board = b, .batch = sm_batch_new(from, to)};
    if (!r.batch)
        return NULL;
    for (size_t i = from; i < to && !r.no_memory; i++) {
        r.file = &b->files[b->queue[i]];
        r.path = sm_names_text(b->paths, b->queue[i]);
        read_file(&r, &r.batch->files[r.batch->n_files++]);
    }
    sm_arena_clear(&r.arena);
    sm_str_clear(&r.buffer);
    if (!r.no_memory)
        return r.batch;
    sm_batch_free(r.batch);
    return NULL;
}
