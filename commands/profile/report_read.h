/* SPDX-License-Identifier: Apache-2.0 */
/* A profiling report that is there: the files of its rules, here or in a bucket. */
#ifndef SM_REPORT_READ_H
#define SM_REPORT_READ_H

#include "commands/profile/profile_report.h"

struct sm_trial;
/* The file of one rule. Python writes NaN and Infinity, which JSON has not: they become null. */
bool sm_report_rule_read(struct sm_result *out, const char *bytes, size_t n,
                         const struct sm_node **map, struct sm_err *err);
/* Reads DIR, or the folders of the service below it. Nodes belong to `out`, which says which files
 * are bad. False: it has none, or all are bad. */
bool sm_report_files_read(const char *dir, struct sm_result *out, struct sm_profile_report *r,
                          struct sm_err *err);
/* Adds the folder of the report of a run that has no profile: the run itself, or what the rules of
 * its job have left (rule-output beside debug-output; a bucket is not asked for it). False: it has
 * a profile, or no report. */
bool sm_report_of_run(const struct sm_trial *t, struct sm_str *dir);

#endif
