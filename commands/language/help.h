/* SPDX-License-Identifier: Apache-2.0 */
/* Help texts, built from the records of commands and settings, in the format of gdb. */
#ifndef SM_HELP_H
#define SM_HELP_H

#include "commands/language/cmd_set.h"

/* Adds the complete help of a command, including the list of its subcommands. parent: of a
 * subcommand, else NULL. */
void sm_help_command(const struct sm_cmd_set *set, struct sm_result *r, const struct sm_cmd *parent,
                     const struct sm_cmd *cmd);
/* Adds it to a list as a map: name, aliases, class, summary, usage, help, options, example,
 * see_also, subcommands, arguments (those of sm_cmd_parameters: name, kind, form, required,
 * repeats, values, default, unit, help). */
struct sm_node *sm_help_node(const struct sm_cmd_set *set, struct sm_result *r,
                             struct sm_node *list, const struct sm_cmd *parent,
                             const struct sm_cmd *cmd);
/* Appends "tensor NAME [STEP] [step STEP] [-a] [-r LO:HI]". */
void sm_help_usage(const struct sm_cmd_set *set, struct sm_str *out, const struct sm_cmd *parent,
                   const struct sm_cmd *cmd);
/* Appends "tensor, t, pt -- Print a tensor". */
void sm_help_line(struct sm_str *out, const struct sm_cmd *parent, const struct sm_cmd *cmd);
/* Adds the help of a setting: its meaning, valid values, default and current value. */
void sm_help_setting(struct sm_result *r, const struct sm_settings *s,
                     const struct sm_setting *row);
/* The next name of a record's see_also, and moves *names after it. False: there are no more. */
bool sm_see_also_next(const char **names, struct sm_text *name);

#endif
