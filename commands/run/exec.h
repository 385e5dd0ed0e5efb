/* Runs lines: one at a time, from the prompt, -ex, scripts and source, without ever blocking the
 * loop.
 *
 * A command that must wait returns SM_ERR_WAIT and is run again, with an empty result, when
 * sm_session_pump has brought news and none of its requests is open, or at the time it asked for. A
 * failed command ends the script around it, and the batch; its first exit status is kept. */
#ifndef SM_EXEC_H
#define SM_EXEC_H

#include "commands/language/cmd.h"

/* What the front end does with answers. */
struct sm_exec_ops {
    /* stdout; page it, show it, or write it */
    void (*answer)(void *ctx, const char *text, size_t n);
    void (*complain)(void *ctx, const char *text, size_t n); /* stderr: one line with its newline */
    /* Runs a shell command with the terminal given back meanwhile (shell, !, |). input NULL: none.
     * Its exit status. */
    int (*shell)(void *ctx, const char *command, const char *input, size_t n);
    bool plain; /* answers are not for a terminal: no colours, whatever is set */
    bool roles; /* answers keep the roles of their cells: plot/grid/roles.h */
    const struct sm_exec_machine *machine; /* the other end is a program; NULL: a person */
};
/* Answers that have a tree come as JSON, failures as they are, and no failure ends the session. */
struct sm_exec_machine {
    void (*answer)(void *ctx, const char *json, size_t n);
    /* message: with the place in a script. forgiven: what goes on goes on. */
    void (*failed)(void *ctx, const struct sm_err *err, const char *message, bool forgiven);
    /* a stop is about to be answered */
    void (*stopped)(void *ctx, const struct sm_cmd *cmd, const struct sm_result *r);
};

struct sm_exec;
struct sm_user;
struct sm_exec *sm_exec_new(struct sm_session *s, const struct sm_exec_ops *ops, void *ctx);
void sm_exec_free(struct sm_exec *x);

enum sm_line_origin { SM_FROM_PROMPT, SM_FROM_OPTION /* -ex */, SM_FROM_FILE };
/* Queues at the end. A file is read at once, its errors come when its turn comes. "-" is stdin.
 * args: its $arg0 ... */
void sm_exec_line(struct sm_exec *x, const char *line, enum sm_line_origin origin);
void sm_exec_file(struct sm_exec *x, const char *path, const char *const *args, size_t n_args);
/* A piece of a script that is read bit by bit: whole lines, the first of which has this number in
 * messages. */
void sm_exec_text(struct sm_exec *x, const char *name, unsigned line, const char *text);
/* of an option: told and counted in its turn */
void sm_exec_failure(struct sm_exec *x, const struct sm_err *err);
/* For `source`: runs the file's lines next, before what is queued; nesting limit 64. */
bool sm_exec_source(struct sm_exec *x, const char *path, bool trace, const struct sm_word *args,
                    size_t n_args, struct sm_err *err);

/* The running command was the last line of what runs it: that is left, so that lines that go on at
 * each stop do not pile up. */
void sm_exec_leave_spent(struct sm_exec *x);
/* Runs `text` (one line or several) next, as if it stood in place of the running command: for pipe.
 */
void sm_exec_next(struct sm_exec *x, const char *text);
/* The same; behind it, also when it fails or is cancelled, the setting gets this value: for with.
 */
void sm_exec_with(struct sm_exec *x, const struct sm_setting *row, const char *before,
                  const char *text);
/* The same from another place; behind it the person stands where they stood: for at. */
void sm_exec_at(struct sm_exec *x, const struct sm_place *at, const char *text);

/* Runs a user-defined command next; its answers go where the running command's would have gone. */
bool sm_exec_user(struct sm_exec *x, const struct sm_user *user, const struct sm_text *args,
                  size_t n, struct sm_err *err);
/* Runs the lines of a body next. Of several calls the last is run first. For if, and for what runs
 * lines at a stop. */
void sm_exec_body(struct sm_exec *x, struct sm_body *body);
/* The same; then the running command again. For while. */
void sm_exec_loop(struct sm_exec *x, struct sm_body *body);
/* Leaves the body of the innermost while around the running command, for good or to look at its
 * condition again. */
bool sm_exec_leave(struct sm_exec *x, bool again, struct sm_err *err);

/* The front end's shell. False when --readonly or a batch without --allow-shell forbids it. */
bool sm_exec_shell(struct sm_exec *x, const char *command, const char *input, size_t n, int *status,
                   struct sm_err *err);

/* Runs what can be run now, for some milliseconds. Returns false when nothing is left to do; true
 * without sm_exec_waiting: call again at once. While it waits (sm_exec_waiting) call again on news
 * or at sm_exec_deadline_us. */
bool sm_exec_run(struct sm_exec *x);
bool sm_exec_waiting(const struct sm_exec *x);
int64_t sm_exec_deadline_us(const struct sm_exec *x); /* INT64_MAX: on news only */
/* values that the running line's works have still to read */
size_t sm_exec_left(const struct sm_exec *x);
/* the line that waits, for a progress display; NULL: none */
const char *sm_exec_running(const struct sm_exec *x);
/* the last line ended in '\', or a body has no end yet */
bool sm_exec_partial(const struct sm_exec *x);
size_t sm_exec_bodies(const struct sm_exec *x); /* how many bodies are open */
/* no more lines will come: a body that is open is a failure */
void sm_exec_ended(struct sm_exec *x);
void sm_exec_cancel(struct sm_exec *x); /* Ctrl-C: the running command and the script around it */
/* Its commands run while one of another exec of the session may wait: what they read is not kept
 * for them. */
void sm_exec_beside(struct sm_exec *x);
/* After an error in batch: false unless --keep-going. */
void sm_exec_keep_going(struct sm_exec *x, bool on);
bool sm_exec_quit(const struct sm_exec *x);  /* `quit` came, or an error ended the batch */
int sm_exec_status(const struct sm_exec *x); /* exit status of doc/language.md */
/* SM_ERR_DATA and SM_ERR_IO are the trial's (5): a command reports a file of its own as
 * SM_ERR_USAGE or SM_ERR_REFUSED. */
int sm_exec_status_of(const struct sm_err *err);

#endif
