/* SPDX-License-Identifier: Apache-2.0 */
/* Where a step of the current run is on the x axis of a chart, and which step is at an x. */
#ifndef SM_SCALAR_STEP_H
#define SM_SCALAR_STEP_H

#include "tui/panes/pane.h"

/* NaN on an axis of time without a value of this name at or before the step. */
double sm_scalar_x_of_step(const struct sm_view *v, const char *name, enum sm_x_unit unit,
                           struct sm_step step);
/* The saved step nearest to x: on an axis of steps of any run that is drawn and has this name, else
 * of the current run; n < 0: there is none. */
struct sm_step sm_scalar_step_of_x(const struct sm_view *v, const char *name, enum sm_x_unit unit,
                                   double x);

#endif
