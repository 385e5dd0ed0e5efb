/* The place of a hit, and the numbers that made the condition true. */
#ifndef SM_BREAK_HIT_WHY_H
#define SM_BREAK_HIT_WHY_H

#include "commands/stops/break_search.h"

/* Appends lines, each after a line end: the text of an error or a rule, "norm($t) = 1.93e+04 >
 * 1e3", or the old and the new value; possibly none. value: the NUMBER that the condition compares,
 * else VOID. Returns false with SM_ERR_WAIT; nothing is appended then. */
bool sm_break_hit_why(struct sm_session *s, struct sm_arena *arena, const struct sm_break_hit *hit,
                      struct sm_value *value, struct sm_str *out, struct sm_err *err);
/* The current place with the step, tensor and worker of the hit. */
struct sm_place sm_break_hit_place(const struct sm_session *s, const struct sm_break_hit *hit);
/* The names in expressions at the hit, as in its condition. */
void sm_break_hit_env(struct sm_session *s, struct sm_arena *arena, const struct sm_break_hit *hit,
                      struct sm_expr_env *out);

#endif
