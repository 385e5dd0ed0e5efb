/* A list of lines that are being run: a file, a text that stands for one line, or a body
 * (commands/language/body.h). Scripts that run others stack. */
#ifndef SM_SCRIPT_H
#define SM_SCRIPT_H

#include "commands/language/body.h"

enum { SM_SCRIPT_DEPTH_MAX = 64, SM_SCRIPT_BYTES_MAX = 16 << 20 };

struct sm_place;
struct sm_setting;
struct sm_trial;
struct sm_script {
    char *name; /* as in messages; NULL: no file */
    struct sm_str text;
    size_t at;
    struct sm_body *body; /* its statements instead of a text; a reference */
    size_t next;          /* of them */
    bool inside;          /* belongs to the script below: same arguments, not a script of its own */
    bool loop;            /* the body of a while */
    bool piece;           /* of a script that is read bit by bit: a body may go on in the next */
    bool typed;           /* a person at the prompt asked for it */
    bool forgiven;        /* its line began with '-': a failure ends it and no more */
    char *user;           /* the user-defined command whose body this is; NULL: none */
    bool unhooked, again; /* a line whose hook has run; an empty line asked for it */
    char *after;          /* the hook that runs when it ends; NULL: none */
    struct sm_str answer; /* given when it ends: */
    int redirect;         /* enum sm_redirect */
    char *target;         /* where to; NULL: as any answer */
    unsigned line, next_line; /* number of the line last taken; of the one behind it */
    bool trace;               /* source -v */
    char **args;              /* $arg0 ...; of a user-defined command as they were typed */
    size_t n_args, cap_args;
    const struct sm_setting *restores; /* when it ends, this gets the value `before`; NULL: none */
    char *before;
    /* when it ends, the person stands there again, if the trial is still this one; NULL: */
    struct sm_place *returns;
    const struct sm_trial *returns_in;
    struct sm_script *below; /* who runs it */
};
/* Reads a whole file; "-" is stdin. SM_ERR_USAGE when it cannot be read. */
struct sm_script *sm_script_read(const char *path, struct sm_err *err);
struct sm_script *sm_script_of_text(const char *text);
struct sm_script *sm_script_of_body(struct sm_body *b); /* takes a reference */
void sm_script_add_arg(struct sm_script *s, struct sm_text arg);
void sm_script_free(struct sm_script *s); /* not those below */

/* Appends the next line without its end; lines ended by '\' are joined. False: no more. */
bool sm_script_next(struct sm_script *s, struct sm_str *line);
/* The next statement of a body, its line appended; NULL: no more. */
const struct sm_statement *sm_script_statement(struct sm_script *s, struct sm_str *line);
/* The script that a body or a line in it belongs to, which has its arguments; NULL: none. */
const struct sm_script *sm_script_owner(const struct sm_script *s);
bool sm_script_traced(const struct sm_script *s); /* source -v, also of what it runs */
/* Replaces $argc and $arg0... in a line by the nearest script's arguments, quoted where they need
 * it. False: it has not so many. Only of a file or a user-defined command, or when it has any. */
bool sm_script_expand(const struct sm_script *s, struct sm_str *line, struct sm_err *err);
/* "file:12: "; nothing without a file */
void sm_script_place(const struct sm_script *s, struct sm_str *out);
/* " (sourced from a:3)", for each file below */
void sm_script_chain(const struct sm_script *s, struct sm_str *out);
unsigned sm_script_depth(const struct sm_script *s); /* files */
unsigned sm_script_calls(const struct sm_script *s); /* user-defined commands */
/* of lines within lines: files, commands, bodies */
unsigned sm_script_level(const struct sm_script *s);

#endif
