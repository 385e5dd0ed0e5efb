/* A line that is typed for a filter or a search. */
#ifndef SM_INPUT_LINE_H
#define SM_INPUT_LINE_H

#include "reader/base/str.h"

void sm_input_drop_last(struct sm_str *line); /* the last rune, if there is one */
/* a filter that begins with / is a regular expression */
void sm_input_toggle_regex(struct sm_str *line);

#endif
