/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of dumps of the flight recorder: whether a collective operation hangs, and whose
 * fault it is. */
#include "rules/trace/hang.h"
#include "rules/trace/trace_speed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add(struct sm_speed *out, const struct sm_hang_rank *r, const char *text)
{
    if (out->n_evidence == SM_SPEED_EVIDENCE)
        return;
    struct sm_speed_evidence *e = &out->evidence[out->n_evidence++];
    const struct sm_flight_op *op = r ? (r->op ? r->op : r->last) : NULL;
    *e = (struct sm_speed_evidence){.value = NAN,
                                    .from_ns = op ? op->created_ns : 0,
                                    .to_ns = op ? op->created_ns : 0,
                                    .first = -1,
                                    .last = -1,
                                    .node = r && r->item ? r->item->worker : NULL,
                                    .command = "hang"};
    snprintf(e->text, sizeof e->text, "%s", text);
}

static void add_last(struct sm_speed *out, const struct sm_hang_rank *r)
{
    char text[SM_SPEED_TEXT];
    const struct sm_names *names = r->item->flight.names;
    if (!r->last)
        return;
    snprintf(text, sizeof text, "its last operation is %.40s #%lld of group %.40s",
             r->last->op == SM_NAME_NONE ? "?" : sm_names_text(names, r->last->op),
             (long long)r->last->seq, sm_names_text(names, r->last->group));
    add(out, r, text);
}

void sm_hang_verdict_find(const struct sm_trace_set *set, struct sm_speed *out)
{
    struct sm_hang h;
    struct sm_str text = {0};
    const struct sm_hang_rank *first = NULL;
    *out = (struct sm_speed){
        .since_ns = INT64_MIN, .since_step = -1, .alone = true, .command = "hang"};
    sm_hang_find(set, &h);
    sm_hang_describe(&h, &text);
    out->slow = h.fault != SM_HANG_NONE;
    for (size_t i = 0; i < h.n && !first; i++)
        first = h.ranks[i].role == SM_HANG_AT_FAULT ? &h.ranks[i] : NULL;
    add(out, first, sm_str_text(&text));
    if (first && first->item) {
        out->worker = first->item->worker;
        add_last(out, first);
    }
    const struct sm_speed_cause *c = out->slow ? sm_trace_causes : sm_speed_causes;
    for (; c->id && !out->cause; c++)
        if (strcmp(c->id, out->slow ? "collective_hang" : "balanced") == 0)
            out->cause = c;
    if (out->slow)
        memcpy(out->attempt, out->cause->attempt, sizeof out->attempt);
    sm_str_clear(&text);
    sm_hang_clear(&h);
}
