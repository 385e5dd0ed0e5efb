/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of a trial, with step and tensor: damaged files, missing steps, long pauses, missing
 * workers, a stalled job, and NaN and Inf in the values of one step.
 *
 * The list is used by `info problems` and by the key that goes to the next problem, which also
 * contain the findings of rules (commands/judge/session_problems.h). */
#ifndef SM_TRIAL_PROBLEMS_H
#define SM_TRIAL_PROBLEMS_H

#include "reader/analysis/timeline.h"
#include "reader/analysis/worker_gaps.h"
#include "reader/fetch/fetch.h"

enum sm_trial_problem_kind {
    SM_TRIAL_PROBLEM_BEFORE = -1, /* not a problem: a position before all others at a step and
                                     tensor */
    SM_TRIAL_PROBLEM_RULE,        /* added by commands/judge/session_problems.h */
    SM_TRIAL_PROBLEM_VALUE,
    SM_TRIAL_PROBLEM_FILE,
    SM_TRIAL_PROBLEM_GAP,
    SM_TRIAL_PROBLEM_WORKER,
    SM_TRIAL_PROBLEM_STALL,
    SM_TRIAL_PROBLEM_AFTER /* not a problem: a position after all others */
};
struct sm_trial_problem {
    enum sm_trial_problem_kind kind;
    int64_t step;       /* -1 if it belongs to no step */
    int64_t saved;      /* of a VALUE: the step at which it was saved, at or before `step` */
    const char *tensor; /* "" if it concerns the complete step */
    const char *rule;   /* of a RULE: the instance; else NULL */
    const char *text;   /* of a RULE or VALUE; else NULL */
    const struct sm_problem *file; /* of a FILE */
    const struct sm_step_note *note;
    const struct sm_worker_gap *gap; /* the first of the gaps that start at this step */
};
struct sm_trial_problems {
    struct sm_trial_problem *items; /* valid until the next pump of the trial */
    size_t n, cap;
    struct sm_arena arena; /* of the texts */
    struct sm_timeline timeline;
    struct sm_worker_gaps gaps;
};
/* "rule" "value" "file" "steps" "worker" "stall" */
const char *sm_trial_problem_name(enum sm_trial_problem_kind kind);
/* Fills *out, zero-initialised or used before, in no particular order. The values are the newest at
 * or before `step`, from the worker or from any worker. Values that are being read are omitted;
 * returns how many. */
size_t sm_trial_problems_read(struct sm_trial *t, struct sm_fetch *f, struct sm_step step,
                              uint16_t worker, struct sm_trial_problems *out);
void sm_trial_problems_add(struct sm_trial_problems *out, struct sm_trial_problem p);
/* Orders by step, then tensor, then kind (a finding of a rule and a value compare equal). */
int sm_trial_problems_compare(const struct sm_trial_problem *a, const struct sm_trial_problem *b);
/* Sorts in that order, findings before values; otherwise stable. */
void sm_trial_problems_sort(struct sm_trial_problems *p);
void sm_trial_problems_clear(struct sm_trial_problems *p);

/* NULL if the problem concerns no tensor, or a complete file. */
const struct sm_trial_tensor *sm_trial_problem_tensor(const struct sm_trial *t,
                                                      const struct sm_trial_problem *p);
/* True if the problem depends on times, which change when a trial is copied. */
bool sm_trial_problem_timed(const struct sm_trial_problem *p);
/* Adds one line with step and tensor, not escaped; x: its tensor, from sm_trial_problem_tensor. */
void sm_trial_problem_describe(const struct sm_trial *t, const struct sm_trial_problem *p,
                               const struct sm_trial_tensor *x, int64_t now_us, struct sm_str *out);

#endif
