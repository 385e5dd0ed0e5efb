/* SPDX-License-Identifier: Apache-2.0 */
/* How the lines of runs look: the same run and mode in every chart and list. */
#ifndef SM_SCALAR_FORM_H
#define SM_SCALAR_FORM_H

#include "plot/chart.h"

/* The form of the lines of a trial among several, by its style (struct sm_open_trial) and the
 * number of its mode or curve: those of 28 trials, two each, differ by dash and marker alone, and
 * with their colours those of 224. */
struct sm_scalar_form {
    enum sm_role role;
    unsigned dash, marker;
};
struct sm_scalar_form sm_scalar_form(unsigned style, unsigned mode);
/* A sample of the line in w cells. */
void sm_scalar_form_draw(struct sm_scalar_form f, struct sm_grid *g, int x, int y, int w,
                         const struct sm_glyphs *glyphs);

#endif
