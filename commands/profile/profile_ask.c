/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/profile/profile_ask.h"

#include "commands/profile/report_read.h"
#include "reader/trial.h"

#include <math.h>

const struct sm_profile *sm_profile_ask(struct sm_call *c, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    struct sm_profile *p = sm_trial_profile(t);
    struct sm_str report = {0};
    if (p && sm_profile_is_read(p))
        return p;
    if (p)
        sm_err_set(err, SM_ERR_WAIT, "reading the profile, %d %%", sm_profile_percent(p));
    else if (sm_report_of_run(t, &report))
        sm_err_set(err, SM_ERR_MISSING,
                   "The run has no profile, but a report: see \"profile report\" and \"profile "
                   "rules\".");
    else if (sm_trial_traces(t))
        sm_err_set(err, SM_ERR_MISSING,
                   "The run has traces and no profile: use profile summary, steps, ops, kernels, "
                   "idle, launches, queue, comms, blame or memory.");
    else
        sm_err_set(err, SM_ERR_MISSING,
                   "The run has no profile: there is no profiler-output, system or framework in "
                   "its directory, and no profiler-output beside it.");
    sm_str_clear(&report);
    return NULL;
}

void sm_profile_node_duration(struct sm_result *out, struct sm_node *row, const char *key,
                              double ns)
{
    bool known = isfinite(ns) && fabs(ns) < 9e18;
    sm_node_int_or_null(out, row, key, known, known ? llround(ns) : 0);
}

void sm_profile_remarks(struct sm_result *out, const struct sm_profile *p)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    struct sm_profile_counts counts = sm_profile_counts(p);
    bool gpu = false;
    for (size_t i = 0; i < m->n_series; i++)
        gpu = gpu || sm_usage_of(m, &m->series[i]) == SM_USAGE_GPU;
    if (!counts.rows)
        sm_result_dim(out, "No metrics of the system were recorded.");
    else if (!gpu)
        sm_result_dim(out, "No metrics of GPUs were recorded.");
    if (!counts.events)
        sm_result_dim(out, "Framework profiling was not enabled: there are no events.");
    uint64_t bad = counts.bad_rows + counts.bad_events;
    if (bad)
        sm_result_dim(out, "%llu line%s could not be read; see \"info profiler\".",
                      (unsigned long long)bad, bad == 1 ? "" : "s");
}
