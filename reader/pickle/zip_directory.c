/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/pickle/zip_records.h"

#include "reader/base/bytes.h"
#include "reader/base/crc32.h"
#include "reader/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    CENTRAL_SIGN = 0x02014b50,
    END_SIGN = 0x06054b50,
    LOCATOR_SIGN = 0x07064b50,
    END64_SIGN = 0x06064b50,
    CENTRAL_BYTES = 46,
    END_BYTES = 22,
    LOCATOR_BYTES = 20,
    END64_BYTES = 56,
    EXTRA_ZIP64 = 1,
    COMMENT_MAX = 65535,
    DIRECTORY_MAX = 256 << 20,
    INFLATION_MAX = 1032, /* deflate makes at most so many bytes of one */
};

bool sm_zip_begins(const uint8_t *p, size_t n)
{
    return n >= 4 && (sm_get_u32(p) == SM_ZIP_LOCAL_SIGN || sm_get_u32(p) == END_SIGN);
}

bool sm_zip_first_ends_with(const uint8_t *p, size_t n, const char *end)
{
    size_t length = strlen(end);
    if (n < SM_ZIP_LOCAL_BYTES || sm_get_u32(p) != SM_ZIP_LOCAL_SIGN)
        return false;
    size_t name = sm_zip_u16(p + 26);
    return name >= length && name <= n - SM_ZIP_LOCAL_BYTES &&
           memcmp(p + SM_ZIP_LOCAL_BYTES + name - length, end, length) == 0;
}

/* ---- where the directory is ---- */

struct place {
    uint64_t members, at, size_bytes;
    uint64_t end_at; /* of the end record */
};

/* The end record in the last bytes of the file; -1: none. */
static ptrdiff_t find_end(const uint8_t *p, size_t n)
{
    if (n < END_BYTES)
        return -1;
    for (size_t i = n - END_BYTES + 1; i-- > 0;)
        if (sm_get_u32(p + i) == END_SIGN && i + END_BYTES + sm_zip_u16(p + i + 20) <= n)
            return (ptrdiff_t)i;
    return -1;
}

/* Takes the zip64 end record, which torch always writes, if there is one. */
static bool read_end64(const struct sm_file_span *span, struct place *to, struct sm_err *err)
{
    uint8_t locator[LOCATOR_BYTES], end[END64_BYTES];
    if (to->end_at < LOCATOR_BYTES)
        return true;
    if (!sm_span_read(span, to->end_at - LOCATOR_BYTES, locator, sizeof locator, err))
        return false;
    if (sm_get_u32(locator) != LOCATOR_SIGN)
        return true;
    uint64_t at = sm_get_u64(locator + 8);
    if (at > to->end_at || !sm_span_read(span, at, end, sizeof end, err) ||
        sm_get_u32(end) != END64_SIGN)
        return sm_err_set(err, SM_ERR_DATA, "no zip64 end record at byte %" PRIu64, span->at + at);
    to->members = sm_get_u64(end + 32);
    to->size_bytes = sm_get_u64(end + 40);
    to->at = sm_get_u64(end + 48);
    return true;
}

/* Looks for the end record in the last n bytes; *found: it is there. */
static bool look_for_end(const struct sm_file_span *span, size_t n, struct place *to, bool *found,
                         struct sm_err *err)
{
    uint8_t *tail = sm_alloc(n);
    if (!tail)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for %zu bytes", n);
    bool ok = sm_span_read(span, span->size_bytes - n, tail, n, err);
    ptrdiff_t i = ok ? find_end(tail, n) : -1;
    *found = i >= 0;
    if (*found)
        *to = (struct place){sm_zip_u16(tail + i + 10), sm_get_u32(tail + i + 16),
                             sm_get_u32(tail + i + 12), span->size_bytes - n + (uint64_t)i};
    sm_free(tail);
    return ok;
}

/* It is at the very end unless there is a comment, which torch does not write. */
static bool read_end(const struct sm_file_span *span, struct place *to, struct sm_err *err)
{
    size_t most = END_BYTES + COMMENT_MAX,
           size = span->size_bytes < most ? (size_t)span->size_bytes : most;
    bool found = false, ok = size < END_BYTES || look_for_end(span, END_BYTES, to, &found, err);
    if (ok && !found)
        ok = look_for_end(span, size, to, &found, err);
    if (ok && !found)
        ok = sm_err_set(err, SM_ERR_DATA,
                        "the directory of the zip file is missing: it is cut, or still written");
    return ok && read_end64(span, to, err);
}

static bool check_place(const struct sm_file_span *span, const struct place *p, struct sm_err *err)
{
    if (p->at > p->end_at || p->size_bytes > p->end_at - p->at)
        return sm_err_set(err, SM_ERR_DATA,
                          "the zip directory of %" PRIu64 " bytes at byte %" PRIu64
                          " does not fit in the file",
                          p->size_bytes, span->at + p->at);
    if (p->members > p->size_bytes / CENTRAL_BYTES)
        return sm_err_set(err, SM_ERR_DATA,
                          "%" PRIu64 " members do not fit in the zip directory of %" PRIu64
                          " bytes",
                          p->members, p->size_bytes);
    return p->size_bytes <= DIRECTORY_MAX ||
           sm_err_set(err, SM_ERR_LIMIT, "the zip directory has %" PRIu64 " bytes, at most %d",
                      p->size_bytes, DIRECTORY_MAX);
}

/* ---- its members ---- */

/* What is 0xffffffff in the header stands in the extra field, in this order. */
static void take_zip64(struct sm_zip_member *m, const uint8_t *p, size_t n)
{
    uint64_t *wide[] = {&m->size_bytes, &m->packed_bytes, &m->header_at};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        if (*wide[i] != UINT32_MAX)
            continue;
        if (n < 8)
            return;
        *wide[i] = sm_get_u64(p);
        p += 8;
        n -= 8;
    }
}

void sm_zip_take_extra(struct sm_zip_member *m, const uint8_t *p, size_t n)
{
    while (n >= 4 && sm_zip_u16(p + 2) <= n - 4) {
        size_t length = sm_zip_u16(p + 2);
        if (sm_zip_u16(p) == EXTRA_ZIP64)
            take_zip64(m, p + 4, length);
        p += 4 + length;
        n -= 4 + length;
    }
}

/* The bytes that it takes; 0: it is damaged. */
static size_t take_member(struct sm_zip_member *m, const uint8_t *p, size_t n)
{
    if (n < CENTRAL_BYTES || sm_get_u32(p) != CENTRAL_SIGN)
        return 0;
    size_t name = sm_zip_u16(p + 28), extra = sm_zip_u16(p + 30), comment = sm_zip_u16(p + 32);
    if (name + extra + comment > n - CENTRAL_BYTES)
        return 0;
    *m = (struct sm_zip_member){.name = {(const char *)p + CENTRAL_BYTES, name},
                                .header_at = sm_get_u32(p + 42),
                                .packed_bytes = sm_get_u32(p + 20),
                                .size_bytes = sm_get_u32(p + 24),
                                .crc32 = sm_get_u32(p + 16),
                                .method = sm_zip_u16(p + 10),
                                .encrypted = sm_zip_u16(p + 8) & SM_ZIP_FLAG_ENCRYPTED};
    sm_zip_take_extra(m, p + CENTRAL_BYTES + name, extra);
    return CENTRAL_BYTES + name + extra + comment;
}

static bool take_members(struct sm_zip *z, const struct place *place, struct sm_err *err)
{
    const uint8_t *p = (const uint8_t *)z->directory;
    size_t at = 0, n = (size_t)place->size_bytes;
    for (; z->n_members < place->members; z->n_members++) {
        size_t used = take_member(&z->members[z->n_members], p + at, n - at);
        if (!used)
            return sm_err_set(err, SM_ERR_DATA, "the zip directory is damaged at byte %" PRIu64,
                              z->span.at + place->at + at);
        at += used;
    }
    return true;
}

static int order_of_names(const void *a, const void *b, void *ctx)
{
    const struct sm_zip *z = ctx;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    struct sm_text s = z->members[i].name, t = z->members[k].name;
    int order = memcmp(s.p, t.p, s.n < t.n ? s.n : t.n);
    if (!order)
        order = s.n < t.n ? -1 : s.n > t.n;
    return order ? order : i < k ? -1 : i > k;
}

bool sm_zip_index(struct sm_zip *z, struct sm_err *err)
{
    sm_free(z->by_name);
    z->by_name = sm_alloc_zero(z->n_members + 1, sizeof *z->by_name);
    if (!z->by_name)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a zip directory");
    for (size_t i = 0; i < z->n_members; i++)
        z->by_name[i] = (uint32_t)i;
    if (z->n_members)
        qsort_r(z->by_name, z->n_members, sizeof *z->by_name, order_of_names, z);
    return true;
}

static bool load_directory(struct sm_zip *z, const struct place *place, struct sm_err *err)
{
    size_t n = (size_t)place->members;
    z->directory = sm_alloc((size_t)place->size_bytes + 1);
    z->members = sm_alloc_zero(n + 1, sizeof *z->members);
    if (!z->directory || !z->members)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a zip directory of %zu members", n);
    if (!sm_span_read(&z->span, place->at, z->directory, (size_t)place->size_bytes, err) ||
        !take_members(z, place, err))
        return false;
    return sm_zip_index(z, err);
}

bool sm_zip_open(struct sm_zip *z, struct sm_file_span span, struct sm_err *err)
{
    struct place place = {0};
    *z = (struct sm_zip){.span = span};
    if (read_end(&span, &place, err) && check_place(&span, &place, err) &&
        load_directory(z, &place, err))
        return true;
    sm_zip_close(z);
    return false;
}

void sm_zip_close(struct sm_zip *z)
{
    sm_free(z->directory);
    sm_arena_clear(&z->names);
    sm_free(z->members);
    sm_free(z->by_name);
    *z = (struct sm_zip){0};
}

const struct sm_zip_member *sm_zip_find(const struct sm_zip *z, struct sm_text name)
{
    size_t low = 0, high = z->n_members;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        struct sm_text t = z->members[z->by_name[middle]].name;
        int order = memcmp(t.p, name.p, t.n < name.n ? t.n : name.n);
        if (order < 0 || (!order && t.n <= name.n))
            low = middle + 1;
        else
            high = middle;
    }
    const struct sm_zip_member *m = low ? &z->members[z->by_name[low - 1]] : NULL;
    return m && sm_text_same(m->name, name) ? m : NULL;
}

/* ---- reading them ---- */

static bool check_member(const struct sm_zip_member *m, struct sm_err *err)
{
    if (m->encrypted || (m->method != SM_ZIP_STORED && m->method != SM_ZIP_DEFLATED))
        return sm_err_set(err, SM_ERR_LIMIT, "%.*s is %s, which is not read", (int)m->name.n,
                          m->name.p, m->encrypted ? "encrypted" : "packed by another method");
    if (m->method == SM_ZIP_STORED ? m->size_bytes != m->packed_bytes
                                   : m->size_bytes / INFLATION_MAX > m->packed_bytes)
        return sm_err_set(err, SM_ERR_DATA, "%.*s: %" PRIu64 " bytes cannot be stored in %" PRIu64,
                          (int)m->name.n, m->name.p, m->size_bytes, m->packed_bytes);
    return true;
}

void sm_zip_announce(const struct sm_zip *z)
{
    const struct sm_file *f = z->span.file;
    bool matters = f->path;
    for (size_t i = 0; i < z->n_members && matters; i++)
        matters = sm_source_ahead(f->source, f->path, z->span.at + z->members[i].header_at, 0);
}

bool sm_zip_span(const struct sm_zip *z, const struct sm_zip_member *m, struct sm_file_span *out,
                 struct sm_err *err)
{
    uint8_t head[SM_ZIP_LOCAL_BYTES];
    if (!check_member(m, err))
        return false;
    if (!sm_span_read(&z->span, m->header_at, head, sizeof head, err) ||
        sm_get_u32(head) != SM_ZIP_LOCAL_SIGN)
        return sm_err_set(err, SM_ERR_DATA, "%.*s: no zip header at byte %" PRIu64, (int)m->name.n,
                          m->name.p, z->span.at + m->header_at);
    uint64_t at = m->header_at + SM_ZIP_LOCAL_BYTES + sm_zip_u16(head + 26) + sm_zip_u16(head + 28);
    if (at > z->span.size_bytes || m->packed_bytes > z->span.size_bytes - at)
        return sm_err_set(err, SM_ERR_DATA,
                          "%.*s: %" PRIu64 " bytes at byte %" PRIu64 " are beyond the end",
                          (int)m->name.n, m->name.p, m->packed_bytes, z->span.at + at);
    *out = (struct sm_file_span){z->span.file, z->span.at + at, m->packed_bytes};
    return true;
}

bool sm_zip_stream(const struct sm_zip *z, const struct sm_zip_member *m,
                   struct sm_byte_stream *out, struct sm_err *err)
{
    struct sm_file_span span;
    return sm_zip_span(z, m, &span, err) &&
           sm_byte_stream_open(out, span,
                               m->method == SM_ZIP_DEFLATED ? SM_PACKING_DEFLATE : SM_PACKING_NONE,
                               m->size_bytes, err);
}

static bool load_stream(struct sm_byte_stream *s, struct sm_str *out, struct sm_err *err)
{
    char piece[16 * 1024];
    size_t got = 1;
    while (got) {
        if (!sm_byte_stream_read(s, piece, sizeof piece, &got, err))
            return false;
        sm_str_addn(out, piece, got);
    }
    return !out->failed || sm_err_set(err, SM_ERR_MEMORY, "no memory for a member of a zip file");
}

static bool sum_stream(struct sm_byte_stream *s, uint32_t *crc, struct sm_err *err)
{
    uint8_t piece[16 * 1024];
    size_t got = 1;
    for (*crc = 0; got; *crc = sm_crc32_more(*crc, piece, got))
        if (!sm_byte_stream_read(s, piece, sizeof piece, &got, err))
            return false;
    return true;
}

bool sm_zip_check(const struct sm_zip *z, const struct sm_zip_member *m, struct sm_err *err)
{
    struct sm_byte_stream s = {0};
    uint32_t crc = 0;
    bool ok = !m->crc32 || (sm_zip_stream(z, m, &s, err) && sum_stream(&s, &crc, err));
    sm_byte_stream_close(&s);
    if (!ok || !m->crc32 || crc == m->crc32)
        return ok;
    return sm_err_set(err, SM_ERR_DATA,
                      "its checksum is %08" PRIx32 ", and the zip directory says %08" PRIx32, crc,
                      m->crc32);
}

bool sm_zip_load(const struct sm_zip *z, const struct sm_zip_member *m, size_t limit,
                 struct sm_str *out, struct sm_err *err)
{
    struct sm_byte_stream s = {0};
    if (m->size_bytes > limit)
        return sm_err_set(err, SM_ERR_LIMIT, "%.*s has %" PRIu64 " bytes, at most %zu are read",
                          (int)m->name.n, m->name.p, m->size_bytes, limit);
    bool ok = sm_zip_stream(z, m, &s, err) && load_stream(&s, out, err);
    sm_byte_stream_close(&s);
    return ok;
}
