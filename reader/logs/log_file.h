/* SPDX-License-Identifier: Apache-2.0 */
/* One file of a log, followed while it grows. Not for several threads at once. */
#ifndef SM_LOG_FILE_H
#define SM_LOG_FILE_H

#include "reader/base/utf16.h"
#include "reader/source/source.h"

#include <stdint.h>

/* Begin with {.source, .path}, both borrowed; clear frees. */
struct sm_log_file {
    struct sm_source *source;
    const char *path; /* relative to the source */
    uint64_t offset;  /* bytes taken so far */
    uint64_t lines;   /* those of them, if lines are taken */
    /* internal */
    bool known, lost, drained, skipping; /* seen before; it went; read to its end; in a long line */
    bool packed;                         /* compressed: its size says nothing */
    enum sm_text_encoding encoding;      /* of its text, by its first bytes */
    uint64_t inode, size_bytes;
    int64_t mtime_us;
    uint32_t head_crc, tail_crc; /* of bytes that were taken: the first, and the last */
    size_t head_n, tail_n;
    struct sm_str buffer;
};
enum sm_log_change {
    SM_LOG_SAME,  /* nothing new */
    SM_LOG_GROWN, /* bytes after `offset` */
    SM_LOG_ANEW,  /* another file, or its bytes have changed: offset is 0 again */
    SM_LOG_GONE,  /* missing or unreadable, see err; offset is 0 if it was there before */
};
/* Looks whether the file has changed since the last look or read. */
enum sm_log_change sm_log_file_look(struct sm_log_file *f, struct sm_err *err);
/* After GROWN or ANEW: takes whole lines from `offset` on, at most about SM_LOG_TURN_BYTES
 * (log_kind.h), and calls line for each, without its LF or CR LF, as UTF-8 where the file is
 * UTF-16. offset: of the line in the file.
 * A last line without an end is given with `whole` false if `partial`, and is not taken: it comes
 * again. Lines of more than SM_LOG_LINE_MAX bytes are cut. True: more can be read at once. err is
 * set (code not 0) if the file could not be read, or only up to a place where it is torn or
 * damaged: a compressed one, which is then read again when it changes. */
struct sm_log_line {
    const char *p;
    size_t n;
    uint64_t offset, number; /* number: of the line, from 1 */
    bool whole;
};
enum { SM_LOG_LINE_MAX = 16 * 1024 * 1024 };
bool sm_log_file_lines(struct sm_log_file *f, bool partial,
                       void (*line)(void *ctx, const struct sm_log_line *line), void *ctx,
                       struct sm_err *err);
/* Takes up to n bytes (binary formats). 0: the end, or err is set. */
size_t sm_log_file_take(struct sm_log_file *f, void *buf, size_t n, struct sm_err *err);
/* The same of a text, as UTF-8 where the file is UTF-16: up to n bytes of the file are taken. The
 * text is in buf, which has n bytes, or in the file's own memory until the next call. */
const char *sm_log_file_take_text(struct sm_log_file *f, char *buf, size_t n, size_t *got,
                                  struct sm_err *err);
/* The same as sm_log_file_take in two steps: reads without taking; then takes the first n bytes of
 * what was read. */
size_t sm_log_file_peek(struct sm_log_file *f, void *buf, size_t n, struct sm_err *err);
void sm_log_file_took(struct sm_log_file *f, const void *buf, size_t n);
/* Gives back the last n bytes taken: a record that is not whole. */
void sm_log_file_untake(struct sm_log_file *f, size_t n);
/* Gives all back: it is taken from its beginning again. */
void sm_log_file_rewind(struct sm_log_file *f);
void sm_log_file_clear(struct sm_log_file *f);

#endif
