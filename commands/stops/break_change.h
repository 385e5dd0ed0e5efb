/* SPDX-License-Identifier: Apache-2.0 */
/* What delete, enable and disable share: a change to breakpoints by number. */
#ifndef SM_BREAK_CHANGE_H
#define SM_BREAK_CHANGE_H

#include "commands/stops/breakpoint.h"

typedef void sm_breakpoint_change(struct sm_breakpoints *list, struct sm_breakpoint *b);
/* Applies it to the numbers and ranges in the call's words from `first` on, or to all breakpoints
 * if there are no such words. Returns false if a word is not the number of a breakpoint; the words
 * before it have been applied then. */
bool sm_breakpoints_change(struct sm_call *c, size_t first, sm_breakpoint_change *apply,
                           struct sm_err *err);
/* Whether the call's word at `at` is this keyword or a prefix of it. */
bool sm_breakpoints_word(const struct sm_call *c, size_t at, const char *keyword);

#endif
