/* SPDX-License-Identifier: Apache-2.0 */
/* profile report: the profiling report, as text or files. */
#include "commands/profile/profile_commands.h"
#include "commands/profile/profile_rules.h"
#include "commands/profile/report_files.h"
#include "commands/profile/report_read.h"
#include "commands/verdict/session_verdict.h"

#include <string.h>

/* ---- making one ---- */

static bool make_report(struct sm_call *c, struct sm_result *out, struct sm_profile_report *r,
                        struct sm_err *err)
{
    struct sm_profile_rules rules;
    const struct sm_profile *p = sm_profile_rules(c, SM_PROFILE_SO_FAR, &rules, err);
    for (size_t i = 0; p && i < SM_PROFILE_REPORT_RULES; i++) {
        r->rules[i].map = sm_profile_rule_tree(out, rules.items[i], p, err);
        if (!r->rules[i].map)
            return false;
    }
    r->speed = p ? sm_session_speed(c->session, c->session->current) : NULL;
    return p;
}

static bool write_report(struct sm_call *c, struct sm_result *out,
                         const struct sm_profile_report *r, struct sm_err *err)
{
    struct sm_node *map = sm_node_map(out, NULL, NULL), *files = sm_node_list(out, map, "files");
    bool ok = sm_report_files_write(c->session, c->words[0].text.p, sm_call_flag(c, "f"), out,
                                    files, r, err);
    if (ok)
        sm_result_text(out, "Wrote the report to %s: profiler-report.html and profiler-reports.",
                       sm_result_escape(out, c->words[0].text.p, strlen(c->words[0].text.p)));
    out->root = map;
    return ok;
}

/* ---- the command ---- */

static void show_report(struct sm_result *out, const struct sm_profile_report *r)
{
    struct sm_sheet o = {.text = out};
    struct sm_node *map = sm_node_map(out, NULL, NULL), *list = sm_node_list(out, map, "files"),
                   *rules = sm_node_map(out, map, "rules");
    (void)list;
    for (size_t i = 0; i < SM_PROFILE_REPORT_RULES; i++) {
        const struct sm_node *x = r->rules[i].map;
        if (!x)
            continue;
        struct sm_node *copy = sm_node_map(out, rules, r->rules[i].name);
        copy->first = x->first;
        copy->last = x->last;
    }
    sm_profile_report_write(r, &o);
    out->root = map;
}

static bool run_report(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_word *from = sm_call_option(c, "read");
    struct sm_str dir = {0};
    struct sm_profile_report r;
    sm_profile_report_init(&r);
    if (from)
        sm_str_add(&dir, from->text.p);
    bool there = from || sm_report_of_run(sm_session_trial(c->session), &dir),
         ok = there ? sm_report_files_read(sm_str_text(&dir), out, &r, err)
                    : make_report(c, out, &r, err);
    sm_str_clear(&dir);
    if (!ok)
        return false;
    if (c->n_words)
        return write_report(c, out, &r, err);
    show_report(out, &r);
    return true;
}

static const struct sm_arg args[] = {
    {.name = "DIR", .kind = SM_ARG_FILE},
    SM_PROFILE_PRESET,
    {0},
};
static const struct sm_option options[] = {
    {.name = "read",
     .kind = SM_ARG_FILE,
     .value = "FROM",
     .help = "the report of this directory, which has BatchSize.json and the like"},
    {.name = "f", .kind = SM_ARG_FLAG, .help = "overwrite files that exist"},
    {0},
};
const struct sm_cmd sm_cmd_profile_report = {
    .parent = "profile",
    .name = "report",
    .cmd_class = SM_CLASS_DATA,
    .summary = "The profiling report as text, or to files with one of HTML",
    .help =
        "To DIR it writes profiler-report.html, which needs no other file, and "
        "profiler-reports/RULE.json as the service does.\n-read shows or converts a report that "
        "is there, of the service, too (also the folder of its rules or of its job: the last "
        "report counts); it needs no trial. A run without a profile that is such a report, or "
        "has one in rule-output beside it, is shown without it.",
    .example = "profile report /tmp/report",
    .see_also = "profile rules, report",
    .args = args,
    .options = options,
    .without_trial = "read",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .answer =
        "{files:[name],rules?:{*:{RuleTriggered:int,Violations:int,Details:" SM_PROFILE_DETAILS
        ",Datapoints:int,RuleParameters:text}}}",
    .run = run_report,
};
