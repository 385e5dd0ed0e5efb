/* SPDX-License-Identifier: Apache-2.0 */
/* The mark of a trial in lists: waiting, live, stalled or ended. */
#ifndef SM_TRIAL_MARK_H
#define SM_TRIAL_MARK_H

#include "plot/grid/glyphs.h"
#include "reader/trial.h"

/* The glyph for the state of a trial, and its role in *role. */
uint32_t sm_trial_mark(const struct sm_trial *t, const struct sm_glyphs *g, enum sm_role *role);

#endif
