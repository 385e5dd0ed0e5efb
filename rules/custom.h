/* Rules from files: .rule files of one's own, and the service's JSON lists of rule configurations.
 *
 * A .rule file has lines KEY = VALUE; # begins a comment line:
 *
 *   name = large_mean                   letters, digits and _
 *   summary = A gradient is large on average
 *   param threshold = 10                as many as wanted; $threshold in expressions
 *   collection = gradients              or regex = PATTERN; without either it is judged once a step
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
/* The message has the line and column. *out is on the heap. */
bool sm_custom_parse(const char *text, size_t n, struct sm_custom_rule **out, struct sm_err *err);
void sm_custom_free(struct sm_custom_rule *c);

/* One rule configuration of the service: "name=value" for sm_rules_add. */
struct sm_service_rule {
    const char *instance, *rule; /* rule NULL: no rule_to_invoke */
    const char **args;
    size_t n_args, cap_args;
};
/* A JSON list of configurations, or one. All in the arena. */
bool sm_service_parse(const char *text, size_t n, struct sm_arena *a, struct sm_service_rule **out,
                      size_t *n_out, struct sm_err *err);

/* rule_expr.c */
struct sm_rule sm_rule_expr_record(void);
bool sm_rule_check_expr(const char *text, struct sm_err *err);

#endif
