/* Two trials, steps, workers or modes compared: tensor by tensor, step by step, until each has
 * diverged. */
#ifndef SM_COMPARE_RUN_H
#define SM_COMPARE_RUN_H

#include "commands/compare/compare_operand.h"
#include "commands/place/select.h"
#include "reader/tensor/tensor_compare.h"

/* One tensor: at the first step at which it differs, else at the last of those at which it is least
 * alike. */
struct sm_compare_row {
    const char *name; /* in the call's arena */
    bool in_a, in_b;
    uint64_t compared, values; /* steps that both have, and values in them */
    size_t pair;               /* of the workers, that is looked at next in the step at hand */
    bool met;                  /* a pair of that step was compared */
    struct sm_step seen, step; /* A's: looked at last, and the one that is told */
    struct sm_step other;      /* B's step beside the latter */
    uint16_t worker;           /* A's there, where workers are compared one by one; else ANY */
    double time;               /* of A's record there */
    uint16_t seq;              /* its place in the index file: write order at equal times */
    struct sm_comparison at;
    const char *why; /* it cannot be compared; NULL: it can */
};
struct sm_worker_pair {
    uint16_t a, b;
};
enum {
    SM_COMPARE_WINDOW = 64
}; /* keeps the workers busy, and the questions that are asked again few */
struct sm_compare {
    struct sm_place a, b; /* without a tensor; step n < 0: all steps */
    struct sm_tensor_compare_limits limits;
    struct sm_compare_row *rows; /* natural order of names; those of B alone last */
    size_t n;
    struct sm_worker_pair *pairs; /* where no side names a worker, those with the same name */
    size_t n_pairs;
    /* index of A's next step, and of the first row that was not looked at there */
    size_t step, row;
    uint64_t common_steps, looked; /* looked: grows with every value that was compared */
    size_t window;                 /* of so many tensors values are awaited at a time; 0: of all */
    bool patient; /* of a trial that is written steps that are not complete are waited for */
    bool prepared, resting; /* resting: it waits for such a step */
};
/* Makes the rows. `only`: A's tensors of interest. */
void sm_compare_prepare(struct sm_call *c, struct sm_compare *x, const struct sm_selection *only);
/* Looks at A's next step. False: SM_ERR_WAIT, to be called again. */
bool sm_compare_step(struct sm_call *c, struct sm_compare *x, struct sm_err *err);
bool sm_compare_over(const struct sm_compare *x); /* there is no next step */
/* All of it, prepared when need be, by a command. False: SM_ERR_WAIT. */
bool sm_compare_run(struct sm_call *c, struct sm_compare *x, const struct sm_selection *only,
                    struct sm_err *err);
/* How it stands with a row: of one that cannot be compared, or was not yet, INCOMPARABLE. */
enum sm_likeness sm_compare_likeness(const struct sm_compare_row *r);
/* Why a row is INCOMPARABLE. */
const char *sm_compare_apart(const struct sm_compare *x, const struct sm_compare_row *r);
/* The n rows: the different ones by step and size of the difference, then the close and the equal
 * ones, the incomparable ones last. How many there are of each likeness goes into counts. */
void sm_compare_rank(const struct sm_compare *x, const struct sm_compare_row **out,
                     size_t counts[4]);
/* The row that diverged first: by step, then in write order, then by name. Rows of a step that is
 * still being compared do not count, so the answer does not depend on which value is read first.
 * NULL if none. */
const struct sm_compare_row *sm_compare_first(const struct sm_compare *x);

#endif
