/* Expressions in commands: names at the current point, and the session's variables. What takes long
 * is computed by the workers (commands/session/work.h). */
#ifndef SM_EVALUATE_H
#define SM_EVALUATE_H

#include "commands/language/cmd.h"

/* The environment that a command evaluates in; the caller may change it. $t is the current tensor
 * at the current step. Where no step was chosen, a name means the newest step that has the tensor,
 * as for `tensor`. Strings go to the call's arena. */
void sm_evaluate_env(struct sm_call *c, struct sm_expr_env *out);
/* The same at any place, without a running command; at the current place. */
void sm_evaluate_place_env(struct sm_session *s, struct sm_arena *arena, const struct sm_place *p,
                           struct sm_expr_env *out);
void sm_evaluate_session_env(struct sm_session *s, struct sm_arena *arena, struct sm_expr_env *out);
/* Parses and evaluates. False with SM_ERR_WAIT until what it reads is there and computed. The text
 * must stay where it is while the call lives. An answer is given once: to ask again is to compute
 * it again. The caller clears the value. */
bool sm_evaluate(struct sm_call *c, struct sm_text text, struct sm_value *out, struct sm_err *err);
bool sm_evaluate_in(struct sm_call *c, struct sm_expr_env *env, struct sm_text text,
                    struct sm_value *out, struct sm_err *err);
/* Only whether it is true. */
bool sm_evaluate_truth(struct sm_call *c, struct sm_expr_env *env, struct sm_text text, bool *out,
                       struct sm_err *err);
/* Whether a condition holds for env->subject, a tensor. The answer is kept as long as the call, by
 * `what` and tensor. */
bool sm_evaluate_condition(struct sm_call *c, struct sm_expr_env *env,
                           const struct sm_expr *condition, const void *what, bool *holds,
                           struct sm_err *err);

/* The part of a text before the first comma that is in no quotes and no brackets. */
struct sm_text sm_evaluate_first(struct sm_text text);

#endif
