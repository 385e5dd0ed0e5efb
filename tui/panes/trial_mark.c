/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/trial_mark.h"

uint32_t sm_trial_mark(const struct sm_trial *t, const struct sm_glyphs *g, enum sm_role *role)
{
    static const enum sm_role roles[] = {[SM_TRIAL_WAITING] = SM_ROLE_DIM,
                                         [SM_TRIAL_LIVE] = SM_ROLE_OK,
                                         [SM_TRIAL_STALLED] = SM_ROLE_WARN,
                                         [SM_TRIAL_ENDED] = SM_ROLE_TEXT,
                                         [SM_TRIAL_UNREADABLE] = SM_ROLE_PROBLEM};
    const uint32_t marks[] = {[SM_TRIAL_WAITING] = g->waiting,
                              [SM_TRIAL_LIVE] = g->live,
                              [SM_TRIAL_STALLED] = g->stalled,
                              [SM_TRIAL_ENDED] = g->ended,
                              [SM_TRIAL_UNREADABLE] = g->error};
    enum sm_trial_state state = sm_trial_state(t);
    *role = roles[state];
    return marks[state];
}
