/* SPDX-License-Identifier: Apache-2.0 */
/* What stands for many steps of a tensor, without looking at each of them again: sums of 32 steps,
 * and of two of these, and so on. Only the end of the steps is looked at anew. */
#ifndef SM_STEP_TREE_H
#define SM_STEP_TREE_H

#include "reader/analysis/step_values.h"

/* Zero at first. For one tensor and one spec (its centre aside), whose steps were looked at in this
 * order. mode: of other modes only NaN and infinities count (ANY: all). */
struct sm_step_tree {
    const struct sm_trial *trial;
    uint32_t tensor; /* its name */
    struct sm_step_values_spec spec;
    enum sm_mode mode;
    struct sm_step_sum *levels[24]; /* sums of 32 * 2^i steps, from the first step on */
    size_t n[24], cap[24];
    size_t covered;                   /* the first entry behind those of levels[0] */
    size_t sessions, late, n_workers; /* of the trial, when it was looked at last */
    uint64_t arrivals;
    uint64_t looked_at; /* steps, for tests */
};
/* Brings it up to date: to be called before the others, and after each change of the trial. */
void sm_step_tree_update(struct sm_step_tree *x, const struct sm_trial *t,
                         const struct sm_trial_tensor *of, const struct sm_step_values_spec *spec,
                         enum sm_mode mode);
/* Steps of the mode that have a value, and the mean of their finite numbers. */
struct sm_step_total {
    size_t steps;
    double mean;
};
struct sm_step_total sm_step_tree_total(struct sm_step_tree *x);
/* The first entry of step k of the mode; the number of entries if there is none. */
size_t sm_step_tree_entry(struct sm_step_tree *x, size_t k);
/* The value that stands for the steps of the entries [from, to), which begin and end with steps:
 * as sm_worst_value_add, with this centre. */
struct sm_worst_value sm_step_tree_worst(struct sm_step_tree *x, size_t from, size_t to,
                                         double centre);
/* The index of the first value with NaN or infinities of another worker than the one that is shown
 * at its step; the number of entries if there is none. */
size_t sm_step_tree_hidden(struct sm_step_tree *x);
void sm_step_tree_clear(struct sm_step_tree *x);

#endif
