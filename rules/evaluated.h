/* Expressions in rules. */
#ifndef SM_EVALUATED_H
#define SM_EVALUATED_H

#include "rules/expr/expr.h"
#include "rules/rule.h"

struct sm_rule_answer {
    bool ok, holds; /* ok: err means nothing */
    enum sm_value_type type;
    double number; /* NUMBER, BOOL */
    char *text;    /* STRING */
    struct sm_err err;
};
/* At the step, of the item's value (x in the expression) or of none (it NULL). Variables are the
 * rule's parameters and
 * $_step $_mode_step $_mode $_tensor $_worker $_trial. The answer stays until the step is done.
 * False: waiting, or the reason. Ask in the same order each time; e must stay where it is as long
 * as the rule. */
bool sm_rule_evaluate(struct sm_rule_at *x, const struct sm_rule_item *it, const struct sm_expr *e,
                      const struct sm_rule_answer **out, struct sm_err *err);

#endif
