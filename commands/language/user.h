/* What people define: commands with a body, arguments, help and hooks; and aliases, which stand for
 * the beginning of a line.
 *
 * Each has a record as the built-in commands have, so parsing, help and completion need not know
 * the difference. A name that is built in cannot be taken: "hook-NAME" and "hookpost-NAME" run
 * around it instead. */
#ifndef SM_USER_H
#define SM_USER_H

#include "commands/language/body.h"
#include "commands/language/cmd.h"

enum { SM_USER_DEPTH_MAX = 1024 }; /* commands that call commands */

struct sm_user {
    struct sm_cmd cmd; /* its texts are those below */
    char *name, *summary, *help;
    struct sm_body *body; /* NULL: an alias, for */
    char *line;
    bool unlisted; /* alias -a: an abbreviation, not among candidates */
};
struct sm_cmd_set;
struct sm_users {
    const struct sm_cmd_set *set; /* the built-in commands */
    /* Runs the body of the command that is called; the room that can run lines sets it. */
    bool (*run)(struct sm_call *call, struct sm_result *out, struct sm_err *err);
    struct sm_user **items; /* in the order they were made */
    size_t n, cap;
};
struct sm_users *sm_users_new(const struct sm_cmd_set *set);
void sm_users_free(struct sm_users *u); /* NULL is fine */
/* exactly; NULL: none */
struct sm_user *sm_users_find(const struct sm_users *u, const char *name, size_t n);
/* May a command be called so? Letters, digits, '-' and '_', and no built-in one is. */
bool sm_users_check_name(const struct sm_users *u, const char *name, size_t n, struct sm_err *err);
/* A new command, or a new body for one. It keeps its help. */
void sm_users_define(struct sm_users *u, const char *name, size_t n, struct sm_body *body);
void sm_users_alias(struct sm_users *u, const char *name, size_t n, const char *line,
                    bool unlisted);
/* The first line is the summary, the rest help. */
void sm_user_document(struct sm_user *x, const char *text);
/* A line that begins with an alias: *out is what it stands for, *taken the bytes of text it
 * replaces. False: no alias. */
bool sm_users_expand(const struct sm_users *u, const char *text, struct sm_text *out,
                     size_t *taken);

#endif
