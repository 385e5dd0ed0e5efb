/* SPDX-License-Identifier: Apache-2.0 */
/* profile rules, profile rule: what the rules of the profile say. */
#include "commands/judge/session_rules.h"
#include "commands/profile/profile_commands.h"
#include "commands/profile/profile_rows.h"
#include "commands/profile/profile_rules.h"
#include "commands/profile/report_read.h"
#include "commands/session/session.h"
#include "reader/base/str.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column columns[] = {
    {.key = "rule", .header = "RULE"},
    {.key = "status", .header = "STATUS"},
    {.key = "rule_triggered", .header = "FIRED", .format = SM_COL_NUMBER},
    {.key = "violations", .header = "VIOLATIONS", .format = SM_COL_NUMBER},
    {.key = "datapoints", .header = "POINTS", .format = SM_COL_NUMBER},
    {.key = "node", .header = "NODE", .hidden = true},
    {.key = "what", .header = "WHAT", .below = true},
};

struct sm_profile_columns sm_profile_rule_columns(void)
{
    return (struct sm_profile_columns){columns, COUNT(columns)};
}

void sm_profile_rule_row(struct sm_result *out, struct sm_node *list,
                         const struct sm_rule_instance *i, const struct sm_profile *p)
{
    struct sm_str parameters = {0};
    struct sm_node *row = sm_node_map(out, list, NULL);
    const struct sm_finding *f = i->n_findings ? &i->findings[i->n_findings - 1] : NULL;
    sm_profiler_parameters(i, &parameters);
    sm_node_text(out, row, "rule", i->rule->class_name);
    sm_node_text(out, row, "status", sm_profile_rule_status(i, p));
    sm_node_uint(out, row, "rule_triggered", i->triggered);
    sm_node_uint(out, row, "violations", i->violations);
    sm_node_uint(out, row, "datapoints", i->datapoints);
    sm_node_text(out, row, "rule_parameters", parameters.len ? parameters.data : "");
    sm_node_text(out, row, "description", i->rule->summary);
    sm_node_text(out, row, "recommendation", i->rule->advice);
    sm_node_int_or_null(out, row, "first_ns", i->first_fired_ns, i->first_fired_ns);
    sm_node_int_or_null(out, row, "last_ns", f, f ? f->to_ns : 0);
    sm_node_text(out, row, "node", f ? f->node : NULL);
    sm_node_text(out, row, "what", f ? f->text : NULL);
    sm_str_clear(&parameters);
}

/* ---- of a report that is there ---- */

static uint64_t count_of(const struct sm_node *map, const char *key)
{
    const struct sm_node *x = sm_node_get(map, key);
    return x && x->type == SM_NODE_UINT              ? x->u
           : x && x->type == SM_NODE_INT && x->i > 0 ? (uint64_t)x->i
                                                     : 0;
}

static void add_read_rule(struct sm_result *out, struct sm_node *list, const struct sm_rule *rule,
                          const struct sm_node *map)
{
    const struct sm_node *parameters = sm_node_get(map, "RuleParameters");
    struct sm_node *row = sm_node_map(out, list, NULL);
    uint64_t triggered = count_of(map, "RuleTriggered");
    sm_node_text(out, row, "rule", rule->class_name);
    sm_node_text(out, row, "status",
                 sm_rule_status_name(triggered ? SM_RULE_ISSUES : SM_RULE_NO_ISSUES));
    sm_node_uint(out, row, "rule_triggered", triggered);
    sm_node_uint(out, row, "violations", count_of(map, "Violations"));
    sm_node_uint(out, row, "datapoints", count_of(map, "Datapoints"));
    if (parameters && parameters->type == SM_NODE_TEXT)
        sm_node_textn(out, row, "rule_parameters", parameters->text.p, parameters->text.n);
    else
        sm_node_text(out, row, "rule_parameters", "");
    sm_node_text(out, row, "description", rule->summary);
    sm_node_text(out, row, "recommendation", rule->advice);
    sm_node_int_or_null(out, row, "first_ns", false, 0);
    sm_node_int_or_null(out, row, "last_ns", false, 0);
    sm_node_text(out, row, "node", NULL);
    sm_node_text(out, row, "what", NULL);
}

/* *there: the run has a report, and no profile. False: it has not, or it cannot be read. */
static bool read_report(const struct sm_call *c, struct sm_result *out, struct sm_profile_report *r,
                        bool *there, struct sm_err *err)
{
    struct sm_str dir = {0};
    sm_profile_report_init(r);
    *there = sm_report_of_run(sm_session_trial(c->session), &dir);
    bool ok = *there && sm_report_files_read(sm_str_text(&dir), out, r, err);
    sm_str_clear(&dir);
    return ok;
}

static void list_report(struct sm_result *out, const struct sm_profile_report *r)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (const struct sm_rule *const *rule = sm_profiler_subrules; *rule; rule++) {
        const struct sm_node *map = sm_profile_report_rule(r, (*rule)->class_name);
        if (map)
            add_read_rule(out, list, *rule, map);
    }
    sm_result_listing(out, list, columns, COUNT(columns));
}

static bool run_rules(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_profile_rules r;
    struct sm_profile_report report;
    bool there;
    bool read = read_report(c, out, &report, &there, err);
    if (read)
        list_report(out, &report);
    if (there)
        return read;
    const struct sm_profile *p = sm_profile_rules(c, SM_PROFILE_COMPLETE, &r, err);
    if (!p)
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t k = 0; k < SM_PROFILE_RULES; k++)
        sm_profile_rule_row(out, list, r.items[k], p);
    sm_result_listing(out, list, columns, COUNT(columns));
    sm_profile_remarks(out, p);
    return true;
}

static const struct sm_arg rules_args[] = {SM_PROFILE_PRESET, {0}};
const struct sm_cmd sm_cmd_profile_rules = {
    .parent = "profile",
    .name = "rules",
    .cmd_class = SM_CLASS_DATA,
    .summary = "What the rules of the group profiler say of the profile",
    .help = "They are judged whether they are attached or not (\"rule auto\", \"rule add NAME\"), "
            "in windows of a minute.\nThe status is NoData where the profile lacks what a rule "
            "needs. \"preset doc\" gives the parameters of the service's guide instead of "
            "those that the\nservice sets. Of a run that has no profile, but a profiling report, "
            "what that "
            "says.",
    .example = "profile rules",
    .see_also = "profile rule, rule list",
    .args = rules_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{rule:text,status:text,rule_triggered:int,violations:int,datapoints:int,rule_"
              "parameters:text,description:text,recommendation:text,first_ns:int?,last_ns:int?,"
              "node:text?,what:text?}]",
    .run = run_rules,
};

/* ---- one rule ---- */

/* Its number among sm_profiler_subrules; SM_PROFILE_RULES: there is none. */
static size_t find(const char *name, struct sm_err *err)
{
    size_t k = 0;
    while (k < SM_PROFILE_RULES && !sm_same_letters(sm_profiler_subrules[k]->name, name) &&
           !sm_same_letters(sm_profiler_subrules[k]->class_name, name))
        k++;
    if (k == SM_PROFILE_RULES)
        sm_err_set(err, SM_ERR_USAGE, "There is no such rule of a profile: see \"profile rules\".");
    return k;
}

static void add_findings(struct sm_result *out, struct sm_node *map,
                         const struct sm_rule_instance *i)
{
    struct sm_node *list = sm_node_list(out, map, "findings");
    for (size_t k = 0; k < i->n_findings; k++) {
        const struct sm_finding *f = &i->findings[k];
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "node", f->node);
        sm_node_int(out, row, "from_ns", f->from_ns);
        sm_node_int(out, row, "to_ns", f->to_ns);
        sm_node_text(out, row, "mode", f->mode == SM_MODE_ANY ? NULL : sm_mode_name((int)f->mode));
        sm_node_int_or_null(out, row, "mode_step", f->mode_step >= 0, f->mode_step);
        sm_node_double(out, row, "value", f->value, false);
        sm_node_double(out, row, "threshold", f->limit, false);
        sm_node_text(out, row, "text", f->text);
    }
}

/* row: of "profile rules". */
static void show_row(struct sm_result *out, const struct sm_rule *rule, const struct sm_node *row)
{
    uint64_t fired = count_of(row, "rule_triggered"), violations = count_of(row, "violations"),
             points = count_of(row, "datapoints");
    const struct sm_node *parameters = sm_node_get(row, "rule_parameters");
    struct sm_str text = {0};
    sm_result_text(out, "%s: %s, fired %llu time%s, %llu violation%s of %llu datapoint%s.",
                   rule->class_name, sm_node_get(row, "status")->text.p, (unsigned long long)fired,
                   fired == 1 ? "" : "s", (unsigned long long)violations,
                   violations == 1 ? "" : "s", (unsigned long long)points, points == 1 ? "" : "s");
    sm_str_addn(&text, parameters->text.p, parameters->text.n);
    for (size_t k = 0; k < text.len; k++)
        text.data[k] = text.data[k] == '\n' ? ' ' : text.data[k];
    if (text.len)
        sm_result_text(out, "Parameters: %s.", sm_result_escape(out, text.data, text.len));
    sm_result_prose(out, 0, "%s. Advice: %s.", rule->summary, rule->advice);
    sm_str_clear(&text);
}

static void show_last(struct sm_result *out, const struct sm_rule_instance *i)
{
    struct sm_str text = {0};
    if (!i->n_findings)
        return;
    sm_rule_message(sm_rule_set_of(i), i, &i->findings[i->n_findings - 1], &text);
    sm_result_prose(out, 0, "Last: %s.", sm_str_text(&text));
    sm_str_clear(&text);
}

/* Moves the details to the end of the answer. */
static void add_details(struct sm_node *map, const struct sm_node *tree)
{
    struct sm_node *details = tree->first;
    while (details && strcmp(details->key, "Details") != 0)
        details = details->next;
    if (!details)
        return;
    details->key = "details";
    details->next = NULL;
    map->last->next = details;
    map->last = details;
}

/* Of a report: what was found when is not in it. */
static bool show_read_rule(struct sm_result *out, const struct sm_profile_report *r, size_t k,
                           struct sm_err *err)
{
    const struct sm_rule *rule = sm_profiler_subrules[k];
    const struct sm_node *tree = sm_profile_report_rule(r, rule->class_name);
    if (!tree || !sm_node_get(tree, "Details"))
        return sm_err_set(err, SM_ERR_MISSING, "The report has nothing of %s.", rule->class_name);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    add_read_rule(out, list, rule, tree);
    out->root = list->first;
    sm_node_list(out, out->root, "findings");
    show_row(out, rule, out->root);
    sm_profile_show_details(out, sm_node_get(tree, "Details"));
    add_details(out->root, tree);
    return true;
}

/* The rule as it is attached; NULL: it is not, or a preset is asked for. */
static const struct sm_rule_instance *attached_one(const struct sm_call *c,
                                                   const struct sm_rule *rule)
{
    const struct sm_rules *all = sm_session_rules_at(c->session, c->session->current);
    size_t count = all && !sm_call_keyword(c, "preset") ? sm_rules_count(all) : 0;
    for (size_t n = 0; n < count; n++)
        if (sm_rules_item(all, n)->rule == rule)
            return sm_rules_item(all, n);
    return NULL;
}

static bool run_rule(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_profile_rules r;
    struct sm_profile_report report;
    bool there;
    size_t k = find(c->words[0].text.p, err);
    if (k == SM_PROFILE_RULES)
        return false;
    bool read = read_report(c, out, &report, &there, err);
    if (there)
        return read && show_read_rule(out, &report, k, err);
    const struct sm_profile *p = sm_profile_rules(c, SM_PROFILE_COMPLETE, &r, err);
    const struct sm_rule_instance *own = p ? attached_one(c, r.items[k]->rule) : NULL,
                                  *i = own || !p ? own : r.items[k];
    struct sm_node *tree = p ? sm_profile_rule_tree(out, i, p, err) : NULL;
    if (!tree)
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    sm_profile_rule_row(out, list, i, p);
    struct sm_node *map = list->first;
    add_findings(out, map, i);
    show_row(out, i->rule, map);
    if (own)
        sm_result_dim(out, "With the parameters of the attached rule %s.",
                      sm_result_escape(out, own->name, strlen(own->name)));
    show_last(out, i);
    sm_profile_show_details(out, sm_node_get(tree, "Details"));
    add_details(map, tree);
    out->root = map;
    return true;
}

static const struct sm_arg args[] = {
    {.name = "NAME", .kind = SM_ARG_RULE, .required = true},
    SM_PROFILE_PRESET,
    {0},
};
const struct sm_cmd sm_cmd_profile_rule = {
    .parent = "profile",
    .name = "rule",
    .cmd_class = SM_CLASS_DATA,
    .summary = "What one rule of the profile has found, with its details",
    .help = "Box plots are on an axis of 0 to 100 %: the whiskers end within one and a half "
            "box heights.",
    .example = "profile rule low_gpu_utilization",
    .see_also = "profile rules, rule list",
    .args = args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{rule:text,status:text,rule_triggered:int,violations:int,datapoints:int,rule_"
              "parameters:text,description:text,recommendation:text,first_ns:int?,last_ns:int?,"
              "node:text?,what:text?,findings:[{node:text?,from_ns:int,to_ns:int,mode:mode?,mode_"
              "step:int?,value:num,threshold:num,text:text}],details:" SM_PROFILE_DETAILS "}",
    .run = run_rule,
};
