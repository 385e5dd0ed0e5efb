/* One of two things that are compared: a trial, or a step, a mode or a worker of one. */
#ifndef SM_COMPARE_OPERAND_H
#define SM_COMPARE_OPERAND_H

#include "commands/place/args.h"

struct sm_compare_operand {
    size_t index; /* of the session's trials */
    struct sm_trial *trial;
    bool has_step;
    struct sm_step step;
    enum sm_mode mode; /* ANY: all */
    uint16_t worker;   /* ANY: at each step the first that has the tensor */
};
/* "2", "run1", "@100", "2@eval:12", "worker_1", "eval": what differs from where the person stands.
 */
bool sm_compare_operand_read(struct sm_call *c, struct sm_text text, struct sm_compare_operand *out,
                             struct sm_err *err);
/* Gives the side without a step the other's, or in the same place the current one. False: there is
 * no such step. */
bool sm_compare_operands_match(const struct sm_session *s, struct sm_compare_operand *a,
                               struct sm_compare_operand *b, struct sm_err *err);
void sm_compare_operand_text(const struct sm_session *s, const struct sm_compare_operand *x,
                             struct sm_str *out);

/* The trial's step of that number; NULL: there is none. */
const struct sm_trial_step *sm_compare_operand_step(const struct sm_trial *t, struct sm_step step);
/* The same step of the mode; where one of the two knows no modes, the step of the same number. */
bool sm_compare_operand_same_step(const struct sm_trial *t, enum sm_mode mode,
                                  const struct sm_trial_step *as, struct sm_step *out);

#endif
