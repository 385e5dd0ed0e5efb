/* SPDX-License-Identifier: Apache-2.0 */
/* The rule of a breakpoint. It is judged for this breakpoint only: on the current trial, from the
 * first step up to the last one that was requested, also after it has fired. All firings are
 * stored. */
#ifndef SM_BREAK_RULE_H
#define SM_BREAK_RULE_H

#include "commands/session/session.h"

struct sm_firing {
    struct sm_step step;
    uint32_t tensor; /* name id, NONE */
    uint16_t worker; /* ANY if the finding has no worker */
    double value;
    const char *text; /* "VanishingGradient: mean|g| = 3.1e-09 < 1e-07" */
};
struct sm_break_rule;
struct sm_word;
/* words: "rule", the name and parameters. Adds a breakpoint. Returns NULL with err. */
struct sm_breakpoint *sm_breakpoints_add_rule(struct sm_session *s, const struct sm_word *words,
                                              size_t n, struct sm_err *err);
const char *sm_break_rule_pending(const struct sm_break_rule *r); /* the reason, or NULL if it is
                                                                     not pending */
void sm_break_rule_free(struct sm_break_rule *r);
/* *out: the *n violations at the step, in their order; *n is 0 if the rule does not fire. Returns
 * false with SM_ERR_WAIT, or if the rule cannot be judged. Only sm_break_rules_pump judges further
 * steps. */
bool sm_break_rule_at(const struct sm_break_rule *r, struct sm_step step,
                      const struct sm_firing **out, size_t *n, struct sm_err *err);

/* Judges the rules of all enabled breakpoints. True: pump again at once. */
bool sm_break_rules_pump(struct sm_session *s, int64_t budget_us);
/* returns true once when a value that a rule waited for has arrived */
bool sm_break_rules_answered(struct sm_session *s);
/* when to pump rules that check again on a timer */
int64_t sm_break_rules_deadline_us(const struct sm_session *s);
/* before the trial is closed */
void sm_break_rules_clear(struct sm_session *s, const struct sm_trial *t);

#endif
