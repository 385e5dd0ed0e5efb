/* The rules of a session: those attached to each open trial, and those of .rule files. */
#ifndef SM_ATTACHED_H
#define SM_ATTACHED_H

#include "commands/language/cmd.h"

/* The set of trial i, made when there is none. */
struct sm_rules *sm_attached_rules(struct sm_session *s, size_t i);
/* The current trial's; NULL: no trial is open. */
struct sm_rules *sm_attached_current(struct sm_session *s);
const struct sm_rule *sm_attached_find(const struct sm_session *s, const char *name); /* also of files; NULL: none */
/* A rule of a file says itself which mode it is for: "mode=train"; NULL: it does not. */
const char *sm_attached_mode(const struct sm_session *s, const struct sm_rule *rule);
size_t sm_attached_fired(const struct sm_session *s); /* rules that have fired, over all trials */

/* A new set for `rule test` and `rule explain`, which takes the place of the last one. */
struct sm_rules *sm_attached_judge(struct sm_session *s);
/* Goes on with it. False: SM_ERR_WAIT; the call is made again also without news, when there is more to do. */
bool sm_attached_judged(struct sm_call *c, struct sm_err *err);

/* Adds the rule of a .rule file, or in its place the file's newer version; instances keep the old one. */
bool sm_attached_load(struct sm_session *s, const char *path, const char *text, size_t n, const struct sm_rule **out,
                      struct sm_err *err);

/* for session.c */
bool sm_attached_pump(struct sm_session *s, bool news);
int64_t sm_attached_deadline_us(const struct sm_session *s);
void sm_attached_close(struct sm_session *s, size_t i);
void sm_attached_free(struct sm_session *s);

#endif
