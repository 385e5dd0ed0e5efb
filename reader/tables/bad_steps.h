/* SPDX-License-Identifier: Apache-2.0 */
/* Rows whose step is none: NaN, a word, a fraction, a negative or a huge number. Such a row is left
 * out and reported; a counter of which too many values are such is no counter, and then the table
 * is read anew with another one. */
#ifndef SM_BAD_STEPS_H
#define SM_BAD_STEPS_H

#include "reader/logs/log_file.h"
#include "reader/logs/log_sink.h"

#include <stdbool.h>

/* How many values of a counter were steps, and how many were none. Begins with {0}. */
struct sm_step_doubt {
    uint8_t good, bad; /* at most UINT8_MAX */
};
/* Whether v is a step: a whole number from 0 on. *fraction: it is a number with a fraction. */
bool sm_is_step(double v, int64_t *step, bool *fraction);
void sm_step_is_good(struct sm_step_doubt *d);
/* rank: of the counter's name (sm_step_rank). An epoch may well have fractions, and so may what is
 * nested. True: it is no counter. */
bool sm_step_is_bad(struct sm_step_doubt *d, unsigned rank, bool fraction);
/* At the end of what there is: it had no step at all. */
bool sm_step_never_good(const struct sm_step_doubt *d);

/* Rows that are left out, until it is certain that their counter is one. Begins with {0}. */
struct sm_bad_rows {
    struct sm_bad_row {
        uint64_t offset, line;
        char step[24]; /* as it is written, or its beginning */
    } items[16];
    size_t n;
};
/* p, n: the step as it is written. If there is no room, those before are reported. */
void sm_bad_rows_add(struct sm_bad_rows *b, const struct sm_log_line *line, const char *p, size_t n,
                     struct sm_log_sink *sink, const char *path);
/* Reports them, and forgets them. */
void sm_bad_rows_tell(struct sm_bad_rows *b, struct sm_log_sink *sink, const char *path);

#endif
