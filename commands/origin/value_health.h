/* What a value's statistics say of its health: one spot (a tensor at a step by a worker) alone and beside its own past. */
#ifndef SM_VITALS_H
#define SM_VITALS_H

#include "reader/fetch.h"

/* What is wrong with a spot. ZERO: nothing but zeros, or a ReLU that is hardly ever active. */
enum sm_ill { SM_ILL_NONE, SM_ILL_NAN, SM_ILL_INF, SM_ILL_EXPLODING, SM_ILL_VANISHING, SM_ILL_ZERO, SM_ILL_COUNT };
const char *sm_ill_name(enum sm_ill ill);                  /* "nan" "inf" "exploding" "vanishing" "zero"; NULL: NONE */

/* What one can lead to the other, as bits 1 << ill: NaN, Inf and explosions are one trouble, zeros and gradients that vanish
 * another. */
unsigned sm_ill_family(enum sm_ill ill);

/* Of one spot. Where only reductions were saved, of one of them, as if it were an only element. */
struct sm_vitals {
    uint64_t n, nan, inf, zero;
    bool whole;                          /* integers: labels and counts may be 0 or large */
    double abs_max, abs_mean;            /* of the finite elements; NaN: there are none */
    double time;                         /* wall clock of the record, seconds */
};
void sm_vitals_of(const struct sm_facts *facts, struct sm_vitals *out);

/* What a tensor is by its name and collections: some limits are for gradients alone, fresh biases may be zero, and trees say
 * NaN where a feature is missing. */
struct sm_organ {
    bool gradient, bias, output, tree;
};
struct sm_organ sm_organ_of(const struct sm_trial *t, uint32_t tensor);

/* The healthy spots before one, of the same tensor and worker; zeros tell nothing of its size. Zero-initialised is none. */
struct sm_past {
    uint64_t n;
    double mean, squares, max, base;     /* of abs_max; base: the largest of the first few */
    double small_mean, small_squares;    /* of abs_mean */
    struct sm_step first, last;
};
void sm_past_add(struct sm_past *p, const struct sm_vitals *v, struct sm_step step);
/* NaN: too few to say. */
double sm_past_z(const struct sm_past *p, const struct sm_vitals *v, enum sm_ill ill);

/* Whether a past that begins with `first` can change the verdict, and the verdict. */
bool sm_vitals_want_past(const struct sm_vitals *v, const struct sm_vitals *first, struct sm_organ organ);
enum sm_ill sm_vitals_judge(const struct sm_vitals *v, struct sm_organ organ, const struct sm_past *past);
/* "12 NaN of 64", "max 9.1e+06", "mean 3.1e-09", "all 64 are 0"; of a healthy one its size. */
void sm_vitals_text(const struct sm_vitals *v, enum sm_ill ill, struct sm_str *out);
/* The number that tells it, and by which a healthy value of the same tensor is told: NaN and Inf spelled so. */
double sm_vitals_number(const struct sm_vitals *v, enum sm_ill ill);

#endif
