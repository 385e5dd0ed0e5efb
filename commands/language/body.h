/* Commands with bodies, read line by line into a small tree:
 *
 *   if COND            one statement: its line, its body, what stands behind "else"
 *     LINE             a statement of the body; it may have a body of its own
 *   else
 *     LINE
 *   end
 *
 * Which commands have bodies say their records: SM_CMD_BODY (commands up to "end"), SM_CMD_ELSE
 * (with an "else"), SM_CMD_TEXT (free text up to "end"). The exec reads the lines wherever they
 * come from, then runs the command: its call has `body` and `otherwise`. sm_exec_body
 * (commands/run/exec.h) runs such a body. */
#ifndef SM_BODY_H
#define SM_BODY_H

#include "reader/base/err.h"
#include "reader/base/str.h"

enum { SM_BODY_DEPTH_MAX = 200 }; /* bodies within bodies */

struct sm_body;
struct sm_statement {
    char *text;                       /* the line without the blanks around it */
    unsigned line;                    /* its number in the file */
    struct sm_body *body, *otherwise; /* NULL: a line without a body, without an "else" */
};
/* Counted: what runs keeps what it runs, also when the command is defined anew meanwhile. */
struct sm_body {
    unsigned refs;
    char *file; /* where it was read; NULL: from the prompt */
    struct sm_statement *items;
    size_t n, cap;
};
struct sm_body *sm_body_ref(struct sm_body *b);
void sm_body_unref(struct sm_body *b); /* NULL is fine */
/* The lines as a script has them, two more blanks for each level: for show user, save breakpoints.
 */
void sm_body_text(const struct sm_body *b, unsigned indent, struct sm_str *out);

/* ---- reading ---- */

struct sm_body_level {
    struct sm_body *body;       /* borrowed: what lines are added to */
    struct sm_statement *owner; /* whose body that is; NULL: the outermost */
    unsigned flags;             /* of its command */
    bool may_else, text;
};
struct sm_cmd_set;
/* Zero-initialised is ready. */
struct sm_body_reader {
    const struct sm_cmd_set *set; /* the commands there are */
    struct sm_body *whole;        /* NULL: no body is open */
    struct sm_body_level levels[SM_BODY_DEPTH_MAX + 1];
    size_t depth; /* open bodies */
};
enum sm_body_news {
    SM_BODY_SIMPLE, /* a line without a body, and none is open: the caller runs it */
    SM_BODY_MORE,   /* kept; more lines belong to it */
    SM_BODY_WHOLE,  /* that was the last "end": sm_body_take has it */
    SM_BODY_BAD,    /* err says why; nothing is open any more */
};
/* file: for messages later; NULL: none. */
enum sm_body_news sm_body_feed(struct sm_body_reader *r, const char *line, const char *file,
                               unsigned number, struct sm_err *err);
bool sm_body_open(const struct sm_body_reader *r);
/* of the command whose body is open; 0: none is */
unsigned sm_body_flags(const struct sm_body_reader *r);
/* One statement with its bodies; the caller's. */
struct sm_body *sm_body_take(struct sm_body_reader *r);
/* The lines have ended. False: the body that is open has no "end"; it is forgotten. */
bool sm_body_end(struct sm_body_reader *r, struct sm_err *err);
void sm_body_drop(struct sm_body_reader *r); /* forgets what is open */

#endif
