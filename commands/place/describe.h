/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and rows that many commands share: a step with its mode step, a trial in one line, the row
 * of a tensor. */
#ifndef SM_DESCRIBE_H
#define SM_DESCRIBE_H

#include "commands/answer/result.h"
#include "commands/session/session.h"

/* "step 103 (train 100)"; only "step 103" if the mode is ANY, or GLOBAL with the same
 * number. */
void sm_describe_step(struct sm_str *out, struct sm_step step, enum sm_mode mode,
                      struct sm_mode_step mode_step);
/* "cnn_run: smdebug trial, 1 worker, live (newest data 2.1 s old)". */
void sm_describe_trial(struct sm_str *out, const struct sm_trial *t, int64_t now_us);
/* "421 steps (TRAIN 0..4200, EVAL 0..40), 61 tensors in 6 collections". */
void sm_describe_contents(struct sm_str *out, const struct sm_trial *t);

/* The first and last step of a mode, and their number. */
struct sm_mode_span {
    uint64_t steps;
    struct sm_mode_step first, last;
};
struct sm_mode_span sm_mode_span(const struct sm_trial *t, enum sm_mode mode);

/* The kind of data that is saved of a tensor: "tensor", "scalar", "text", "reductions" or "shape".
 * facts: of its newest value, or NULL. */
const char *sm_describe_kind(const struct sm_trial *t, const struct sm_trial_tensor *x,
                             const struct sm_facts *facts);
/* The newest entry with a value, or none. */
struct sm_entry sm_newest_value(const struct sm_trial *t, const struct sm_trial_tensor *x);
/* Adds the row of `tensors -json`. facts: of the newest value, or NULL. */
struct sm_node *sm_describe_tensor(struct sm_result *r, struct sm_node *parent,
                                   const struct sm_trial *t, const struct sm_trial_tensor *x,
                                   const struct sm_facts *facts);
/* Adds step, mode, mode_step and worker of an entry to a map. */
void sm_describe_place(struct sm_result *r, struct sm_node *map, const struct sm_trial *t,
                       const struct sm_entry *e);
/* Adds index and value of the element with this flat index to a map. */
void sm_describe_element(struct sm_result *r, struct sm_node *map, const struct sm_tensor *t,
                         uint64_t i);
/* Adds only the value. */
void sm_describe_value(struct sm_result *r, struct sm_node *map, const struct sm_tensor *t,
                       uint64_t i);

#endif
