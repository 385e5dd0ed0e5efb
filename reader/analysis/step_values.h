/* SPDX-License-Identifier: Apache-2.0 */
/* The saved values of a tensor, step by step, as trends and maps look at them: by their briefs
 * (reader/brief.h), all steps and not some of them. */
#ifndef SM_STEP_VALUES_H
#define SM_STEP_VALUES_H

#include "reader/tensor/statistic_list.h"
#include "reader/trial.h"

/* statistic: where a value was not saved, the reduction that was saved of it counts. worker ANY: a
 * step shows its first worker that has one; mode ANY: of all modes. first_only: `far` is of the
 * worker that is shown, and not of any. */
struct sm_step_values_spec {
    const struct sm_statistic *statistic;
    uint16_t worker;
    enum sm_mode mode;
    double centre;
    bool first_only;
};
/* What was saved at one step: indices of entries; SM_NO_STEP_VALUE: there is none. */
#define SM_NO_STEP_VALUE SIZE_MAX
struct sm_step_values {
    struct sm_step step;
    size_t shown;          /* the value, or the reduction saved in its place */
    struct sm_brief brief; /* of it; flags 0: not read yet */
    /* the value of which the statistic is farthest from `centre`; if the briefs do not have the
     * statistic, the one with the largest |x|. NO_STEP_VALUE: nothing was read */
    size_t far;
    struct sm_brief far_brief;
    double distance;
    /* of those, the lowest and the highest number; of values without the statistic, the one with
     * the largest |x|, -1 if it has none. One of the three is `far`. */
    size_t low, high, other;
    double low_v, high_v, other_v;
    size_t bad; /* a value with NaN, else with infinities, of any worker asked for */
    struct sm_brief bad_brief;
    size_t unread; /* one that was not read yet */
};
/* The next step of the entries [*at, to), and *at advances. False: there is none. */
bool sm_step_values_next(const struct sm_trial *t, const struct sm_trial_tensor *x,
                         const struct sm_step_values_spec *spec, size_t *at, size_t to,
                         struct sm_step_values *out);
/* The statistic of a value as its brief has it; NaN if it does not. */
double sm_step_value_number(const struct sm_entry *e, const struct sm_brief *b,
                            const struct sm_statistic *s);
/* Whether briefs have the statistic. */
bool sm_step_value_has(const struct sm_statistic *s);

/* The value that stands for several steps: one with NaN, else one with infinities, else the
 * farthest. Zero at first. */
struct sm_worst_value {
    struct sm_entry entry; /* none: nothing was saved, or nothing was read yet */
    struct sm_brief brief;
    double distance;
    struct sm_entry unread; /* the last that was not read yet; none: all are read */
    size_t n, failed;       /* steps; of those, whose value could not be read */
};
void sm_worst_value_add(struct sm_worst_value *w, const struct sm_trial *t,
                        const struct sm_trial_tensor *x, const struct sm_step_values *v);

#endif
