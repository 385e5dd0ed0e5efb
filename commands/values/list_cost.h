/* SPDX-License-Identifier: Apache-2.0 */
/* What a list of tensors reads by itself: not more than the limits of
 * commands/session/survey_limit.h unless statistics were asked for. */
#ifndef SM_LIST_COST_H
#define SM_LIST_COST_H

#include "commands/place/select.h"

/* Whether the user sorts by a statistic. */
bool sm_list_is_by_statistics(const struct sm_call *c);
/* Whether it reads all values, for its trends. */
bool sm_list_reads_all(const struct sm_call *c, const struct sm_trial *t);
/* Whether it reads the values that it shows: not if those that are not known are larger than the
 * limit. */
bool sm_list_reads_newest(const struct sm_call *c, const struct sm_trial *t,
                          const struct sm_selection *sel);
/* Says which values were not read. newest: what sm_list_reads_newest said. */
void sm_list_report_limit(const struct sm_call *c, const struct sm_trial *t,
                          const struct sm_selection *sel, bool newest, struct sm_result *out);

#endif
