/* SPDX-License-Identifier: Apache-2.0 */
/* rule status and its alias info rules. */
#include "commands/answer/shape.h"
#include "commands/judge/action_command.h"
#include "commands/judge/describe_rule.h"
#include "commands/judge/judge.h"
#include "commands/judge/merge_runs.h"
#include "commands/judge/session_rules.h"
#include "commands/judge/sleeping_runs.h"
#include "commands/judge/stored_findings.h"

#include <string.h>
#include <strings.h>

/* The files are at rest, and all was judged. With --follow a kind that has an end marker is waited
 * for. */
static bool is_at_rest(const struct sm_session *s, struct sm_rules *r)
{
    const struct sm_trial *t = sm_rules_trial(r);
    bool end_comes = s->open_options.waits_for_end && !sm_trial_traits(t)->runs;
    return !end_comes && sm_trial_state(t) == SM_TRIAL_STALLED && !sm_rules_wait_for_clock(r) &&
           sm_rules_all_judged(r) && !sm_rules_busy(r);
}

static bool is_over(struct sm_session *s, size_t i)
{
    struct sm_rules *r = sm_session_rules_at(s, i);
    bool more = s->open_options.follow && sm_trial_state(sm_rules_trial(r)) != SM_TRIAL_ENDED;
    sm_rules_finite(r, !s->open_options.follow);
    if (sm_trial_glance(sm_rules_trial(r)))
        return (!sm_run_has_rules(s, i) || sm_sleeper_is_over(s, i)) && !sm_action_commands_open(s);
    if (is_at_rest(s, r))
        return !sm_action_commands_open(s);
    if (more && (sm_rules_is_auto(r) || !sm_rules_count(r)))
        return false;
    return sm_rules_finished(r) && sm_rules_all_judged(r) && !sm_action_commands_open(s);
}

/* Whether `-wait` has nothing to wait for. */
static bool all_over(struct sm_session *s, bool all)
{
    bool over = true;
    for (size_t i = 0; i < s->n_trials; i++)
        if ((all || i == s->current) && sm_session_rules_at(s, i))
            over = is_over(s, i) && over;
    return over;
}

static bool all_judged(const struct sm_session *s, bool all)
{
    bool judged = true;
    for (size_t i = 0; i < s->n_trials; i++) {
        const struct sm_rules *r = all || i == s->current ? sm_session_rules_at(s, i) : NULL;
        if (!r || !sm_run_has_rules(s, i))
            continue;
        judged = judged &&
                 (sm_trial_glance(sm_rules_trial(r)) ? sm_sleeper_rows(s, i) != NULL
                                                     : sm_rules_all_judged(r) && !sm_rules_busy(r));
    }
    return judged;
}

/* An interactive user can repeat the command; a script needs the complete answer. */
static bool is_complete(const struct sm_call *c, bool all)
{
    struct sm_session *s = c->session;
    return sm_call_flag(c, "wait") ? all_over(s, all) : s->interactive || all_judged(s, all);
}

/* Copies the rows of a run that sleeps: all, or that of one instance. */
static bool add_sleeper(const struct sm_call *c, struct sm_result *out, struct sm_node *list,
                        size_t trial, const struct sm_node *rows)
{
    const struct sm_session *s = c->session;
    bool found = false;
    for (const struct sm_node *row = rows->first; row; row = row->next) {
        if (c->n_words && strcasecmp(sm_node_get(row, "instance")->text.p, c->words[0].text.p) != 0)
            continue;
        struct sm_node *copy = sm_node_copy(out, list, row);
        sm_node_text(out, copy, "trial", sm_trial_name(s->trials[trial].trial));
        sm_merge_runs_mark(out, copy, s, trial);
        found = true;
    }
    return found;
}

/* Adds the rules attached to a trial, or the one that is named. Returns false if there is none. */
static bool add_instances(struct sm_call *c, struct sm_result *out, struct sm_node *list,
                          size_t trial, bool name_trial)
{
    struct sm_session *s = c->session;
    struct sm_rules *r = sm_session_rules_of(s, trial);
    const struct sm_node *asleep = name_trial ? sm_sleeper_rows(s, trial) : NULL;
    bool found = false;
    if (asleep)
        return add_sleeper(c, out, list, trial, asleep);
    for (size_t i = 0; r && i < sm_rules_count(r); i++) {
        if (c->n_words && sm_rules_find(r, c->words[0].text.p) != i)
            continue;
        sm_describe_instance(out, list, r, sm_rules_item(r, i));
        if (name_trial)
            sm_node_text(out, list->last, "trial", sm_trial_name(s->trials[trial].trial));
        sm_merge_runs_mark(out, list->last, s, trial);
        found = true;
    }
    return found;
}

/* An interactive user sees those of some runs first. */
static void add_progress(struct sm_result *out, const struct sm_session *s)
{
    struct sm_runs_judged rules = sm_runs_judged(s);
    if (rules.judged < rules.n)
        sm_result_dim(out, "rules: %zu of %zu runs judged", rules.judged, rules.n);
}

static bool run_status(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    bool all = sm_call_flag(c, "all"), found = !c->n_words,
         text = c->output == SM_OUTPUT_TEXT && !c->fields;
    const char *only = c->n_words ? c->words[0].text.p : NULL;
    if (all)
        sm_sleepers_keep_rows(s);
    if (!is_complete(c, all))
        return sm_err_set(err, SM_ERR_WAIT, "judging the steps");
    struct sm_node *list = sm_node_list(out, NULL, NULL),
                   *kept = text ? sm_node_list(out, NULL, NULL) : list;
    for (size_t t = 0; t < s->n_trials; t++) {
        if (!all && t != s->current)
            continue;
        bool attached = add_instances(c, out, list, t, all);
        bool stored = sm_stored_findings(out, kept, s->trials[t].trial, only);
        found = found || attached || stored;
    }
    if (!found)
        return sm_err_set(err, SM_ERR_MISSING, "No rule \"%s\" is attached.  Try \"rule status\".",
                          c->words[0].text.p);
    if (!list->first && !kept->first)
        sm_result_dim(out, "No rule is attached. Try \"rule auto\" or \"rule add NAME\".");
    bool several = all && s->n_trials > 1;
    sm_describe_status(out, list, several);
    if (text && several)
        add_progress(out, s);
    if (text && kept->first) {
        sm_result_text(
            out, "%sFindings stored in the archive when it was saved:", list->first ? "\n" : "");
        sm_describe_status_table(out, kept);
    }
    struct sm_rules *r = sm_session_rules_current(s);
    for (size_t i = 0; c->n_words && i < sm_rules_count(r); i++)
        if (sm_rules_find(r, c->words[0].text.p) == i) {
            sm_describe_skips(out, sm_rules_item(r, i));
            sm_describe_remarks(out, sm_rules_item(r, i));
        }
    return true;
}

static const struct sm_arg one_instance[] = {{.name = "INSTANCE", .kind = SM_ARG_INSTANCE}, {0}};
static const struct sm_option status_options[] = {
    {.name = "wait",
     .kind = SM_ARG_FLAG,
     .help = "wait until all steps are judged and the rules have ended, or the job is stalled; "
             "with --follow, until the job ends"},
    {.name = "all", .kind = SM_ARG_FLAG, .help = "the rules of all open trials"},
    {0},
};
const struct sm_cmd sm_cmd_rule_status = {
    .parent = "rule",
    .name = "status",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Show attached rules: their status, when they fired and why",
    .help = "Statuses are those of SageMaker: InProgress, NoIssuesFound, IssuesFound, Error, "
            "Stopped. In scripts the steps on disk are\n"
            "judged first; at the prompt the answer is immediate. Findings from before a trial "
            "became an archive (snapshot save) are\n"
            "listed separately, with \"from\": \"archive\" in JSON. A remark is odd but harmless, "
            "and does "
            "not count as a finding.",
    .example = "rule status -wait",
    .see_also = "rule, info",
    .args = one_instance,
    .options = status_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL | SM_CMD_READ_ONLY,
    .answer = "[{" SM_SHAPE_RULE_STATUS "}]",
    .run = run_status,
};
const struct sm_cmd sm_cmd_info_rules = {
    .parent = "info",
    .name = "rules",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show attached rules, like \"rule status\"",
    .example = "info rules",
    .see_also = "rule",
    .args = one_instance,
    .options = status_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{" SM_SHAPE_RULE_STATUS "}]",
    .run = run_status,
};
