/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/verdict/trial_speed.h"

#include "rules/trace/trace_speed.h"

#include <string.h>

/* Traces are read once: what they say does not change. */
static const struct sm_speed *find_in_traces(struct sm_trial_speed *x,
                                             const struct sm_trace_set *set)
{
    if (!x->known && sm_trace_set_is_read(set) && sm_trace_set_count(set)) {
        if (sm_trace_set_format(set) == SM_TRACE_KINETO)
            sm_trace_speed_find(set, &x->speed);
        else if (sm_trace_set_format(set) == SM_TRACE_FLIGHT)
            sm_hang_verdict_find(set, &x->speed);
        else
            sm_memory_verdict_find(set, &x->speed);
        x->known = true;
        x->version = 1;
    }
    return x->known ? &x->speed : NULL;
}

const struct sm_speed *sm_trial_speed_find(struct sm_trial_speed *x, struct sm_trial *t)
{
    const struct sm_trace_set *set = sm_trial_traces(t);
    if (set)
        return find_in_traces(x, set);
    const struct sm_profile *p = sm_trial_profile(t);
    if (p && !x->watch)
        x->watch = sm_speed_watch_new();
    if (p && x->watch && !sm_profile_is_read(p))
        sm_speed_take(x->watch, p); /* a part in each turn of the loop */
    if (!p || !sm_profile_is_read(p))
        return x->known ? &x->speed : NULL;
    if (x->known && x->version == sm_profile_version(p))
        return &x->speed;
    x->known = x->watch && sm_speed_find(x->watch, p, &x->speed);
    x->version = sm_profile_version(p);
    return x->known ? &x->speed : NULL;
}

void sm_trial_speed_clear(struct sm_trial_speed *x)
{
    sm_speed_watch_free(x->watch);
    *x = (struct sm_trial_speed){0};
}

/* ---- text ---- */

static void add_evidence(const struct sm_speed_evidence *e, struct sm_str *out)
{
    struct sm_str scope = {0};
    sm_speed_scope(e, &scope);
    sm_str_add_escaped(out, e->text, strlen(e->text));
    sm_str_add(out, " (");
    sm_str_add_escaped(out, sm_str_text(&scope), scope.len);
    sm_str_add(out, ")");
    sm_str_clear(&scope);
}

static void print_list(struct sm_result *out, const char *before, const char *const *items,
                       size_t n, const char *between)
{
    struct sm_str text = {0};
    for (size_t i = 0; i < n && items[i]; i++)
        sm_str_printf(&text, "%s%s", i ? between : before, items[i]);
    if (text.len)
        sm_result_prose(out, 4, "%s", sm_str_text(&text));
    sm_str_clear(&text);
}

void sm_speed_print(struct sm_result *out, const struct sm_speed *s)
{
    struct sm_str text = {0};
    sm_speed_headline(s, &text);
    sm_result_prose(out, 4, "%s", sm_str_text(&text));
    for (size_t i = 0; i < s->n_evidence; i++) {
        sm_str_truncate(&text, 0);
        add_evidence(&s->evidence[i], &text);
        sm_result_prose(out, 4, "  %s  [%s]", sm_str_text(&text), s->evidence[i].command);
    }
    sm_str_clear(&text);
    print_list(out, "TRY ", s->attempt, SM_SPEED_ATTEMPTS, "; ");
    print_list(out, "Not recorded: ", s->missing, s->n_missing, ", ");
}

/* ---- JSON ---- */

void sm_speed_add_evidence(struct sm_result *out, struct sm_node *map, const struct sm_speed *s)
{
    struct sm_node *list = sm_node_list(out, map, "evidence");
    for (size_t i = 0; i < s->n_evidence; i++) {
        const struct sm_speed_evidence *e = &s->evidence[i];
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "text", e->text);
        sm_node_int_or_null(out, row, "step", e->first >= 0, e->first);
        sm_node_double(out, row, "value", e->value, false);
        sm_node_text(out, row, "command", e->command);
        sm_node_text(out, row, "node", e->node);
        sm_node_int_or_null(out, row, "last_step", e->last >= 0, e->last);
        sm_node_int(out, row, "from_ns", e->from_ns);
        sm_node_int(out, row, "to_ns", e->to_ns);
    }
}

void sm_speed_add_rest(struct sm_result *out, struct sm_node *map, const struct sm_speed *s)
{
    bool looked = s->from_ns < s->to_ns;
    sm_node_text(out, map, "title", s->cause->title);
    sm_node_int_or_null(out, map, "since_ns", s->since_ns != INT64_MIN, s->since_ns);
    struct sm_node *list = sm_node_list(out, map, "try"), *at;
    for (size_t i = 0; i < SM_SPEED_ATTEMPTS && s->attempt[i]; i++)
        sm_node_text(out, list, NULL, s->attempt[i]);
    list = sm_node_list(out, map, "missing");
    for (size_t i = 0; i < s->n_missing; i++)
        sm_node_text(out, list, NULL, s->missing[i]);
    at = sm_node_map(out, map, "looked_at");
    sm_node_uint(out, at, "steps", s->steps);
    sm_node_int_or_null(out, at, "from_ns", looked, s->from_ns);
    sm_node_int_or_null(out, at, "to_ns", looked, s->to_ns);
}

void sm_speed_node(struct sm_result *out, struct sm_node *parent, const struct sm_speed *s)
{
    struct sm_node *map = sm_node_map(out, parent, "performance");
    sm_node_text(out, map, "cause", s->cause->id);
    sm_node_int_or_null(out, map, "since", s->since_step >= 0, s->since_step);
    sm_speed_add_evidence(out, map, s);
    sm_speed_add_rest(out, map, s);
}
