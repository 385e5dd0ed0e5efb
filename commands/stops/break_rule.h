/* The rule that a breakpoint stops at. It is judged for the breakpoint alone: the current trial
 * from its first step on, as far as somebody asks, and on and on after it has fired. Where it fired
 * is kept. */
#ifndef SM_BREAK_RULE_H
#define SM_BREAK_RULE_H

#include "commands/session/session.h"

struct sm_firing {
    struct sm_step step;
    uint32_t tensor; /* name id, NONE */
    uint16_t worker; /* ANY: none was named */
    double value;
    const char *text; /* "VanishingGradient: mean|g| = 3.1e-09 < 1e-07" */
};
struct sm_break_rule;
struct sm_word;
/* "rule", its name, and parameters: a breakpoint there. NULL: err says why. */
struct sm_breakpoint *sm_breakpoints_add_rule(struct sm_session *s, const struct sm_word *words,
                                              size_t n, struct sm_err *err);
const char *sm_break_rule_pending(const struct sm_break_rule *r); /* why; NULL: it is not */
void sm_break_rule_free(struct sm_break_rule *r);
/* *out: what it found there, *n violations in their order; none: it does not fire. False:
 * SM_ERR_WAIT, or why it cannot be judged. Judging goes on in sm_break_rules_pump only. */
bool sm_break_rule_at(const struct sm_break_rule *r, struct sm_step step,
                      const struct sm_firing **out, size_t *n, struct sm_err *err);

/* Those of all enabled breakpoints. True: pump again at once. */
bool sm_break_rules_pump(struct sm_session *s, int64_t budget_us);
/* something that one waited for has come: once */
bool sm_break_rules_answered(struct sm_session *s);
/* when to pump those that look again by themselves */
int64_t sm_break_rules_deadline_us(const struct sm_session *s);
/* before the trial is closed */
void sm_break_rules_clear(struct sm_session *s, const struct sm_trial *t);

#endif
