/* SPDX-License-Identifier: Apache-2.0 */
/* Goes from one problem of the current trial to the next (commands/judge/session_problems.h). */
#ifndef SM_NEXT_PROBLEM_H
#define SM_NEXT_PROBLEM_H

#include "commands/session/session.h"

/* The last problem, and the step and tensor that became current. If they are still current, the
 * search continues after that problem. */
struct sm_problem_place {
    bool valid;
    struct sm_step step;
    uint32_t tensor;
    int64_t problem_step;
    int problem_kind;
    char *problem_tensor; /* owned */
    char *problem_rule;   /* owned; of a rule: its instance, else NULL */
};
void sm_problem_place_clear(struct sm_problem_place *at);

/* Goes to the next problem (direction > 0) or to the previous problem: makes its tensor and step
 * current. Problems are ordered by step, then by tensor; the first follows the last. Adds one line
 * on the problem to `message`. timeless: ignores stalls and pauses. Returns false if there is none.
 */
bool sm_next_problem_go(struct sm_session *s, struct sm_problem_place *at, int direction,
                        bool timeless, struct sm_str *message);

/* Adds the command that explains the problem last gone to. */
void sm_problem_place_explain(const struct sm_problem_place *at, struct sm_str *line);

#endif
