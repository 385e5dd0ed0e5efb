/* SPDX-License-Identifier: Apache-2.0 */
/* The input line of a filter or a search. */
#ifndef SM_INPUT_LINE_H
#define SM_INPUT_LINE_H

#include "reader/base/str.h"

void sm_input_drop_last(struct sm_str *line); /* removes the last rune, if any */
/* a filter that starts with / is a regular expression */
void sm_input_toggle_regex(struct sm_str *line);

#endif
