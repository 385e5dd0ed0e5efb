/* SPDX-License-Identifier: Apache-2.0 */
/* Runs lines from the prompt, -ex, scripts and source, one at a time, without blocking the loop.
 *
 * A command that must wait returns SM_ERR_WAIT. It is run again, with an empty result, when
 * sm_session_pump reports changes and none of its requests is open, or at call.wake_us. A command
 * that fails ends the script that contains it, and the batch; the first nonzero exit status is
 * kept.
 *
 * The room commands/run also hands out logging (logging.h) and what it keeps of a session: the last
 * listing, the last plot, the lines of the history (run_state.h). */
#ifndef SM_EXEC_H
#define SM_EXEC_H

#include "commands/language/cmd.h"

/* How the front end outputs answers. */
struct sm_exec_ops {
    /* an answer: for stdout, a pager or a pane */
    void (*answer)(void *ctx, const char *text, size_t n);
    /* an error for stderr: one line with its newline */
    void (*complain)(void *ctx, const char *text, size_t n);
    /* Runs a shell command (shell, !, |); in the meantime the command has the terminal. input: its
     * stdin, NULL if none. Returns its exit status. */
    int (*shell)(void *ctx, const char *command, const char *input, size_t n);
    bool plain; /* answers are not for a terminal: no colours, regardless of settings */
    bool roles; /* answers contain the roles of their cells: plot/grid/roles.h */
    const struct sm_exec_machine *machine; /* set if a program reads the answers; NULL for a user */
};
/* Answers that have a tree are output as JSON, errors as records; no error ends the session. */
struct sm_exec_machine {
    void (*answer)(void *ctx, const char *json, size_t n);
    /* message: with the place in a script. forgiven: the script continues. */
    void (*failed)(void *ctx, const struct sm_err *err, const char *message, bool forgiven);
    /* called before the answer of a stop */
    void (*stopped)(void *ctx, const struct sm_cmd *cmd, const struct sm_result *r);
};

struct sm_exec;
struct sm_user;
struct sm_exec *sm_exec_new(struct sm_session *s, const struct sm_exec_ops *ops, void *ctx);
void sm_exec_free(struct sm_exec *x);

enum sm_line_origin { SM_FROM_PROMPT, SM_FROM_OPTION /* -ex */, SM_FROM_FILE };
/* Add to the end of the queue. A file is read at once; its errors are reported in its turn. "-" is
 * stdin. args: its $arg0 ... */
void sm_exec_line(struct sm_exec *x, const char *line, enum sm_line_origin origin);
void sm_exec_file(struct sm_exec *x, const char *path, const char *const *args, size_t n_args);
/* A piece of a script that is read in pieces: complete lines. line: number of the first one, for
 * messages. */
void sm_exec_text(struct sm_exec *x, const char *name, unsigned line, const char *text);
/* Runs a command that no line has: in its turn, as a line of an option would. text: the line that
 * is shown while it runs. The call has no words, and call->state is `state`, which is valid until
 * the exec is freed. */
void sm_exec_call(struct sm_exec *x, const struct sm_cmd *cmd, const char *text, void *state);
/* an error of an option: reported, and counted for the exit status, in its turn */
void sm_exec_failure(struct sm_exec *x, const struct sm_err *err);
/* For `source`: runs the lines of the file next, before the queue; nesting limit 64. */
bool sm_exec_source(struct sm_exec *x, const char *path, bool trace, const struct sm_word *args,
                    size_t n_args, struct sm_err *err);

/* If the running command is the last line of its script, ends the script now, so that scripts that
 * continue at each stop do not accumulate. */
void sm_exec_pop_finished(struct sm_exec *x);
/* For pipe: runs `text` (one line or several) next, in place of the running command. */
void sm_exec_next(struct sm_exec *x, const char *text);
/* For with: like sm_exec_next; at the end, also after an error, sets the setting to `before`. */
void sm_exec_with(struct sm_exec *x, const struct sm_setting *row, const char *before,
                  const char *text);
/* For at: like sm_exec_next, with `at` as the current place; afterwards restores the place. */
void sm_exec_at(struct sm_exec *x, const struct sm_place *at, const char *text);

/* Runs a user-defined command next; the redirection of the running command applies to it. */
bool sm_exec_user(struct sm_exec *x, const struct sm_user *user, const struct sm_text *args,
                  size_t n, struct sm_err *err);
/* For if, and for lines that run at a stop: runs the lines of a body next. After several calls, the
 * last body runs first. */
void sm_exec_body(struct sm_exec *x, struct sm_body *body);
/* For while: like sm_exec_body, then runs the running command again. */
void sm_exec_loop(struct sm_exec *x, struct sm_body *body);
/* For loop_break and loop_continue: leaves the body of the innermost while that contains the
 * running command. again: evaluates its condition again. */
bool sm_exec_leave(struct sm_exec *x, bool again, struct sm_err *err);

/* Runs a shell command. SM_ERR_REFUSED with --readonly, or in a batch without --allow-shell. */
bool sm_exec_shell(struct sm_exec *x, const char *command, const char *input, size_t n, int *status,
                   struct sm_err *err);

/* A place for all lines that follow, as texts; NULL: not given. It starts from the place that a
 * trial has when it is opened (`trial`, or the current one), and is found when the first line runs:
 * if it does not exist, the line fails. The place of the session stays as it is. */
struct sm_exec_place {
    const char *trial, *step, *mode, *worker;
};
void sm_exec_set_place(struct sm_exec *x, const struct sm_exec_place *place);
void sm_exec_clear_place(struct sm_exec *x); /* back to the place of the session */

/* Runs lines for some milliseconds. Returns false when nothing is left to do. If it returns true:
 * while a command waits (sm_exec_waiting), call again after changes or at sm_exec_deadline_us; else
 * call again at once. */
bool sm_exec_run(struct sm_exec *x);
bool sm_exec_waiting(const struct sm_exec *x);
int64_t sm_exec_deadline_us(const struct sm_exec *x); /* INT64_MAX: only after changes */
/* number of values that the works of the running line have not read yet */
size_t sm_exec_left(const struct sm_exec *x);
/* the line that runs, for a progress display, or NULL */
const char *sm_exec_running(const struct sm_exec *x);
/* what it waits for, or "" */
const char *sm_exec_waits_for(const struct sm_exec *x);
/* Appends the name of the command whose answer is output now ("info steps"), and returns the value
 * of its -field, or NULL. Appends nothing if no command runs. */
const char *sm_exec_answering(const struct sm_exec *x, struct sm_str *name);
/* the last line ended in '\', or a body is open */
bool sm_exec_partial(const struct sm_exec *x);
size_t sm_exec_bodies(const struct sm_exec *x); /* number of open bodies */
/* no more lines follow: an open body is an error */
void sm_exec_ended(struct sm_exec *x);
void sm_exec_cancel(struct sm_exec *x); /* Ctrl-C: ends the running command and its script */
/* Marks a second exec of the session, whose commands run while a command of the first one may wait:
 * the values that they read are not reserved for them. */
void sm_exec_set_secondary(struct sm_exec *x);
/* Whether a batch continues after an error (--keep-going). Initially false. */
void sm_exec_keep_going(struct sm_exec *x, bool on);
bool sm_exec_quit(const struct sm_exec *x);  /* after `quit`, or an error that ended the batch */
int sm_exec_status(const struct sm_exec *x); /* exit status of doc/language.md */
/* The exit status for an error. SM_ERR_DATA and SM_ERR_IO mean the trial (status 5): for any other
 * file, a command uses SM_ERR_USAGE or SM_ERR_REFUSED. */
int sm_exec_status_of(const struct sm_err *err);

#endif
