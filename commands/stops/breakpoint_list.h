/* The breakpoints of a session; what one is stands in commands/stops/breakpoint.h. */
#ifndef SM_BREAKPOINT_LIST_H
#define SM_BREAKPOINT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SM_BREAK_STOPS_MAX = 32 };

struct sm_breakpoint;
struct sm_trial;
/* Where a breakpoint has stopped, for the x axes. */
struct sm_break_stop {
    unsigned number;
    const struct sm_trial *trial;
    int64_t step;
};
struct sm_breakpoints {
    struct sm_breakpoint **items; /* by number */
    size_t n, cap;
    unsigned last, stopped; /* the newest number; where it stopped last: $_bpnum, 0: nowhere yet */
    /* a walk ended there, and no other has begun elsewhere since */
    enum { SM_AT_NO_END, SM_AT_LAST, SM_AT_FIRST } at_end;
    struct sm_break_stop stops[SM_BREAK_STOPS_MAX]; /* the newest last */
    size_t n_stops;
    bool walking;      /* a command walks along the steps and counts what it meets */
    int64_t walked_to; /* the last step that one came to, forward; -1: none */
    uint64_t version;  /* grows with each change of what hits */
};

#endif
