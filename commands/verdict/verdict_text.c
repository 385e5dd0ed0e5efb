/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/verdict/verdict_text.h"

#include "commands/language/command_line.h"
#include "reader/base/str.h"

#include <string.h>

static void add_escaped(struct sm_str *out, const char *text)
{
    sm_str_add_escaped(out, text, strlen(text));
}

/* between: in front of "since step 41 to 50". */
static void add_onset(const struct sm_claim *c, const char *between, struct sm_str *out)
{
    if (c->since < 0)
        return;
    sm_str_add(out, between);
    if (c->before >= 0 && c->before + 1 < c->since)
        sm_str_printf(out, "since step %lld to %lld", (long long)c->before + 1,
                      (long long)c->since);
    else
        sm_str_printf(out, "since step %lld", (long long)c->since);
}

void sm_verdict_headline(const struct sm_verdict *v, struct sm_str *out)
{
    if (v->claim && v->unknown) { /* the only doubtful claim (claim.h) */
        sm_str_add(out, "CAUSE unknown: NaN or infinity");
        add_onset(v->claim, " ", out);
        sm_str_add(out, "; its origin was not saved");
    } else if (v->claim) {
        sm_str_printf(out, "CAUSE %s", sm_verdict_title(v));
        add_onset(v->claim, ", ", out);
    } else {
        sm_str_printf(out, "%s",
                      v->unknown ? "No verdict: nothing wrong was found, but too little was saved"
                                 : "Nothing wrong was found");
    }
}

void sm_evidence_name(const struct sm_verdict *v, const struct sm_evidence *e, struct sm_str *out)
{
    if (!e->track)
        return;
    add_escaped(out, sm_track_name(v->of.signals, e->track));
    if (sm_trial_worker_count(v->of.signals->trial) > 1) {
        sm_str_add(out, " of ");
        add_escaped(out, sm_track_worker(v->of.signals, e->track));
    }
}

void sm_evidence_describe(const struct sm_verdict *v, const struct sm_evidence *e,
                          struct sm_str *out)
{
    sm_evidence_name(v, e, out);
    if (e->track)
        sm_str_add(out, ": ");
    add_escaped(out, e->text);
}

void sm_verdict_effects(const struct sm_verdict *v, struct sm_str *out)
{
    for (size_t i = 0; i < v->n_effects; i++) {
        const struct sm_claim *c = v->effects[i].claim;
        sm_str_add(out, i ? ", " : "then ");
        if (c->since >= 0)
            sm_str_printf(out, "@%lld ", (long long)c->since);
        sm_str_add(out, v->effects[i].cause->title);
    }
}

void sm_verdict_speed_headline(const struct sm_verdict *v, struct sm_str *out)
{
    const struct sm_speed *s = &v->speed;
    if (!v->has_speed || v->claim == &v->speed_claim)
        return;
    sm_str_printf(out, "SPEED %s", s->cause->title);
    if (s->since_step >= 0)
        sm_str_printf(out, ", since step %ld of the profile", (long)s->since_step);
}

void sm_verdict_speed(const struct sm_verdict *v, struct sm_str *out)
{
    const struct sm_speed *s = &v->speed;
    size_t before = out->len;
    sm_verdict_speed_headline(v, out);
    if (out->len > before && s->n_evidence) {
        sm_str_add(out, s->unknown ? "; " : ": ");
        add_escaped(out, s->evidence[0].text);
    }
}

void sm_verdict_looked_at(const struct sm_verdict *v, struct sm_str *out)
{
    const struct sm_signals *g = v->of.signals;
    sm_str_printf(out, "Looked at: %zu tensors, %zu steps, %llu values, %zu causes", v->n_tensors,
                  g->steps, (unsigned long long)g->values, sm_cause_count());
    if (v->has_speed)
        sm_str_printf(out, ", %llu steps of the profile", (unsigned long long)v->speed.steps);
    if (g->unread)
        sm_str_printf(out, "; %llu could not be read", (unsigned long long)g->unread);
    for (size_t i = 0; i < v->n_missing; i++)
        sm_str_printf(out, "%s%s", i ? ", " : ". Not saved: ", v->missing[i]);
    sm_str_add(out, ".");
}

void sm_verdict_scope(const struct sm_verdict *v, struct sm_str *out)
{
    const struct sm_signals *g = v->of.signals;
    sm_str_printf(out, "%zu tensors, %zu steps, %llu values", v->n_tensors, g->steps,
                  (unsigned long long)g->values);
    if (g->unread)
        sm_str_printf(out, ", %llu not readable", (unsigned long long)g->unread);
    for (size_t i = 0; i < v->n_missing; i++)
        sm_str_printf(out, "%s%s", i ? ", " : "; not saved: ", v->missing[i]);
}

void sm_evidence_command(const struct sm_verdict *v, const struct sm_evidence *e,
                         struct sm_str *out)
{
    const struct sm_signals *g = v->of.signals;
    bool series = strcmp(e->command, "series") == 0;
    sm_str_add(out, e->command);
    if (!e->track)
        return;
    const char *name = sm_track_name(g, e->track);
    sm_str_add(out, " ");
    sm_line_quote(out, name, strlen(name));
    if (e->step >= 0 && !series)
        sm_str_printf(out, " step %lld", (long long)e->step);
    if (sm_trial_worker_count(g->trial) > 1) {
        sm_str_add(out, " worker ");
        sm_line_quote(out, sm_track_worker(g, e->track), strlen(sm_track_worker(g, e->track)));
    }
}

/* A line for each, which ends with the command that shows it. */
static void add_evidence(const struct sm_verdict *v, struct sm_str *out)
{
    for (size_t i = 0; i < v->claim->n_evidence; i++) {
        struct sm_str command = {0};
        sm_str_add(out, "  ");
        sm_evidence_describe(v, &v->claim->evidence[i], out);
        sm_evidence_command(v, &v->claim->evidence[i], &command);
        sm_str_add(out, "  [");
        add_escaped(out, sm_str_text(&command));
        sm_str_add(out, "]\n");
        sm_str_clear(&command);
    }
}

void sm_verdict_describe(const struct sm_verdict *v, struct sm_str *out)
{
    struct sm_str speed = {0};
    sm_verdict_headline(v, out);
    sm_str_add(out, "\n");
    if (v->claim) {
        add_evidence(v, out);
        if (v->n_effects) {
            sm_str_add(out, "  ");
            sm_verdict_effects(v, out);
            sm_str_add(out, "\n");
        }
    }
    for (size_t i = 0; v->cause && i < SM_ATTEMPTS && v->cause->attempt[i]; i++)
        sm_str_printf(out, "%s%s", i ? "; " : "TRY ", v->cause->attempt[i]);
    if (v->cause && v->cause->attempt[0])
        sm_str_add(out, "\n");
    sm_verdict_speed(v, &speed);
    if (speed.len)
        sm_str_printf(out, "%s  [%s]\n", sm_str_text(&speed),
                      v->speed.command ? v->speed.command : "profile summary");
    sm_str_clear(&speed);
    sm_verdict_looked_at(v, out);
}
