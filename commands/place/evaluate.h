/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions in commands: names of tensors at the current place, and the session's variables. The
 * evaluation runs in a worker (commands/session/work.h). */
#ifndef SM_EVALUATE_H
#define SM_EVALUATE_H

#include "commands/language/cmd.h"

/* The environment of a command's expressions; the caller may change it. $t is the current tensor at
 * the current step. If no step is chosen, a name means the newest step that has the tensor, as for
 * `tensor`. Strings are allocated in the call's arena. */
void sm_evaluate_env(struct sm_call *c, struct sm_expr_env *out);
/* Like sm_evaluate_env, without a running command: at any place, and at the current place. */
void sm_evaluate_place_env(struct sm_session *s, struct sm_arena *arena, const struct sm_place *p,
                           struct sm_expr_env *out);
void sm_evaluate_session_env(struct sm_session *s, struct sm_arena *arena, struct sm_expr_env *out);
/* Parses and evaluates. Returns false with SM_ERR_WAIT while values are read and computed. The text
 * must stay valid until the call ends. The value is returned once: calling again after success
 * computes it again. The caller clears the value. */
bool sm_evaluate(struct sm_call *c, struct sm_text text, struct sm_value *out, struct sm_err *err);
bool sm_evaluate_in(struct sm_call *c, struct sm_expr_env *env, struct sm_text text,
                    struct sm_value *out, struct sm_err *err);
/* Like sm_evaluate_in, but returns only whether the value is true. */
bool sm_evaluate_truth(struct sm_call *c, struct sm_expr_env *env, struct sm_text text, bool *out,
                       struct sm_err *err);
/* "$name = EXPR": gives the variable its value; "$name" alone makes it void. *out: a copy of
 * the value, which the caller clears; may be NULL. */
bool sm_evaluate_assignment(struct sm_call *c, struct sm_text text, struct sm_value *out,
                            struct sm_err *err);
/* Whether the text is "$name = ...", and not a comparison. */
bool sm_evaluate_is_assignment(struct sm_text text);
/* Whether a condition is true for env->subject, a tensor. The result is cached until the call ends,
 * by `what` and the tensor. */
bool sm_evaluate_condition(struct sm_call *c, struct sm_expr_env *env,
                           const struct sm_expr *condition, const void *what, bool *holds,
                           struct sm_err *err);

/* The part of a text before the first comma outside of quotes and brackets. */
struct sm_text sm_evaluate_first(struct sm_text text);

#endif
