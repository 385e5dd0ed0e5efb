/* SPDX-License-Identifier: Apache-2.0 */
/* The set of commands of the program: those of its features and those defined by the user. */
#ifndef SM_CMD_SET_H
#define SM_CMD_SET_H

#include "commands/language/cmd.h"

struct sm_users;
struct sm_cmd_set {
    /* Sorted by name: the top-level commands, NULL, then for each parent its subcommands and NULL.
     */
    const struct sm_cmd **top;
    size_t n;               /* including the NULLs between the lists */
    struct sm_users *users; /* user-defined commands and aliases (commands/language/user.h) */
};
/* features: NULL-terminated; not used after the call. */
struct sm_cmd_set *sm_cmd_set_new(const struct sm_feature *const *features);
void sm_cmd_set_free(struct sm_cmd_set *set); /* set may be NULL */
/* The subcommands of a command, sorted by name and NULL-terminated; NULL if it has none. */
const struct sm_cmd *const *sm_cmd_subs(const struct sm_cmd_set *set, const struct sm_cmd *parent);

/* Finds a command by name, alias or unambiguous prefix. parent: a command with subcommands, or NULL
 * for the top level. A user-defined command takes precedence by its full name; by a prefix it is
 * found only if no built-in command matches. Returns NULL with a message as in gdb. */
const struct sm_cmd *sm_cmd_find(const struct sm_cmd_set *set, const struct sm_cmd *parent,
                                 const char *word, size_t n, struct sm_err *err);
/* The same; the message for an ambiguous word shows `shown` bytes from word on (gdb shows the rest
 * of the line). */
const struct sm_cmd *sm_cmd_find_in_line(const struct sm_cmd_set *set, const struct sm_cmd *parent,
                                         const char *word, size_t n, size_t shown,
                                         struct sm_err *err);
/* True if name is the full name or an alias of a built-in command. */
bool sm_cmd_is_builtin(const struct sm_cmd_set *set, const char *name, size_t n);

#endif
