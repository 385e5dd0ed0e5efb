/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/describe_rule.h"

#include <math.h>
#include <string.h>

/* ---- help ---- */

static void add_param(struct sm_result *r, const struct sm_rule_param *p)
{
    struct sm_str text = {0};
    sm_str_printf(&text, "  %-27s %s", p->name, sm_rule_type_name(p->type));
    if (p->unit)
        sm_str_printf(&text, " in %s", p->unit);
    if (p->required)
        sm_str_add(&text, ", required");
    else if (p->initial)
        sm_str_printf(&text, ", %s", p->initial);
    if (isfinite(p->max) && (p->min != 0 || p->max != 0))
        sm_str_printf(&text, " (%g to %g)", p->min, p->max);
    sm_result_text(r, "%s", sm_str_text(&text));
    sm_result_text(r, "  %-27s   %s", "", p->help);
    sm_str_clear(&text);
}

void sm_describe_rule(struct sm_result *r, const struct sm_rule *rule)
{
    sm_result_text(r, "%s, %s (%s).\n%s.", rule->class_name, rule->name,
                   sm_rule_group_name(rule->group), rule->summary);
    sm_result_text(r, "\nFires %s%s.", strncmp(rule->fires, "never", 5) == 0 ? "" : "when ",
                   rule->fires);
    if (rule->how_auto)
        sm_result_text(r, "\nUnder \"rule auto\" (judge=auto) %s.", rule->how_auto->differs);
    if (rule->params && rule->params->name)
        sm_result_text(r, "\nParameters:");
    for (const struct sm_rule_param *p = rule->params; p && p->name; p++)
        add_param(r, p);
    sm_result_text(r,
                   "  All rules also have mode, workers, start_step, end_step, policy, judge and "
                   "action.");
    if (rule->preset_doc)
        sm_result_text(r, "  With \"preset doc\", as the service's guide has them: %s.",
                       rule->preset_doc);
    sm_result_text(r, "\nThe hook must save: %s.", rule->saves);
    sm_result_text(r, "When it fires: %s", rule->advice);
}

/* ---- rows ---- */

static void add_parameters(struct sm_result *r, struct sm_node *row, const struct sm_rule *rule)
{
    struct sm_node *list = sm_node_list(r, row, "parameters");
    for (const struct sm_rule_param *p = rule->params; p && p->name; p++) {
        struct sm_node *map = sm_node_map(r, list, NULL);
        sm_node_text(r, map, "name", p->name);
        sm_node_text(r, map, "type", sm_rule_type_name(p->type));
        sm_node_text(r, map, "default", p->initial);
        sm_node_text(r, map, "unit", p->unit);
        sm_node_text(r, map, "help", p->help);
    }
}

void sm_describe_rule_row(struct sm_result *r, struct sm_node *list, const struct sm_rule *rule)
{
    struct sm_node *row = sm_node_map(r, list, NULL);
    sm_node_text(r, row, "name", rule->name);
    sm_node_text(r, row, "class", rule->class_name);
    sm_node_text(r, row, "group", sm_rule_group_name(rule->group));
    sm_node_text(r, row, "summary", rule->summary);
    add_parameters(r, row, rule);
    struct sm_node *collections = sm_node_list(r, row, "collections");
    for (size_t k = 0; k < SM_RULE_PICKS; k++)
        if (rule->picks[k].collection)
            sm_node_text(r, collections, NULL, rule->picks[k].collection);
}

static void add_value(struct sm_result *r, struct sm_node *map, const struct sm_rule_param *p,
                      const struct sm_rule_value *v)
{
    if (!v->set)
        sm_node_null(r, map, p->name);
    else if (p->type == SM_RULE_NUMBER)
        sm_node_double(r, map, p->name, v->number, false);
    else if (p->type == SM_RULE_INT)
        sm_node_int(r, map, p->name, (int64_t)v->number);
    else if (p->type == SM_RULE_BOOL)
        sm_node_bool(r, map, p->name, v->number != 0);
    else
        sm_node_text(r, map, p->name, v->text);
}

static void add_step_or_null(struct sm_result *r, struct sm_node *row, const char *key,
                             int64_t step)
{
    if (step >= 0)
        sm_node_int(r, row, key, step);
    else
        sm_node_null(r, row, key);
}

static const char *mode_text(enum sm_mode m)
{
    return m == SM_MODE_ANY ? NULL : sm_mode_name((int)m);
}

static const struct sm_column finding_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "mode", .header = "MODE"},
    {.key = "mode_step", .header = "MODE-STEP", .format = SM_COL_NUMBER},
    {.key = "node", .header = "NODE", .hidden = true},
    {.key = "worker", .header = "WORKER", .hidden = true},
    {.key = "tensor", .header = "TENSOR"},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
    {.key = "threshold", .header = "LIMIT", .format = SM_COL_NUMBER},
    {.key = "fired", .header = "FIRED", .hidden = true},
    {.key = "text", .header = "WHAT"},
    {.key = "message", .header = "MESSAGE", .hidden = true},
};
enum {
    FINDING_NODE_COLUMN = 3,
    FINDING_WORKER_COLUMN = 4,
    N_FINDING_COLUMNS = sizeof finding_columns / sizeof *finding_columns
};

void sm_describe_finding(struct sm_result *r, struct sm_node *list, const struct sm_rules *rules,
                         const struct sm_rule_instance *i, const struct sm_finding *f)
{
    struct sm_str message = {0};
    struct sm_node *row = sm_node_map(r, list, NULL);
    sm_rule_message(rules, i, f, &message);
    add_step_or_null(r, row, "step", f->step);
    sm_node_text(r, row, "mode", mode_text(f->mode));
    add_step_or_null(r, row, "mode_step", f->mode_step);
    sm_node_text(r, row, "worker", f->worker);
    sm_node_text(r, row, "tensor", f->tensor);
    sm_node_double(r, row, "value", f->value, false);
    sm_node_double(r, row, "threshold", f->limit, false);
    sm_node_text(r, row, "message", sm_str_text(&message));
    sm_node_bool(r, row, "fired", f->violated);
    sm_node_text(r, row, "text", f->text);
    if (f->to_ns) {
        sm_node_text(r, row, "node", f->node);
        sm_node_int(r, row, "from_ns", f->from_ns);
        sm_node_int(r, row, "to_ns", f->to_ns);
    }
    sm_str_clear(&message);
}

static void add_remarks(struct sm_result *r, struct sm_node *row, const struct sm_rule_instance *i)
{
    struct sm_node *list = sm_node_list(r, row, "remarks");
    for (size_t k = 0; k < SM_RULE_REMARKS && i->remarks[k].why; k++) {
        const struct sm_remark *m = &i->remarks[k];
        struct sm_node *map = sm_node_map(r, list, NULL);
        struct sm_str text = {0};
        sm_rule_remark_text(m, &text);
        sm_node_int(r, map, "step", m->step);
        sm_node_text(r, map, "tensor", m->tensor);
        sm_node_text(r, map, "worker", m->worker);
        sm_node_uint(r, map, "tensors", m->n);
        sm_node_text(r, map, "text", sm_str_text(&text));
        sm_str_clear(&text);
    }
}

/* With --shard: the data that `report -merge` needs to join the parts. */
static void add_share(struct sm_result *r, struct sm_node *row, const struct sm_rules *rules,
                      const struct sm_rule_instance *i)
{
    static const char *const words[] = {"all", "range", "whole", "elsewhere"};
    const struct sm_trial *t = sm_rules_trial(rules);
    size_t n = sm_trial_step_count(t);
    unsigned index, of = sm_rules_shards(rules, &index);
    if (of < 2)
        return;
    struct sm_node *map = sm_node_map(r, row, "shard");
    sm_node_uint(r, map, "part", index + 1);
    sm_node_uint(r, map, "of", of);
    sm_node_text(r, map, "judged", words[sm_rule_share(i)]);
    sm_node_bool(r, map, "begun", sm_rule_started(i));
    sm_node_bool(r, map, "continues", i->continues);
    sm_node_text(r, map, "path", sm_trial_path(t));
    sm_node_uint(r, map, "steps", n);
    sm_node_int(r, map, "last_step", n ? sm_trial_step(t, n - 1)->step.n : -1);
}

/* The worker is that of the first finding, if there are several. */
static void add_unjudged(struct sm_result *r, struct sm_node *row, const struct sm_rules *rules,
                         const struct sm_rule_instance *i)
{
    struct sm_str why = {0};
    bool several = sm_trial_worker_count(sm_rules_trial(rules)) > 1;
    sm_rule_describe_unjudged(rules, i, &why);
    sm_node_text(r, row, "worker", several && i->n_findings ? i->findings[0].worker : NULL);
    sm_node_uint(r, row, "not_judged", sm_rule_unjudged(rules, i));
    sm_node_text(r, row, "not_judged_why", why.len ? sm_str_text(&why) : NULL);
    sm_str_clear(&why);
}

void sm_describe_instance(struct sm_result *r, struct sm_node *list, const struct sm_rules *rules,
                          const struct sm_rule_instance *i)
{
    struct sm_str reason = {0}, remark = {0};
    struct sm_node *row = sm_node_map(r, list, NULL);
    sm_rule_reason(rules, i, &reason);
    if (i->remarks[0].why) {
        sm_str_add(&remark, "remark: ");
        sm_rule_remark_text(&i->remarks[0], &remark);
    }
    sm_node_text(r, row, "rule", i->rule->class_name);
    sm_node_text(r, row, "instance", i->name);
    sm_node_text(r, row, "status", sm_rule_status_name(i->status));
    sm_node_text(r, row, "reason", reason.len ? sm_str_text(&reason) : NULL);
    struct sm_node *parameters = sm_node_map(r, row, "parameters");
    for (size_t k = 0; i->values && k < sm_rule_param_count(i->rule); k++)
        add_value(r, parameters, &i->rule->params[k], &i->values[k]);
    sm_node_uint(r, row, "datapoints", i->datapoints);
    sm_node_uint(r, row, "violations", i->violations);
    add_step_or_null(r, row, "first_step", i->first_fired);
    add_step_or_null(r, row, "last_step", i->last_fired);
    struct sm_node *details = sm_node_list(r, row, "details");
    for (size_t k = 0; k < i->n_findings; k++)
        sm_describe_finding(r, details, rules, i, &i->findings[k]);
    sm_node_uint(r, row, "triggered", i->triggered);
    const struct sm_finding *first = i->n_findings ? &i->findings[0] : NULL;
    sm_node_text(r, row, "tensor", first ? first->tensor : NULL);
    sm_node_text(r, row, "what",
                 i->reason    ? i->reason
                 : first      ? first->text
                 : remark.len ? sm_str_text(&remark)
                 : reason.len ? sm_str_text(&reason)
                              : NULL);
    struct sm_node *skipped = sm_node_map(r, row, "skipped");
    for (size_t k = 0; k < SM_RULE_SKIPS && i->skips[k].why; k++)
        sm_node_uint(r, skipped, i->skips[k].why, i->skips[k].count);
    add_unjudged(r, row, rules, i);
    add_share(r, row, rules, i);
    add_remarks(r, row, i);
    if (i->rule->on_windows)
        sm_node_int_or_null(r, row, "first_ns", i->first_fired_ns, i->first_fired_ns);
    sm_str_clear(&reason);
    sm_str_clear(&remark);
}

static const struct sm_column status_columns[] = {
    {.key = "trial", .header = "TRIAL"},
    {.key = "instance", .header = "RULE"},
    {.key = "status", .header = "STATUS"},
    {.key = "first_step", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "last_step", .header = "LAST", .format = SM_COL_NUMBER},
    {.key = "triggered", .header = "FIRED", .format = SM_COL_NUMBER},
    {.key = "worker", .header = "WORKER", .below = true, .hidden = true},
    {.key = "tensor", .header = "TENSOR", .below = true},
    {.key = "what", .header = "WHAT", .below = true},
    {.key = "datapoints", .header = "DATAPOINTS", .format = SM_COL_NUMBER, .hidden = true},
    {.key = "violations", .header = "VIOLATIONS", .format = SM_COL_NUMBER, .hidden = true},
};

enum { WORKER_COLUMN = 6, N_STATUS_COLUMNS = sizeof status_columns / sizeof *status_columns };

/* The column of workers is shown if a row has one. */
static const struct sm_column *columns_of(struct sm_result *r, const struct sm_node *list)
{
    struct sm_column *columns = sm_arena_xalloc(&r->arena, sizeof status_columns);
    memcpy(columns, status_columns, sizeof status_columns);
    for (const struct sm_node *row = list->first; row; row = row->next) {
        const struct sm_node *worker = sm_node_get(row, "worker");
        if (worker && worker->type == SM_NODE_TEXT)
            columns[WORKER_COLUMN].hidden = false;
    }
    return columns;
}

void sm_describe_status(struct sm_result *r, struct sm_node *list, bool several)
{
    sm_result_listing(r, list, columns_of(r, list) + !several, N_STATUS_COLUMNS - !several);
}

void sm_describe_status_table(struct sm_result *r, const struct sm_node *list)
{
    sm_result_table(r, list, columns_of(r, list) + 1, N_STATUS_COLUMNS - 1);
}

void sm_describe_findings(struct sm_result *out, const struct sm_rules *r,
                          const struct sm_rule_instance *i, int64_t step)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    struct sm_column *columns = sm_arena_xalloc(&out->arena, sizeof finding_columns);
    memcpy(columns, finding_columns, sizeof finding_columns);
    columns[FINDING_WORKER_COLUMN].hidden = sm_trial_worker_count(sm_rules_trial(r)) < 2;
    columns[FINDING_NODE_COLUMN].hidden = !i->rule->on_windows;
    for (int violated = 1; violated >= 0; violated--)
        for (size_t k = 0; k < i->n_findings; k++)
            if (i->findings[k].violated == violated && (step < 0 || i->findings[k].step == step))
                sm_describe_finding(out, list, r, i, &i->findings[k]);
    if (list->first)
        sm_result_listing(out, list, columns, N_FINDING_COLUMNS);
    out->root = list;
    out->columns = columns;
    out->n_columns = N_FINDING_COLUMNS;
}

void sm_describe_skips(struct sm_result *out, const struct sm_rule_instance *i)
{
    for (size_t k = 0; k < SM_RULE_SKIPS && i->skips[k].why; k++)
        sm_result_dim(out, "%s: %s, %llu times", i->name, i->skips[k].why,
                      (unsigned long long)i->skips[k].count);
}

void sm_describe_unjudged(struct sm_result *out, const struct sm_rules *r,
                          const struct sm_rule_instance *i)
{
    struct sm_str why = {0};
    sm_rule_describe_unjudged(r, i, &why);
    if (why.len)
        sm_result_dim(out, "%s: %s", i->name, sm_result_escape(out, sm_str_text(&why), why.len));
    sm_str_clear(&why);
}

void sm_describe_way(struct sm_result *out, const struct sm_rule_instance *i)
{
    if (i->leniently && i->rule->how_auto)
        sm_result_prose(out, 0, "Here it judges as under \"rule auto\": %s.",
                        i->rule->how_auto->differs);
}

void sm_describe_remarks(struct sm_result *out, const struct sm_rule_instance *i)
{
    for (size_t k = 0; k < SM_RULE_REMARKS && i->remarks[k].why; k++) {
        struct sm_str text = {0};
        sm_rule_remark_text(&i->remarks[k], &text);
        sm_result_text(out, "Remark from step %lld on: %s", (long long)i->remarks[k].step,
                       sm_str_text(&text));
        sm_str_clear(&text);
    }
}
