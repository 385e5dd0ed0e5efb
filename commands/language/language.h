/* The language: a line taken apart, the record of a command, bodies, requests as JSON, commands
 * that users define. Nothing is run here.
 *
 * Hands out: the record and the call (cmd.h), all commands of the program (cmd_set.h), a parsed
 * line (command_line.h), bodies (body.h), requests (request.h), user-defined commands (user.h). */
#ifndef SM_LANGUAGE_H
#define SM_LANGUAGE_H

#include "commands/language/cmd_set.h"
#include "commands/session/feature.h"

extern const struct sm_feature sm_language_feature;
/* The commands of the session's features. */
struct sm_cmd_set *sm_commands(const struct sm_session *s);
struct sm_users *sm_users(const struct sm_session *s);

#endif
