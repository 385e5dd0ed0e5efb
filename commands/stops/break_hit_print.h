/* What a dprintf prints at a hit. */
#ifndef SM_BREAK_HIT_PRINT_H
#define SM_BREAK_HIT_PRINT_H

#include "commands/stops/break_search.h"

/* Appends the text as seen from the hit, wherever the current point is: $t, $v, $prev and $s as in
 * its condition, $_tensor and
 * $_step its own. What cannot be printed says why, and rests unless something is only not saved.
 * False: SM_ERR_WAIT. */
bool sm_break_hit_print(struct sm_session *s, struct sm_arena *arena,
                        const struct sm_break_hit *hit, struct sm_str *out, struct sm_err *err);

#endif
