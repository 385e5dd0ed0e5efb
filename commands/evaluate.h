/* Expressions in commands: names at the current point, and the session's variables. */
#ifndef SM_EVALUATE_H
#define SM_EVALUATE_H

#include "commands/cmd.h"

/* The environment that a command evaluates in; the caller may change it. Strings go to the call's arena. */
void sm_evaluate_env(struct sm_call *c, struct sm_expr_env *out);
/* Parses and evaluates. False with SM_ERR_WAIT until what it reads is there. The caller clears the value. */
bool sm_evaluate(struct sm_call *c, struct sm_text text, struct sm_value *out, struct sm_err *err);

#endif
