/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes of a terminal to lines as they were last seen: without escape sequences, a line that was
 * redrawn (CR, backspace) as its last state; of a bar that is redrawn each state. */
#ifndef SM_TEXTLOG_LINES_H
#define SM_TEXTLOG_LINES_H

#include "reader/base/str.h"

/* Zero-initialised it is at the beginning of a log. Holds at most about SM_TEXTLOG_LINE_MAX bytes
 * of a line without an end; what is longer and was not redrawn is cut. */
struct sm_textlog_lines {
    struct sm_str part;  /* of the line without an end */
    struct sm_str drawn; /* of it, since its last CR; cut where it is no bar */
    struct sm_str clean;
    bool cutting;
};
enum { SM_TEXTLOG_LINE_MAX = 64 * 1024 };
/* Calls line for each end of a line, and for each state of a bar that is drawn over; the text is
 * valid during the call. */
void sm_textlog_lines_feed(struct sm_textlog_lines *l, const char *p, size_t n,
                           void (*line)(void *ctx, struct sm_text text), void *ctx);
/* The state of the line without an end; empty if there is none. Valid until the next call. */
struct sm_text sm_textlog_lines_rest(struct sm_textlog_lines *l);
void sm_textlog_lines_clear(struct sm_textlog_lines *l);

#endif
