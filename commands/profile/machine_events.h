/* SPDX-License-Identifier: Apache-2.0 */
/* What happened on the machines while they were sampled: errors of a GPU's driver, processes killed
 * for lack of memory, times in which a GPU ran slower. Samples of the type "event". */
#ifndef SM_MACHINE_EVENTS_H
#define SM_MACHINE_EVENTS_H

#include "commands/answer/result.h"
#include "reader/profile/profile.h"

/* The shape of what is added as `events`: an event of a device. times: how often its value was
 * above zero, value: the last of these, first_ns, last_ns: when. */
#define SM_SHAPE_MACHINE_EVENTS                                                                    \
    "events:[{node:name,name:name,event:name,times:int,value:num,first_ns:int,last_ns:int}]"
void sm_machine_events_add(struct sm_result *out, struct sm_node *map, const struct sm_profile *p);

#endif
