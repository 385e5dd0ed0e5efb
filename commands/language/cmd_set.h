/* The commands of a program: those of its features, and those that users define. */
#ifndef SM_CMD_SET_H
#define SM_CMD_SET_H

#include "commands/language/cmd.h"

struct sm_users;
struct sm_cmd_set {
    const struct sm_cmd **top; /* commands by name, NULL, then subcommands: a NULL after each
                                  parent's */
    size_t n;                  /* with the NULLs between them */
    struct sm_users *users; /* commands and aliases that users define (commands/language/user.h) */
};
/* features: NULL-terminated. */
struct sm_cmd_set *sm_cmd_set_new(const struct sm_feature *const *features);
void sm_cmd_set_free(struct sm_cmd_set *set); /* NULL is fine */
/* The subcommands of a command by name, NULL-terminated; NULL: it has none. */
const struct sm_cmd *const *sm_cmd_subs(const struct sm_cmd_set *set, const struct sm_cmd *parent);

/* Exact, fixed alias, then unambiguous prefix. parent NULL: top level, else a command with
 * subcommands. Messages as gdb's. What users defined comes first by its whole name, and last by a
 * prefix of it. */
const struct sm_cmd *sm_cmd_find(const struct sm_cmd_set *set, const struct sm_cmd *parent,
                                 const char *word, size_t n, struct sm_err *err);
/* The same; an ambiguity shows `shown` bytes from word on, as gdb shows the rest of the line. */
const struct sm_cmd *sm_cmd_find_in_line(const struct sm_cmd_set *set, const struct sm_cmd *parent,
                                         const char *word, size_t n, size_t shown,
                                         struct sm_err *err);
/* The whole name or an alias of a built-in command. */
bool sm_cmd_is_builtin(const struct sm_cmd_set *set, const char *name, size_t n);

#endif
