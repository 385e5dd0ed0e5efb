/* What a terminal is told to put something on the clipboard of the person in front of it, over SSH
 * too. */
#ifndef SM_SCREEN_COPY_H
#define SM_SCREEN_COPY_H

#include "reader/base/str.h"

/* False: TERM has no clipboard, or it is too much for one. */
bool sm_copy_sequence(const char *text, size_t n, struct sm_str *out);

#endif
