/* Goes from one problem of the current trial to the next (commands/judge/session_problems.h). */
#ifndef SM_NEXT_PROBLEM_H
#define SM_NEXT_PROBLEM_H

#include "commands/session/session.h"

/* The problem gone to last, and the step and tensor that became current: if they still are, the
 * search continues after that problem. */
struct sm_problem_place {
    bool some;
    struct sm_step step;
    uint32_t tensor;
    int64_t spot_step;
    int spot_kind;
    char *spot_tensor; /* owned */
};
void sm_problem_place_clear(struct sm_problem_place *at);

/* Makes the tensor and step of the next problem (direction > 0) or of the one before it current, by
 * step, then by the order of tensors; after the last comes the first. Adds one line on it to
 * `told`. timeless: stalls and pauses are not problems. */
void sm_next_problem_go(struct sm_session *s, struct sm_problem_place *at, int direction,
                        bool timeless, struct sm_str *told);

#endif
