/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an exec; private to exec.c, which runs the queue, and to exec_*.c. */
#ifndef SM_EXEC_STATE_H
#define SM_EXEC_STATE_H

#include "commands/language/command_line.h"
#include "commands/language/script.h"
#include "commands/run/exec.h"
#include "commands/session/render.h"

struct sm_user;
struct queued {
    enum sm_line_origin origin;
    /* one of: */
    char *line;
    struct sm_script *script;
    const struct sm_cmd *cmd; /* with its text in line */
    struct sm_err err; /* if all are NULL: the file could not be read, or an option is wrong */
    void *state;       /* of cmd */
};

/* The running command, from its line to its answer. */
struct running {
    struct sm_call call;
    struct sm_line line;
    struct sm_result result;
    char *text;
    enum sm_line_origin origin;
    struct sm_render *render; /* formats the answer in a worker; NULL before that */
    bool fetching;            /* between sm_fetch_begin and sm_fetch_end */
    bool tree;                /* the answer is JSON for a program */
    bool script_redirects;    /* the command is redirected, and its script has taken over the
                                 redirection */
    uint64_t seen;            /* session->news at its last run */
    struct sm_err waits;      /* what for; SM_OK before that */
};

struct session_place {
    const struct sm_trial *trial; /* the current one */
    struct sm_place at;
};
enum place_state { PLACE_WAITS /* for the first scan of its trial */, PLACE_READY, PLACE_WRONG };
/* exec_place.c */
struct own_place {
    struct sm_exec_place given; /* owned */
    enum place_state state;
    struct session_place own, outer; /* outer: of the session, while the exec runs */
};

struct sm_exec {
    struct sm_session *session;
    const struct sm_exec_ops *ops;
    void *ctx;
    struct queued *queue;
    size_t head, n_queue, cap_queue;
    struct sm_script *script;     /* the innermost running script */
    struct running *running;      /* or NULL */
    struct sm_str partial;        /* lines from the prompt that ended in '\' */
    struct sm_body_reader reader; /* a command whose body is being read */
    char *asked;                  /* the line that "y" confirms, or NULL */
    bool confirmed;               /* the line that begins is confirmed */
    char *last;                   /* the line that an empty line repeats */
    struct own_place *place;      /* or NULL: that of the session */
    bool keep_going, quit, inside, beside;
    int status; /* of the first failed command, or of quit */
};

/* exec_call.c: one command, from its line to its answer */
/* Starts the command; it may wait after that. st: its bodies, or NULL. */
void sm_exec_begin(struct sm_exec *x, const char *text, enum sm_line_origin origin,
                   const struct sm_statement *st, bool again);
/* Starts a command without a line; the text is shown. */
void sm_exec_begin_call(struct sm_exec *x, const struct sm_cmd *cmd, const char *text, void *state);
/* runs the waiting command again if something has changed; false if it still waits */
bool sm_exec_resume(struct sm_exec *x);
void sm_exec_drop_running(struct sm_exec *x);
/* to the front end, or the script that collects answers */
void sm_exec_answer(struct sm_exec *x, const char *text, size_t n);
bool sm_exec_send(struct sm_exec *x, enum sm_redirect how, const char *target,
                  const struct sm_str *text, struct sm_err *err);

/* exec_status.c: exit statuses, and the effects of an error */
void sm_exec_succeed(struct sm_exec *x, enum sm_line_origin origin, const struct sm_result *r);
/* Reports the error of a command. Ends the scripts that contain it, up to a line that started with
 * '-', and a batch. forgiven: the command itself has the '-'. */
void sm_exec_fail(struct sm_exec *x, const struct sm_err *err, enum sm_line_origin origin,
                  bool forgiven);
/* "set verbose on": reports the time since the command started. */
void sm_exec_report_time(struct sm_exec *x);
void sm_exec_record_status(struct sm_exec *x, int status, enum sm_line_origin origin);

/* exec_stack.c: the stack of running scripts */
void sm_exec_set_number(struct sm_session *s, const char *name, size_t n); /* a variable */
void sm_exec_push(struct sm_exec *x, struct sm_script *s);
void sm_exec_pop(struct sm_exec *x);
void sm_exec_abandon(struct sm_exec *x);           /* ends all */
bool sm_exec_is_forgiven(const struct sm_exec *x); /* a line with '-' started one of them */
void sm_exec_end_forgiven(struct sm_exec *x);      /* ends the scripts that this line started */

void sm_exec_push_user(struct sm_exec *x, const struct sm_user *user, const struct sm_text *args,
                       size_t n);

/* exec_place.c: the own place */
void sm_exec_enter_place(struct sm_exec *x);
void sm_exec_leave_place(struct sm_exec *x);
bool sm_exec_place_waits(const struct sm_exec *x); /* it is still to be found */
/* Returns false while it waits (err->code SM_OK or SM_ERR_WAIT), or with an error. */
bool sm_exec_find_place(struct sm_exec *x, struct sm_err *err);

/* exec_hook.c: pushes the line and, above it, the hook that runs first; false if it has no hook */
bool sm_exec_hook(struct sm_exec *x, const char *text, const char *name, enum sm_line_origin origin,
                  bool again);
/* the same with the answer of a stop */
bool sm_exec_hook_stop(struct sm_exec *x, const struct sm_str *text);
void sm_exec_hook_after(struct sm_exec *x, const char *name);

/* exec_report.c: errors and traced lines, to the user or a program */
void sm_exec_report_failure(struct sm_exec *x, const struct sm_err *err, bool forgiven);
void sm_exec_trace(struct sm_exec *x, const char *line);

#endif
