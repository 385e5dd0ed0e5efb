/* SPDX-License-Identifier: Apache-2.0 */
/* Zip files without their end: a download or a copy that was cut, or a file that is being written.
 *
 *   | local header | name | extra | bytes of the member | data descriptor | local header | ...
 *
 * torch writes the sizes of a member into the descriptor behind it. */
#include "reader/base/bytes.h"
#include "reader/base/vec.h"
#include "reader/pickle/zip_records.h"

#include <string.h>

enum { PIECE = 64 << 10, SEARCH_MAX = 64 << 20, NAME_MAX_BYTES = 4096, MEMBERS_MAX = 1 << 20 };

struct cut_reader {
    struct sm_zip *zip;
    uint64_t at;       /* of the next local header, in the range */
    uint64_t searched; /* bytes in which a descriptor was looked for */
    uint64_t (*size_of)(void *ctx, struct sm_text name);
    void *ctx;
    struct sm_err *err;
};

static uint64_t left_of(const struct cut_reader *r, uint64_t at)
{
    return at < r->zip->span.size_bytes ? r->zip->span.size_bytes - at : 0;
}

/* ---- descriptors ---- */

/* The length of the descriptor that n bytes behind a member of packed bytes are; 0: they are none.
 * Takes what it says. */
static size_t take_descriptor(struct sm_zip_member *m, const uint8_t *p, size_t n, uint64_t packed)
{
    if (n < SM_ZIP_DESCRIPTOR_BYTES || sm_get_u32(p) != SM_ZIP_DESCRIPTOR_SIGN)
        return 0;
    bool wide = n >= SM_ZIP_DESCRIPTOR64_BYTES && sm_get_u64(p + 8) == packed;
    if (!wide && sm_get_u32(p + 8) != packed)
        return 0;
    m->crc32 = sm_get_u32(p + 4);
    m->packed_bytes = packed;
    m->size_bytes = wide ? sm_get_u64(p + 16) : sm_get_u32(p + 12);
    return wide ? SM_ZIP_DESCRIPTOR64_BYTES : SM_ZIP_DESCRIPTOR_BYTES;
}

/* Looks for the descriptor of the member whose bytes begin at `data`. Its length, or 0. */
static size_t find_descriptor(struct cut_reader *r, struct sm_zip_member *m, uint64_t data)
{
    uint8_t *bytes = sm_alloc(PIECE);
    uint64_t at = data;
    size_t found = 0, n = PIECE;
    while (bytes && !found && n == PIECE && r->searched < SEARCH_MAX) {
        n = left_of(r, at) < PIECE ? (size_t)left_of(r, at) : PIECE;
        if (!sm_span_read(&r->zip->span, at, bytes, n, r->err))
            break;
        for (size_t i = 0; i + SM_ZIP_DESCRIPTOR_BYTES <= n && !found; i++) {
            const uint8_t *p = memchr(bytes + i, 'P', n - SM_ZIP_DESCRIPTOR_BYTES + 1 - i);
            i = p ? (size_t)(p - bytes) : n;
            found = p ? take_descriptor(m, p, n - i, at + i - data) : 0;
        }
        r->searched += n;
        at += n - SM_ZIP_DESCRIPTOR64_BYTES;
    }
    sm_free(bytes);
    return found;
}

/* ---- members ---- */

/* The name and the extra fields of a header; false: they are cut, or there is no memory. */
static bool take_header(struct cut_reader *r, struct sm_zip_member *m, const uint8_t *head)
{
    size_t name = sm_zip_u16(head + 26), extra = sm_zip_u16(head + 28);
    uint8_t *bytes = sm_alloc(name + extra + 1);
    bool ok = bytes && name && name <= NAME_MAX_BYTES &&
              name + extra <= left_of(r, r->at + SM_ZIP_LOCAL_BYTES) &&
              sm_span_read(&r->zip->span, r->at + SM_ZIP_LOCAL_BYTES, bytes, name + extra, r->err);
    if (ok) {
        m->name =
            (struct sm_text){sm_arena_strndup(&r->zip->names, (const char *)bytes, name), name};
        sm_zip_take_extra(m, bytes + name, extra);
    }
    sm_free(bytes);
    return ok && m->name.p;
}

/* What stands behind the bytes of a member whose size is known. */
static bool end_member(struct cut_reader *r, struct sm_zip_member *m, uint64_t data,
                       uint64_t packed)
{
    uint8_t bytes[SM_ZIP_DESCRIPTOR64_BYTES];
    uint64_t left = left_of(r, data);
    if (packed > left) {
        m->packed_bytes = m->size_bytes = left;
        r->zip->last_cut = true;
        return false;
    }
    m->packed_bytes = m->size_bytes = packed;
    left -= packed;
    size_t n = left < sizeof bytes ? (size_t)left : sizeof bytes;
    if (!sm_span_read(&r->zip->span, data + packed, bytes, n, r->err))
        return false;
    size_t descriptor = take_descriptor(m, bytes, n, packed);
    r->at = data + packed + descriptor;
    return descriptor;
}

/* Finds the end of a member. False: it is the last one that can be found. */
static bool measure(struct cut_reader *r, struct sm_zip_member *m, uint64_t data, bool described)
{
    uint64_t size = described && r->size_of && m->method == SM_ZIP_STORED
                        ? r->size_of(r->ctx, m->name)
                        : SM_ZIP_NO_SIZE;
    if (size != SM_ZIP_NO_SIZE)
        return end_member(r, m, data, size);
    size_t descriptor = described ? find_descriptor(r, m, data) : 0;
    if (!described && m->packed_bytes <= left_of(r, data)) {
        r->at = data + m->packed_bytes;
        return true;
    }
    if (descriptor) {
        r->at = data + m->packed_bytes + descriptor;
        return true;
    }
    m->packed_bytes = left_of(r, data);
    m->size_bytes = m->packed_bytes;
    r->zip->last_cut = true;
    return false;
}

/* Takes the member at r->at. False: there is none, or none after it. */
static bool take_member(struct cut_reader *r)
{
    struct sm_zip *z = r->zip;
    uint8_t head[SM_ZIP_LOCAL_BYTES];
    if (left_of(r, r->at) < sizeof head || z->n_members == MEMBERS_MAX ||
        !sm_span_read(&z->span, r->at, head, sizeof head, r->err) ||
        sm_get_u32(head) != SM_ZIP_LOCAL_SIGN)
        return false;
    struct sm_zip_member m = {.header_at = r->at,
                              .packed_bytes = sm_get_u32(head + 18),
                              .size_bytes = sm_get_u32(head + 22),
                              .crc32 = sm_get_u32(head + 14),
                              .method = sm_zip_u16(head + 8),
                              .encrypted = sm_zip_u16(head + 6) & SM_ZIP_FLAG_ENCRYPTED};
    if (!take_header(r, &m, head) || !SM_VEC_ROOM(z->members, z->n_members, z->cap_members))
        return false;
    uint64_t data =
        r->at + SM_ZIP_LOCAL_BYTES + sm_zip_u16(head + 26) + (uint64_t)sm_zip_u16(head + 28);
    bool more = measure(r, &m, data, sm_zip_u16(head + 6) & SM_ZIP_FLAG_DESCRIPTOR);
    z->members[z->n_members++] = m;
    return more;
}

bool sm_zip_open_cut(struct sm_zip *z, struct sm_file_span span,
                     uint64_t (*size_of)(void *ctx, struct sm_text name), void *ctx,
                     struct sm_err *err)
{
    *z = (struct sm_zip){.span = span, .cut = true};
    struct cut_reader r = {.zip = z, .size_of = size_of, .ctx = ctx, .err = err};
    struct sm_err why = {0};
    r.err = &why;
    while (take_member(&r))
        ;
    bool ok = why.code != SM_ERR_MEMORY && why.code != SM_ERR_IO && z->n_members;
    if (ok && sm_zip_index(z, err))
        return true;
    if (!ok)
        sm_err_set(err, why.code ? why.code : SM_ERR_DATA, "%s",
                   why.code ? why.msg : "no member of a zip file is whole");
    sm_zip_close(z);
    return false;
}
