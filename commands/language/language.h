/* SPDX-License-Identifier: Apache-2.0 */
/* The command language: records of commands, parsing of lines, bodies, JSON requests and
 * user-defined commands. This room runs no commands.
 *
 * Provides the record and the call of a command (cmd.h), the set of all commands (cmd_set.h),
 * parsed lines (command_line.h), bodies (body.h), scripts (script.h), requests (request.h) and
 * user-defined commands (user.h). */
#ifndef SM_LANGUAGE_H
#define SM_LANGUAGE_H

#include "commands/language/cmd_set.h"
#include "commands/session/feature.h"

extern const struct sm_feature sm_language_feature;
/* The commands of the features of the session. */
struct sm_cmd_set *sm_commands(const struct sm_session *s);
struct sm_users *sm_users(const struct sm_session *s);

#endif
