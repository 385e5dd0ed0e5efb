/* What was typed and answered, for the console pane: lines of text, the oldest forgotten. */
#ifndef SM_CONSOLE_H
#define SM_CONSOLE_H

#include "reader/base/str.h"

enum { SM_CONSOLE_MAX = 256 << 10 };
/* Appends text, with an end of line if it has none; prompt: what stands before it. */
void sm_console_add(struct sm_str *console, const char *prompt, const char *text, size_t n);

#endif
