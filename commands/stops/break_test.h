/* SPDX-License-Identifier: Apache-2.0 */
/* The test of one step: every enabled breakpoint, for each of its tensors and each worker that
 * saved it. Values are requested; conditions made of statistics are decided when these arrive;
 * conditions that need elements are computed by the workers. */
#ifndef SM_BREAK_TEST_H
#define SM_BREAK_TEST_H

#include "commands/stops/breakpoint.h"

/* A breakpoint, for one tensor and worker. */
struct sm_probe {
    unsigned number;
    uint32_t tensor;      /* name id; NONE: a condition of the step */
    uint16_t worker, seq; /* write order */
    enum { SM_PROBE_PENDING, SM_PROBE_BOUND, SM_PROBE_NO, SM_PROBE_YES, SM_PROBE_FAILED } state;
    bool undecided; /* NO because the condition has no value; `why` says why */
    struct sm_bound *bound;
    struct sm_bound *past;      /* of a watched expression: its value at the step `before` */
    struct sm_bound *condition; /* of a watched expression: its condition, or NULL */
    struct sm_step before;      /* n < 0: none, or not searched yet */
    char *why;    /* set if FAILED or undecided, or YES for an error or a rule; else NULL */
    double value; /* of the finding of a rule */
    /* of a rule: the index of the finding at this step, and the number of findings after it */
    size_t finding, rest;
    enum sm_err_code code; /* FAILED */
};
struct sm_break_test_batch;
/* Must not move in memory until it is cleared. */
struct sm_break_test {
    struct sm_session *session;
    struct sm_trial *trial;
    struct sm_step step;
    struct sm_probe *probes; /* sorted by number of the breakpoint */
    size_t n, cap;
    uint64_t bytes;      /* size of the records to read */
    bool started, bound; /* started: each probe was tested once; bound: only computations are
                            pending */
    struct sm_break_test_batch *batch; /* computed by a worker, or NULL */
};
void sm_break_test_begin(struct sm_break_test *test, struct sm_session *s,
                         const struct sm_trial_step *step);
/* Requests values that are missing and tests with those that have arrived. Returns true if only
 * computations are pending. */
bool sm_break_test_advance(struct sm_break_test *test);
bool sm_break_test_decided(const struct sm_break_test *test); /* every probe is NO, YES or FAILED */
void sm_break_test_clear(struct sm_break_test *test);

#endif
