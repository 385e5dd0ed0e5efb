/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/frontends/machine_event.h"
#include "commands/judge/sleeping_runs.h"

#include "reader/base/grow.h"
#include "reader/base/json.h"
#include "tui/frontends/machine_out.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

static void begin_event(struct sm_str *out, const char *name, size_t trial)
{
    sm_str_printf(out, "{\"type\":\"event\",\"class\":\"%s\",\"trial\":%zu", name, trial + 1);
}

static void add_text(struct sm_str *out, const char *key, const char *text)
{
    sm_str_printf(out, ",\"%s\":", key);
    if (text)
        sm_machine_text(out, text, strlen(text));
    else
        sm_str_add(out, "null");
}

static void add_mode(struct sm_str *out, enum sm_mode mode)
{
    const char *name = sm_mode_name((int)mode);
    sm_str_addc(out, '"');
    for (; *name; name++)
        sm_str_addc(out, (char)tolower((unsigned char)*name));
    sm_str_addc(out, '"');
}

/* ---- steps ---- */

static void add_step_event(struct sm_str *out, size_t trial, const struct sm_trial_step *s)
{
    begin_event(out, "step", trial);
    sm_str_printf(out, ",\"step\":%" PRId64 ",\"modes\":{", s->step.n);
    if (s->mode != SM_MODE_ANY) {
        add_mode(out, (enum sm_mode)s->mode);
        sm_str_printf(out, ":%" PRId64, s->mode_step.n);
    }
    sm_str_printf(out, "},\"workers\":%u,\"tensors\":%u}\n", s->n_workers, s->tensors);
}

/* Adds an event for each new complete step. */
static void add_new_steps(struct sm_watched *w, size_t trial, struct sm_str *out)
{
    size_t n = sm_trial_step_count(w->trial);
    if (!w->scanned) {
        w->scanned = sm_trial_scanned(w->trial);
        w->last = -1;
        w->state = sm_trial_state(w->trial);
        for (size_t i = n; w->scanned && w->last < 0 && i > 0; i--)
            if (sm_trial_step(w->trial, i - 1)->complete)
                w->last = sm_trial_step(w->trial, i - 1)->step.n;
        return;
    }
    for (size_t i = sm_trial_step_at(w->trial, (struct sm_step){w->last + 1}); i < n; i++) {
        const struct sm_trial_step *s = sm_trial_step(w->trial, i);
        if (!s->complete)
            continue;
        add_step_event(out, trial, s);
        w->last = s->step.n;
    }
}

static void add_new_state(struct sm_watched *w, size_t trial, struct sm_str *out)
{
    enum sm_trial_state state = sm_trial_state(w->trial);
    if (!w->scanned || state == w->state)
        return;
    w->state = state;
    begin_event(out, "state", trial);
    add_text(out, "state", sm_trial_state_name(state));
    sm_str_add(out, "}\n");
}

/* ---- rules ---- */

static void add_number(struct sm_str *out, const char *key, double v)
{
    struct sm_json_writer *w;
    sm_str_printf(out, ",\"%s\":", key);
    w = sm_json_writer_new(out);
    sm_json_double(w, v, false);
    sm_json_writer_free(w);
}

static const struct sm_finding *last_violation(const struct sm_rule_instance *i)
{
    for (size_t k = i->n_findings; k > 0; k--)
        if (i->findings[k - 1].violated)
            return &i->findings[k - 1];
    return NULL;
}

/* What is of a window of time has none. */
static void add_step(struct sm_str *out, const char *key, int64_t step)
{
    if (step >= 0)
        sm_str_printf(out, ",\"%s\":%" PRId64, key, step);
    else
        sm_str_printf(out, ",\"%s\":null", key);
}

static void add_finding(struct sm_str *out, const struct sm_finding *f)
{
    add_step(out, "step", f->step);
    sm_str_add(out, ",\"details\":{\"mode\":");
    add_mode(out, f->mode);
    add_step(out, "mode_step", f->mode_step);
    add_text(out, "worker", f->worker);
    add_text(out, "tensor", f->tensor);
    add_number(out, "value", f->value);
    add_number(out, "threshold", f->limit);
    add_text(out, "message", f->text);
    sm_str_addc(out, '}');
}

static void add_rule_event(struct sm_str *out, size_t trial, const struct sm_rule_instance *i)
{
    const struct sm_finding *f = i->status == SM_RULE_ISSUES ? last_violation(i) : NULL;
    begin_event(out, "rule", trial);
    add_text(out, "rule", i->name);
    add_text(out, "status", sm_rule_status_name(i->status));
    sm_str_printf(out, ",\"violations\":%" PRIu64, i->violations);
    if (f)
        add_finding(out, f);
    else
        add_text(out, "reason", i->reason);
    sm_str_add(out, "}\n");
}

static struct sm_watched_rule *watched_rule(struct sm_watched *w, const struct sm_rule_instance *i)
{
    for (size_t k = 0; k < w->n; k++)
        if (strcmp(w->items[k].name, i->name) == 0)
            return &w->items[k];
    SM_GROW(w->items, w->n, w->cap);
    w->items[w->n] =
        (struct sm_watched_rule){.name = sm_xstrdup(i->name), .status = SM_RULE_IN_PROGRESS};
    return &w->items[w->n++];
}

static void add_new_rules(struct sm_watched *w, size_t trial, const struct sm_rules *r,
                          struct sm_str *out)
{
    if (!r || sm_rules_version(r) == w->rules)
        return;
    w->rules = sm_rules_version(r);
    for (size_t k = 0; k < sm_rules_count(r); k++) {
        const struct sm_rule_instance *i = sm_rules_item(r, k);
        struct sm_watched_rule *seen = watched_rule(w, i);
        if (i->status == seen->status && i->violations == seen->violations)
            continue;
        seen->status = i->status;
        seen->violations = i->violations;
        add_rule_event(out, trial, i);
    }
}

/* ---- all trials ---- */

static void clear_watched(struct sm_watched *w)
{
    for (size_t k = 0; k < w->n; k++)
        sm_free(w->items[k].name);
    sm_free(w->items);
    *w = (struct sm_watched){0};
}

void sm_events_read(struct sm_events *e, const struct sm_session *s, struct sm_str *out)
{
    while (e->n > s->n_trials)
        clear_watched(&e->trials[--e->n]);
    for (size_t i = 0; i < s->n_trials; i++) {
        SM_GROW(e->trials, i, e->cap);
        if (i == e->n)
            e->trials[e->n++] = (struct sm_watched){0};
        struct sm_watched *w = &e->trials[i];
        if (w->trial != s->trials[i].trial || !sm_trial_scanned(w->trial)) {
            clear_watched(w);
            w->trial = s->trials[i].trial;
            w->state = sm_trial_state(w->trial);
        }
        add_new_steps(w, i, out);
        add_new_rules(w, i, sm_run_rules(s, i), out);
        add_new_state(w, i, out);
    }
}

/* The reason is that of the stop, else the name of the command. */
void sm_event_stopped(const struct sm_session *s, const struct sm_cmd *cmd,
                      const struct sm_result *r, struct sm_str *out)
{
    struct sm_print_options o;
    struct sm_str tree = {0};
    sm_session_print_options(s, &o);
    o.output = SM_OUTPUT_JSON;
    sm_print_json(r, &o, &tree);
    while (tree.len && isspace((unsigned char)tree.data[tree.len - 1]))
        sm_str_truncate(&tree, tree.len - 1);
    begin_event(out, "stopped", s->current);
    if (!r->root || r->root->type != SM_NODE_MAP || !sm_node_get(r->root, "reason"))
        add_text(out, "reason", cmd->name);
    if (r->root && r->root->type == SM_NODE_MAP && tree.len > 2 && tree.len < SM_MACHINE_PART)
        sm_str_printf(out, ",%s\n", tree.data + 1);
    else
        sm_str_add(out, "}\n");
    sm_str_clear(&tree);
}

void sm_events_clear(struct sm_events *e)
{
    while (e->n)
        clear_watched(&e->trials[--e->n]);
    sm_free(e->trials);
}
