/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/trace_loader.h"

#include "reader/base/mem.h"

#include <math.h>
#include <string.h>

bool sm_trace_is_loader(const char *name)
{
    return strncmp(name, "enumerate(DataLoader)#", 22) == 0 && strstr(name, "__next__");
}

int64_t *sm_trace_loader_find(const struct sm_trace_view *v, uint64_t *seen)
{
    const struct sm_trace_data *t = v->trace;
    uint32_t names = sm_names_count(t->names);
    bool *loads = sm_xalloc_zero((size_t)names + 1, sizeof *loads);
    int64_t *out = sm_xalloc_zero(v->n_steps + 1, sizeof *out);
    *seen = 0;
    for (uint32_t i = 0; i < names; i++)
        loads[i] = sm_trace_is_loader(sm_names_text(t->names, i));
    for (size_t i = 0; i < t->n; i++) {
        const struct sm_trace_event *e = &t->events[i];
        if (!loads[e->name] || (e->cat != SM_TRACE_ANNOTATION && e->cat != SM_TRACE_CPU_OP))
            continue;
        const struct sm_trace_step *s = sm_trace_step_at(v, e->start_ns);
        ++*seen;
        if (s)
            out[s - v->steps] += e->duration_ns;
    }
    sm_free(loads);
    return out;
}

double sm_trace_loader_share(const struct sm_trace_view *v, const int64_t *loader)
{
    int64_t wait = 0, time = 0;
    size_t longest = 0;
    for (size_t i = 0; i < v->n_steps; i++) {
        wait += loader[i];
        time += v->steps[i].end_ns - v->steps[i].start_ns;
        longest = loader[i] > loader[longest] ? i : longest;
    }
    if (v->n_steps < 2)
        return NAN;
    if (v->n_steps > 2) {
        wait -= loader[longest];
        time -= v->steps[longest].end_ns - v->steps[longest].start_ns;
    }
    return time > 0 ? (double)wait / (double)time : NAN;
}
