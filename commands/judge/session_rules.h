/* The rules of a session: those attached to each open trial, and those of .rule files. */
#ifndef SM_SESSION_RULES_H
#define SM_SESSION_RULES_H

#include "commands/language/cmd.h"

/* The rules attached to trial i; NULL if none was attached yet. */
struct sm_rules *sm_session_rules_at(const struct sm_session *s, size_t i);
/* The same, made when there is none. */
struct sm_rules *sm_session_rules_of(struct sm_session *s, size_t i);
/* The current trial's; NULL: no trial is open. */
struct sm_rules *sm_session_rules_current(struct sm_session *s);
/* also of files; NULL: none */
const struct sm_rule *sm_session_rules_find(const struct sm_session *s, const char *name);
/* A rule of a file says itself which mode it is for: "mode=train"; NULL: it does not. */
const char *sm_session_rules_mode(const struct sm_session *s, const struct sm_rule *rule);
/* rules that have fired, over all trials */
size_t sm_session_rules_fired(const struct sm_session *s);

/* A new set for `rule test` and `rule explain`, which takes the place of the last one. */
struct sm_rules *sm_session_rules_judge(struct sm_session *s);
/* Goes on with it. False: SM_ERR_WAIT; the call is made again also without news, when there is more
 * to do. */
bool sm_session_rules_judged(struct sm_call *c, struct sm_err *err);

/* Adds the rule of a .rule file, or in its place the file's newer version; instances keep the old
 * one. */
bool sm_session_rules_load(struct sm_session *s, const char *path, const char *text, size_t n,
                           const struct sm_rule **out, struct sm_err *err);

/* for the feature (judge.c) */
bool sm_session_rules_pump(struct sm_session *s, bool news);
int64_t sm_session_rules_deadline_us(const struct sm_session *s);
void sm_session_rules_close(struct sm_session *s, size_t i);
void sm_session_rules_free(struct sm_session *s);

#endif
