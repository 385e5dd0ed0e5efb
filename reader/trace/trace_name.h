/* SPDX-License-Identifier: Apache-2.0 */
/* What the names of trace files say. */
#ifndef SM_TRACE_NAME_H
#define SM_TRACE_NAME_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a file may be a trace by its name: NAME.json, NAME.trace; also with .gz or .zst. */
bool sm_trace_is_name(const char *name);
/* The rank in a name: rank3_trace.json, rank-3.x.json, host_3.x.json; -1: there is none. */
int64_t sm_trace_name_rank(const char *name);
/* Whether a file may be a pickle by its name: NAME.pickle, NAME.pkl. */
bool sm_trace_is_pickle_name(const char *name);
/* Whether a file may be a dump of the flight recorder by its name, which has a rank: rank_3,
 * nccl_trace_rank_3, rank_3.json. */
bool sm_trace_is_dump_name(const char *name);
/* The step in the name of a snapshot, 000000_step_7.pickle; -1: there is none. */
int64_t sm_trace_name_step(const char *name);
/* The number of a step's annotation, ProfilerStep#3; -1: it is none. */
int64_t sm_trace_step_number(const char *name);

#endif
