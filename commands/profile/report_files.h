/* SPDX-License-Identifier: Apache-2.0 */
/* A profiling report as files: DIR/profiler-report.html and DIR/profiler-reports/RULE.json, as the
 * service has them. */
#ifndef SM_REPORT_FILES_H
#define SM_REPORT_FILES_H

#include "commands/profile/profile_report.h"
#include "commands/session/session.h"

/* over: files that exist may be replaced. files: a list that gets the paths, of `out`. */
bool sm_report_files_write(struct sm_session *s, const char *dir, bool over, struct sm_result *out,
                           struct sm_node *files, const struct sm_profile_report *r,
                           struct sm_err *err);

#endif
