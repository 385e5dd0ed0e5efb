/* SPDX-License-Identifier: Apache-2.0 */
/* Where the time of a training's loop goes, from the events of its processes.
 *
 * Each event is taken in once. What is kept of a process is a list of at most SM_LOOP_SPANS spans
 * of steps: when they are full, each two become one. So neither memory nor the cost of news grows
 * with history. A cycle is a step with what lies between it and the step before. */
#ifndef SM_SPEED_LOOP_H
#define SM_SPEED_LOOP_H

#include "rules/measures/measures.h"

enum {
    SM_LOOP_SPANS = 128,
    SM_LOOP_RECENT = 9, /* steps whose median says what is usual */
    SM_LOOP_PAUSE = 8,  /* times the usual: not a step, but a pause that lies in it or before it */
    SM_LOOP_WARMUP = 3 /* cycles of a process that do not count: compilers, caches, first batches */
};
struct sm_loop_sums {
    uint64_t steps;
    int64_t step_ns;
    int64_t forward_ns; /* forward passes of these steps */
    uint64_t together;  /* of these, in which it is known how long others were waited for */
    int64_t others_ns;  /* so long */
    uint64_t gaps;      /* steps of which it is known what lies between them and the one before */
    int64_t between_ns; /* that time without waits for data */
    /* of the cycles in which the data loader was waited for: how many, their time (step and waits),
     * the waits and the longest sum of a cycle's */
    uint64_t covered;
    int64_t covered_ns, wait_ns, longest_wait_ns;
};
struct sm_loop_span {
    int64_t from_ns, to_ns; /* the first cycle's wait or step, the last step's end */
    int32_t first, last;    /* numbers of steps; -1: not given */
    struct sm_loop_sums sums;
};
/* Time that events cover: what overlaps counts once. */
struct sm_loop_cover {
    int64_t from_ns, to_ns, ns, longest_ns;
    uint64_t n;
};
/* A process: runs steps, or communicates, or neither. */
struct sm_loop_process {
    uint64_t cycles;  /* with those that do not count */
    int64_t begin_ns; /* of the first of them, and its step; -1: not given */
    int32_t begin_step;
    uint32_t loader; /* arguments of its data loader, a name; NONE */
    struct sm_loop_span *spans;
    size_t n_spans, cap_spans;
    uint64_t per_span;                      /* cycles of a span */
    int64_t recent_ns[SM_LOOP_RECENT];      /* durations of the last steps; step i at i % RECENT */
    int64_t recent_gaps_ns[SM_LOOP_RECENT]; /* what lies between steps; also what is a pause */
    uint64_t n_gaps;
    bool ended;     /* a step, and none of another mode since */
    int64_t end_ns; /* then: its end */
    /* since the last step */
    struct {
        int64_t from_ns, to_ns, ns;
        uint64_t n;
    } waits;
    int64_t forward_ns;
    struct {
        int64_t ns;
        uint64_t n;
    } others;
    struct sm_loop_cover communication;
    struct sm_loop_cover iterator; /* waits for the data that come in a file of their own */
};
/* Zero-initialised it is empty. */
struct sm_speed_loop {
    struct sm_loop_process *processes; /* by the number of the node; unused ones are zero */
    size_t n, cap;
    struct sm_loop_classes classes;
    enum sm_mode mode; /* of the steps that count */
    size_t block, event;
    uint64_t taken; /* events */
};
void sm_loop_clear(struct sm_speed_loop *l);
/* Takes in the events that are new. Begins again if the mode is another one than before, or if
 * there are fewer events. False: no memory. */
bool sm_loop_update(struct sm_speed_loop *l, const struct sm_event_store *x, enum sm_mode mode);

/* Sums of the spans [from, n_spans). */
struct sm_loop_sums sm_loop_total(const struct sm_loop_process *p, size_t from);
/* The share of the cycles' time in which the data loader was waited for, 0 to 1. NaN: too few
 * cycles (SM_LOOP_FEW) are known. The longest wait does not count: it may be that of an epoch's
 * begin. */
enum { SM_LOOP_FEW = 10 };
double sm_loop_wait_share(const struct sm_loop_sums *s);
double sm_loop_sums_share(const struct sm_loop_sums *s); /* with all; NaN: nothing is known */
/* The share of the time between the first and the last communication. NaN: fewer than SM_LOOP_FEW
 * steps fit in. */
double sm_loop_communication_share(const struct sm_loop_process *p, double step_ns);
/* The share of the time in which TensorFlow's iterator was waited for; NaN: not known. */
double sm_loop_iterator_share(const struct sm_loop_process *p);
/* The share of the steps' time in which other workers were waited for; NaN: not known. */
double sm_loop_others_share(const struct sm_loop_sums *s);
/* The time in ns of a cycle that is the process's own: waits for data, and the step without waits
 * for others with what lies between two steps, else the step without communication or, if that is
 * not known either, the forward pass; NaN: not known. */
double sm_loop_own_ns(const struct sm_loop_process *p, const struct sm_loop_sums *s);
/* What lies between two steps and is no wait for data, ns; 0 if it is not known. */
double sm_loop_between_ns(const struct sm_loop_sums *s);

/* The first i from which on the values stay beyond the limit: x[i] is, and at least three quarters
 * of those that follow; or the means of 2, 4, 8 ... of them, if they are beyond it only now and
 * then. above: greater than the limit, else less. Those that are NaN do not count. n: there is
 * none. */
size_t sm_loop_onset(const double *x, size_t n, double limit, bool above);

#endif
