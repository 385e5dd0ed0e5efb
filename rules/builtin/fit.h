/* The losses of TRAIN and EVAL, as the rules that compare them read them. */
#ifndef SM_FIT_H
#define SM_FIT_H

#include "rules/rule.h"

enum { SM_OVERFIT_REGEX, SM_OVERFIT_START, SM_OVERFIT_PATIENCE, SM_OVERFIT_RATIO };

/* The losses of one tensor at a step, or of one pair of XGBoost's metrics. */
struct sm_fit_losses {
    const struct sm_rule_item *it;
    double train, eval;
    bool has_train, has_eval;
};
/* All losses of the step; the caller frees them. NULL while waiting. */
struct sm_fit_losses *sm_fit_losses_read(struct sm_rule_at *x, size_t *n);
/* Says why there is nothing to judge. */
void sm_fit_note_missing(struct sm_rule_at *x, const struct sm_fit_losses *all, size_t n);

struct sm_fit_window {
    double train, eval; /* sums since the last evaluation */
    uint64_t n_train, n_eval, exceeded;
    bool validated; /* there was an EVAL step after the last TRAIN step */
};

#endif
