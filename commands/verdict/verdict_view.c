/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/verdict/verdict_view.h"

#include "commands/verdict/verdict_text.h"

#include <string.h>

void sm_verdict_view_reset(struct sm_verdict_view *out, enum sm_verdict_state state, int percent)
{
    struct sm_arena arena = out->arena;
    sm_arena_reset(&arena);
    *out = (struct sm_verdict_view){.arena = arena,
                                    .state = state,
                                    .percent = percent,
                                    .id = "unknown",
                                    .title = "",
                                    .headline = "",
                                    .looked_at = "",
                                    .scope = "",
                                    .missing = "",
                                    .speed = "",
                                    .speed_headline = "",
                                    .attempts = ""};
}

void sm_verdict_view_clear(struct sm_verdict_view *v)
{
    sm_arena_clear(&v->arena);
    *v = (struct sm_verdict_view){0};
}

/* Moves the text into the arena. */
static const char *keep(struct sm_verdict_view *out, struct sm_str *text)
{
    const char *copy = sm_arena_xstrndup(&out->arena, sm_str_text(text), text->len);
    sm_str_clear(text);
    return copy;
}

static struct sm_verdict_place place_of(const struct sm_verdict *v, const struct sm_track *t,
                                        int64_t step)
{
    bool several = sm_trial_worker_count(v->of.signals->trial) > 1;
    return (struct sm_verdict_place){.tensor = t ? t->name : SM_NAME_NONE,
                                     .worker = t && several ? t->worker : SM_WORKER_ANY,
                                     .step = step};
}

static void add_evidence(const struct sm_verdict *v, struct sm_verdict_view *out)
{
    for (size_t i = 0; i < v->claim->n_evidence; i++) {
        const struct sm_evidence *e = &v->claim->evidence[i];
        struct sm_verdict_line *line = &out->evidence[out->n_evidence++];
        struct sm_str name = {0}, text = {0}, command = {0};
        sm_evidence_name(v, e, &name);
        sm_str_add_escaped(&text, e->text, strlen(e->text));
        sm_evidence_command(v, e, &command);
        line->name = name.len ? keep(out, &name) : NULL;
        line->text = keep(out, &text);
        line->command = keep(out, &command);
        line->place = place_of(v, e->track, e->step);
        sm_str_clear(&name);
    }
}

/* Of a speed that is not the cause: steps are those of the profile, so there is no place. */
static void add_speed_evidence(const struct sm_verdict *v, struct sm_verdict_view *out)
{
    for (size_t i = 0; *out->speed && i < v->speed.n_evidence; i++) {
        const struct sm_speed_evidence *e = &v->speed.evidence[i];
        struct sm_verdict_line *line = &out->speed_evidence[out->n_speed_evidence++];
        struct sm_str scope = {0}, text = {0};
        sm_speed_scope(e, &scope);
        sm_str_add_escaped(&text, e->text, strlen(e->text));
        if (e->from_ns || e->first >= 0 || e->node) {
            sm_str_add(&text, " (");
            sm_str_add_escaped(&text, sm_str_text(&scope), scope.len);
            sm_str_add(&text, ")");
        }
        sm_str_clear(&scope);
        line->text = keep(out, &text);
        line->command = e->command;
        line->place = (struct sm_verdict_place){SM_NAME_NONE, SM_WORKER_ANY, -1};
    }
}

static void add_effects(const struct sm_verdict *v, struct sm_verdict_view *out)
{
    for (size_t i = 0; i < v->n_effects; i++) {
        const struct sm_claim *c = v->effects[i].claim;
        const struct sm_evidence *e = c->n_evidence ? c->evidence : NULL;
        struct sm_verdict_line *line = &out->effects[out->n_effects++];
        struct sm_str name = {0}, text = {0}, command = {0};
        if (c->since >= 0)
            sm_str_printf(&name, "@%lld ", (long long)c->since);
        sm_str_add(&name, v->effects[i].cause->title);
        if (e) {
            sm_evidence_describe(v, e, &text);
            sm_evidence_command(v, e, &command);
        }
        line->name = keep(out, &name);
        line->text = keep(out, &text);
        line->command = keep(out, &command);
        line->place = place_of(v, e ? e->track : c->track, c->since);
    }
}

static void add_missing(const struct sm_verdict *v, struct sm_verdict_view *out)
{
    struct sm_str text = {0};
    for (size_t i = 0; i < v->n_missing; i++)
        sm_str_printf(&text, "%s%s", i ? ", " : "", v->missing[i]);
    out->missing = keep(out, &text);
}

static void add_attempts(const struct sm_verdict *v, struct sm_verdict_view *out)
{
    struct sm_str text = {0};
    for (size_t i = 0; v->cause && i < SM_ATTEMPTS && v->cause->attempt[i]; i++)
        sm_str_printf(&text, "%s%s", i ? "; " : "", v->cause->attempt[i]);
    out->attempts = keep(out, &text);
}

void sm_verdict_view_make(const struct sm_verdict *v, struct sm_verdict_view *out)
{
    struct sm_str headline = {0}, looked_at = {0}, scope = {0}, speed = {0};
    sm_verdict_view_reset(out,
                          v->cause     ? SM_VERDICT_CAUSE
                          : v->unknown ? SM_VERDICT_UNKNOWN
                                       : SM_VERDICT_NONE,
                          100);
    out->id = sm_verdict_id(v);
    out->title = sm_verdict_title(v);
    sm_verdict_headline(v, &headline);
    out->headline = keep(out, &headline);
    sm_verdict_looked_at(v, &looked_at);
    out->looked_at = keep(out, &looked_at);
    sm_verdict_scope(v, &scope);
    out->scope = keep(out, &scope);
    sm_verdict_speed(v, &speed);
    out->speed = keep(out, &speed);
    sm_verdict_speed_headline(v, &speed);
    out->speed_headline = keep(out, &speed);
    add_speed_evidence(v, out);
    add_missing(v, out);
    add_attempts(v, out);
    if (v->claim)
        add_evidence(v, out);
    add_effects(v, out);
    out->timed = strcmp(out->id, "stalled") == 0;
}
