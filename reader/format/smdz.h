/* SPDX-License-Identifier: Apache-2.0 */
/* The file format of archives (doc/formats.md "Archives"): a header, frames, a footer.
 *
 *   header | head content | head content | ... | footer
 *
 * Header, heads and footer are skippable zstd frames, and each content is an ordinary zstd frame,
 * so that `zstd -t` can check the whole file. A head has the length and checksum of its content and
 * its own checksum, so that frames can be found from any position. No I/O here. */
#ifndef SM_SMDZ_H
#define SM_SMDZ_H

#include "reader/base/bytes.h"
#include "reader/base/err.h"
#include "reader/base/str.h"

enum { SM_SMDZ_VERSION = 2, SM_SMDZ_HEADER = 16, SM_SMDZ_HEAD = 32, SM_SMDZ_FOOTER = 28 };
/* Of one content; larger ones are neither written nor read. */
enum { SM_SMDZ_PLAIN_MAX = 64 << 20, SM_SMDZ_PACKED_MAX = 65 << 20 };
enum sm_smdz_kind {
    SM_SMDZ_TRIAL = 1,   /* description of the archive */
    SM_SMDZ_COLLECTIONS, /* a worker's file */
    SM_SMDZ_STEPS,       /* parts, and where their values were in the trial's files */
    SM_SMDZ_VALUES,      /* items: bytes of the trial's files */
    SM_SMDZ_STATS,       /* items: facts about records */
    SM_SMDZ_FINDINGS,    /* findings of the rules, as JSON */
    SM_SMDZ_INDEX,       /* heads of frames, and the lists of their items */
    SM_SMDZ_KINDS
};

struct sm_smdz_head {
    enum sm_smdz_kind kind;
    uint32_t packed, plain; /* content bytes, compressed and plain */
    uint32_t crc;           /* CRC-32C of the compressed content */
};
void sm_smdz_put_header(uint8_t out[SM_SMDZ_HEADER]);
bool sm_smdz_is_header(const uint8_t *p, size_t n); /* true for any version */
/* Up to SM_SMDZ_VERSION: since 2, statistics have keys (reader/archive/facts_pack.h). */
bool sm_smdz_header(const uint8_t p[SM_SMDZ_HEADER], struct sm_err *err);
void sm_smdz_put_head(const struct sm_smdz_head *h, uint8_t out[SM_SMDZ_HEAD]);
/* False: not a head, or a damaged one. */
bool sm_smdz_head(const uint8_t p[SM_SMDZ_HEAD], struct sm_smdz_head *out);
/* index: offset of the first index frame; frames: their number. */
void sm_smdz_put_footer(uint64_t index, uint32_t frames, uint8_t out[SM_SMDZ_FOOTER]);
bool sm_smdz_footer(const uint8_t p[SM_SMDZ_FOOTER], uint64_t *index, uint32_t *frames);

/* Appends to out. */
bool sm_smdz_pack(struct sm_bytes plain, int level, struct sm_str *out, struct sm_err *err);
/* Checks the checksum and both lengths; these are not trusted: memory is allocated as bytes arrive.
 * Overwrites out. */
bool sm_smdz_unpack(const struct sm_smdz_head *h, struct sm_bytes packed, struct sm_str *out,
                    struct sm_err *err);

/* VALUES and STATS begin with a list of their items, whose bytes follow in the same order. */
struct sm_smdz_item {
    uint32_t file; /* event file, as numbered in STEPS */
    /* STATS: index of the value in its record * 2, + 1 if its bytes are not in the archive. */
    uint32_t tag;
    uint64_t offset; /* in the event file */
    uint32_t length; /* bytes stored here */
    uint32_t at;     /* offset from the start of the content */
};
void sm_smdz_put_items(const struct sm_smdz_item *items, size_t n, struct sm_str *out);
/* Calls `each` until it returns false. plain: length of the content; the items must fit into it.
 * *end: where the list ends. */
bool sm_smdz_items(struct sm_bytes list, uint32_t plain,
                   bool (*each)(void *ctx, const struct sm_smdz_item *item), void *ctx, size_t *end,
                   struct sm_err *err);

void sm_smdz_put_text(struct sm_str *out, const char *p, size_t n);
/* Borrows from b; false if b is too short. */
bool sm_smdz_text(struct sm_bytes b, size_t *at, struct sm_text *out);
static inline uint64_t sm_smdz_fold(int64_t v) /* Zigzag: small for small negative numbers too. */
{
    return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}
static inline int64_t sm_smdz_unfold(uint64_t v)
{
    return (int64_t)(v >> 1 ^ (~(v & 1) + 1));
}

#endif
