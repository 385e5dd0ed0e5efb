/* What a value's statistics say of its health: one spot (a tensor at a step by a worker) alone and
 * beside its own past. */
#ifndef SM_VALUE_HEALTH_H
#define SM_VALUE_HEALTH_H

#include "reader/fetch.h"

/* What is wrong with a spot. ZERO: nothing but zeros, or a ReLU that is hardly ever active. */
enum sm_fault {
    SM_FAULT_NONE,
    SM_FAULT_NAN,
    SM_FAULT_INF,
    SM_FAULT_EXPLODING,
    SM_FAULT_VANISHING,
    SM_FAULT_ZERO,
    SM_FAULT_COUNT
};
/* "nan" "inf" "exploding" "vanishing" "zero"; NULL: NONE */
const char *sm_fault_name(enum sm_fault ill);

/* What one can lead to the other, as bits 1 << ill: NaN, Inf and explosions are one trouble, zeros
 * and gradients that vanish another. */
unsigned sm_fault_family(enum sm_fault ill);

/* Of one spot. Where only reductions were saved, of one of them, as if it were an only element. */
struct sm_value_health {
    uint64_t n, nan, inf, zero;
    bool whole;               /* integers: labels and counts may be 0 or large */
    double abs_max, abs_mean; /* of the finite elements; NaN: there are none */
    double time;              /* wall clock of the record, seconds */
};
void sm_value_health_of(const struct sm_facts *facts, struct sm_value_health *out);

/* What a tensor is by its name and collections: some limits are for gradients alone, fresh biases
 * may be zero, and trees say NaN where a feature is missing. */
struct sm_tensor_role {
    bool gradient, bias, output, tree;
};
struct sm_tensor_role sm_tensor_role_of(const struct sm_trial *t, uint32_t tensor);

/* The healthy spots before one, of the same tensor and worker; zeros tell nothing of its size.
 * Zero-initialised is none. */
struct sm_value_baseline {
    uint64_t n;
    double mean, squares, max, base;  /* of abs_max; base: the largest of the first few */
    double small_mean, small_squares; /* of abs_mean */
    struct sm_step first, last;
};
void sm_value_baseline_add(struct sm_value_baseline *p, const struct sm_value_health *v,
                           struct sm_step step);
/* NaN: too few to say. */
double sm_value_baseline_z(const struct sm_value_baseline *p, const struct sm_value_health *v,
                           enum sm_fault ill);

/* Whether a past that begins with `first` can change the verdict, and the verdict. */
bool sm_value_health_want_past(const struct sm_value_health *v, const struct sm_value_health *first,
                               struct sm_tensor_role organ);
enum sm_fault sm_value_health_judge(const struct sm_value_health *v, struct sm_tensor_role organ,
                                    const struct sm_value_baseline *past);
/* "12 NaN of 64", "max 9.1e+06", "mean 3.1e-09", "all 64 are 0"; of a healthy one its size. */
void sm_value_health_text(const struct sm_value_health *v, enum sm_fault ill, struct sm_str *out);
/* The number that tells it, and by which a healthy value of the same tensor is told: NaN and Inf
 * spelled so. */
double sm_value_health_number(const struct sm_value_health *v, enum sm_fault ill);

#endif
