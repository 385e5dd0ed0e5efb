/* A stop at a breakpoint: where, and by which numbers its condition holds. */
#ifndef SM_BREAK_HIT_H
#define SM_BREAK_HIT_H

#include "commands/stops/arrival.h"
#include "commands/stops/break_search.h"

/* Kept while the call waits; zero at first, in the call's arena. */
struct sm_break_hit_report {
    struct sm_break_hit *hits; /* the first is reported first; dprintf's behind the others */
    size_t n, stops, reported; /* stops: without those of dprintf */
    const char **prints;       /* parallel; of dprintf's what they print */
    bool back;                 /* on the way back; set by the caller */
    bool final;                /* there is no further step: one that only prints does not go on */
    bool finished;             /* all has been reported and its commands have begun */
    const char *message;       /* of the first one, for the stop action */
    struct sm_value value;     /* NUMBER: what the first one's condition compares, else VOID */
    struct sm_arrival stop;
};
/* Moves the point to the hits, which are copied; breakpoints of one stop are used up. */
void sm_break_hit_arrive(struct sm_call *c, struct sm_break_hit_report *r,
                         const struct sm_break_hit *hits, size_t n);
/* The report of fixed shape, and the displayed expressions. False with SM_ERR_WAIT only. */
bool sm_break_hit_show(struct sm_call *c, struct sm_break_hit_report *r, struct sm_result *out,
                       struct sm_err *err);

#endif
