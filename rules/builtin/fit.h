/* SPDX-License-Identifier: Apache-2.0 */
/* The losses of TRAIN and EVAL, as the rules that compare them read them. */
#ifndef SM_FIT_H
#define SM_FIT_H

#include "rules/rule.h"

enum { SM_OVERFIT_REGEX, SM_OVERFIT_START, SM_OVERFIT_PATIENCE, SM_OVERFIT_RATIO };

/* A loss of training at a step, and its loss of validation: in EVAL that of the same name, else the
 * one whose name says so (reader/kind/loss_names.h). */
struct sm_fit_losses {
    struct sm_rule_item it; /* that of training */
    double train, eval;
    bool has_train, has_eval;
    bool by_name; /* both are of steps of one mode, or of none */
};
/* The losses of training that were seen, each with that of validation. Part of a rule's state. */
struct sm_fit_name {
    uint32_t name, validation; /* ids; validation: 0 until one was seen, else 1 + its id */
    uint16_t worker;
};
struct sm_fit_names {
    struct sm_fit_name *training;
    size_t n, cap;
    struct sm_map places; /* of (name, worker) in training */
    struct sm_map pairs;  /* of (name, worker) of validation: how many of training it was compared
                             with */
    struct sm_map validations; /* (name, worker) of validation that belong to one of training */
    bool validated;            /* a pair was found */
    uint64_t *keys; /* (name, worker) of the losses of the step that was looked at last */
    size_t n_keys, cap_keys;
};
void sm_fit_names_clear(struct sm_fit_names *names);
/* All losses of the step; the caller frees them. NULL while waiting. */
struct sm_fit_losses *sm_fit_losses_read(struct sm_rule_at *x, struct sm_fit_names *names,
                                         size_t *n);
/* Says why there is nothing to judge. */
void sm_fit_note_missing(struct sm_rule_at *x, const struct sm_fit_names *names);

struct sm_fit_window {
    double train, eval; /* sums since the last evaluation */
    uint64_t n_train, n_eval, exceeded;
    bool validated; /* there was an EVAL step after the last TRAIN step */
};
/* Adds the losses of a step. True if that ends an evaluation: *train and *eval are the means since
 * the one before. With modes it ends at the first TRAIN step after EVAL steps, else at once. */
bool sm_fit_window_add(struct sm_fit_window *w, const struct sm_fit_losses *l, double *train,
                       double *eval);

#endif
