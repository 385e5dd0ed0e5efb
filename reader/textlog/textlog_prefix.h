/* SPDX-License-Identifier: Apache-2.0 */
/* What launchers and loggers put before a line. */
#ifndef SM_TEXTLOG_PREFIX_H
#define SM_TEXTLOG_PREFIX_H

#include "reader/base/str.h"

/* The line without the prefix of a rank: "[rank0]: ", "[default0]:", "0: ", "[1,0]<stdout>:",
 * "(Worker pid=12) ". *rank: a number for that prefix, 0 if there is none. */
struct sm_text sm_textlog_after_rank(struct sm_text line, unsigned *rank);

/* The time of a line that begins with one: "2026-03-01 08:00:00,123", perhaps after a bracket or a
 * word. Taken as local time; seconds since 1970, or NaN. Zero-initialised. */
struct sm_textlog_times {
    char hour[13]; /* "2026-03-01 08", the last one */
    double base;
};
double sm_textlog_time(struct sm_textlog_times *t, struct sm_text line);
/* The line without the time that it begins with. */
struct sm_text sm_textlog_after_time(struct sm_text line);

#endif
