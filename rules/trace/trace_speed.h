/* SPDX-License-Identifier: Apache-2.0 */
/* What holds a run up, from its traces: one cause, as from a profile (rules/speed/speed.h).
 *
 * Causes are tried in this order: a rank that the others wait for, waits for data, communication
 * that nothing overlaps, waits of the host for the GPU, a host that launches too slowly. Limits:
 * doc/verdict.md. */
#ifndef SM_TRACE_SPEED_H
#define SM_TRACE_SPEED_H

#include "reader/trace/trace_set.h"
#include "rules/speed/speed.h"

/* Shares of the time, in percent, from which on a cause holds. */
enum {
    SM_TRACE_STRAGGLER_PERCENT = 10, /* that each other rank waits for the one */
    SM_TRACE_STRAGGLER_OF_ALL = 50,  /* of all waits, those for the one */
    SM_TRACE_INPUT_PERCENT = 20,
    SM_TRACE_FEW = 10,                 /* works of a GPU say too little */
    SM_TRACE_INPUT_LEAST_NS = 1000000, /* and so long in a step: less is lost in the cost of
                                          recording */
    SM_TRACE_EXPOSED_PERCENT = 20,
    SM_TRACE_SYNC_PERCENT = 20,
    SM_TRACE_LAUNCH_PERCENT = 20
};
/* The set is of traces and read; names in the answer are valid as long as it. */
void sm_trace_speed_find(const struct sm_trace_set *set, struct sm_speed *out);
/* The same of a set of snapshots of memory. */
void sm_memory_verdict_find(const struct sm_trace_set *set, struct sm_speed *out);
/* The same of a set of dumps of the flight recorder. */
void sm_hang_verdict_find(const struct sm_trace_set *set, struct sm_speed *out);
/* Every cause that a trace may have and a profile has not; ends with id NULL. */
extern const struct sm_speed_cause sm_trace_causes[];

#endif
