/* SPDX-License-Identifier: Apache-2.0 */
/* User-defined commands, with a body, arguments, help and hooks; and aliases, which replace the
 * start of a line.
 *
 * Each has a record like the built-in commands, so parsing, help and completion treat them alike.
 * The name of a built-in command cannot be used; "hook-NAME" and "hookpost-NAME" run before and
 * after it. */
#ifndef SM_USER_H
#define SM_USER_H

#include "commands/language/body.h"
#include "commands/language/cmd.h"

enum { SM_USER_DEPTH_MAX = 1024 }; /* nested calls of user-defined commands */

struct sm_user {
    struct sm_cmd cmd; /* points to the texts below */
    char *name, *summary, *help;
    struct sm_body *body; /* NULL for an alias */
    char *line;           /* the replacement text of an alias, else NULL */
    bool unlisted;        /* alias -a: not offered by completion */
};
struct sm_cmd_set;
struct sm_users {
    const struct sm_cmd_set *set; /* the built-in commands */
    /* Runs the body of the called command. Set by the run room, as this room cannot run lines. */
    bool (*run)(struct sm_call *call, struct sm_result *out, struct sm_err *err);
    struct sm_user **items; /* in the order in which they were defined */
    size_t n, cap;
};
struct sm_users *sm_users_new(const struct sm_cmd_set *set);
void sm_users_free(struct sm_users *u); /* u may be NULL */
/* The command or alias with exactly this name, or NULL. */
struct sm_user *sm_users_find(const struct sm_users *u, const char *name, size_t n);
/* Checks that a name is valid (letters, digits, '-' and '_') and not that of a built-in command. */
bool sm_users_check_name(const struct sm_users *u, const char *name, size_t n, struct sm_err *err);
/* Defines a command, or gives an existing one a new body; its help is kept. Takes a reference to
 * body. */
void sm_users_define(struct sm_users *u, const char *name, size_t n, struct sm_body *body);
/* Defines an alias; copies line. */
void sm_users_alias(struct sm_users *u, const char *name, size_t n, const char *line,
                    bool unlisted);
/* Sets the documentation: the first line is the summary, the rest the help. */
void sm_user_document(struct sm_user *x, const char *text);
/* If text starts with an alias, sets *out to its replacement and *taken to the number of bytes it
 * replaces. Returns false otherwise. */
bool sm_users_expand(const struct sm_users *u, const char *text, struct sm_text *out,
                     size_t *taken);

#endif
