/* SPDX-License-Identifier: Apache-2.0 */
/* Judging the runs of a directory that sleep (sm_trial_glance): each in turn is read once more, by
 * a second handle that is closed when it has been judged. Of what was found a few numbers are kept.
 * A run is judged again when something new was written into it, after a pause. */
#ifndef SM_SLEEPING_RUNS_H
#define SM_SLEEPING_RUNS_H

#include "commands/answer/result.h"
#include "commands/session/session.h"

/* What rules have found in a run. */
struct sm_run_findings {
    size_t fired;      /* rules that have found something */
    const char *worst; /* the instance (sm_rules_worst); NULL: none; valid until the next pump */
    bool fatal;        /* its rule is */
    int64_t step;      /* at which it fired first; -1 without */
    size_t triggered;  /* rules that have fired */
};
/* Of trial i: of its own rules; while it sleeps, and until they have judged as much, what was found
 * by the handle. */
struct sm_run_findings sm_run_findings(const struct sm_session *s, size_t i);
/* Whether rules are attached to trial i, or will be when it is awake. */
bool sm_run_has_rules(const struct sm_session *s, size_t i);
/* Whether all steps that were there have been judged at least once. */
bool sm_run_is_judged(const struct sm_session *s, size_t i);
/* How many have rules, and how many of those were judged. */
struct sm_runs_judged {
    size_t n, judged;
};
struct sm_runs_judged sm_runs_judged(const struct sm_session *s);
/* Lets the rows of `rule status` be kept of runs that sleep, from now on: those that were judged
 * without are judged again. */
void sm_sleepers_keep_rows(struct sm_session *s);
/* Of a run that sleeps: the rows of `rule status`, a list of maps, as if it had been opened alone.
 * NULL: it is awake, or they are not known. Valid until the next pump. */
const struct sm_node *sm_sleeper_rows(const struct sm_session *s, size_t i);
/* Whether `rule status -wait` has nothing to wait for in run i, which sleeps. */
bool sm_sleeper_is_over(const struct sm_session *s, size_t i);
/* What the rules of trial i have found: its own, or, while it sleeps, until the next pump, those
 * that have just judged it to its end. NULL: none. */
const struct sm_rules *sm_run_rules(const struct sm_session *s, size_t i);
/* Begins, continues and ends judging. True if something new is known. */
bool sm_sleepers_pump(struct sm_session *s, bool news);
/* A run is being judged, or one that was read never was. */
bool sm_sleepers_busy(const struct sm_session *s);
int64_t sm_sleepers_deadline_us(const struct sm_session *s);
/* Before trial i is closed, or when it is awake: its handle is closed. */
void sm_sleepers_close(struct sm_session *s, size_t i);

#endif
