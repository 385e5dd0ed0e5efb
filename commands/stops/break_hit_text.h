/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of a hit: the numbers that made the condition true, and the text of a dprintf. */
#ifndef SM_BREAK_HIT_TEXT_H
#define SM_BREAK_HIT_TEXT_H

#include "commands/stops/break_search.h"

/* Appends lines, each after a line end: the text of an error or a rule, "norm($t) = 1.93e+04 >
 * 1e3", or the old and the new value; possibly none. value: the NUMBER that the condition compares,
 * else VOID. Returns false with SM_ERR_WAIT; nothing is appended then. */
bool sm_break_hit_why(struct sm_session *s, struct sm_arena *arena, const struct sm_break_hit *hit,
                      struct sm_value *value, struct sm_str *out, struct sm_err *err);
/* Appends the text, evaluated at the hit and not at the current step: $t, $v, $prev and $s as in
 * the condition, $_tensor and $_step of the hit. If it cannot be printed, appends the reason, and
 * disables the dprintf unless a value is only not saved. Returns false with SM_ERR_WAIT only. */
bool sm_break_hit_print(struct sm_session *s, struct sm_arena *arena,
                        const struct sm_break_hit *hit, struct sm_str *out, struct sm_err *err);

#endif
