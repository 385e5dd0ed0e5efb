/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of the language: help, completion, settings, scripts, user-defined commands.
 *
 * Provides: completion (complete.h), help topics (topic.h); the commands help, apropos, set, show,
 * source, echo, shell, define, alias, if, while and others. */
#ifndef SM_SUPPORT_H
#define SM_SUPPORT_H

#include "commands/language/cmd.h"

/* Every command of the room. */
#define SM_SUPPORT_COMMANDS(X)                                                                     \
    X(if)                                                                                          \
    X(while)                                                                                       \
    X(loop_break)                                                                                  \
    X(loop_continue)                                                                               \
    X(define)                                                                                      \
    X(document)                                                                                    \
    X(alias)                                                                                       \
    X(assert)                                                                                      \
    X(with)                                                                                        \
    X(at)                                                                                          \
    X(help)                                                                                        \
    X(apropos)                                                                                     \
    X(show)                                                                                        \
    X(history)                                                                                     \
    X(set)                                                                                         \
    X(source)                                                                                      \
    X(echo)                                                                                        \
    X(shell)                                                                                       \
    X(pipe)                                                                                        \
    X(list)                                                                                        \
    X(complete)                                                                                    \
    X(quit)

SM_SUPPORT_COMMANDS(SM_CMD_DECLARE)
/* Runs the body of a user-defined command. */
bool sm_user_run(struct sm_call *c, struct sm_result *out, struct sm_err *err);
/* show user: one user-defined command; name.n 0: all. */
bool sm_show_user(struct sm_call *c, struct sm_text name, struct sm_result *out,
                  struct sm_err *err);
/* Adds name, value, default and help of a setting. */
struct sm_node *sm_setting_node(struct sm_call *c, struct sm_result *out, struct sm_node *list,
                                const struct sm_setting *row);
extern const struct sm_feature sm_support_feature;

#endif
