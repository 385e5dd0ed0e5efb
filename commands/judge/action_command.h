/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of actions: child processes, started and watched by the loop's thread, so that none
 * of them holds a worker. At most SM_ACTION_COMMANDS_AT_ONCE run, the others wait in order. A
 * command ends when its shell has ended and no process of its group is left; `set action-timeout`
 * limits that. What is left then is killed, whatever it did with its output. If the program dies,
 * the system kills the shell. The output (its first 4096 bytes) and the status go to `info events`.
 */
#ifndef SM_ACTION_COMMAND_H
#define SM_ACTION_COMMAND_H

#include "commands/judge/action.h"

#include <stddef.h>

enum { SM_ACTION_COMMANDS_AT_ONCE = 4, SM_ACTION_COMMANDS_MAX = 1000 };
/* Runs text by /bin/sh with the values of the action in its environment. */
void sm_action_command_start(struct sm_session *s, const struct sm_action *a, const char *text);
/* Commands that wait, run, or have left processes behind. */
size_t sm_action_commands_open(const struct sm_session *s);
/* The hooks of the feature. Returns whether a command has ended. */
bool sm_action_commands_pump(struct sm_session *s);
int64_t sm_action_commands_deadline_us(const struct sm_session *s);
/* At the end of the program: blocks until all have ended. A signal that ends the program ends them,
 * too. */
void sm_action_commands_wait(struct sm_session *s);
/* Kills what runs and forgets what waits. */
void sm_action_commands_end(struct sm_session *s);

#endif
