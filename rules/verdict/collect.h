/* SPDX-License-Identifier: Apache-2.0 */
/* The internal rule that collects the signals of a trial (track.h). It finds nothing itself. */
#ifndef SM_COLLECT_H
#define SM_COLLECT_H

#include "rules/run.h"
#include "rules/verdict/track.h"

extern const struct sm_rule sm_rule_signals; /* in no list of rules */
/* Of the set's instance of sm_rule_signals; NULL before a step was judged. Valid until the next
 * pump. */
const struct sm_signals *sm_signals_of(const struct sm_rule_instance *i);

#endif
