/* SPDX-License-Identifier: Apache-2.0 */
/* The comparison of two trials, steps, workers or modes: tensor by tensor, step by step, up to the
 * first different step of each tensor. */
#ifndef SM_COMPARE_RUN_H
#define SM_COMPARE_RUN_H

#include "commands/compare/compare_operand.h"
#include "commands/compare/name_pairs.h"
#include "commands/place/select.h"
#include "reader/tensor/tensor_compare.h"

struct sm_compare_shape {
    const uint64_t *dims; /* in the call's arena; NULL: not known */
    unsigned n_dims;
};
/* One tensor at the first step at which it is different, else at the last of its least similar
 * steps. */
struct sm_compare_row {
    const char *name;   /* in the call's arena */
    const char *name_b; /* the name in B */
    const char *like;   /* another tensor of B that has these values; NULL: none is known */
    bool transposed;    /* that one, or without `like` B's own, has them with axes exchanged */
    bool found;         /* another row has the values of B's tensor: `like` names it there */
    struct sm_compare_shape shape_a, shape_b; /* if they are not the same */
    bool in_a, in_b;
    uint64_t compared, values; /* common steps, and values in them */
    size_t pair;               /* index of the next pair of workers in the current step */
    bool found_pair;           /* a pair was compared at that step */
    struct sm_step seen, step; /* A's step compared last, and the step of this result */
    struct sm_step other;      /* B's step of this result */
    uint16_t worker;           /* A's worker if workers are compared one by one; else ANY */
    double time;               /* write time of A's record */
    uint16_t seq;              /* its place in the index file: write order at equal times */
    struct sm_comparison at;
    const char *why; /* why it cannot be compared; NULL if it can */
};
struct sm_worker_pair {
    uint16_t a, b;
};
enum { SM_COMPARE_WINDOW = 64 }; /* enough to keep the workers busy, with few repeated requests */
struct sm_compare_search;        /* compare_moved.c */
struct sm_compare {
    struct sm_place a, b; /* without a tensor; step n < 0: all steps */
    struct sm_tensor_compare_limits limits;
    struct sm_compare_row *rows; /* natural order of names; tensors only in B last */
    size_t n;
    struct sm_worker_pair *pairs; /* workers of the same name, if no side names a worker */
    size_t n_pairs;
    /* index of A's next step, and of the first row not yet compared there */
    size_t step, row;
    uint64_t common_steps, looked;     /* looked: number of compared values */
    const struct sm_name_pairs *names; /* what tensors of A are called in B; NULL: the same */
    size_t window;                     /* maximum number of tensors to wait for at a time; 0: all */
    bool follow; /* waits for incomplete steps of trials that are being written */
    struct sm_compare_search *search; /* in the call's arena; NULL: not begun */
    bool prepared, resting;           /* resting: waits for such a step */
};
/* Creates the rows. `only`: the tensors of A to compare. */
void sm_compare_prepare(struct sm_call *c, struct sm_compare *x, const struct sm_selection *only);
/* Compares A's next step. Returns false with SM_ERR_WAIT; call it again. */
bool sm_compare_step(struct sm_call *c, struct sm_compare *x, struct sm_err *err);
bool sm_compare_over(const struct sm_compare *x); /* no step is left */
/* Compares all steps, for a command; prepares if needed. Returns false with SM_ERR_WAIT. */
bool sm_compare_run(struct sm_call *c, struct sm_compare *x, const struct sm_selection *only,
                    struct sm_err *err);
/* The value of a side at a step; of any worker unless the side names one. */
struct sm_entry sm_compare_entry(const struct sm_place *side, const char *name,
                                 struct sm_step step);
/* Compares two tensors, and takes them over; `what` tells comparisons of one tensor of A apart.
 * turned: B's, a matrix, with rows and columns exchanged.
 * Returns false with SM_ERR_WAIT. */
bool sm_compare_values(struct sm_call *c, const struct sm_compare *x, const void *what,
                       struct sm_tensor *a, struct sm_tensor *b, bool turned,
                       struct sm_comparison *out, struct sm_err *err);
/* The result of a row; INCOMPARABLE if it cannot be compared or was not compared yet. */
enum sm_likeness sm_compare_likeness(const struct sm_compare_row *r);
/* Why a row is INCOMPARABLE. */
const char *sm_compare_apart(const struct sm_compare *x, const struct sm_compare_row *r);
/* Sorts the n rows into out: different rows by step and size of the difference, then close, equal
 * and incomparable rows. counts: the number of rows of each likeness. */
void sm_compare_rank(const struct sm_compare *x, const struct sm_compare_row **out,
                     size_t counts[4]);
/* The row that diverged first: by step, then in write order, then by name. Rows of a step that is
 * still being compared do not count, so the answer does not depend on which value is read first.
 * NULL if none. */
const struct sm_compare_row *sm_compare_first(const struct sm_compare *x);

#endif
