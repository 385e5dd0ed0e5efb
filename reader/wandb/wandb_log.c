/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/wandb/wandb_log.h"

#include "reader/base/crc32.h"

/* A search may cost so much more than the chunks that were read. */
enum { SEARCH_MAX = 64 * 1024 * 1024, KEPT_BYTES = 1024 * 1024 };

enum { TYPE_WHOLE = 1, TYPE_FIRST, TYPE_MIDDLE, TYPE_LAST };

/* Over the bytes of one call. */
struct walk {
    struct sm_wandb_log *log;
    struct sm_bytes b;
    size_t at;
    bool at_end;
    const struct sm_wandb_log_ops *ops;
    void *ctx;
};

static void report(const struct walk *w, uint64_t offset, enum sm_err_code code, const char *what)
{
    struct sm_err err = {0};
    sm_err_set(&err, code, "%s", what);
    w->ops->problem(w->ctx, offset, &err);
}

static uint64_t offset_at(const struct walk *w, size_t at)
{
    return w->log->offset + at;
}

/* Where the block ends that has the byte at `at`; may be past the bytes. */
static size_t block_end(const struct walk *w, size_t at)
{
    return at + SM_WANDB_BLOCK - (size_t)(offset_at(w, at) % SM_WANDB_BLOCK);
}

/* ---- chunks ---- */

enum chunk_is { CHUNK_WHOLE, CHUNK_TORN, CHUNK_BAD };
struct chunk {
    unsigned type;
    struct sm_bytes data;
};

static enum chunk_is look_at(const struct walk *w, size_t at, struct chunk *c)
{
    size_t room = block_end(w, at) - at, have = w->b.n - at;
    const uint8_t *p = w->b.p + at;
    *c = (struct chunk){0};
    if (have < SM_WANDB_HEADER)
        return CHUNK_TORN;
    size_t n = (size_t)(p[4] | p[5] << 8);
    c->type = p[6];
    if (c->type < TYPE_WHOLE || c->type > TYPE_LAST || n > room - SM_WANDB_HEADER)
        return CHUNK_BAD;
    if (n > have - SM_WANDB_HEADER)
        return CHUNK_TORN;
    c->data = (struct sm_bytes){p + SM_WANDB_HEADER, n};
    return sm_crc32(p + SM_WANDB_HEADER - 1, n + 1) == sm_get_u32(p) ? CHUNK_WHOLE : CHUNK_BAD;
}

static void drop_record(struct walk *w)
{
    struct sm_wandb_log *log = w->log;
    log->within = false;
    if (log->record.cap > KEPT_BYTES)
        sm_str_clear(&log->record);
    sm_str_truncate(&log->record, 0);
    log->record.failed = false;
}

static void begin_record(struct walk *w)
{
    struct sm_wandb_log *log = w->log;
    if (log->within)
        report(w, log->record_offset, SM_ERR_DATA, "a record ends within its parts");
    drop_record(w);
    log->record_offset = offset_at(w, w->at);
    log->lost = false;
}

static void add_part(struct walk *w, struct sm_bytes data)
{
    struct sm_str *r = &w->log->record;
    bool fits = r->len + data.n <= SM_WANDB_RECORD_MAX;
    if (fits)
        sm_str_addn(r, data.p, data.n);
    if (fits && !r->failed)
        return;
    report(w, w->log->record_offset, fits ? SM_ERR_MEMORY : SM_ERR_LIMIT,
           fits ? "no memory for a record" : "a record of more than 64 MiB is left out");
    drop_record(w);
    w->log->lost = true;
}

static void add_later_part(struct walk *w, const struct chunk *c)
{
    struct sm_wandb_log *log = w->log;
    if (!log->within) {
        if (!log->lost)
            report(w, offset_at(w, w->at), SM_ERR_DATA, "a part of a record without its beginning");
        log->lost = true;
        return;
    }
    add_part(w, c->data);
    if (!log->within || c->type == TYPE_MIDDLE)
        return;
    w->ops->record(w->ctx,
                   (struct sm_bytes){(const uint8_t *)sm_str_text(&log->record), log->record.len},
                   log->record_offset);
    drop_record(w);
}

static void take_chunk(struct walk *w, const struct chunk *c)
{
    struct sm_wandb_log *log = w->log;
    uint64_t earned = 4 * (uint64_t)(c->data.n + SM_WANDB_HEADER);
    if (c->type == TYPE_WHOLE || c->type == TYPE_FIRST)
        begin_record(w);
    if (c->type == TYPE_WHOLE) {
        w->ops->record(w->ctx, c->data, log->record_offset);
    } else if (c->type == TYPE_FIRST) {
        log->within = true;
        add_part(w, c->data);
    } else {
        add_later_part(w, c);
    }
    log->searched -= log->searched < earned ? log->searched : earned;
    w->at += SM_WANDB_HEADER + c->data.n;
}

/* ---- damage ---- */

/* Looks for a whole chunk in the block, behind the byte at `at`. */
static bool search_block(const struct walk *w, size_t at, size_t *found)
{
    size_t end = block_end(w, at);
    end = end < w->b.n ? end : w->b.n;
    for (size_t p = at + 1; p + SM_WANDB_HEADER <= end; p++) {
        struct chunk c;
        size_t n = (size_t)(w->b.p[p + 4] | w->b.p[p + 5] << 8);
        unsigned type = w->b.p[p + 6];
        if (type < TYPE_WHOLE || type > TYPE_LAST || n > end - p - SM_WANDB_HEADER)
            continue;
        if (w->log->searched > SEARCH_MAX)
            return false;
        w->log->searched += n + SM_WANDB_HEADER;
        if (look_at(w, p, &c) == CHUNK_WHOLE) {
            *found = p;
            return true;
        }
    }
    return false;
}

/* Whether a chunk that was damaged ended at `at`: another one begins there, or nothing can. */
static bool may_end(const struct walk *w, size_t at, size_t end)
{
    struct chunk c;
    if (at > end || at > w->b.n)
        return false;
    return end - at < SM_WANDB_HEADER || at == w->b.n || look_at(w, at, &c) == CHUNK_WHOLE;
}

/* Where to go on after the bad chunk at `at`. */
static size_t find_next(const struct walk *w, size_t at)
{
    size_t end = block_end(w, at), found, n = (size_t)(w->b.p[at + 4] | w->b.p[at + 5] << 8);
    size_t next = at + SM_WANDB_HEADER + n;
    if (may_end(w, next, end))
        return next;
    if (search_block(w, at, &found))
        return found;
    return end < w->b.n ? end : next < w->b.n ? next : w->b.n;
}

static bool is_zero(struct sm_bytes b, size_t at)
{
    while (at < b.n && b.p[at] == 0)
        at++;
    return at == b.n;
}

static void skip_to(struct walk *w, size_t next, const char *what)
{
    if (!w->log->lost)
        report(w, offset_at(w, w->at), SM_ERR_DATA, what);
    drop_record(w);
    w->log->lost = true;
    w->at = next;
}

/* False: more bytes are needed. */
static bool skip_bad(struct walk *w)
{
    if (!w->at_end && block_end(w, w->at) > w->b.n)
        return false;
    if (w->at_end && is_zero(w->b, w->at))
        return false; /* not written yet */
    skip_to(w, find_next(w, w->at), "a chunk's checksum is wrong");
    return true;
}

/* A torn chunk may also be one whose length is damaged: then others follow it. */
static bool skip_torn(struct walk *w)
{
    size_t found;
    if (!w->at_end || !search_block(w, w->at, &found))
        return false;
    skip_to(w, found, "a chunk's length is wrong");
    return true;
}

/* ---- the file ---- */

static bool take_header(struct walk *w)
{
    static const uint8_t header[SM_WANDB_HEADER] = {':', 'W', '&', 'B', 0xe1, 0xbe, 0};
    if (w->b.n < SM_WANDB_HEADER)
        return false;
    if (memcmp(w->b.p, header, sizeof header - 1) != 0)
        report(w, 0, SM_ERR_DATA, "no header of a W&B file");
    else if (w->b.p[SM_WANDB_HEADER - 1] != 0)
        report(w, 0, SM_ERR_DATA, "a W&B file of an unknown version");
    w->at = SM_WANDB_HEADER;
    return true;
}

/* False: more bytes are needed. */
static bool take_next(struct walk *w)
{
    struct chunk c;
    size_t end = block_end(w, w->at);
    if (end - w->at < SM_WANDB_HEADER) {
        w->at = end < w->b.n ? end : w->b.n;
        return true;
    }
    switch (look_at(w, w->at, &c)) {
    case CHUNK_WHOLE:
        take_chunk(w, &c);
        return true;
    case CHUNK_TORN:
        return skip_torn(w);
    default:
        return skip_bad(w);
    }
}

size_t sm_wandb_log_take(struct sm_wandb_log *log, struct sm_bytes b, bool at_end,
                         const struct sm_wandb_log_ops *ops, void *ctx)
{
    struct walk w = {.log = log, .b = b, .at_end = at_end, .ops = ops, .ctx = ctx};
    bool more = log->offset > 0 || take_header(&w);
    while (more && w.at < b.n)
        more = take_next(&w);
    log->offset += w.at;
    return w.at;
}

void sm_wandb_log_clear(struct sm_wandb_log *log)
{
    sm_str_clear(&log->record);
    *log = (struct sm_wandb_log){0};
}
