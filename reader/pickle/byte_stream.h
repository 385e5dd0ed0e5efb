/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a range of a file, read from its beginning to its end: as they stand or inflated.
 *
 * The room reader/pickle reads the containers of Python's objects without executing anything:
 * ranges of files (byte_stream.h), the directory of a zip file (zip_directory.h), and pickles as
 * trees of values (pickle.h). It knows nothing of tensors. */
#ifndef SM_BYTE_STREAM_H
#define SM_BYTE_STREAM_H

#include "reader/source/source.h"

/* A range of an open file; the file is borrowed. */
struct sm_file_span {
    const struct sm_file *file;
    uint64_t at, size_bytes;
};
/* Reads n bytes at an offset in the range; fewer are SM_ERR_DATA. */
bool sm_span_read(const struct sm_file_span *s, uint64_t offset, void *buf, size_t n,
                  struct sm_err *err);
/* The range of the whole file. */
bool sm_span_of_file(struct sm_file_span *s, const struct sm_file *file, struct sm_err *err);

enum sm_packing { SM_PACKING_NONE, SM_PACKING_DEFLATE };

/* Zero-initialised is closed. */
struct sm_byte_stream {
    struct sm_file_span span;
    enum sm_packing packing;
    uint64_t size_bytes; /* of what is read: of a deflated range, what its directory says */
    uint64_t position;   /* in what is read */
    struct sm_inflating *inflating;
};
/* size_bytes is that of the range unless it is deflated. False: no memory. */
bool sm_byte_stream_open(struct sm_byte_stream *s, struct sm_file_span span,
                         enum sm_packing packing, uint64_t size_bytes, struct sm_err *err);
/* Reads up to n bytes; *got < n only at the end. */
bool sm_byte_stream_read(struct sm_byte_stream *s, void *buf, size_t n, size_t *got,
                         struct sm_err *err);
/* Moves on by n bytes; SM_ERR_DATA if there are fewer. */
bool sm_byte_stream_skip(struct sm_byte_stream *s, uint64_t n, struct sm_err *err);
void sm_byte_stream_close(struct sm_byte_stream *s);

#endif
