/* A large record read for its numbers alone, through a buffer that stays in the processor's cache.
 * Inside of fetch_read.c. */
#ifndef SM_FETCH_STREAM_H
#define SM_FETCH_STREAM_H

#include "reader/fetch_read.h"

enum { SM_STREAM_BUFFER = 256 << 10, SM_STREAM_FROM_BYTES = 512 << 10 };

/* x->facts and x->dims are what the head says; content_at: of the tensor's bytes, from the record's
 * beginning. buffer: SM_STREAM_BUFFER bytes. True: the facts are those of the whole, as if all of
 * it had been in memory. False without an error: read the whole. */
bool sm_read_stream(const struct sm_file *f, uint64_t content_at, bool check_crc, struct sm_read *x,
                    uint8_t *buffer);

#endif
