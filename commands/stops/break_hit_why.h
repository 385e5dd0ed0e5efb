/* Where a breakpoint was hit, and by which numbers its condition holds. */
#ifndef SM_BREAK_HIT_WHY_H
#define SM_BREAK_HIT_WHY_H

#include "commands/stops/break_search.h"

/* Appends lines, each with a line end in front: what an error or a rule said, "norm($t) = 1.93e+04
 * > 1e3", the old value and the new one; perhaps none. value: the NUMBER that the condition
 * compares, else VOID. False: SM_ERR_WAIT, and nothing was appended. */
bool sm_break_hit_why(struct sm_session *s, struct sm_arena *arena, const struct sm_break_hit *hit,
                      struct sm_value *value, struct sm_str *out, struct sm_err *err);
/* The current place as it is at the hit: with its step, tensor and worker. */
struct sm_place sm_break_hit_place(const struct sm_session *s, const struct sm_break_hit *hit);
/* What names mean there, as in its condition. */
void sm_break_hit_env(struct sm_session *s, struct sm_arena *arena, const struct sm_break_hit *hit,
                      struct sm_expr_env *out);

#endif
