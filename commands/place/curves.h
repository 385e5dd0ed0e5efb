/* SPDX-License-Identifier: Apache-2.0 */
/* Curves for charts: one series of numbers for each tensor that matches, in each of the selected
 * trials, with its label. */
#ifndef SM_CURVES_H
#define SM_CURVES_H

#include "commands/place/trial_set.h"
#include "reader/fetch/series.h"

struct sm_curve {
    size_t trial; /* its index in the session */
    const struct sm_trial_tensor *tensor;
    uint16_t run;      /* the run of a TensorBoard directory, or of "worker *" the worker; ANY
                          otherwise */
    enum sm_mode mode; /* of the series; ANY: as in spec */
    const char *name;  /* the tensor's */
    struct sm_series_spec spec;
    struct sm_series series;
};
struct sm_curves {
    struct sm_curve *items; /* by name, then by trial; in the call's arena */
    size_t n;
    struct sm_trial_set trials; /* the selected trials */
};
/* Reads the series of the tensors that the call's words name, with its reduction, mode and worker.
 * by_mode: a separate curve for each mode. "worker *": and for each worker. Tensors without numbers
 * are omitted. If it returns false, *out is already cleared. */
bool sm_curves_read(struct sm_call *c, bool by_mode, struct sm_curves *out, struct sm_err *err);
void sm_curves_clear(struct sm_curves *x);
bool sm_curves_share_name(const struct sm_curves *x); /* all tensors have the same name */
/* The tensor, trial, run and mode of the curve; parts that are equal for all curves of the chart
 * are omitted. The trial is shown as its number if the label also has the name of the tensor. */
const char *sm_curve_label(const struct sm_session *s, struct sm_result *out,
                           const struct sm_curves *all, const struct sm_curve *x);
/* Names the curves that are reductions saved by the hook, if there are any. */
void sm_curves_note_saved(struct sm_result *out, const struct sm_curves *all);

/* Arguments of such a command: PATTERNs with a reduction, mode and worker. */
extern const struct sm_arg sm_curves_args[];

#endif
