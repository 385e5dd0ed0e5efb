/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a run that is a log: its file, and the parser. */
#ifndef SM_TEXTLOG_STATE_H
#define SM_TEXTLOG_STATE_H

#include "reader/logs/log_kind.h"

extern const struct sm_log_format sm_textlog_format;
extern const struct sm_log_format sm_textlog_pipe_format; /* of reader/source/source_pipe.h */

/* The patterns that all logs opened from now on use (textlog_patterns.h): those of the file at
 * path; "" for none. False: err says what is wrong with it, and nothing has changed. */
bool sm_textlog_use_patterns(const char *path, struct sm_err *err);
const struct sm_textlog_patterns *sm_textlog_patterns_in_use(void); /* lives on; NULL: none */

#endif
