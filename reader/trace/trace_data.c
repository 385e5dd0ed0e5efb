/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/trace/trace_data.h"

#include "reader/base/mem.h"

void sm_trace_data_clear(struct sm_trace_data *t)
{
    sm_names_free(t->names);
    sm_free(t->events);
    sm_free(t->lanes);
    sm_free(t->comms);
    sm_free(t->memory);
    sm_free(t->device);
    *t = (struct sm_trace_data){0};
}

size_t sm_trace_data_bytes(const struct sm_trace_data *t)
{
    return t->cap * sizeof *t->events + t->cap_lanes * sizeof *t->lanes +
           t->cap_comms * sizeof *t->comms + t->cap_memory * sizeof *t->memory +
           (t->names ? sm_names_bytes(t->names) : 0);
}
