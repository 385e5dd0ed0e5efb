/* SPDX-License-Identifier: Apache-2.0 */
/* A stop at a breakpoint: the place, and the numbers that made its condition true. */
#ifndef SM_BREAK_HIT_H
#define SM_BREAK_HIT_H

#include "commands/stops/arrival.h"
#include "commands/stops/break_search.h"

/* Zero at first, in the call's arena; valid while the call waits. */
struct sm_break_hit_report {
    struct sm_break_hit *hits; /* in the order of the report; dprintfs last */
    size_t n, stops, reported; /* stops: without dprintfs; reported: of these */
    const char **prints;       /* parallel to hits; the texts of dprintfs */
    bool back;                 /* walking backward; set by the caller */
    bool final;                /* no further step: a dprintf does not continue */
    bool finished;             /* all hits are reported and their commands are queued */
    const char *message;       /* the text of the first hit, for the stop action */
    struct sm_value value;     /* NUMBER: compared by the first hit's condition; or VOID */
    struct sm_arrival stop;
};
/* Makes the place of the first hit current. Copies the hits. */
void sm_break_hit_arrive(struct sm_call *c, struct sm_break_hit_report *r,
                         const struct sm_break_hit *hits, size_t n);
/* Reports the hits and the displayed expressions. Temporary breakpoints are deleted then. Returns
 * false with SM_ERR_WAIT only. */
bool sm_break_hit_show(struct sm_call *c, struct sm_break_hit_report *r, struct sm_result *out,
                       struct sm_err *err);

#endif
