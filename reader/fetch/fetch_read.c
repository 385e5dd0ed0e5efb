/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/fetch_read.h"

#include "reader/archive/facts_pack.h"
#include "reader/base/crc32.h"
#include "reader/base/mem.h"
#include "reader/fetch/fetch_stream.h"

#include <string.h>

enum { STAT_FIRST_BYTES = 1 << 20, PAGES_FROM_BYTES = 64 << 10 };
#define RECORD_MAX ((uint64_t)16 << 30)

/* Checks the record's own length against the index. */
static bool length_agrees(const uint8_t *p, size_t n, uint64_t length, struct sm_err *err)
{
    uint64_t payload;
    if (!sm_frame_header((struct sm_bytes){p, n}, &payload, err))
        return false;
    if (payload == length - SM_FRAME_OVERHEAD)
        return true;
    return sm_err_set(
        err, SM_ERR_DATA, "the record has %llu bytes of payload, but the index says %llu",
        (unsigned long long)payload, (unsigned long long)(length - SM_FRAME_OVERHEAD));
}

static bool header_agrees(const struct sm_file *f, struct sm_read *x)
{
    uint8_t header[SM_FRAME_HEADER];
    size_t got;
    return sm_file_read(f, x->offset, header, sizeof header, &got, &x->err) &&
           length_agrees(header, got, x->length, &x->err);
}

/* What is read to know a record's head: no elements where the source knows how long the head is. */
static size_t head_bytes(const struct sm_file *f, const struct sm_read *x)
{
    const struct sm_source_ops *ops = f->source->ops;
    size_t n = ops->head_bytes ? ops->head_bytes(f->source, f->path, x->offset) : 0;
    return n && n < SM_READ_HEAD_BYTES ? n : SM_READ_HEAD_BYTES;
}

bool sm_read_head(const struct sm_file *f, struct sm_read *x, uint64_t *content_at)
{
    uint8_t bytes[SM_READ_HEAD_BYTES], footer[SM_FRAME_FOOTER];
    size_t got, got_footer, n = head_bytes(f, x);
    struct sm_event_value v;
    double wall_time = 0;
    if (!sm_file_read(f, x->offset, bytes, n, &got, &x->err) ||
        !length_agrees(bytes, got, x->length, &x->err))
        return false;
    struct sm_bytes head = {bytes + SM_FRAME_HEADER, got - SM_FRAME_HEADER};
    if (!sm_event_head(head, &v, &wall_time))
        return false;
    *content_at = 0;
    if (sm_event_content(head, x->length - SM_FRAME_OVERHEAD, content_at))
        *content_at += SM_FRAME_HEADER;
    if (!sm_file_read(f, x->offset + x->length - SM_FRAME_FOOTER, footer, sizeof footer,
                      &got_footer, &x->err))
        return false;
    if (got_footer < sizeof footer)
        return sm_err_set(&x->err, SM_ERR_WAIT, "the file ends inside the record");
    x->facts = (struct sm_facts){
        .dtype = v.dtype,
        .proto_dtype = v.proto_dtype,
        .n_dims = v.n_dims,
        .n = v.n_elements,
        .content_bytes = v.content.n,
        .wall_time = wall_time,
        .crc = sm_get_u32(footer) == SM_FOOTER_UNWRITTEN ? SM_CRC_UNWRITTEN : SM_CRC_UNCHECKED,
    };
    memcpy(x->dims, v.dims, sizeof x->dims);
    uint32_t before, wanted;
    if (sm_read_content_crc(f, x, &before, &wanted))
        x->facts.crc = SM_CRC_UNCHECKED;
    return true;
}

bool sm_read_content_crc(const struct sm_file *f, const struct sm_read *x, uint32_t *before,
                         uint32_t *crc32)
{
    return f->source->ops->content_crc &&
           f->source->ops->content_crc(f->source, f->path, x->offset, before, crc32);
}

bool sm_read_too_large(uint64_t length, uint64_t limit, struct sm_err *err)
{
    char size[16], most[16];
    sm_format_bytes(length, size);
    sm_format_bytes(limit, most);
    return sm_err_set(err, SM_ERR_LIMIT,
                      "the value has %s, more than memory-limit (%s): read a slice of it, such as "
                      "NAME[0:4], or raise the limit with \"set memory-limit\"",
                      size, most);
}

/* Checks that the file is long enough before allocating memory. */
static bool check_size(const struct sm_file *f, struct sm_read *x)
{
    struct sm_stat st;
    if (x->length < STAT_FIRST_BYTES)
        return true;
    if (!sm_source_stat(f->source, f->path, &st, &x->err))
        return false;
    if (st.compressed) /* the decompressed size is unknown: check the record's own length */
        return header_agrees(f, x);
    if (st.size_bytes >= x->length && st.size_bytes - x->length >= x->offset)
        return true;
    return sm_err_set(&x->err, SM_ERR_WAIT, "the file ends at %llu",
                      (unsigned long long)st.size_bytes);
}

static bool uses_scratch(const struct sm_read *x)
{
    return !(x->want & SM_WANT_TENSOR) && x->length >= PAGES_FROM_BYTES;
}

/* Grows the scratch memory to at least `size` bytes. NULL if there is no memory. */
static uint8_t *grow_scratch(struct sm_scratch *scratch, size_t size)
{
    if (!scratch->bytes || scratch->size_bytes < size) {
        sm_free(scratch->bytes);
        scratch->bytes = sm_alloc_pages(size);
        scratch->size_bytes = size;
    }
    return scratch->bytes;
}

/* Large records use scratch memory: fresh memory costs more than reading, because the system clears
 * it page by page. */
static uint8_t *buffer_for(const struct sm_read *x, struct sm_scratch *scratch)
{
    if (!uses_scratch(x))
        return (x->length < PAGES_FROM_BYTES ? sm_alloc : sm_alloc_pages)((size_t)x->length);
    uint8_t *bytes = grow_scratch(scratch, (size_t)x->length);
    scratch->bytes = NULL;
    return bytes;
}

static void check_content(const struct sm_file *f, const struct sm_read *x, struct sm_tensor *t)
{
    uint32_t before, wanted;
    if (t->crc == SM_CRC_UNWRITTEN && sm_read_content_crc(f, x, &before, &wanted))
        t->crc = sm_crc32_more(before, t->data, t->size_bytes) == wanted ? SM_CRC_OK : SM_CRC_BAD;
}

static struct sm_tensor *read_whole(const struct sm_file *f, bool check_crc, struct sm_read *x,
                                    struct sm_scratch *scratch)
{
    struct sm_tensor *t = NULL;
    size_t got = 0;
    if (x->limit && x->length > x->limit)
        return sm_read_too_large(x->length, x->limit, &x->err), NULL;
    if (!check_size(f, x))
        return NULL;
    uint8_t *bytes = buffer_for(x, scratch);
    if (!bytes) {
        sm_err_set(&x->err, SM_ERR_MEMORY, "no memory for a record of %llu bytes",
                   (unsigned long long)x->length);
        return NULL;
    }
    if (!sm_file_read(f, x->offset, bytes, (size_t)x->length, &got, &x->err) ||
        !length_agrees(bytes, got, x->length, &x->err)) {
        sm_free(bytes);
        return NULL;
    }
    if (!sm_tensor_from_record(bytes, got, check_crc, x->value, &t, &x->err))
        return NULL;
    if (check_crc)
        check_content(f, x, t);
    return t;
}

/* Statistics cost more than the rest, so they are skipped if only the payload was requested. */
static bool wants_stats(const struct sm_read *x)
{
    return !(x->want & SM_WANT_TENSOR) || (x->want & SM_WANT_STATS);
}

static void take_facts(struct sm_read *x, const struct sm_tensor *t)
{
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    x->facts = (struct sm_facts){
        .dtype = t->dtype,
        .proto_dtype = t->proto_dtype,
        .crc = t->crc,
        .n_dims = t->n_dims,
        .n = t->n,
        .content_bytes = t->size_bytes,
        .wall_time = t->wall_time,
        .whole = true,
    };
    memcpy(x->dims, t->dims, sizeof x->dims);
    if (size && t->n)
        memcpy(x->facts.first, t->data, size);
    x->counted = wants_stats(x);
    x->facts.has_stats = x->counted && sm_stats_of(t, &x->facts.stats, NULL);
}

static bool can_stream(const struct sm_file *f, const struct sm_read *x)
{
    return (f->fd >= 0 || f->source->ops->in_pieces) && !x->value && !(x->want & SM_WANT_TENSOR) &&
           x->length >= SM_STREAM_FROM_BYTES;
}

/* False without an error: it must be read as a whole. */
static bool read_in_pieces(const struct sm_file *f, bool check_crc, struct sm_read *x,
                           struct sm_scratch *scratch)
{
    uint64_t content_at;
    if (!sm_read_head(f, x, &content_at) || !content_at)
        return false;
    uint8_t *buffer = grow_scratch(scratch, SM_STREAM_BUFFER);
    if (!buffer)
        return sm_err_set(&x->err, SM_ERR_MEMORY, "no memory to read %s", x->path);
    return sm_read_stream(f, content_at, check_crc, x, buffer);
}

static bool take_whole(const struct sm_file *f, bool check_crc, struct sm_read *x,
                       struct sm_scratch *scratch)
{
    struct sm_tensor *t = read_whole(f, check_crc, x, scratch);
    if (!t)
        return false;
    take_facts(x, t);
    if (x->want & SM_WANT_TENSOR) {
        x->tensor = t;
        return true;
    }
    if (uses_scratch(x)) {
        scratch->bytes = t->buffer;
        t->buffer = NULL;
    }
    sm_tensor_unref(t);
    return true;
}

/* False: some statistics were not saved, but can be computed from the values. */
static bool unpack(const struct sm_source_known *known, struct sm_read *x)
{
    struct sm_bytes bytes = {(const uint8_t *)sm_str_text(&known->bytes), known->bytes.len};
    x->ok = sm_facts_unpack(bytes, known->columns, &x->facts, x->dims, x->quantiles, &x->err);
    if (!x->ok || known->only || !x->facts.stats.lacks)
        return true;
    x->ok = false;
    x->facts = (struct sm_facts){0};
    return false;
}

/* True: the source has all that is known of the record, or the record does not exist. */
static bool ask_source(const struct sm_file *f, struct sm_read *x)
{
    struct sm_source_known known = {0};
    bool ok =
        sm_source_stored_facts(f->source, f->path, x->offset, x->length, x->value, &known, &x->err);
    bool answers = !ok || known.only || (known.bytes.len && !(x->want & SM_WANT_TENSOR));
    if (ok && known.bytes.failed)
        ok = sm_err_set(&x->err, SM_ERR_MEMORY, "no memory for a value");
    else if (ok && known.only && (x->want & SM_WANT_TENSOR))
        ok = sm_err_set(&x->err, SM_ERR_MISSING, SM_LEFT_OUT);
    if (ok && answers)
        answers = unpack(&known, x);
    x->counted = x->facts.whole;
    sm_str_clear(&known.bytes);
    return answers;
}

/* What is wrong with a value that could be read. */
static void note_flaw(struct sm_read *x)
{
    if (x->facts.crc == SM_CRC_BAD)
        sm_err_set(&x->err, SM_ERR_DATA, "the payload's checksum is wrong");
    else if (x->facts.dtype == SM_DTYPE_UNKNOWN)
        sm_err_set(&x->err, SM_ERR_DATA, "element type %d is unknown: it has no numbers",
                   x->facts.proto_dtype);
}

void sm_read_record(const struct sm_file *file, enum sm_checksum checksum, struct sm_read *x,
                    struct sm_scratch *scratch)
{
    bool check_crc = checksum != SM_CHECKSUM_OFF;
    uint64_t content_at;
    if (x->tensor) {
        take_facts(x, x->tensor);
        x->ok = true;
        return;
    }
    if (x->length < SM_FRAME_OVERHEAD || x->length > RECORD_MAX) {
        sm_err_set(&x->err, SM_ERR_DATA, "invalid record length %llu",
                   (unsigned long long)x->length);
        return;
    }
    if (ask_source(file, x))
        return;
    if (x->want == SM_WANT_HEAD && !x->value && x->length > SM_READ_HEAD_BYTES &&
        checksum != SM_CHECKSUM_FULL)
        x->ok = sm_read_head(file, x, &content_at);
    else if (can_stream(file, x))
        x->ok = read_in_pieces(file, check_crc, x, scratch);
    if (!x->ok && !x->err.code)
        x->ok = take_whole(file, check_crc, x, scratch);
    if (x->ok)
        note_flaw(x);
}

/* ---- several values of one record ---- */

static bool shares_record(const struct sm_read *a, const struct sm_read *b)
{
    return a->path == b->path && a->offset == b->offset && a->length == b->length && !b->tensor;
}

/* A record that was read for several of its values. */
struct shared_record {
    uint8_t *bytes;
    struct sm_arena arena;
    struct sm_event event;
    enum sm_crc crc;
};

/* False if it cannot be read; reading its values one by one then gives the reasons. */
static bool read_shared(const struct sm_file *f, bool check_crc, const struct sm_read *first,
                        struct shared_record *out)
{
    struct sm_read x = *first;
    struct sm_bytes payload;
    size_t got = 0;
    bool fits = x.length >= SM_FRAME_OVERHEAD && x.length <= RECORD_MAX &&
                (!x.limit || x.length <= x.limit) && !f->source->ops->about && check_size(f, &x);
    out->bytes = fits ? sm_alloc((size_t)x.length) : NULL;
    return out->bytes && sm_file_read(f, x.offset, out->bytes, (size_t)x.length, &got, &x.err) &&
           length_agrees(out->bytes, got, x.length, &x.err) &&
           sm_frame_parse((struct sm_bytes){out->bytes, got}, check_crc, &payload, &out->crc,
                          &x.err) &&
           sm_event_parse(payload, &out->arena, &out->event, &x.err);
}

/* A copy that does not need the record. False: strings, or no memory. */
static bool copy_value(const struct sm_tensor *t, struct sm_tensor **out)
{
    if (t->strings || !sm_dtype_info(t->dtype)->size_bytes ||
        !sm_tensor_new(t->dtype, t->n_dims, t->dims, t->data, out, NULL))
        return false;
    (*out)->wall_time = t->wall_time;
    (*out)->crc = t->crc;
    (*out)->histogram = t->histogram;
    return true;
}

static bool take_shared(struct shared_record *r, struct sm_read *x)
{
    struct sm_tensor *t;
    if (!sm_tensor_of_event(&r->event, x->value, &t, &x->err))
        return false;
    t->crc = r->crc;
    x->ok = !(x->want & SM_WANT_TENSOR) || copy_value(t, &x->tensor);
    if (x->ok)
        take_facts(x, t);
    if (x->ok)
        note_flaw(x);
    sm_tensor_unref(t);
    return x->ok;
}

size_t sm_read_values(const struct sm_file *file, enum sm_checksum checksum, struct sm_read *items,
                      size_t n, struct sm_scratch *scratch)
{
    struct shared_record record = {0};
    size_t run = 1;
    while (run < n && !items->tensor && shares_record(items, &items[run]))
        run++;
    bool shared = run > 1 && read_shared(file, checksum != SM_CHECKSUM_OFF, items, &record);
    for (size_t i = 0; i < run; i++) {
        if (shared && take_shared(&record, &items[i]))
            continue;
        sm_err_clear(&items[i].err);
        sm_read_record(file, checksum, &items[i], scratch);
    }
    sm_arena_clear(&record.arena);
    sm_free(record.bytes);
    return run;
}
