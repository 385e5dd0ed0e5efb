/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a tensor at a step: its value, its problems, its trend. */
#ifndef SM_TENSOR_HEALTH_H
#define SM_TENSOR_HEALTH_H

#include "reader/analysis/trends.h"
#include "reader/fetch/fetch.h"

/* The newest value at or before the step (n < 0: of all steps), from the worker or from any worker.
 * NULL if there is none. */
struct sm_entry sm_tensor_health_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                       struct sm_step step, uint16_t worker);
/* Adds the defect of a value ("12 NaN", "3 Inf", "all 0"), or nothing. Returns true if it is a
 * problem (NaN or Inf). */
bool sm_tensor_health_text(const struct sm_facts *f, struct sm_str *out);
/* The trend of a tensor: the means of its values over the steps, in at most SM_TREND_MOST columns.
 * Each column covers all of its steps and shows one of them: NaN if one has it, else an infinity,
 * else the mean that is farthest from the mean of all, of any worker unless one is named. Numbers
 * are those of TRAIN if there are any, because other modes form a different curve, and of the first
 * of several runs (sm_trial_traits); NaN and infinities count in every mode and of every run. Where
 * no value was saved, the saved mean counts. Columns without numbers are omitted. */
enum { SM_TREND_MOST = 32 };
struct sm_trend {
    double v[SM_TREND_MOST];
    /* Some values of the column are still to be read, and it is not known to be NaN or infinite; v
     * is of the others, NaN if there are none. */
    bool pending[SM_TREND_MOST];
    size_t n;
    size_t left; /* columns with values that were not read */
};
/* In at most `most` columns. Looks at what was read (sm_fetch_all, sm_fetch_survey); of columns of
 * which nothing was, one value is requested, unless f is NULL. kept: what was computed stays there,
 * so that only new steps are looked at; NULL: all are. */
void sm_tensor_health_trend(struct sm_trial *t, struct sm_fetch *f, struct sm_trends *kept,
                            const struct sm_trial_tensor *x, uint16_t worker, size_t most,
                            struct sm_trend *out);
/* The first value with NaN or infinities of another worker than the one that is shown at its step
 * (sm_step_values), among the values that were read. NULL if there is none. kept as above. */
struct sm_entry sm_tensor_health_hidden(struct sm_trial *t, struct sm_trends *kept,
                                        const struct sm_trial_tensor *x, struct sm_brief *brief);

#endif
