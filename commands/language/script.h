/* SPDX-License-Identifier: Apache-2.0 */
/* A script: lines that are being run. It is a file, a text (an alias, or a line of the prompt) or a
 * body (commands/language/body.h). Running scripts form a stack. */
#ifndef SM_SCRIPT_H
#define SM_SCRIPT_H

#include "commands/language/body.h"

enum { SM_SCRIPT_DEPTH_MAX = 64, SM_SCRIPT_BYTES_MAX = 16 << 20 };

struct sm_place;
struct sm_setting;
struct sm_trial;
struct sm_script {
    char *name; /* of the file, for messages; NULL if it is not a file */
    struct sm_str text;
    size_t at;            /* offset of the next line in text */
    struct sm_body *body; /* runs these statements instead of text; a reference, or NULL */
    size_t next;          /* index of the next statement */
    bool inside;          /* part of the script below: has the same arguments */
    bool loop;            /* the body of a while */
    bool piece;    /* part of a script that is read in parts: a body may end in the next part */
    bool typed;    /* run by the user at the prompt */
    bool forgiven; /* its line started with '-': an error ends only this script */
    char *user;    /* name of the user-defined command with this body, or NULL */
    bool unhooked, again; /* a line whose hook has already run; a line repeated by an empty line */
    char *after;          /* hook to run at the end, or NULL */
    struct sm_str answer; /* output to print at the end */
    int redirect;         /* of this output: enum sm_redirect */
    char *target;         /* and its target; NULL if it is not redirected */
    unsigned line, next_line; /* numbers of the current and of the next line */
    bool trace;               /* source -v */
    char **args;              /* $arg0 ...; for a user-defined command as typed */
    size_t n_args, cap_args;
    const struct sm_setting *restores; /* set to the value `before` at the end, or NULL */
    char *before;
    struct sm_place *returns;          /* the current place to restore at the end, or NULL; */
    const struct sm_trial *returns_in; /* only if this trial is still current */
    struct sm_script *below;           /* the script that runs this one, or NULL */
};
/* Reads a complete file; "-" is stdin. Returns NULL with SM_ERR_USAGE if it cannot be read. */
struct sm_script *sm_script_read(const char *path, struct sm_err *err);
struct sm_script *sm_script_of_text(const char *text);
struct sm_script *sm_script_of_body(struct sm_body *b); /* takes a reference */
void sm_script_add_arg(struct sm_script *s, struct sm_text arg);
void sm_script_free(struct sm_script *s); /* does not free the scripts below; s may be NULL */

/* Appends the next line without its newline; joins lines that end with '\'. Returns false at the
 * end. */
bool sm_script_next(struct sm_script *s, struct sm_str *line);
/* Returns the next statement of a body and appends its line; NULL at the end. */
const struct sm_statement *sm_script_statement(struct sm_script *s, struct sm_str *line);
/* The script that contains a body or line, and has its arguments; NULL if there is none. */
const struct sm_script *sm_script_owner(const struct sm_script *s);
bool sm_script_traced(const struct sm_script *s); /* true for source -v, also for bodies */
/* Replaces $argc and $arg0... in a line by the arguments of the innermost script, quoted if
 * necessary. Only for a file, a user-defined command, or a script with arguments. Returns false if
 * an argument is missing. */
bool sm_script_expand(const struct sm_script *s, struct sm_str *line, struct sm_err *err);
/* Appends "file:12: "; nothing if there is no file. */
void sm_script_place(const struct sm_script *s, struct sm_str *out);
/* Appends " (sourced from a:3)" for each file below, at most 8. */
void sm_script_chain(const struct sm_script *s, struct sm_str *out);
unsigned sm_script_depth(const struct sm_script *s); /* number of files on the stack */
unsigned sm_script_calls(const struct sm_script *s); /* number of user-defined commands on it */
/* The nesting level: files, user-defined commands and bodies. */
unsigned sm_script_level(const struct sm_script *s);

#endif
