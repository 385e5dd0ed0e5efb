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
/* What was saved at one step. */
struct sm_step_values {
    struct sm_step step;
    const struct sm_entry *shown; /* the value, or the reduction saved in its place; NULL: none */
    struct sm_brief brief;        /* of it; flags 0: not read yet */
    /* the value of which the statistic is farthest from `centre`; if the briefs do not have the
     * statistic, the one with the largest |x|. NULL: none was read */
    const struct sm_entry *far;
    struct sm_brief far_brief;
    double distance;
    /* of those, the lowest and the highest number; of values without the statistic, the one with
     * the largest |x|, -1 if it has none. One of the three is `far`. */
    const struct sm_entry *low, *high, *other;
    double low_v, high_v, other_v;
    const struct sm_entry *bad; /* a value with NaN, else with infinities, of any worker asked for
                                 */
    struct sm_brief bad_brief;
    const struct sm_entry *unread; /* one that was not read yet, NULL: none */
};
/* The next step of x->entries[*at .. to), and *at advances. False: there is none. */
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
    const struct sm_entry *entry; /* NULL: nothing was saved, or nothing was read yet */
    struct sm_brief brief;
    double distance;
    const struct sm_entry *unread; /* the last that was not read yet, NULL: all are read */
    size_t n, failed;              /* steps; of those, whose value could not be read */
};
void sm_worst_value_add(struct sm_worst_value *w, const struct sm_step_values *v);

#endif
