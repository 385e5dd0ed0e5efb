/* SPDX-License-Identifier: Apache-2.0 */
/* Plain logs of a terminal: bytes in, points out.
 *
 * The room reader/textlog is the kind `log`. A parser gets the bytes of a log in any pieces, makes
 * lines of them (textlog_lines.h), finds in each where it says its step (textlog_head.h,
 * textlog_clock.h) and what stands there by name (textlog_pairs.h); the user's own patterns come
 * first (textlog_patterns.h). It does no I/O, takes time linear in the bytes, and keeps of a log no
 * more than names, one line, and a few numbers. */
#ifndef SM_TEXTLOG_H
#define SM_TEXTLOG_H

#include "reader/textlog/textlog_patterns.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As sm_log_series and sm_log_point (reader/logs/log_sink.h). */
struct sm_textlog_out {
    void *ctx;
    uint32_t (*series)(void *ctx, const char *name, size_t n);
    void (*point)(void *ctx, uint32_t series, int64_t step, double time, double value);
};
struct sm_textlog; /* the parser */
/* patterns: borrowed, or NULL. NULL: no memory. */
struct sm_textlog *sm_textlog_new(const struct sm_textlog_patterns *patterns,
                                  const struct sm_textlog_out *out);
void sm_textlog_free(struct sm_textlog *t);
void sm_textlog_feed(struct sm_textlog *t, const char *p, size_t n);
/* Hands on what a last line without an end says for certain: values that something follows; or,
 * with whole, all of it: nothing will follow. It comes again when the line ends after all. */
void sm_textlog_peek(struct sm_textlog *t, bool whole);

/* A value of a bar of progress counts if no line of the log has its name. That is not known before
 * all was read. NULL: what t has handed on stays as it is (or there is no memory); else the text is
 * to be parsed from its beginning by the new parser, which knows. */
struct sm_textlog *sm_textlog_again(const struct sm_textlog *t,
                                    const struct sm_textlog_patterns *patterns);

/* Whether the beginning of a file is a log: three points of one series with ascending steps. */
bool sm_textlog_looks_like(const char *p, size_t n, const struct sm_textlog_patterns *patterns);

#endif
