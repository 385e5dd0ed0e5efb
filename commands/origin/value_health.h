/* SPDX-License-Identifier: Apache-2.0 */
/* The health of a saved value (a tensor at a step by a worker), judged by its statistics and by the
 * values before it. */
#ifndef SM_VALUE_HEALTH_H
#define SM_VALUE_HEALTH_H

#include "reader/fetch/fetch.h"

/* The fault of a value. ZERO: only zeros, or a ReLU that is almost never active. */
enum sm_fault {
    SM_FAULT_NONE,
    SM_FAULT_NAN,
    SM_FAULT_INF,
    SM_FAULT_EXPLODING,
    SM_FAULT_VANISHING,
    SM_FAULT_ZERO,
    SM_FAULT_COUNT
};
/* "nan" "inf" "exploding" "vanishing" "zero"; NULL for NONE */
const char *sm_fault_name(enum sm_fault fault);

/* The faults that can cause each other, as bits 1 << fault: NaN, Inf and explosions are one family,
 * zeros and vanishing gradients are another. */
unsigned sm_fault_family(enum sm_fault fault);

/* Statistics of one value. If only reductions were saved, one of them counts as the only element.
 */
struct sm_value_health {
    uint64_t n, nan, inf, zero;
    bool whole;               /* integers: labels and counts may be 0 or large */
    double abs_max, abs_mean; /* of the finite elements; NaN if there are none */
    double time;              /* wall clock of the record, seconds */
};
void sm_value_health_of(const struct sm_facts *facts, struct sm_value_health *out);
/* The same without the counts: n, nan, inf and zero are only compared with each other and with 0.
 * n 0: not read, or without numbers. */
void sm_value_health_of_brief(const struct sm_brief *b, struct sm_value_health *out);

/* The role of a tensor, from its name and collections: some limits apply to gradients only, new
 * biases may be zero, and trees contain NaN for missing features. */
struct sm_tensor_role {
    bool gradient, bias, output, tree;
};
struct sm_tensor_role sm_tensor_role_of(const struct sm_trial *t, uint32_t tensor);

/* The good values before a value, of the same tensor and worker. Zeros do not count.
 * Zero-initialised it is empty. */
struct sm_value_baseline {
    uint64_t n;
    double mean, squares, max, base;  /* of abs_max; base: the largest of the first few */
    double small_mean, small_squares; /* of abs_mean */
    struct sm_step first, last;
};
void sm_value_baseline_add(struct sm_value_baseline *p, const struct sm_value_health *v,
                           struct sm_step step);
/* Returns NaN if there are too few values. */
double sm_value_baseline_z(const struct sm_value_baseline *p, const struct sm_value_health *v,
                           enum sm_fault fault);

/* Whether a past that starts with `first` can change the fault; then the fault itself. */
bool sm_value_health_needs_past(const struct sm_value_health *v,
                                const struct sm_value_health *first, struct sm_tensor_role role);
enum sm_fault sm_value_health_judge(const struct sm_value_health *v, struct sm_tensor_role role,
                                    const struct sm_value_baseline *past);
/* "12 NaN of 64", "max 9.1e+06", "mean 3.1e-09", "all 64 are 0"; for a good value its size. */
void sm_value_health_text(const struct sm_value_health *v, enum sm_fault fault, struct sm_str *out);
/* The number that shows the fault, comparable with that of a good value of the same tensor; may be
 * NaN or Inf. */
double sm_value_health_number(const struct sm_value_health *v, enum sm_fault fault);

#endif
