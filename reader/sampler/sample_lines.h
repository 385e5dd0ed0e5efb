/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of one sample: {"Type","Name","Dimension","Value","NodeId","Timestamp"}, one a line,
 * all with one time. */
#ifndef SM_SAMPLE_LINES_H
#define SM_SAMPLE_LINES_H

#include "reader/base/str.h"

/* Zero-initialised is empty. Memory is kept from sample to sample. */
struct sm_sample_lines {
    struct sm_str text;
    char end[160]; /* of each line: node and time */
    size_t end_len;
};
/* Forgets the lines and sets what all of the next ones end with. node: of letters, digits, '-'. */
void sm_sample_begin(struct sm_sample_lines *s, const char *node, int64_t wall_us);
/* value is rounded to hundredths; one that is not finite, or beyond 1e15, makes no line. Bytes of
 * names that JSON or a terminal would not take become '_'. */
void sm_sample_add(struct sm_sample_lines *s, const char *type, const char *name,
                   const char *dimension, double value);
void sm_sample_clear(struct sm_sample_lines *s);

#endif
