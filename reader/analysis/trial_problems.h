/* What is wrong with a trial, with its place: damaged files, steps left out, long pauses, workers
 * missing, a stalled job, and NaN and Inf among the values of one step.
 *
 * A list for `info problems` and for the key that goes to the next one, which also holds what rules
 * found (commands/judge/session_problems.h). */
#ifndef SM_TRIAL_PROBLEMS_H
#define SM_TRIAL_PROBLEMS_H

#include "reader/analysis/timeline.h"
#include "reader/analysis/worker_gaps.h"
#include "reader/fetch.h"

enum sm_trial_problem_kind {
    SM_TRIAL_PROBLEM_BEFORE = -1, /* no problem: the place before all at a step and tensor */
    SM_TRIAL_PROBLEM_RULE,        /* added by commands/judge/session_problems.h */
    SM_TRIAL_PROBLEM_VALUE,
    SM_TRIAL_PROBLEM_FILE,
    SM_TRIAL_PROBLEM_GAP,
    SM_TRIAL_PROBLEM_WORKER,
    SM_TRIAL_PROBLEM_STALL,
    SM_TRIAL_PROBLEM_AFTER /* no problem: the place after all */
};
struct sm_trial_problem {
    enum sm_trial_problem_kind kind;
    int64_t step;       /* -1 if of none */
    int64_t saved;      /* of a VALUE: the step it was saved at, before `step` or there */
    const char *tensor; /* "" if of the whole step */
    const char *rule;   /* of a RULE: the instance; else NULL */
    const char *text;   /* of a RULE or VALUE; else NULL */
    const struct sm_problem *file; /* of a FILE */
    const struct sm_step_note *note;
    const struct sm_worker_gap *gap; /* the first of those that begin at this step */
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
/* Fills *out, zero-initialised or used before, without order. The values are the newest at or
 * before `step`, by the worker, or by any. Values that are being read are left out; returns how
 * many. */
size_t sm_trial_problems_read(struct sm_trial *t, struct sm_fetch *f, struct sm_step step,
                              uint16_t worker, struct sm_trial_problems *out);
void sm_trial_problems_add(struct sm_trial_problems *out, struct sm_trial_problem p);
/* By step, then tensor, then kind (a rule's finding and a value are the same place). */
int sm_trial_problems_compare(const struct sm_trial_problem *a, const struct sm_trial_problem *b);
/* In that order, findings before values; otherwise stable. */
void sm_trial_problems_sort(struct sm_trial_problems *p);
void sm_trial_problems_clear(struct sm_trial_problems *p);

/* NULL if the problem is of none, or of a file as a whole. */
const struct sm_trial_tensor *sm_trial_problem_tensor(const struct sm_trial *t,
                                                      const struct sm_trial_problem *p);
/* It is of the time, which is not the same when a trial is copied. */
bool sm_trial_problem_timed(const struct sm_trial_problem *p);
/* Adds one line with its place, not escaped; x: its tensor, as above. */
void sm_trial_problem_describe(const struct sm_trial *t, const struct sm_trial_problem *p,
                               const struct sm_trial_tensor *x, int64_t now_us, struct sm_str *out);

#endif
