/* SPDX-License-Identifier: Apache-2.0 */
/* Judging a run: the rules attached to each open trial, rules of .rule files, their findings and
 * actions.
 *
 * Provides the rules of a trial (session_rules.h), actions (action.h, action_command.h,
 * rule_action.h), rules and findings as rows and text (describe_rule.h, rule_explain.h), the
 * findings that an archive stores (stored_findings.h), reports, and the commands rule and report.
 */
#ifndef SM_JUDGE_H
#define SM_JUDGE_H

#include "commands/language/cmd.h"
#include "reader/trial.h"

/* Every command of the room. */
#define SM_JUDGE_COMMANDS(X)                                                                       \
    X(report)                                                                                      \
    X(rule_list)                                                                                   \
    X(rule_needs)                                                                                  \
    X(rule_add)                                                                                    \
    X(rule_remove)                                                                                 \
    X(rule_enable)                                                                                 \
    X(rule_disable)                                                                                \
    X(rule_auto)                                                                                   \
    X(rule_load)                                                                                   \
    X(rule)                                                                                        \
    X(rule_status)                                                                                 \
    X(info_rules)                                                                                  \
    X(rule_test)                                                                                   \
    X(info_events)                                                                                 \
    X(report_xgb)

SM_JUDGE_COMMANDS(SM_CMD_DECLARE)

struct sm_action_command;
struct sm_custom_rule;
struct sm_rules;
struct sm_result;
/* A second handle on a run that sleeps (sleeping_runs.h). */
enum { SM_SLEEPERS = 2 };
struct sm_sleeper {
    struct sm_trial *of, *handle; /* the run; NULL: free */
    struct sm_rules *rules;
    int64_t began_us; /* monotonic */
    bool over;        /* it has judged; it is closed at the next pump */
};
/* The room's state of a session. */
struct sm_judge {
    struct sm_custom_rule **customs; /* of .rule files */
    size_t n_customs, cap_customs;
    struct sm_rules *judging;           /* of the last `rule test` or `rule explain` */
    struct sm_rules *to_come;           /* sm_session_rules_to_come; NULL: none was asked for */
    bool auto_rules;                    /* run `rule auto` for each trial that is opened */
    struct sm_action_command *commands; /* of actions: those that run, then those that wait */
    struct sm_sleeper sleepers[SM_SLEEPERS];
    size_t last_looked;    /* the trial that was judged last by a handle */
    int64_t rest_until_us; /* until then no run is judged again */
    bool wants_rows;       /* of runs that sleep: what `rule status` says of them is kept */
    bool merged_fired;     /* a rule has fired in results that were joined */
};
struct sm_judged_trial {
    /* NULL until a rule is attached. While the run sleeps it judges nothing: a handle has a set
     * that is like it. */
    struct sm_rules *rules;
    bool weighed; /* whether rules that nobody has asked for cost too much was looked at */
    struct {
        bool judged; /* the rest is known */
        bool fatal;
        char *worst;             /* name of an instance */
        size_t fired, triggered; /* rules with violations; rules that have fired */
        int64_t step;
        bool finished, has_clock; /* of its rules: none is InProgress; one that is, has a clock */
        char *nothing;            /* why what they say means nothing; NULL: it does */
        struct sm_result *rows;   /* the rows of `rule status`, a list; NULL: not wanted */
        uint64_t at, rules;       /* versions of the trial and of its set that it is of */
        enum sm_trial_state state;
        int64_t again_us;   /* not before */
    } asleep;               /* what was found while the run slept */
    struct sm_map reported; /* firings that were reported while it slept; value 0: twice */
};
/* The settings of the room, in the order of their names. */
struct sm_judge_settings {
    int64_t action_timeout; /* us */
    char *notify_action;
    bool rule_actions;
    bool rule_fallback;
    int64_t rule_pause; /* us */
    char *stop_action;
};
extern const struct sm_setting sm_judge_setting_rows[]; /* ends with name NULL */
const struct sm_judge_settings *sm_judge_settings(const struct sm_session *s);
extern const struct sm_state_kind sm_judge_state_kind;
extern const struct sm_feature sm_judge_feature;
struct sm_judge *sm_judge(const struct sm_session *s);

#endif
