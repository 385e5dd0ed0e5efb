/* The steps where something fired: what charts mark on their x axis. */
#ifndef SM_CHART_MARKS_H
#define SM_CHART_MARKS_H

#include "commands/session/session.h"

/* The first step of every rule of the current trial that has fired, and where breakpoints have
 * stopped: ascending, each once, at most `most`. Returns how many. */
size_t sm_chart_marked_steps(const struct sm_session *s, int64_t *out, size_t most);
/* The same as marks of a chart, at most `most`, whose points have these x (n, ascending) at these
 * steps: what lies between two of them is marked at the later one. x NULL: the steps are x. */
size_t sm_chart_marks(const struct sm_session *s, const int64_t *steps, const double *x, size_t n,
                      double *marks, size_t most);
/* The same of the steps with which the job was started again. */
size_t sm_chart_sessions(const struct sm_trial *t, const int64_t *steps, const double *x, size_t n,
                         double *marks, size_t most);

#endif
