/* SPDX-License-Identifier: Apache-2.0 */
/* The test of one breakpoint for one tensor and worker at a step. */
#ifndef SM_BREAK_PROBE_H
#define SM_BREAK_PROBE_H

#include "commands/stops/break_test.h"

struct sm_probe_outcome {
    bool ok, holds; /* ok false: err */
    bool undecided; /* it has no value, so it does not hold; err: why */
    bool further;   /* the value at the step before is not available: compare with an earlier one */
    struct sm_err err;
};
/* Evaluates bound expressions; safe in a worker. past: NULL unless a change is tested, which then
 * must exceed the tolerance (below 0: any bit differs). condition: NULL if none; must be true as
 * well. stop may be NULL. */
void sm_probe_compute(const struct sm_bound *bound, const struct sm_bound *past,
                      const struct sm_bound *condition, double tolerance, const atomic_bool *stop,
                      struct sm_probe_outcome *x);
/* Sets the state of the probe: NO, YES, FAILED, or PENDING again if another step or another
 * finding of the rule has to be tested. */
void sm_probe_settle(struct sm_break_test *test, struct sm_probe *p,
                     const struct sm_probe_outcome *x);
/* The names in the condition: the step, tensor and worker of the probe. */
void sm_probe_env(struct sm_break_test *test, const struct sm_probe *p, struct sm_arena *arena,
                  struct sm_expr_env *env);
/* Tests a PENDING probe as far as its values are available. light: the condition needs statistics
 * only. */
void sm_probe_test(struct sm_break_test *test, const struct sm_breakpoint *b, bool light,
                   struct sm_arena *arena, struct sm_expr_env *env, struct sm_probe *p);
void sm_probe_drop_bound(struct sm_probe *p);

#endif
