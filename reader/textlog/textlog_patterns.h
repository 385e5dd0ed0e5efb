/* SPDX-License-Identifier: Apache-2.0 */
/* The user's patterns for lines of logs: a file, one regular expression (PCRE2) a line, with named
 * groups. `step`: the step. `name` and `value`: a series named in the line, all that match from
 * there on. Every other group: a series of that name; "__" in it stands for "/". '#' begins a
 * comment. */
#ifndef SM_TEXTLOG_PATTERNS_H
#define SM_TEXTLOG_PATTERNS_H

#include "reader/base/err.h"
#include "reader/base/str.h"

#include <stdint.h>

struct sm_textlog_patterns; /* immutable; for several threads at once */
/* Reads the text of such a file. NULL: err names file and line. */
struct sm_textlog_patterns *sm_textlog_patterns_new(const char *file, const char *text, size_t n,
                                                    struct sm_err *err);
void sm_textlog_patterns_free(struct sm_textlog_patterns *p);

/* What one thread needs to match; it counts the work, and a pattern that takes too long is given
 * up for good. */
struct sm_textlog_matcher;
struct sm_textlog_matcher *sm_textlog_matcher_new(const struct sm_textlog_patterns *p);
void sm_textlog_matcher_free(struct sm_textlog_matcher *m);
/* Calls value for each that a line gives; step: -1 if the pattern has none. False: no pattern
 * matches. */
bool sm_textlog_match(struct sm_textlog_matcher *m, struct sm_text line,
                      void (*value)(void *ctx, int64_t step, struct sm_text name, double value),
                      void *ctx);

#endif
