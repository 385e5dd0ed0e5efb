/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of the group profiler, judged on the profile of the current trial whether they are
 * attached or not. Each is judged once: one that is attached with the same parameters, also within
 * ProfilerReport, is taken as it is. They go on where they stopped when the profile grows. */
#ifndef SM_PROFILE_RULES_H
#define SM_PROFILE_RULES_H

#include "commands/profile/profile_ask.h"
#include "rules/profiler/profiler_rules.h"

enum { SM_PROFILE_RULES = 11 };
/* One instance of each rule of sm_profiler_subrules, in that order. Valid until rules are attached
 * or removed. */
struct sm_profile_rules {
    const struct sm_rule_instance *items[SM_PROFILE_RULES];
};
/* What of a profile that grows is judged: its complete windows, or also the last one so far. */
enum sm_profile_part { SM_PROFILE_COMPLETE, SM_PROFILE_SO_FAR };
/* Whether more may come to the profile of a trial: then rules do not judge the last window. */
bool sm_profile_is_growing(const struct sm_trial *t);
/* Judges for about 10 ms, with the parameters that the service gives; doc: with those of its guide.
 * Whether they are judged: else it is to be called again. The profile is read. */
bool sm_profile_rules_judge(struct sm_session *s, enum sm_profile_part part, bool doc,
                            struct sm_profile_rules *out);
/* For a command, with the parameters of its argument PRESET. NULL: they are being judged
 * (SM_ERR_WAIT), there is no profile (SM_ERR_MISSING), or the word is another (SM_ERR_USAGE). */
const struct sm_profile *sm_profile_rules(struct sm_call *c, enum sm_profile_part part,
                                          struct sm_profile_rules *out, struct sm_err *err);
#define SM_PROFILE_PRESET                                                                          \
    {                                                                                              \
        .name = "PRESET", .kind = SM_ARG_WORD, .words = sm_profile_presets, .keyword = "preset"    \
    }
extern const char *const sm_profile_presets[];
/* "NoData" of one that has not judged since the profile lacks what it needs, "IssuesFound" of one
 * that has fired and goes on; else as of rules. */
const char *sm_profile_rule_status(const struct sm_rule_instance *i, const struct sm_profile *p);
/* What the rule leaves behind (sm_profiler_rule_json), as a tree. NULL: no memory. */
struct sm_node *sm_profile_rule_tree(struct sm_result *out, const struct sm_rule_instance *i,
                                     const struct sm_profile *p, struct sm_err *err);
/* What the details of a rule say, as indented text: numbers, box plots of percentages, bars of
 * shares. */
void sm_profile_show_details(struct sm_result *out, const struct sm_node *details);

/* The shape of details. */
#define SM_PROFILE_VALUES    "num|bool|text|[num]"
#define SM_PROFILE_DETAILS_1 "{*:" SM_PROFILE_VALUES "?}"
#define SM_PROFILE_DETAILS_2 "{*:" SM_PROFILE_VALUES "|" SM_PROFILE_DETAILS_1 "?}"
#define SM_PROFILE_DETAILS_3 "{*:" SM_PROFILE_VALUES "|" SM_PROFILE_DETAILS_2 "?}"
#define SM_PROFILE_DETAILS   "{*:" SM_PROFILE_VALUES "|" SM_PROFILE_DETAILS_3 "?}"

extern const struct sm_state_kind sm_profile_state_kind;
void sm_profile_rules_close(struct sm_session *s, size_t i);

/* The report of an attached ProfilerReport that was written last, of a trial. */
struct sm_profile_written {
    const struct sm_rule_instance *of; /* NULL: none */
    uint64_t version;                  /* of the profile */
};
struct sm_profile_written *sm_profile_written(struct sm_session *s, size_t i);
/* Writes those that are not written: the session ends. False: one could not be written. */
bool sm_profile_reports_end(struct sm_session *s, struct sm_err *err);
/* for the record of the room */
bool sm_profile_reports_pump(struct sm_session *s, bool news);
void sm_profile_reports_close(struct sm_session *s, size_t i);

#endif
