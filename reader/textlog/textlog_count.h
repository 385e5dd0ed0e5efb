/* SPDX-License-Identifier: Apache-2.0 */
/* Counts as heads have them: "10", "10/ 3000", "10 of 3000", "[640/60000 (1%)]". Internal to
 * reader/textlog. */
#ifndef SM_TEXTLOG_COUNT_H
#define SM_TEXTLOG_COUNT_H

#include "reader/textlog/textlog_head.h"

/* A whole number from 0 on at p, behind blanks. Returns what is behind it; NULL: there is none. */
const char *sm_textlog_read_count(const char *p, const char *end, int64_t *n);
/* "/ 3000", "/???", " of 3000" behind the number; of: 0 if it is not said. NULL: '/' and no total.
 */
const char *sm_textlog_read_total(const char *p, const char *end, int64_t *of);
/* Whether what is at p may stand behind a count. */
bool sm_textlog_count_ends(const char *p, const char *end);
/* A position behind an epoch: "[640/60000 (1%)]", "[100/1000]", "    10 / 1000", ":  200/ 2983
 * batches". */
bool sm_textlog_read_position(const char *p, const char *end, struct sm_textlog_head *h);

#endif
