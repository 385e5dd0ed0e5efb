/* SPDX-License-Identifier: Apache-2.0 */
/* Attaching a rule to a trial: for `rule add` and `rule load`. */
#ifndef SM_RULE_ATTACH_H
#define SM_RULE_ATTACH_H

#include "commands/answer/result.h"
#include "commands/language/cmd.h"
#include "commands/session/session.h"

/* Adds an instance of the rule to r, with n args of the form NAME=VALUE after the mode that a .rule
 * file names. instance: its name, NULL for the default. *out is set also if it has status Error:
 * then returns false with the reason. */
bool sm_rule_attach(struct sm_session *s, struct sm_rules *r, const struct sm_rule *rule,
                    const char *instance, const char *const *args, size_t n,
                    struct sm_rule_instance **out, struct sm_err *err);
/* Adds rule and instance to a map. */
void sm_rule_attached_node(struct sm_result *out, struct sm_node *map,
                           const struct sm_rule_instance *i);
/* If no tensor matches the patterns of the instance yet, which may be a typing error, prints
 * similar names of tensors. */
void sm_rule_hint_at_names(struct sm_rules *r, const struct sm_rule_instance *i,
                           struct sm_result *out);

/* For --rules: attaches what `rule load WORD` would to all trials, those that are open and those
 * that will be. */
bool sm_rules_load_for_all(struct sm_call *c, const char *word, struct sm_err *err);

#endif
