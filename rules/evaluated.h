/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates the expressions of rules at a step. */
#ifndef SM_EVALUATED_H
#define SM_EVALUATED_H

#include "rules/expr/expr.h"
#include "rules/rule.h"

struct sm_rule_answer {
    bool ok, holds; /* err is set only if not ok; holds: true as a condition */
    enum sm_value_type type;
    double number; /* NUMBER, BOOL */
    char *text;    /* STRING */
    struct sm_err err;
};
/* Evaluates e at the step. x in the expression is the value of the item; it is NULL for none.
 * Variables: the parameters of the rule and $_step $_mode_step $_mode $_tensor $_worker $_trial.
 * *out stays valid until the step has been judged. False: waiting (SM_ERR_WAIT), or an error. Calls
 * must come in the same order each time the step is judged; e must live as long as the rule. */
bool sm_rule_evaluate(struct sm_rule_at *x, const struct sm_rule_item *it, const struct sm_expr *e,
                      const struct sm_rule_answer **out, struct sm_err *err);

#endif
