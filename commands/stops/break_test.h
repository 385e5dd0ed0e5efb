/* One step that is looked at: every enabled breakpoint, for each of its tensors and each worker
 * that saved it. Values are asked for, conditions made of statistics are decided as they come,
 * those that look at elements go to the workers. */
#ifndef SM_BREAK_TEST_H
#define SM_BREAK_TEST_H

#include "commands/stops/breakpoint.h"

/* A breakpoint, for one tensor and worker. */
struct sm_probe {
    unsigned number;
    uint32_t tensor;      /* name id; NONE: it is about the step */
    uint16_t worker, seq; /* write order */
    enum { SM_PROBE_PENDING, SM_PROBE_BOUND, SM_PROBE_NO, SM_PROBE_YES, SM_PROBE_FAILED } state;
    struct sm_bound *bound;
    struct sm_bound *past;      /* of what changes: the same at the step `before` */
    struct sm_bound *condition; /* of what changes: its condition; NULL: none */
    struct sm_step before;      /* n < 0: none, or not looked for yet */
    char *why;                  /* FAILED, and YES of an error or a rule; NULL: none */
    double value;               /* of a rule's finding */
    /* of a rule: which of the step's findings, and how many there are behind it */
    size_t finding, rest;
    enum sm_err_code code; /* FAILED */
};
struct sm_break_test_batch;
/* Must stay where it is until it is cleared. */
struct sm_break_test {
    struct sm_session *session;
    struct sm_trial *trial;
    struct sm_step step;
    struct sm_probe *probes; /* by number of the breakpoint */
    size_t n, cap;
    uint64_t bytes;      /* of the records they are about */
    bool started, bound; /* all of them, once; nothing is waited for but computations */
    struct sm_break_test_batch *batch; /* what the workers compute */
};
void sm_break_test_begin(struct sm_break_test *test, struct sm_session *s,
                         const struct sm_trial_step *step);
/* Asks for what is not known yet, goes on with what is. True: nothing is waited for but
 * computations. */
bool sm_break_test_advance(struct sm_break_test *test);
bool sm_break_test_decided(const struct sm_break_test *test); /* every probe is NO, YES or FAILED */
void sm_break_test_clear(struct sm_break_test *test);

#endif
