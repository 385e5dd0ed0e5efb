/* SPDX-License-Identifier: Apache-2.0 */
/* set logging: answers and errors are also written to a file. */
#ifndef SM_LOGGING_H
#define SM_LOGGING_H

#include "commands/session/session.h"

/* Starts or ends logging, as set. *message, if not NULL, gets a line that reports it. Returns false
 * if the file cannot be created, or not everything was written; then logging is off. */
bool sm_logging_sync(struct sm_session *s, struct sm_str *message, struct sm_err *err);
/* Logs text without its colours. Returns whether the text should also be shown: false with "set
 * logging redirect", unless writing the file fails. */
bool sm_logging_add(struct sm_session *s, const char *text, size_t n);
void sm_logging_end(struct sm_session *s);

#endif
