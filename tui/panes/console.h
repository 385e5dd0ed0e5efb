/* SPDX-License-Identifier: Apache-2.0 */
/* The text of the console pane: commands and their output. The oldest lines are dropped. */
#ifndef SM_CONSOLE_H
#define SM_CONSOLE_H

#include "reader/base/str.h"

enum { SM_CONSOLE_MAX = 256 << 10 };
/* Appends prompt and text, and a newline if the text does not end in one. */
void sm_console_add(struct sm_str *console, const char *prompt, const char *text, size_t n);

#endif
