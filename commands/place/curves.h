/* Series with the words that name them: of the tensors that match, in each of the trials that are
 * looked at. */
#ifndef SM_CURVES_H
#define SM_CURVES_H

#include "commands/place/trial_set.h"
#include "reader/series.h"

struct sm_curve {
    size_t trial; /* index of the session's */
    const struct sm_trial_tensor *tensor;
    uint16_t run;      /* of TensorBoard: the series is its; ANY otherwise */
    enum sm_mode mode; /* of which the series is; ANY: as asked */
    const char *name;  /* the tensor's */
    struct sm_series_spec spec;
    struct sm_series series;
};
struct sm_curves {
    struct sm_curve *items; /* by name, then by trial; in the call's arena */
    size_t n;
    struct sm_trial_set trials; /* those that were asked */
};
/* The tensors of the call's words, with its reduction, mode and worker. by_mode: training and
 * evaluation are told apart. Those without numbers are left out. False: freed already. */
bool sm_curves_read(struct sm_call *c, bool by_mode, struct sm_curves *out, struct sm_err *err);
void sm_curves_clear(struct sm_curves *x);
bool sm_curves_share_name(const struct sm_curves *x); /* all are of tensors of one name */
/* Which trial, run or mode of which tensor, as far as that tells it from the others of the chart.
 * Trials are numbers where there are names of tensors, too. */
const char *sm_curve_label(const struct sm_session *s, struct sm_result *out,
                           const struct sm_curves *all, const struct sm_curve *x);

/* NAMEs with a reduction, mode and worker. */
extern const struct sm_arg sm_curves_args[];

#endif
