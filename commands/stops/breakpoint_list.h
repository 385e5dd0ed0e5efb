/* SPDX-License-Identifier: Apache-2.0 */
/* The breakpoints of a session; struct sm_breakpoint is in commands/stops/breakpoint.h. */
#ifndef SM_BREAKPOINT_LIST_H
#define SM_BREAKPOINT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SM_BREAK_STOPS_MAX = 32 };

struct sm_breakpoint;
struct sm_trial;
/* A stop of a breakpoint, marked on the x axes of charts. */
struct sm_break_stop {
    unsigned number;
    const struct sm_trial *trial;
    int64_t step;
};
struct sm_breakpoints {
    struct sm_breakpoint **items; /* by number */
    size_t n, cap;
    unsigned last, stopped; /* the newest number; the last that stopped ($_bpnum), 0 if none */
    /* a walk ended at the last or first step and reported it; cleared by a hit */
    enum { SM_AT_NO_END, SM_AT_LAST, SM_AT_FIRST } at_end;
    struct sm_break_stop stops[SM_BREAK_STOPS_MAX]; /* the newest last */
    size_t n_stops;
    bool walking;      /* a command walks along the steps and counts the hits */
    int64_t walked_to; /* the last step a forward walk reached; -1 if none */
    uint64_t version;  /* increases with each change to the breakpoints */
};

#endif
