/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs of a run and of others, as the rule DataDrift keeps them: for each group of steps a
 * random choice of its distinct samples (distinct.h). */
#ifndef SM_DRIFT_INPUTS_H
#define SM_DRIFT_INPUTS_H

#include "rules/builtin/input_samples.h"
#include "rules/builtin/others.h"

/* the parameters of the rule */
enum {
    SM_DRIFT_REGEX,
    SM_DRIFT_OTHERS,
    SM_DRIFT_SAMPLES,
    SM_DRIFT_P,
    SM_DRIFT_PSI,
    SM_DRIFT_CHANNEL
};

/* The first three of a trial: those of the judged run, then those of each other run. */
enum { SM_DRIFT_TRAIN, SM_DRIFT_EVAL, SM_DRIFT_PREDICT, SM_DRIFT_GROUPS };
struct sm_drift_group {
    struct sm_distinct samples;
    double tested, tested_against; /* its total at the last test, and that of TRAIN */
};
/* What is known of the input of one name. */
struct sm_drift_input {
    struct sm_rule_item item;
    struct sm_input_samples shape; /* without rows; features 0: nothing was read yet */
    struct sm_drift_group *groups;
    size_t n_groups;
    size_t other, at; /* the next entry of other runs to read */
};
struct sm_drift_inputs {
    struct sm_rule_records inputs; /* of struct sm_drift_input */
    struct sm_others others;
};
void sm_drift_inputs_clear(struct sm_drift_inputs *s);
/* Adds the inputs of the step. False while waiting. */
bool sm_drift_inputs_add_step(struct sm_rule_at *x, struct sm_drift_inputs *s);
/* Adds those of the other runs. False while waiting. A few values at each call, since all that were
 * asked for are in memory. */
bool sm_drift_inputs_read_others(struct sm_rule_at *x, struct sm_drift_inputs *s,
                                 struct sm_drift_input *in);

#endif
