/* SPDX-License-Identifier: Apache-2.0 */
/* Line wrapping: where lines of text end. */
#ifndef SM_WRAP_H
#define SM_WRAP_H

#include "reader/base/str.h"

/* The bytes at the start of text that fill at most w columns. */
size_t sm_wrap_head(const char *text, size_t n, int w);
/* The bytes of text for a line of w columns: all, or up to the last blank that fits (the caller
 * skips that blank). A word longer than the line is cut. At least one character, if there is
 * one. */
size_t sm_wrap_line(const char *text, size_t n, int w);
/* The same for all of a 0-terminated text, of which it reads little more than the line. */
size_t sm_wrap_text(const char *text, int w);

#endif
