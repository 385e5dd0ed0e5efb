/* SPDX-License-Identifier: Apache-2.0 */
/* The help of a rule and its rows in `rule list` and `rule status`, generated from its record. */
#ifndef SM_DESCRIBE_RULE_H
#define SM_DESCRIBE_RULE_H

#include "commands/answer/result.h"
#include "rules/run.h"

/* The text of `help rule NAME`. */
void sm_describe_rule(struct sm_result *r, const struct sm_rule *rule);
void sm_describe_rule_row(struct sm_result *r, struct sm_node *list, const struct sm_rule *rule);
void sm_describe_instance(struct sm_result *r, struct sm_node *list, const struct sm_rules *rules,
                          const struct sm_rule_instance *i);
/* The listing of rows of sm_describe_instance. several: of more than one trial. */
void sm_describe_status(struct sm_result *r, struct sm_node *list, bool several);
/* The same rows as a table below other text. */
void sm_describe_status_table(struct sm_result *r, const struct sm_node *list);
void sm_describe_finding(struct sm_result *r, struct sm_node *list, const struct sm_rules *rules,
                         const struct sm_rule_instance *i, const struct sm_finding *f);
/* The findings of a step, violations first; step < 0: of all steps. The list becomes the root. */
void sm_describe_findings(struct sm_result *out, const struct sm_rules *r,
                          const struct sm_rule_instance *i, int64_t step);
/* Prints a line for each reason why steps were skipped. */
void sm_describe_skips(struct sm_result *out, const struct sm_rule_instance *i);
/* Prints a line that says what was not judged, if something was not. */
void sm_describe_unjudged(struct sm_result *out, const struct sm_rules *r,
                          const struct sm_rule_instance *i);

/* How the instance judges, if not by the definition of its rule. */
void sm_describe_way(struct sm_result *out, const struct sm_rule_instance *i);
/* A line for each remark. */
void sm_describe_remarks(struct sm_result *out, const struct sm_rule_instance *i);

#endif
