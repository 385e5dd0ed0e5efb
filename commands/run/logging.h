/* set logging: what is answered and complained of goes into a file, too. */
#ifndef SM_LOGGING_H
#define SM_LOGGING_H

#include "commands/session/session.h"

/* Makes it as the settings say. What was begun or ended is told in *said (may be NULL). False: the
 * file cannot be made, or was not written whole; logging is off again. */
bool sm_logging_sync(struct sm_session *s, struct sm_str *said, struct sm_err *err);
/* Text as a terminal would get it; colours are left out. False: it goes nowhere else, as long as
 * the file takes it. */
bool sm_logging_add(struct sm_session *s, const char *text, size_t n);
void sm_logging_end(struct sm_session *s);

#endif
