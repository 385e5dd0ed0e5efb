/* SPDX-License-Identifier: Apache-2.0 */
/* report -merge: joins the files that the call's words name. Sets sm_judge(session)->merged_fired
 * if a rule has fired. */
#ifndef SM_REPORT_MERGE_H
#define SM_REPORT_MERGE_H

#include "commands/judge/judge.h"
#include "commands/language/cmd.h"

bool sm_report_merge(struct sm_call *c, struct sm_result *out, struct sm_err *err);

#endif
