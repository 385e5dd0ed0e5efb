/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot: the scalars, bad values, findings and damaged files near a step. */
#include "commands/answer/shape.h"
#include "commands/judge/describe_rule.h"
#include "commands/judge/session_rules.h"
#include "commands/judge/stored_findings.h"
#include "commands/place/place.h"
#include "commands/trials/snapshot.h"
#include "commands/trials/trials.h"
#include "reader/format/location.h"

#include <string.h>

enum { USUAL_WINDOW = 5, WINDOW_MAX = 10000 };

static bool read_window(struct sm_call *c, struct sm_snapshot *x, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_word *around = sm_call_option(c, "around"),
                         *window = sm_call_option(c, "window");
    size_t steps = sm_trial_step_count(t);
    int64_t n = USUAL_WINDOW;
    if (!steps)
        return sm_err_set(err, SM_ERR_MISSING, "There are no steps yet.");
    x->around = sm_session_step(c->session);
    if ((around &&
         !sm_place_step(c, sm_place_all(c->session, SM_MODE_ANY), around->text, &x->around, err)) ||
        (window && !sm_call_int(window, 0, WINDOW_MAX, &n, err)))
        return false;
    size_t at = sm_trial_step_at(t, x->around), side = (size_t)n;
    bool exact = at < steps && sm_trial_step(t, at)->step.n == x->around.n;
    size_t last = at + side - (exact || !side ? 0 : 1);
    x->first = sm_trial_step(t, at > side ? at - side : 0)->step;
    x->last = sm_trial_step(t, last < steps ? last : steps - 1)->step;
    sm_saved_values_init(c, x->last, SM_MODE_ANY, SM_NAME_NONE, &x->origin.saved);
    return true;
}

/* ---- scalars and bad values ---- */

static void add_place(struct sm_result *out, struct sm_node *row, const struct sm_snapshot *x,
                      const struct sm_saved_value_row *r, const struct sm_saved_value *value)
{
    const struct sm_names *names = sm_trial_names(x->origin.saved.trial);
    sm_node_int(out, row, "step", value->step.n);
    sm_node_text(out, row, "mode", sm_mode_name(value->mode));
    sm_node_int(out, row, "mode_step", value->mode_step.n);
    sm_node_text(out, row, "worker", sm_trial_worker(x->origin.saved.trial, r->worker));
    sm_node_textn(out, row, "name", sm_names_text(names, r->tensor),
                  sm_names_length(names, r->tensor));
}

static void note_bad(struct sm_snapshot *x, const struct sm_saved_value_row *r, size_t at,
                     enum sm_fault fault, const struct sm_node *node, struct sm_result *out)
{
    struct sm_bad_value *b = sm_arena_xalloc(&out->arena, sizeof *b);
    *b = (struct sm_bad_value){
        .node = node, .row = (size_t)(r - x->origin.saved.rows), .at = at, .fault = fault};
    *x->bad_end = b;
    x->bad_end = &b->next;
}

static bool add_value(struct sm_call *c, struct sm_snapshot *x, struct sm_saved_value_row *r,
                      size_t at, struct sm_result *out, struct sm_node *scalars,
                      struct sm_node *bad, struct sm_err *err)
{
    struct sm_saved_value *value = &r->values[at];
    const struct sm_facts *facts;
    enum sm_fault fault;
    if (!sm_origin_judge(&x->origin, r, at, &fault, err))
        return false;
    if (value->health->n == 1 && value->entry.kind == SM_ENTRY_VALUE) {
        if (!sm_fetch_stats(c->session->fetch, x->origin.saved.trial, &value->entry, &facts, err))
            return err->code != SM_ERR_WAIT;
        struct sm_node *row = sm_node_map(out, scalars, NULL);
        add_place(out, row, x, r, value);
        sm_node_element(out, row, "value", facts->dtype, facts->first);
    }
    if (fault != SM_FAULT_NONE) {
        struct sm_str text = {0};
        struct sm_node *row = sm_node_map(out, bad, NULL);
        add_place(out, row, x, r, value);
        sm_value_health_text(value->health, fault, &text);
        sm_node_text(out, row, "problem", sm_fault_name(fault));
        sm_node_text(out, row, "what", sm_str_text(&text));
        sm_str_clear(&text);
        note_bad(x, r, at, fault, row, out);
    }
    return true;
}

/* By step, then by name. */
static bool add_values(struct sm_call *c, struct sm_snapshot *x, struct sm_result *out,
                       struct sm_node *scalars, struct sm_node *bad, struct sm_err *err)
{
    const struct sm_trial *t = x->origin.saved.trial;
    bool known = true;
    x->bad = NULL;
    x->bad_end = &x->bad;
    for (size_t i = sm_trial_step_at(t, x->first); i < sm_trial_step_count(t); i++) {
        struct sm_step step = sm_trial_step(t, i)->step;
        if (step.n > x->last.n)
            break;
        for (size_t k = 0; k < x->origin.saved.n; k++) {
            struct sm_saved_value_row *r = &x->origin.saved.rows[k];
            size_t at = sm_saved_value_row_at(r, step);
            if (at < r->n && r->values[at].step.n == step.n)
                known = add_value(c, x, r, at, out, scalars, bad, err) && known;
        }
    }
    return known || sm_err_set(err, SM_ERR_WAIT, "reading the steps");
}

/* ---- findings and damage ---- */

static void add_findings(struct sm_call *c, const struct sm_snapshot *x, struct sm_result *out,
                         struct sm_node *list)
{
    const struct sm_rules *r = sm_session_rules_at(c->session, c->session->current);
    for (size_t i = 0; r && i < sm_rules_count(r); i++) {
        const struct sm_rule_instance *k = sm_rules_item(r, i);
        for (size_t f = 0; f < k->n_findings; f++) {
            const struct sm_finding *found = &k->findings[f];
            if (!found->violated || found->step < x->first.n || found->step > x->last.n)
                continue;
            sm_describe_finding(out, list, r, k, found);
            sm_node_text(out, list->last, "rule", k->name);
        }
    }
}

static bool has_found(const struct sm_rules *r, const struct sm_node *name)
{
    for (size_t i = 0; r && i < sm_rules_count(r); i++)
        if (sm_text_is(name->text, sm_rules_item(r, i)->name))
            return sm_rules_item(r, i)->n_findings > 0;
    return false;
}

/* Adds the findings stored in an archive, of rules without findings now. Returns false if none are
 * stored. */
static bool add_stored(struct sm_call *c, const struct sm_snapshot *x, struct sm_result *out,
                       struct sm_node *list)
{
    const struct sm_rules *r = sm_session_rules_at(c->session, c->session->current);
    struct sm_node *rows = sm_node_list(out, NULL, NULL);
    size_t n = sm_stored_findings(out, rows, x->origin.saved.trial, NULL);
    for (const struct sm_node *row = rows->first; row; row = row->next)
        if (!has_found(r, sm_node_get(row, "instance")))
            sm_stored_details(out, list, row, x->first.n, x->last.n);
    return n > 0;
}

/* A script waits until the rules have judged all steps on disk. */
static bool is_judged(const struct sm_call *c)
{
    const struct sm_rules *r = sm_session_rules_at(c->session, c->session->current);
    bool none = !r || (!sm_rules_count(r) && !sm_rules_is_auto(r));
    return c->session->interactive || none || (sm_rules_all_judged(r) && !sm_rules_busy(r));
}

/* The step of a file of the trial. */
static bool step_of_file(const char *file, int64_t *step)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    struct sm_str worker = {0};
    bool found = sm_location_parse(name, ".json", step, &worker) ||
                 sm_location_parse(name, ".tfevents", step, &worker);
    sm_str_clear(&worker);
    return found;
}

static void add_damage(const struct sm_snapshot *x, struct sm_result *out, struct sm_node *list)
{
    const struct sm_problems *p = sm_trial_problems(x->origin.saved.trial);
    int64_t step;
    for (size_t i = 0; i < p->n; i++) {
        if (!step_of_file(p->items[i].file, &step) || step < x->first.n || step > x->last.n)
            continue;
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_int(out, row, "step", step);
        sm_node_text(out, row, "file", p->items[i].file);
        sm_node_text(out, row, "message", p->items[i].message);
    }
}

static bool run_snapshot(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_snapshot *x = c->state;
    if (!x) {
        x = sm_arena_xalloc(&c->arena, sizeof *x);
        if (!read_window(c, x, err))
            return false;
        c->state = x;
    }
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_int(out, map, "around", x->around.n);
    sm_node_int(out, map, "first", x->first.n);
    sm_node_int(out, map, "last", x->last.n);
    struct sm_snapshot_lists lists;
    lists.scalars = sm_node_list(out, map, "scalars");
    lists.bad_values = sm_node_list(out, map, "bad_values");
    lists.findings = sm_node_list(out, map, "findings");
    lists.problems = sm_node_list(out, map, "problems");
    if (!is_judged(c))
        return sm_err_set(err, SM_ERR_WAIT, "judging the steps");
    if (!add_values(c, x, out, lists.scalars, lists.bad_values, err))
        return false;
    add_findings(c, x, out, lists.findings);
    lists.stored = add_stored(c, x, out, lists.findings);
    add_damage(x, out, lists.problems);
    sm_snapshot_print(c, x, &lists, out);
    out->root = map;
    return true;
}

static const struct sm_option snapshot_options[] = {
    {.name = "around", .kind = SM_ARG_STEP, .value = "STEP", .help = "the current step by default"},
    {.name = "window",
     .kind = SM_ARG_NUMBER,
     .value = "N",
     .help = "saved steps before and after it; 5 by default",
     .initial = "5"},
    {0},
};
const struct sm_cmd sm_cmd_snapshot = {
    .name = "snapshot",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show scalars, bad values, findings and damaged files near a step",
    .help = "Bad values are the values that bt follows: one row for consecutive values of a tensor "
            "with the same fault, with the description of the first.\n"
            "Findings are those of attached rules, and those saved in an archive. -csv, -tsv and "
            "-field print the scalars.",
    .example = "snapshot -around 40 -window 3",
    .see_also = "backtrace, rule, series, info",
    .options = snapshot_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING,
    .answer = "{around:int,first:int,last:int,scalars:[{" SM_SHAPE_PLACE
              ",name:name,value:element}],bad_values:[{" SM_SHAPE_PLACE
              ",name:name,problem:text,what:text}],findings:[{" SM_SHAPE_FINDING
              ",rule:text,from?:text}],problems:[{step:int?,file:name,message:text}]}",
    .run = run_snapshot,
};
