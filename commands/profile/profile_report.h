/* SPDX-License-Identifier: Apache-2.0 */
/* The profiling report (PROFILER.md 7), made of what the rules leave behind: of those that were
 * judged here, or of the files of a report that is there. */
#ifndef SM_PROFILE_REPORT_H
#define SM_PROFILE_REPORT_H

#include "commands/profile/sheet.h"
#include "rules/speed/speed.h"

enum { SM_PROFILE_REPORT_RULES = 11 };
/* One rule: RuleTriggered, Violations, Details, Datapoints, RuleParameters. */
struct sm_profile_report_rule {
    const char *name;          /* "BatchSize" */
    const struct sm_node *map; /* NULL: it is not in the report */
};
struct sm_profile_report {
    struct sm_profile_report_rule rules[SM_PROFILE_REPORT_RULES];
    const struct sm_speed *speed; /* what holds the run up; NULL: of files, which do not say it */
};
/* The rules' names, without results. */
void sm_profile_report_init(struct sm_profile_report *r);
const struct sm_node *sm_profile_report_rule(const struct sm_profile_report *r, const char *name);
/* Writes all sections. */
void sm_profile_report_write(const struct sm_profile_report *r, struct sm_sheet *o);

#endif
