/* Help made from the records, as gdb shows it. */
#ifndef SM_HELP_H
#define SM_HELP_H

#include "commands/language/cmd_set.h"

/* The full text of a command, with its subcommands if it has any. parent: of a subcommand, else
 * NULL. */
void sm_help_command(const struct sm_cmd_set *set, struct sm_result *r, const struct sm_cmd *parent,
                     const struct sm_cmd *cmd);
/* The same as a node of the tree: name, aliases, class, summary, usage, help, options, example,
 * see_also, subcommands. */
struct sm_node *sm_help_node(const struct sm_cmd_set *set, struct sm_result *r,
                             struct sm_node *list, const struct sm_cmd *parent,
                             const struct sm_cmd *cmd);
/* "tensor NAME [STEP] [step STEP] [-a] [-r LO:HI]". */
void sm_help_usage(const struct sm_cmd_set *set, struct sm_str *out, const struct sm_cmd *parent,
                   const struct sm_cmd *cmd);
/* "tensor, t, pt -- Print a tensor". */
void sm_help_line(struct sm_str *out, const struct sm_cmd *parent, const struct sm_cmd *cmd);
/* A setting: meaning, values, default and what it is now. */
void sm_help_setting(struct sm_result *r, const struct sm_settings *s,
                     const struct sm_setting *row);

#endif
