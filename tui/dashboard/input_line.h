/* SPDX-License-Identifier: Apache-2.0 */
/* The input line of a filter or a search. */
#ifndef SM_INPUT_LINE_H
#define SM_INPUT_LINE_H

#include "reader/base/str.h"

#include <stdbool.h>

/* Edits the line as a shell does: Backspace drops the last rune, Ctrl-w the last word, Ctrl-u all.
 * False: the key is another one. */
bool sm_input_edit(struct sm_str *line, int key);
/* a filter that starts with / is a regular expression */
void sm_input_toggle_regex(struct sm_str *line);

#endif
