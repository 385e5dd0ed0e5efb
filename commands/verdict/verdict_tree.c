/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/verdict/verdict_tree.h"

#include "commands/verdict/trial_speed.h"
#include "commands/verdict/verdict_text.h"

#include <string.h>

/* worker: without a track. */
static void add_place(struct sm_result *out, struct sm_node *map, const struct sm_signals *g,
                      const struct sm_track *t, const char *worker)
{
    sm_node_text(out, map, "mode", t ? sm_mode_name((enum sm_mode)t->mode) : NULL);
    sm_node_text(out, map, "worker", t ? sm_track_worker(g, t) : worker);
    sm_node_text(out, map, "tensor", t ? sm_track_name(g, t) : NULL);
}

static void add_evidence(struct sm_result *out, struct sm_node *map, const struct sm_verdict *v)
{
    struct sm_node *list = sm_node_list(out, map, "evidence");
    const struct sm_signals *g = v->of.signals;
    for (size_t i = 0; v->claim && i < v->claim->n_evidence; i++) {
        const struct sm_evidence *e = &v->claim->evidence[i];
        struct sm_node *row = sm_node_map(out, list, NULL);
        struct sm_str command = {0};
        sm_evidence_command(v, e, &command);
        sm_node_text(out, row, "text", e->text);
        sm_node_int_or_null(out, row, "step", e->step >= 0, e->step);
        sm_node_text(out, row, "tensor", e->track ? sm_track_name(g, e->track) : NULL);
        sm_node_double(out, row, "value", e->value, false);
        sm_node_textn(out, row, "command", command.data, command.len);
        sm_str_clear(&command);
    }
}

static void add_effects(struct sm_result *out, struct sm_node *map, const struct sm_verdict *v)
{
    struct sm_node *list = sm_node_list(out, map, "effects");
    for (size_t i = 0; i < v->n_effects; i++) {
        const struct sm_effect *e = &v->effects[i];
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "id", e->cause->id);
        sm_node_int_or_null(out, row, "since", e->claim->since >= 0, e->claim->since);
        sm_node_text(out, row, "text", e->claim->n_evidence ? e->claim->evidence[0].text : "");
    }
}

static void add_looked_at(struct sm_result *out, struct sm_node *map, const struct sm_verdict *v)
{
    struct sm_node *at = sm_node_map(out, map, "looked_at"), *list;
    sm_node_uint(out, at, "steps", v->of.signals->steps);
    sm_node_uint(out, at, "tensors", v->n_tensors);
    sm_node_uint(out, at, "rules", sm_cause_count());
    sm_node_uint(out, at, "values", v->of.signals->values);
    sm_node_uint(out, at, "unread", v->of.signals->unread);
    list = sm_node_list(out, map, "missing");
    for (size_t i = 0; i < v->n_missing; i++)
        sm_node_text(out, list, NULL, v->missing[i]);
}

void sm_verdict_node(struct sm_result *out, struct sm_node *parent, const char *key,
                     const struct sm_verdict *v)
{
    struct sm_node *map = sm_node_map(out, parent, key), *list;
    const struct sm_claim *claim = v->claim;
    sm_node_text(out, map, "cause", sm_verdict_id(v));
    sm_node_text(out, map, "title", sm_verdict_title(v));
    sm_node_int_or_null(out, map, "since", claim && claim->since >= 0, claim ? claim->since : 0);
    add_place(out, map, v->of.signals, claim ? claim->track : NULL,
              claim == &v->speed_claim ? v->speed.worker : NULL);
    add_evidence(out, map, v);
    add_effects(out, map, v);
    list = sm_node_list(out, map, "try");
    for (size_t i = 0; v->cause && i < SM_ATTEMPTS && v->cause->attempt[i]; i++)
        sm_node_text(out, list, NULL, v->cause->attempt[i]);
    add_looked_at(out, map, v);
    sm_node_int_or_null(out, map, "before", claim && claim->before >= 0, claim ? claim->before : 0);
    if (v->has_speed)
        sm_speed_node(out, map, &v->speed);
}

void sm_verdict_print(struct sm_result *out, const struct sm_verdict *v)
{
    struct sm_str text = {0};
    sm_verdict_describe(v, &text);
    for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"))
        sm_result_prose(out, 4, "%s", line);
    sm_str_clear(&text);
}
