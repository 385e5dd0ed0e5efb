/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of a session: attached to each open trial, and defined by .rule files. */
#ifndef SM_SESSION_RULES_H
#define SM_SESSION_RULES_H

#include "commands/language/cmd.h"

/* The rules attached to trial i, or NULL if none was attached yet. */
struct sm_rules *sm_session_rules_at(const struct sm_session *s, size_t i);
/* Like sm_session_rules_at, but creates the set if there is none. That of a run that sleeps judges
 * nothing before the run is awake: a set like it judges the run meanwhile (sleeping_runs.h). */
struct sm_rules *sm_session_rules_of(struct sm_session *s, size_t i);
/* The set whose rules every trial gets that is opened from now on. It has no trial and judges
 * nothing.
 */
struct sm_rules *sm_session_rules_to_come(struct sm_session *s);
/* The trial that a set judges: one that is attached, or of a run that sleeps. n_trials: none. */
size_t sm_session_rules_trial(const struct sm_session *s, const struct sm_rules *r);
/* Sets the function that reports firings in the log of events and runs their actions. */
void sm_session_rules_report(struct sm_session *s, struct sm_rules *r);
/* The rules of the current trial, or NULL if no trial is open. */
struct sm_rules *sm_session_rules_current(struct sm_session *s);
/* The user attaches rules to the current trial: they judge it whatever it costs. The dashboard by
 * itself attaches none to one in a bucket that is larger than s3-survey-limit. */
void sm_session_rules_ask(struct sm_session *s);
/* A built-in rule or a rule of a .rule file, by name, or NULL. */
const struct sm_rule *sm_session_rules_find(const struct sm_session *s, const char *name);
/* The mode that the .rule file of a rule names, as "mode=train", or NULL. */
const char *sm_session_rules_mode(const struct sm_session *s, const struct sm_rule *rule);
/* Whether a rule that was asked for has ended without judging anything, or all rules of a trial
 * have: what they say of it means nothing. Appends which, and why; escape it for display. */
bool sm_session_rules_judged_nothing(const struct sm_session *s, struct sm_str *out);
bool sm_rules_judged_nothing(const struct sm_rules *r, struct sm_str *out); /* of one set */
/* The number of rules that have fired, in all trials. */
size_t sm_session_rules_fired(const struct sm_session *s);

/* Creates a set for `rule test` and `rule explain`; it replaces the last one. */
struct sm_rules *sm_session_rules_judge(struct sm_session *s);
/* Continues judging with that set, until all is judged. Before that returns false with SM_ERR_WAIT,
 * and sets c->wake_us if there is more to do. */
bool sm_session_rules_judged(struct sm_call *c, struct sm_err *err);

/* Defines the rule of a .rule file. A rule loaded before with the same name is hidden, but attached
 * instances keep it. path: for messages. */
bool sm_session_rules_load(struct sm_session *s, const char *path, const char *text, size_t n,
                           const struct sm_rule **out, struct sm_err *err);

/* for the record of the room (judge.c) */
bool sm_session_rules_pump(struct sm_session *s, bool news);
int64_t sm_session_rules_deadline_us(const struct sm_session *s);
void sm_session_rules_close(struct sm_session *s, size_t i);
void sm_session_rules_free(struct sm_session *s);

#endif
