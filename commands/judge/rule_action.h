/* SPDX-License-Identifier: Apache-2.0 */
/* Actions when a rule fires: print, bell, break, log FILE, stop, shell CMD, notify. Each is
 * recorded in the log.
 *
 * print, bell and break are always allowed; the others only with `set rule-actions on`, and never
 * with --readonly. commands/judge/action.h runs commands, creates files and sends signals. */
#ifndef SM_RULE_ACTION_H
#define SM_RULE_ACTION_H

#include "commands/session/incident.h"
#include "commands/session/session.h"

/* Reports that a rule of trial `trial` has fired, and runs its actions. With several trials the
 * text begins with the name of the trial. */
void sm_action_fire(struct sm_session *s, size_t trial, const struct sm_rule_instance *i,
                    const struct sm_finding *f);
/* Checks "print; log FILE", or the action_json of the service. err names an unknown action. */
bool sm_action_check(const char *actions, struct sm_err *err);

#endif
