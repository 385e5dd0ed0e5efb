/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one record, in a worker. Internal to reader/fetch/fetch.c and reader/fetch/summary.c. */
#ifndef SM_FETCH_READ_H
#define SM_FETCH_READ_H

#include "reader/fetch/cache.h"
#include "reader/source/source.h"

struct sm_read {
    struct sm_cache_node *node; /* loop's thread only; NULL: not or no longer in the cache */
    struct sm_entry entry;      /* loop's thread only */
    const char *path;
    uint64_t offset, length;
    uint16_t value;        /* index in the record */
    uint8_t want;          /* enum sm_want */
    bool ok, counted;      /* the facts include the statistics, even if there are none */
    struct sm_facts facts; /* facts.dims points to dims */
    uint64_t dims[SM_DIMS_MAX];
    double quantiles[SM_FACTS_QUANTILES];
    /* Output, if requested. As input: statistics are computed from it and nothing is read. */
    struct sm_tensor *tensor;
    uint64_t limit;    /* the largest record that may be read whole; 0: any */
    struct sm_err err; /* may be set although ok: wrong checksum */
};
/* Reads type, shape and footer from the first and the last bytes of the record into x->facts.
 * content_at: offset of the tensor's bytes in the record, 0 if they cannot be read in pieces. False
 * without an error: the record must be read whole. */
bool sm_read_head(const struct sm_file *f, struct sm_read *x, uint64_t *content_at);
enum { SM_READ_HEAD_BYTES = 1024 }; /* of a record, that have its head */
/* What the source says of the elements' CRC-32 (sm_source_ops.content_crc). */
bool sm_read_content_crc(const struct sm_file *f, const struct sm_read *x, uint32_t *before,
                         uint32_t *crc32);
/* SM_ERR_LIMIT, with the size and the limit. Returns false. */
bool sm_read_too_large(uint64_t length, uint64_t limit, struct sm_err *err);
/* file: opened from x->path, unless x has a tensor. scratch: of the job, used for large records of
 * which only the numbers are needed. Fills ok and the members after it. SM_ERR_WAIT or MISSING: the
 * file does not exist or ends before the record does. */
void sm_read_record(const struct sm_file *file, enum sm_checksum checksum, struct sm_read *x,
                    struct sm_scratch *scratch);
/* The same for items[0] and those that follow it and are other values of the same record, which is
 * read and parsed once for all of them. Returns how many, at least 1. */
size_t sm_read_values(const struct sm_file *file, enum sm_checksum checksum, struct sm_read *items,
                      size_t n, struct sm_scratch *scratch);

#endif
