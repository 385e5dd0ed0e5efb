/* The text that a dprintf prints at a hit. */
#ifndef SM_BREAK_HIT_PRINT_H
#define SM_BREAK_HIT_PRINT_H

#include "commands/stops/break_search.h"

/* Appends the text, evaluated at the hit and not at the current step: $t, $v, $prev and $s as in
 * the condition, $_tensor and $_step of the hit. If it cannot be printed, appends the reason, and
 * disables the dprintf unless a value is only not saved. Returns false with SM_ERR_WAIT only. */
bool sm_break_hit_print(struct sm_session *s, struct sm_arena *arena,
                        const struct sm_break_hit *hit, struct sm_str *out, struct sm_err *err);

#endif
