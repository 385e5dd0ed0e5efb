/* From one problem to the next, wherever it is: what rules found, damaged files, steps left out,
 * workers missing, times in which nothing came, and NaN and Inf among the values read at the
 * current step. */
#ifndef SM_PROBLEMS_H
#define SM_PROBLEMS_H

#include "commands/session/session.h"

/* The problem gone to last, and where that brought the person: from there the search goes on. */
struct sm_problem_place {
    bool some;
    struct sm_step step;
    uint32_t tensor;
    int64_t spot_step;
    int spot_kind;
    char *spot_tensor; /* owned */
};
void sm_problem_place_clear(struct sm_problem_place *at);

/* Moves the current tensor and step to the next problem behind them (direction > 0) or before them,
 * by step, then by the order of tensors; behind the last it begins again. What it is is added to
 * told, one line. timeless: times are not looked at. */
void sm_problems_go(struct sm_session *s, struct sm_problem_place *at, int direction, bool timeless,
                    struct sm_str *told);

#endif
