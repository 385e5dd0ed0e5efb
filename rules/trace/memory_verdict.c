/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of snapshots of CUDA memory: whether it ran out, and who held it then. */
#include "reader/base/str.h"
#include "rules/trace/memory_use.h"
#include "rules/trace/trace_speed.h"

#include <stdio.h>
#include <string.h>

static void add(struct sm_speed *out, const struct sm_trace_item *x, const struct sm_memory_use *u,
                double value, const char *text)
{
    if (out->n_evidence == SM_SPEED_EVIDENCE)
        return;
    struct sm_speed_evidence *e = &out->evidence[out->n_evidence++];
    int32_t step = x->step >= 0 && x->step <= INT32_MAX ? (int32_t)x->step : -1;
    *e = (struct sm_speed_evidence){.value = value,
                                    .from_ns = sm_memory_time_ns(u->first_us),
                                    .to_ns = sm_memory_time_ns(u->last_us),
                                    .first = step,
                                    .last = step,
                                    .node = x->worker,
                                    .command = "profile memory"};
    snprintf(e->text, sizeof e->text, "%s", text);
}

static const char *place(const struct sm_memory_snapshot *s, uint32_t stack)
{
    return stack == SM_NAME_NONE ? "an unknown place" : sm_names_text(s->names, stack);
}

static void say_oom(const struct sm_trace_item *x, const struct sm_memory_use *u,
                    struct sm_speed *out)
{
    const struct sm_memory_snapshot *s = &x->snapshot;
    const struct sm_memory_event *e = &s->events[u->oom];
    char text[SM_SPEED_TEXT], size[16];
    sm_format_bytes((uint64_t)e->size, size);
    snprintf(text, sizeof text, "the GPU ran out of memory: %.90s asked for %s", place(s, e->stack),
             size);
    add(out, x, u, (double)e->size, text);
    if (!u->n_at_oom)
        return;
    sm_format_bytes((uint64_t)u->at_oom[0].bytes, size);
    snprintf(text, sizeof text, "most was held by %.90s: %s", place(s, u->at_oom[0].stack), size);
    add(out, x, u, (double)u->at_oom[0].bytes, text);
}

static void say_peak(const struct sm_trace_item *x, const struct sm_memory_use *u,
                     struct sm_speed *out)
{
    char text[SM_SPEED_TEXT], size[16];
    sm_format_bytes((uint64_t)u->peak_active, size);
    snprintf(text, sizeof text, "at most %s of GPU memory were in use", size);
    if (u->peak_active)
        add(out, x, u, (double)u->peak_active, text);
}

void sm_memory_verdict_find(const struct sm_trace_set *set, struct sm_speed *out)
{
    *out = (struct sm_speed){
        .since_ns = INT64_MIN, .since_step = -1, .alone = true, .command = "profile memory"};
    for (size_t i = 0; i < sm_trace_set_count(set); i++) {
        const struct sm_trace_item *x = sm_trace_set_item(set, i);
        for (unsigned d = 0; d < SM_MEMORY_DEVICES; d++) {
            struct sm_memory_use u;
            sm_memory_use_find(&x->snapshot, d, 0, 0, &u);
            bool oom = u.oom < x->snapshot.n;
            if (oom && !out->slow) {
                out->n_evidence = 0;
                out->slow = true;
                out->worker = x->worker;
                say_oom(x, &u, out);
            } else if (!out->slow) {
                say_peak(x, &u, out);
            }
            sm_memory_use_clear(&u);
        }
    }
    for (const struct sm_speed_cause *c = sm_speed_causes; c->id && !out->cause; c++)
        if (strcmp(c->id, out->slow ? "memory_pressure" : "balanced") == 0)
            out->cause = c;
    if (out->slow) {
        out->attempt[0] = "Hold less: smaller batches or sequences, activation checkpointing, no "
                          "outputs that are kept";
        out->attempt[1] = "Shard parameters and states of the optimizer over more GPUs";
    }
}
