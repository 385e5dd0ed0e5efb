/* SPDX-License-Identifier: Apache-2.0 */
/* Reads pieces of event files into batches; changes only its own batch. */
#include "reader/base/clock.h"
#include "reader/format/tfrecord.h"
#include "reader/tensorboard/tensorboard.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 20, RECHECK_BYTES = 4096, RECORD_MAX = 256 << 20 };

/* ---- records that are not valid ---- */

/* Whether the file may still get what is missing at the end of its records. */
static bool is_being_written(const struct sm_board_reader *r)
{
    const struct sm_board_file *f = r->file;
    bool grown = f->torn_bytes && r->at == f->taken && f->size_bytes > f->torn_bytes;
    return r->board->in->options.follow && !f->later && !grown &&
           sm_clock_wall_us() - f->time_us < SM_BOARD_WRITTEN_US;
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
static void judge_header(struct sm_board_reader *r, struct sm_bytes p, struct sm_err *err)
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
static size_t parse_record(struct sm_board_reader *r, struct sm_bytes p, struct sm_err *err)
{
    struct sm_bytes payload;
    enum sm_crc crc;
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
    else
        sm_board_take_event(r, payload, n, &bad);
    if (bad.code == SM_ERR_MEMORY)
        r->no_memory = true;
    else if (bad.code)
        sm_board_report(r, &bad);
    return n;
}

/* Buffers up to `want` bytes from r->at on. Where a compressed file is torn or damaged behind some
 * bytes, these are buffered, and r->cut says why there are no more. */
static bool fill_buffer(struct sm_board_reader *r, size_t want, struct sm_err *err)
{
    size_t got = 0;
    sm_str_truncate(&r->buffer, 0);
    sm_str_fill(&r->buffer, 0, want);
    if (r->buffer.failed)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to read events");
    sm_err_clear(&r->cut);
    if (!sm_source_read(r->board->in->source, r->path, r->at, r->buffer.data, want, &got,
                        &r->cut) &&
        !got) {
        *err = r->cut;
        return false;
    }
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
static void skip_record(struct sm_board_reader *r, uint64_t length)
{
    struct sm_err err;
    sm_err_set(&err, SM_ERR_LIMIT, "skipped a record of %llu bytes (limit %d)",
               (unsigned long long)length, RECORD_MAX);
    sm_board_report(r, &err);
    r->at += length;
}

/* An I/O error may be temporary. */
static bool report_unreadable(struct sm_board_reader *r, const struct sm_err *err)
{
    if (err->code == SM_ERR_MEMORY)
        return !(r->no_memory = true);
    sm_board_report(r, err);
    return r->torn = true;
}

/* Takes the complete records of the buffer, and returns their bytes. */
static size_t take_records(struct sm_board_reader *r, struct sm_err *err)
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

static size_t chunk_of(const struct sm_board_reader *r)
{
    return r->file->fault == SM_BOARD_BROKEN ? RECHECK_BYTES : CHUNK_BYTES;
}

/* Whether what is left of the buffer will never be a record. */
static bool is_broken(const struct sm_board_reader *r, bool left, struct sm_err *err)
{
    const char *p = r->buffer.data;
    if (!r->at && r->buffer.len > 2 && memcmp(p, "\x1f\x8b\x08", 3) == 0)
        sm_err_set(err, SM_ERR_DATA, "compressed by gzip, but its name does not end in .gz");
    return left && err->code != SM_ERR_WAIT;
}

/* What stands behind the bytes of a torn compressed file may still come. */
static bool end_cut(struct sm_board_reader *r, struct sm_err *err)
{
    if (r->cut.code == SM_ERR_IO || r->cut.code == SM_ERR_MEMORY)
        return report_unreadable(r, &r->cut);
    r->torn = r->cut.code == SM_ERR_WAIT && is_being_written(r);
    *err = r->cut;
    return r->torn || sm_err_prefix(err, "the rest of the file is not read");
}

enum reading { READ_MORE, READ_ALL, READ_BROKEN };

static enum reading all_unless(bool broken)
{
    return broken ? READ_BROKEN : READ_ALL;
}

/* The buffer cannot be filled. */
static enum reading end_unfilled(struct sm_board_reader *r, struct sm_err *err)
{
    if (err->code == SM_ERR_MISSING)
        return READ_ALL;
    return all_unless(!(r->cut.code ? end_cut(r, err) : report_unreadable(r, err)));
}

/* Takes the records of the next *want bytes, and sets how many are read then. */
static enum reading read_some(struct sm_board_reader *r, size_t chunk, size_t *want,
                              struct sm_err *err)
{
    if (!fill_buffer(r, *want, err))
        return end_unfilled(r, err);
    const uint8_t *p = (const uint8_t *)r->buffer.data;
    size_t left = r->buffer.len, taken = take_records(r, err);
    uint64_t whole = taken < left ? length_at(p + taken, left - taken) : 0;
    if (is_broken(r, taken < left, err))
        return all_unless(!sm_err_prefix(err, "the rest of the file is not read"));
    if (r->torn)
        return READ_ALL;
    if (r->cut.code)
        return all_unless(!end_cut(r, err));
    if (whole > RECORD_MAX)
        skip_record(r, whole);
    else if (left < *want || (!taken && whole <= *want))
        return READ_ALL; /* the end of what is written so far */
    *want = whole > chunk && whole <= RECORD_MAX ? (size_t)whole : chunk;
    return READ_MORE;
}

/* Reads every complete record from the last position on. False: a record is broken, and with it the
 * rest of the file. */
static bool read_records(struct sm_board_reader *r, struct sm_err *err)
{
    size_t chunk = chunk_of(r), want = chunk;
    enum reading got = READ_MORE;
    while (got == READ_MORE && !r->no_memory && (!r->end || r->at < r->end)) {
        if (r->end && want > r->end - r->at)
            want = (size_t)(r->end - r->at);
        got = read_some(r, chunk, &want, err);
    }
    return got != READ_BROKEN;
}

static bool is_of_run(const struct sm_board_reader *r)
{
    const char *run = r->board->in->options.worker;
    size_t n = r->file->guest ? 0 : r->file->run_bytes;
    return !run || (strlen(run) == n && memcmp(run, r->path, n) == 0) ||
           (!n && strcmp(run, ".") == 0);
}

static void read_piece(struct sm_board_reader *r, const struct sm_board_piece *x,
                       struct sm_batch_file *f)
{
    struct sm_err err = {0};
    r->at = x->from;
    r->end = x->to;
    r->version = x->version;
    r->torn = false;
    r->worker = r->event_file = SM_NAME_NONE;
    r->batch->session = r->file->guest;
    f->fate = is_of_run(r) ? SM_FATE_TAKEN : SM_FATE_UNWANTED;
    if (f->fate == SM_FATE_TAKEN && !read_records(r, &err)) {
        sm_board_report(r, &err);
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
    struct sm_board_reader r = {
        .board = b, .batch = sm_batch_new(from, to), .last_name = SM_NAME_NONE};
    if (!r.batch)
        return NULL;
    for (size_t i = from; i < to && !r.no_memory; i++) {
        r.file = &b->files[b->queue[i].file];
        r.path = sm_names_text(b->paths, b->queue[i].file);
        read_piece(&r, &b->queue[i], &r.batch->files[r.batch->n_files++]);
    }
    sm_arena_clear(&r.arena);
    sm_str_clear(&r.buffer);
    sm_free(r.values);
    sm_free(r.next);
    sm_batch_sort(r.batch);
    if (!r.no_memory)
        return r.batch;
    sm_batch_free(r.batch);
    return NULL;
}
