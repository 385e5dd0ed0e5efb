/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of a .wandb file, without I/O: chunks with checksums to records, and past damage.
 *
 *   7 bytes   ":W&B", u16 0xBEE1, u8 version 0; they count inside the first block
 *   blocks    of 32768 bytes, each of whole chunks, then zeros where fewer than 7 bytes are left
 *   chunk     u32 CRC-32 of type and data, u16 length of the data, u8 type, data
 *   type      1: a whole record; 2, 3, 4: its first, a middle, its last part
 *
 * Little endian; LevelDB's log with another checksum. A damaged chunk is left out: the next one is
 * looked for where its length says, then behind every byte of the block, then in the next block. */
#ifndef SM_WANDB_LOG_H
#define SM_WANDB_LOG_H

#include "reader/base/bytes.h"
#include "reader/base/err.h"
#include "reader/base/str.h"

enum {
    SM_WANDB_BLOCK = 32768,
    SM_WANDB_HEADER = 7, /* of the file, and of a chunk */
    SM_WANDB_RECORD_MAX = 64 * 1024 * 1024
};

/* Zero-initialised it is at the beginning of a file; clear frees. */
struct sm_wandb_log {
    uint64_t offset; /* in the file: of the bytes that are expected next */
    /* internal */
    struct sm_str record; /* the parts so far */
    uint64_t record_offset;
    bool within;       /* a record has begun */
    bool lost;         /* damage was reported, and no record has begun since */
    uint64_t searched; /* bytes checksummed in search of chunks, less what good ones pay for */
};
struct sm_wandb_log_ops {
    /* payload: valid during the call. offset: of its first chunk. */
    void (*record)(void *ctx, struct sm_bytes payload, uint64_t offset);
    void (*problem)(void *ctx, uint64_t offset, const struct sm_err *err);
};
/* Takes whole chunks off b, which stands at log->offset; returns how many bytes. The others are
 * given again, with what follows them: at least a block, unless b reaches the end of the file. */
size_t sm_wandb_log_take(struct sm_wandb_log *log, struct sm_bytes b, bool at_end,
                         const struct sm_wandb_log_ops *ops, void *ctx);
void sm_wandb_log_clear(struct sm_wandb_log *log);

#endif
