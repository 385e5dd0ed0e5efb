/* What happens when a rule fires: print, bell, break, log FILE, stop, shell CMD, notify; and the
 * log of all that.
 *
 * Opt-in: print, bell and break always; the others only with `set rule-actions on`, and never with
 * --readonly. How commands, files and signals are made is commands/judge/action.h's. */
#ifndef SM_RULE_ACTION_H
#define SM_RULE_ACTION_H

#include "commands/session/incident.h"
#include "commands/session/session.h"

void sm_action_fire(struct sm_session *s, const struct sm_rule_instance *i,
                    const struct sm_finding *f);
/* "print; log FILE", or the service's action_json. False: err names what is unknown. */
bool sm_action_check(const char *actions, struct sm_err *err);

#endif
