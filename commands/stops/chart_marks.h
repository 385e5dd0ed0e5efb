/* SPDX-License-Identifier: Apache-2.0 */
/* The steps that charts mark on their x axis. */
#ifndef SM_CHART_MARKS_H
#define SM_CHART_MARKS_H

#include "commands/session/session.h"

/* The first violation of each rule of the current trial and the stops of breakpoints: ascending,
 * each step once, at most `most`. Returns the number of steps. */
size_t sm_chart_marked_steps(const struct sm_session *s, int64_t *out, size_t most);
/* The same steps as marks, at most `most`, of a chart whose points have these x (n, ascending) at
 * these steps. A step between two points is marked at the later one. x NULL: the steps are x. */
size_t sm_chart_marks(const struct sm_session *s, const int64_t *steps, const double *x, size_t n,
                      double *marks, size_t most);
/* Like sm_chart_marks, for the first steps of the job after each restart. */
size_t sm_chart_sessions(const struct sm_trial *t, const int64_t *steps, const double *x, size_t n,
                         double *marks, size_t most);

#endif
