/* SPDX-License-Identifier: Apache-2.0 */
/* Completions of the command line for shells, made from the tables of options, commands, rules,
 * layouts and trainings of --demo. */
#ifndef SM_COMPLETIONS_H
#define SM_COMPLETIONS_H

#include "commands/language/cmd_set.h"

/* Each prints one file on stdout. */
void sm_completion_bash(const struct sm_cmd_set *set);
void sm_completion_zsh(const struct sm_cmd_set *set);
void sm_completion_fish(const struct sm_cmd_set *set);

#endif
