/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a terminal to lines as they were last seen: without escape sequences, a line that was
 * redrawn (CR, backspace) as its last state, without the bars of tqdm. */
#ifndef SM_TEXTLOG_LINES_H
#define SM_TEXTLOG_LINES_H

#include "reader/base/str.h"

/* Zero-initialised it is at the beginning of a log. Holds at most about SM_TEXTLOG_LINE_MAX bytes
 * of a line without an end; what is longer and was not redrawn is cut. */
struct sm_textlog_lines {
    struct sm_str part; /* of the line without an end */
    struct sm_str clean;
    bool cutting;
};
enum { SM_TEXTLOG_LINE_MAX = 64 * 1024 };
/* Calls line for each end of a line; p is valid during the call. */
void sm_textlog_lines_feed(struct sm_textlog_lines *l, const char *p, size_t n,
                           void (*line)(void *ctx, struct sm_text text), void *ctx);
/* The state of the line without an end; empty if there is none. Valid until the next call. */
struct sm_text sm_textlog_lines_rest(struct sm_textlog_lines *l);
void sm_textlog_lines_clear(struct sm_textlog_lines *l);

/* What remains of a line when the bars of tqdm before it, and those alone, are taken away. */
struct sm_text sm_textlog_after_bars(struct sm_text line);

#endif
