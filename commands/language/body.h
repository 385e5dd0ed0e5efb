/* SPDX-License-Identifier: Apache-2.0 */
/* Commands with a body. Their lines are read one by one into a tree of statements:
 *
 *   if COND            one statement: its line, its body, and the body after "else"
 *     LINE             a statement of the body, which may have a body too
 *   else
 *     LINE
 *   end
 *
 * The flags of a command select the kind of body: SM_CMD_BODY (commands up to "end"), SM_CMD_ELSE
 * (the same, with an optional "else"), SM_CMD_TEXT (free text up to "end"). The exec reads the
 * lines from the prompt or a script, then runs the command, whose call has `body` and `otherwise`.
 * sm_exec_body (commands/run/exec.h) runs such a body. */
#ifndef SM_BODY_H
#define SM_BODY_H

#include "reader/base/err.h"
#include "reader/base/str.h"

enum { SM_BODY_DEPTH_MAX = 200 }; /* nested bodies */

struct sm_body;
struct sm_statement {
    char *text;                       /* the line, without blanks at its ends */
    unsigned line;                    /* line number in the file */
    struct sm_body *body, *otherwise; /* otherwise: after "else"; NULL if there is none */
};
/* Has a reference count, so a body that runs stays valid when its command is redefined. */
struct sm_body {
    unsigned refs;
    char *file; /* the script it was read from; NULL: the prompt */
    struct sm_statement *items;
    size_t n, cap;
};
struct sm_body *sm_body_ref(struct sm_body *b);
void sm_body_unref(struct sm_body *b); /* b may be NULL */
/* Appends the lines as in a script, indented by two blanks per level from `indent`, for show user
 * and save breakpoints. */
void sm_body_text(const struct sm_body *b, unsigned indent, struct sm_str *out);

/* ---- reading ---- */

struct sm_body_level {
    struct sm_body *body;       /* borrowed; lines are added to it */
    struct sm_statement *owner; /* the statement that has this body; NULL for the outermost */
    unsigned flags;             /* of the command of the owner */
    bool may_else, text;        /* an "else" is allowed here; the lines are text */
};
struct sm_cmd_set;
/* Zero-initialise it and set `set`. */
struct sm_body_reader {
    const struct sm_cmd_set *set; /* the commands of the program */
    struct sm_body *root;         /* one statement; NULL if no body is open */
    struct sm_body_level levels[SM_BODY_DEPTH_MAX + 1];
    size_t depth; /* number of open bodies */
};
enum sm_body_news {
    SM_BODY_SIMPLE, /* a line without a body while no body is open: the caller should run it */
    SM_BODY_MORE,   /* the line was stored; more lines are expected */
    SM_BODY_WHOLE,  /* the line was the last "end": call sm_body_take */
    SM_BODY_BAD,    /* an error, see err; the open bodies were discarded */
};
/* Reads a line. file: name of the script for messages, or NULL; number: the line number in it. */
enum sm_body_news sm_body_feed(struct sm_body_reader *r, const char *line, const char *file,
                               unsigned number, struct sm_err *err);
bool sm_body_open(const struct sm_body_reader *r); /* true if lines of a body are expected */
/* The flags of the command whose body is open; 0 if none is. */
unsigned sm_body_flags(const struct sm_body_reader *r);
/* Returns one statement with its bodies; the caller owns it. */
struct sm_body *sm_body_take(struct sm_body_reader *r);
/* Call at the end of the input. Returns false if a body is open and so lacks its "end"; discards
 * it. */
bool sm_body_end(struct sm_body_reader *r, struct sm_err *err);
void sm_body_drop(struct sm_body_reader *r); /* discards the open bodies */

#endif
