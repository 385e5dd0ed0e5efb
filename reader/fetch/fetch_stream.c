/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/fetch_stream.h"

#include "reader/base/crc32.h"
#include "reader/base/crc32c.h"
#include "reader/tensor/stats_pass.h"

#include <string.h>

enum { REST_MAX = 1024 };

/*  0       12            content_at        content_end        length - 4
 *  | header | event's head | elements ...   | rest: metadata   | footer |
 *           |------------------- covered by the crc -----------|           */
struct stream {
    struct sm_read *read;
    uint64_t content_at, content_end;
    bool check;
    uint32_t crc; /* of the payload read so far */
    bool check_content;
    uint32_t content_crc, content_wanted; /* of the elements read so far, and of all */
    struct sm_stats_pass pass;
};

/* n bytes at offset `at` of the record. */
struct piece {
    const uint8_t *p;
    uint64_t at;
    size_t n;
};

static struct piece clip_piece(struct piece x, uint64_t from, uint64_t to)
{
    uint64_t begin = x.at < from ? from : x.at, end = x.at + x.n < to ? x.at + x.n : to;
    if (begin >= end)
        return (struct piece){0};
    return (struct piece){x.p + (begin - x.at), begin, (size_t)(end - begin)};
}

static void add_piece(struct stream *s, struct piece x)
{
    struct sm_facts *facts = &s->read->facts;
    struct piece payload = clip_piece(x, SM_FRAME_HEADER, s->content_end),
                 content = clip_piece(x, s->content_at, s->content_end);
    struct piece first =
        clip_piece(content, s->content_at, s->content_at + sm_dtype_info(facts->dtype)->size_bytes);
    if (s->check)
        s->crc = sm_crc32c_more(s->crc, payload.p, payload.n);
    if (s->check_content)
        s->content_crc = sm_crc32_more(s->content_crc, content.p, content.n);
    sm_stats_add(&s->pass, content.p, content.n);
    if (first.n)
        memcpy(facts->first + (first.at - s->content_at), first.p, first.n);
}

static bool read_exactly(const struct sm_file *f, struct sm_read *x, uint64_t at, uint8_t *buf,
                         size_t n)
{
    size_t got;
    if (!sm_file_read(f, x->offset + at, buf, n, &got, &x->err))
        return false;
    return got == n || sm_err_set(&x->err, SM_ERR_WAIT, "the file ends inside the record, at %llu",
                                  (unsigned long long)x->offset + at + got);
}

/* Pieces end at page boundaries of the file and have the same alignment in the buffer: see
 * sm_alloc_pages. */
static bool read_pieces(const struct sm_file *f, struct stream *s, uint8_t *buffer)
{
    struct sm_read *x = s->read;
    size_t n;
    for (uint64_t at = 0; at < s->content_end; at += n) {
        size_t in = (size_t)((x->offset + at) % SM_STREAM_BUFFER);
        uint64_t left = s->content_end - at;
        n = left < SM_STREAM_BUFFER - in ? (size_t)left : SM_STREAM_BUFFER - in;
        if (!read_exactly(f, x, at, buffer + in, n))
            return false;
        add_piece(s, (struct piece){buffer + in, at, n});
    }
    return true;
}

static enum sm_crc payload_crc(const struct stream *s, uint32_t footer)
{
    if (s->check_content)
        return s->content_crc == s->content_wanted ? SM_CRC_OK : SM_CRC_BAD;
    if (footer == SM_FOOTER_UNWRITTEN)
        return SM_CRC_UNWRITTEN;
    if (!s->check)
        return SM_CRC_UNCHECKED;
    return footer == sm_crc32c_mask(s->crc) ? SM_CRC_OK : SM_CRC_BAD;
}

bool sm_read_stream(const struct sm_file *f, uint64_t content_at, bool check_crc, struct sm_read *x,
                    uint8_t *buffer)
{
    uint8_t end[REST_MAX + SM_FRAME_FOOTER];
    struct stream s = {
        .read = x, .content_at = content_at, .content_end = content_at + x->facts.content_bytes};
    uint64_t end_bytes = x->length - s.content_end;
    if (end_bytes > sizeof end || !sm_stats_begin(&s.pass, x->facts.dtype, &x->facts.stats, NULL) ||
        !read_exactly(f, x, s.content_end, end, (size_t)end_bytes))
        return false;
    struct sm_bytes rest = {end, (size_t)end_bytes - SM_FRAME_FOOTER};
    uint32_t footer = sm_get_u32(end + rest.n);
    if (!sm_event_is_valid_tail(rest))
        return false;
    s.check_content = check_crc && sm_read_content_crc(f, x, &s.content_crc, &s.content_wanted);
    s.check = check_crc && footer != SM_FOOTER_UNWRITTEN;
    if (!read_pieces(f, &s, buffer))
        return false;
    s.crc = sm_crc32c_more(s.crc, rest.p, rest.n);
    sm_stats_end(&s.pass);
    x->facts.crc = payload_crc(&s, footer);
    x->facts.whole = x->facts.has_stats = x->counted = true;
    return true;
}
