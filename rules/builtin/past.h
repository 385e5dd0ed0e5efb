/* The numbers of a tensor, step by step, that a rule keeps to judge their trend. */
#ifndef SM_PAST_H
#define SM_PAST_H

#include "rules/rule.h"

struct sm_past {
    double *values;
    int64_t *steps;
    size_t n, cap;
};
void sm_past_add(struct sm_past *h, int64_t step, double value);
void sm_past_clear(struct sm_past *h);

/* A history for each tensor and worker, as a rule's state. */
struct sm_pasts {
    struct sm_rule_records tensors; /* of struct sm_past, or of a struct that begins with one */
};
void sm_pasts_clear(void *state);

#endif
