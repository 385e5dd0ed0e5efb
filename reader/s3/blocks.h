/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of objects of S3: fetched in blocks of 1 MiB, many at a time, kept in memory and on disk.
 *
 * In memory at most 64 MiB, the least recently used go. On disk, below
 * $XDG_CACHE_HOME/smdbg/s3 (~/.cache), named by a hash of server, bucket, key, ETag and place, at
 * most SMDBG_S3_CACHE_MIB (1024; 0: none); the files that were longest unused go. Objects without
 * an ETag are not kept on disk. For several threads. */
#ifndef SM_BLOCKS_H
#define SM_BLOCKS_H

#include "reader/s3/bucket.h"

enum { SM_BLOCK_BYTES = 1 << 20, SM_SMALL_BLOCK_BYTES = 4096 };

struct sm_object_blocks;
struct sm_block_place {
    const char *key;  /* of the object, in the bucket */
    const char *etag; /* with quotes, or "" */
    uint64_t size_bytes;
    bool small; /* blocks of 4 KiB, for a few bytes far from each other in a large object */
};

struct sm_object_blocks *sm_object_blocks_new(struct sm_bucket *bucket, const char *bucket_name);
/* Drops what is on its way. */
void sm_object_blocks_free(struct sm_object_blocks *b);
/* Reads up to n bytes at offset, also of small blocks that were asked for; *got < n only at the end
 * of the object. Blocks that are missing are asked for together. */
bool sm_object_blocks_read(struct sm_object_blocks *b, const struct sm_block_place *o,
                           uint64_t offset, void *buf, size_t n, size_t *got, struct sm_err *err);
/* Asks for the block at offset unless it is known, on the disk or on its way; waits for nothing.
 * False: there is no room for it now, as too many others are on their way. */
bool sm_object_blocks_ahead(struct sm_object_blocks *b, const struct sm_block_place *o,
                            uint64_t offset);

#endif
