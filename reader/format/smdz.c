/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/smdz.h"

#include "reader/base/crc32c.h"
#include "reader/base/mem.h"
#include "reader/format/wire.h"

#include <zstd.h>

/* Header:  u32 skippable | u32 8  | "SMDZ" | u32 version
 * Head:    u32 skippable | u32 24 | "SMDF" | u32 kind | u32 packed | u32 plain | u32 crc of the
 * content | u32 crc of 8..28 Footer:  u32 skippable | u32 20 | "SMDE" | u64 index | u32 frames |
 * u32 crc of 8..24 */
#define SKIPPABLE 0x184D2A5Du
enum { PIECE = 128 << 10 };

static void put_begin(uint8_t *out, uint32_t n, const char *mark)
{
    sm_put_u32(out, SKIPPABLE);
    sm_put_u32(out + 4, n);
    memcpy(out + 8, mark, 4);
}

static bool has_mark(const uint8_t *p, uint32_t n, const char *mark)
{
    return sm_get_u32(p) == SKIPPABLE && sm_get_u32(p + 4) == n && memcmp(p + 8, mark, 4) == 0;
}

void sm_smdz_put_header(uint8_t out[SM_SMDZ_HEADER])
{
    put_begin(out, SM_SMDZ_HEADER - 8, "SMDZ");
    sm_put_u32(out + 12, SM_SMDZ_VERSION);
}

bool sm_smdz_is_header(const uint8_t *p, size_t n)
{
    return n >= SM_SMDZ_HEADER && has_mark(p, SM_SMDZ_HEADER - 8, "SMDZ");
}

bool sm_smdz_header(const uint8_t p[SM_SMDZ_HEADER], struct sm_err *err)
{
    if (!sm_smdz_is_header(p, SM_SMDZ_HEADER))
        return sm_err_set(err, SM_ERR_DATA, "offset 0: not an archive");
    uint32_t version = sm_get_u32(p + 12);
    if (version && version <= SM_SMDZ_VERSION)
        return true;
    return sm_err_set(err, SM_ERR_DATA,
                      "offset 12: archive version %lu, only 1 to %d are supported",
                      (unsigned long)version, SM_SMDZ_VERSION);
}

void sm_smdz_put_head(const struct sm_smdz_head *h, uint8_t out[SM_SMDZ_HEAD])
{
    put_begin(out, SM_SMDZ_HEAD - 8, "SMDF");
    sm_put_u32(out + 12, h->kind);
    sm_put_u32(out + 16, h->packed);
    sm_put_u32(out + 20, h->plain);
    sm_put_u32(out + 24, h->crc);
    sm_put_u32(out + 28, sm_crc32c(out + 8, 20));
}

bool sm_smdz_head(const uint8_t p[SM_SMDZ_HEAD], struct sm_smdz_head *out)
{
    uint32_t kind = sm_get_u32(p + 12);
    if (!has_mark(p, SM_SMDZ_HEAD - 8, "SMDF") || sm_get_u32(p + 28) != sm_crc32c(p + 8, 20) ||
        !kind || kind >= SM_SMDZ_KINDS)
        return false;
    *out = (struct sm_smdz_head){(enum sm_smdz_kind)kind, sm_get_u32(p + 16), sm_get_u32(p + 20),
                                 sm_get_u32(p + 24)};
    return out->packed <= SM_SMDZ_PACKED_MAX && out->plain <= SM_SMDZ_PLAIN_MAX;
}

void sm_smdz_put_footer(uint64_t index, uint32_t frames, uint8_t out[SM_SMDZ_FOOTER])
{
    put_begin(out, SM_SMDZ_FOOTER - 8, "SMDE");
    sm_put_u64(out + 12, index);
    sm_put_u32(out + 20, frames);
    sm_put_u32(out + 24, sm_crc32c(out + 8, 16));
}

bool sm_smdz_footer(const uint8_t p[SM_SMDZ_FOOTER], uint64_t *index, uint32_t *frames)
{
    *index = sm_get_u64(p + 12);
    *frames = sm_get_u32(p + 20);
    return has_mark(p, SM_SMDZ_FOOTER - 8, "SMDE") && sm_get_u32(p + 24) == sm_crc32c(p + 8, 16);
}

/* ---- contents ---- */

bool sm_smdz_pack(struct sm_bytes plain, int level, struct sm_str *out, struct sm_err *err)
{
    size_t room = ZSTD_compressBound(plain.n), begin = out->len;
    if (plain.n > SM_SMDZ_PLAIN_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "%zu bytes exceed the limit of an archive frame",
                          plain.n);
    sm_str_fill(out, 0, room);
    if (out->failed)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to compress");
    size_t n = ZSTD_compress(out->data + begin, room, plain.p, plain.n, level);
    if (ZSTD_isError(n))
        return sm_err_set(err, SM_ERR_MEMORY, "cannot compress: %s", ZSTD_getErrorName(n));
    sm_str_truncate(out, begin + n);
    return true;
}

static bool unpack_frame(ZSTD_DStream *stream, uint32_t plain, struct sm_bytes packed,
                         struct sm_str *out, struct sm_err *err)
{
    ZSTD_inBuffer in = {packed.p, packed.n, 0};
    for (size_t left = 1; left;) {
        size_t begin = out->len, room = plain - begin < PIECE ? plain - begin + 1 : PIECE;
        sm_str_fill(out, 0, room);
        if (out->failed)
            return sm_err_set(err, SM_ERR_MEMORY, "no memory to decompress");
        ZSTD_outBuffer to = {out->data + begin, room, 0};
        left = ZSTD_decompressStream(stream, &to, &in);
        sm_str_truncate(out, begin + to.pos);
        if (ZSTD_isError(left))
            return sm_err_set(err, SM_ERR_DATA, "invalid zstd: %s", ZSTD_getErrorName(left));
        if (out->len > plain || (left && !to.pos && in.pos == in.size))
            break;
    }
    return (out->len == plain && in.pos == in.size) ||
           sm_err_set(err, SM_ERR_DATA, "the content does not have the declared %lu bytes",
                      (unsigned long)plain);
}

bool sm_smdz_unpack(const struct sm_smdz_head *h, struct sm_bytes packed, struct sm_str *out,
                    struct sm_err *err)
{
    sm_str_truncate(out, 0);
    if (packed.n != h->packed || sm_crc32c(packed.p, packed.n) != h->crc)
        return sm_err_set(err, SM_ERR_DATA, "the checksum is wrong");
    ZSTD_DStream *stream = ZSTD_createDStream();
    bool ok = stream ? unpack_frame(stream, h->plain, packed, out, err)
                     : sm_err_set(err, SM_ERR_MEMORY, "no memory to decompress");
    ZSTD_freeDStream(stream);
    return ok;
}

/* ---- items ---- */

void sm_smdz_put_items(const struct sm_smdz_item *items, size_t n, struct sm_str *out)
{
    sm_wire_put(out, n);
    for (size_t i = 0; i < n; i++) {
        sm_wire_put(out, items[i].file);
        sm_wire_put(out, items[i].offset);
        sm_wire_put(out, items[i].length);
        sm_wire_put(out, items[i].tag);
    }
}

static bool get_item(struct sm_bytes list, size_t *at, struct sm_smdz_item *out)
{
    uint64_t file, offset, length, tag;
    if (!sm_wire_get(list, at, &file) || !sm_wire_get(list, at, &offset) ||
        !sm_wire_get(list, at, &length) || !sm_wire_get(list, at, &tag) || file > UINT32_MAX ||
        offset > INT64_MAX || length > SM_SMDZ_PLAIN_MAX || tag > 2 * UINT16_MAX + 1)
        return false;
    *out = (struct sm_smdz_item){
        .file = (uint32_t)file, .tag = (uint32_t)tag, .offset = offset, .length = (uint32_t)length};
    return true;
}

bool sm_smdz_items(struct sm_bytes list, uint32_t plain,
                   bool (*each)(void *ctx, const struct sm_smdz_item *item), void *ctx, size_t *end,
                   struct sm_err *err)
{
    uint64_t n, bytes;
    struct sm_smdz_item item;
    *end = 0;
    bool ok = sm_wire_get(list, end, &n);
    size_t first = *end;
    for (uint64_t i = 0; ok && i < n; i++) /* where the list ends, the bytes begin */
        ok = get_item(list, end, &item);
    bytes = *end;
    *end = first;
    for (uint64_t i = 0; ok && i < n; i++) {
        get_item(list, end, &item);
        item.at = (uint32_t)bytes;
        bytes += item.length;
        ok = bytes <= plain;
        if (ok && !each(ctx, &item))
            return true;
    }
    return ok || sm_err_set(err, SM_ERR_DATA, "invalid item list in a frame");
}

void sm_smdz_put_text(struct sm_str *out, const char *p, size_t n)
{
    sm_wire_put(out, n);
    sm_str_addn(out, p, n);
}

bool sm_smdz_text(struct sm_bytes b, size_t *at, struct sm_text *out)
{
    uint64_t n;
    if (!sm_wire_get(b, at, &n) || n > b.n - *at)
        return false;
    *out = (struct sm_text){(const char *)b.p + *at, (size_t)n};
    *at += (size_t)n;
    return true;
}
