/* What the exec keeps between turns; private to exec.c, which takes lines in turn, and to exec_*.c.
 */
#ifndef SM_EXEC_STATE_H
#define SM_EXEC_STATE_H

#include "commands/language/command_line.h"
#include "commands/language/script.h"
#include "commands/run/exec.h"
#include "commands/session/render.h"

struct sm_user;
struct queued {
    enum sm_line_origin origin;
    char *line;               /* or */
    struct sm_script *script; /* or, when neither: the file could not be read */
    struct sm_err err;
};

/* The command that runs, from its line to its answer. */
struct running {
    struct sm_call call;
    struct sm_line line;
    struct sm_result result;
    char *text;
    enum sm_line_origin origin;
    struct sm_render *render; /* the answer is being turned into text; NULL: it is not there yet */
    bool fetching;            /* between sm_fetch_begin and sm_fetch_end */
    bool tree;                /* the answer is JSON for a program */
    bool handed_on;           /* the answers of a script go where its own would have gone */
    uint64_t seen;            /* session->news when it last ran */
};

struct sm_exec {
    struct sm_session *session;
    const struct sm_exec_ops *ops;
    void *ctx;
    struct queued *queue;
    size_t head, n_queue, cap_queue;
    struct sm_script *script;     /* the innermost that runs */
    struct running *running;      /* NULL: none */
    struct sm_str partial;        /* lines from the prompt that ended in '\' */
    struct sm_body_reader reader; /* a command with a body is being read */
    char *last;                   /* what an empty line repeats */
    bool keep_going, quit, inside, beside;
    int status; /* the first failure's, or quit's */
};

/* exec_call.c: one command, from its line to its answer */
/* It may wait afterwards. st: with its bodies; NULL: none. */
void sm_exec_begin(struct sm_exec *x, const char *text, enum sm_line_origin origin,
                   const struct sm_statement *st, bool again);
/* the waiting command, if there is a reason; false: it waits on */
bool sm_exec_resume(struct sm_exec *x);
void sm_exec_drop_running(struct sm_exec *x);
/* to the front end, or what collects it */
void sm_exec_answer(struct sm_exec *x, const char *text, size_t n);
bool sm_exec_send(struct sm_exec *x, enum sm_redirect how, const char *target,
                  const struct sm_str *text, struct sm_err *err);

/* exec_status.c: exit statuses, and what a failure ends */
void sm_exec_succeed(struct sm_exec *x, enum sm_line_origin origin, bool verdict);
/* A command failed: the script around it ends as far as a line with '-' began it, and so does a
 * batch. */
void sm_exec_fail(struct sm_exec *x, const struct sm_err *err, enum sm_line_origin origin,
                  bool forgiven);
void sm_exec_note_status(struct sm_exec *x, int status, enum sm_line_origin origin);

/* exec_stack.c: scripts that run others */
void sm_exec_set_number(struct sm_session *s, const char *name, size_t n); /* a variable */
void sm_exec_push(struct sm_exec *x, struct sm_script *s);
void sm_exec_pop(struct sm_exec *x);
void sm_exec_abandon(struct sm_exec *x);           /* all of them */
bool sm_exec_is_forgiven(const struct sm_exec *x); /* a line with '-' began one of them */
void sm_exec_forgive(struct sm_exec *x);           /* ends those that it began */

void sm_exec_push_user(struct sm_exec *x, const struct sm_user *user, const struct sm_text *args,
                       size_t n);

/* exec_hook.c: a line whose hook runs first is put back below it; false: there is none */
bool sm_exec_hook(struct sm_exec *x, const char *text, const char *name, enum sm_line_origin origin,
                  bool again);
/* the same for the answer at a stop */
bool sm_exec_hook_stop(struct sm_exec *x, const struct sm_str *text);
void sm_exec_hook_after(struct sm_exec *x, const char *name);

/* exec_say.c: what people see besides answers */
/* to a person or a program */
void sm_exec_tell_failure(struct sm_exec *x, const struct sm_err *err, bool forgiven);
void sm_exec_trace(struct sm_exec *x, const char *line);

#endif
