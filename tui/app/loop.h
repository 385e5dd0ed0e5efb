/* SPDX-License-Identifier: Apache-2.0 */
/* The event loop: waits with poll, never longer than the next deadline.
 *
 * A source is a file descriptor with a function that handles its input within a time budget. The
 * session (trials, fetch, pool) and the exec are always part of the loop; the prompt, curses and
 * signals are added. Without events and deadlines the loop sleeps: an idle program uses no CPU.
 *
 * The room tui/app hands out the loop, the options of the command line (options.h), what runs at
 * the start (startup.h) and the user's own files (user_files.h). */
#ifndef SM_LOOP_H
#define SM_LOOP_H

#include "commands/run/exec.h"

struct sm_loop;
struct sm_loop_source {
    int fd;
    bool writes;              /* wait until the fd is writable */
    void (*ready)(void *ctx); /* the fd is readable, at its end, or writable */
    void *ctx;
};
enum { SM_LOOP_SOURCES_MAX = 16 };
struct sm_loop *sm_loop_new(struct sm_session *s, struct sm_err *err);
void sm_loop_free(struct sm_loop *l); /* restores the signal handlers */
struct sm_session *sm_loop_session(struct sm_loop *l);
void sm_loop_set_exec(struct sm_loop *l, struct sm_exec *x); /* borrowed, or NULL */
/* Returns false if there are SM_LOOP_SOURCES_MAX already. */
bool sm_loop_add(struct sm_loop *l, const struct sm_loop_source *src);
void sm_loop_remove(struct sm_loop *l, int fd);
/* A front end ends: removes its sources, turn, signal and exec, which point into its memory. */
void sm_loop_leave(struct sm_loop *l);
/* The turn function is called once per turn, after commands have run. `changed`: the session has
 * new data since the last call. It returns the monotonic time of its next call at the latest
 * (INT64_MAX: only after an event). */
void sm_loop_on_turn(struct sm_loop *l, int64_t (*turn)(void *ctx, bool changed), void *ctx);
/* One turn: runs commands that can run, calls the turn function, waits for an event or a deadline
 * (not if block is false or the loop was stopped), handles the events. */
void sm_loop_turn(struct sm_loop *l, bool block);
void sm_loop_run(struct sm_loop *l); /* turns until sm_loop_stop */
void sm_loop_stop(struct sm_loop *l);
bool sm_loop_stopped(const struct sm_loop *l);
bool sm_loop_busy(const struct sm_loop *l); /* in this turn, commands run, wait or are queued */

/* Delivers SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP and SIGCONT as calls in the loop, through a
 * self-pipe. A signal that was ignored when the program started (nohup) stays ignored. NULL
 * restores the previous handlers. */
void sm_loop_on_signal(struct sm_loop *l, void (*signal)(void *ctx, int signo), void *ctx);
/* Raises a signal with its default action: it ends the program, or stops it until SIGCONT (then
 * this returns). */
void sm_loop_raise(struct sm_loop *l, int signo);

#endif
