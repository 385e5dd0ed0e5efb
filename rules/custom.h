/* SPDX-License-Identifier: Apache-2.0 */
/* Rules from files: .rule files, and the service's JSON lists of rule configurations.
 *
 * A .rule file has lines KEY = VALUE; lines that start with # are comments:
 *
 *   name = large_mean                   letters, digits and _
 *   summary = A gradient is large on average
 *   param threshold = 10                any number of them; $threshold in expressions
 *   collection = gradients              or regex = PATTERN; without either: once per step
 *   when = mean(abs(x)) > $threshold    the condition; x is the tensor
 *   message = mean of |x| is {mean(abs(x))}
 *   advice = Lower the learning rate.
 *   mode = train */
#ifndef SM_CUSTOM_H
#define SM_CUSTOM_H

#include "rules/rule.h"

struct sm_custom_rule {
    struct sm_rule rule;
    struct sm_rule_param *params;
    const char *mode; /* "mode=train", or NULL */
    struct sm_arena arena;
};
/* Parses a .rule file. Error messages give line and column. The caller frees *out. */
bool sm_custom_parse(const char *text, size_t n, struct sm_custom_rule **out, struct sm_err *err);
void sm_custom_free(struct sm_custom_rule *c);

/* One rule configuration of the service; args: "name=value" for sm_rules_add. */
struct sm_service_rule {
    const char *instance, *rule; /* rule is NULL without rule_to_invoke */
    const char **args;
    size_t n_args, cap_args;
};
/* Parses a JSON list of configurations, or a single one. The result is allocated in the arena. */
bool sm_service_parse(const char *text, size_t n, struct sm_arena *a, struct sm_service_rule **out,
                      size_t *n_out, struct sm_err *err);

/* rule_expr.c: the rule Expr, the record that custom rules start from, the check of an expression
 */
extern const struct sm_rule sm_rule_expr;
struct sm_rule sm_rule_expr_record(void);
bool sm_rule_check_expr(const char *text, struct sm_err *err);

#endif
