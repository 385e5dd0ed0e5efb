/* SPDX-License-Identifier: Apache-2.0 */
/* The range of steps that the user has selected: tables of runs, series and statistics over steps
 * look at these only. It holds for all runs, by global steps. */
#ifndef SM_STEP_RANGE_H
#define SM_STEP_RANGE_H

#include "commands/answer/result.h"
#include "reader/fetch/series.h"

struct sm_session;
struct sm_step_range {
    bool begun; /* its first step is chosen: lo */
    bool set;
    int64_t lo, hi; /* both included */
};
/* Sets the range from a to b, in any order. */
void sm_step_range_set(struct sm_session *s, int64_t a, int64_t b);
void sm_step_range_clear(struct sm_session *s);
/* The first call begins a range at the step, the second ends it there, the third clears it. Returns
 * what to tell the user. */
const char *sm_step_range_mark(struct sm_session *s, int64_t step);
bool sm_step_range_has(const struct sm_session *s, int64_t step); /* all, if none is set */
/* Leaves out the points of other steps. */
void sm_step_range_cut(const struct sm_session *s, struct sm_series *series);
/* Appends "steps 100..200", "steps 100.." while it is begun, or nothing. */
void sm_step_range_add(const struct sm_step_range *r, struct sm_str *out);
/* A dim line that says so below an answer; nothing without a range. */
void sm_step_range_note(const struct sm_session *s, struct sm_result *out);

#endif
