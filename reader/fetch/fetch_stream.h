/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a large record for its statistics only, through a buffer that stays in the processor's
 * cache. Internal to fetch_read.c. */
#ifndef SM_FETCH_STREAM_H
#define SM_FETCH_STREAM_H

#include "reader/fetch/fetch_read.h"

enum { SM_STREAM_BUFFER = 256 << 10, SM_STREAM_FROM_BYTES = 512 << 10 };

/* x->facts and x->dims are as in the head; content_at: offset of the tensor's bytes in the record.
 * buffer: SM_STREAM_BUFFER bytes. True: the facts are the same as if the whole record had been in
 * memory. False without an error: read the whole record. */
bool sm_read_stream(const struct sm_file *f, uint64_t content_at, bool check_crc, struct sm_read *x,
                    uint8_t *buffer);

#endif
