/* The one loop: owns all state, waits with poll, and never longer than the next deadline.
 *
 * A source of news is a file descriptor with a function that takes what is there within a budget;
 * or a deadline. The session (trial, fetch, pool) and the exec are always part of it; the prompt,
 * curses and signals are added. Nothing happens while there is no news and no deadline: an idle
 * program uses no CPU. */
#ifndef SM_LOOP_H
#define SM_LOOP_H

#include "commands/run/exec.h"

struct sm_loop;
struct sm_loop_source {
    int fd;
    bool writes;              /* ready means writable */
    void (*ready)(void *ctx); /* the fd is readable, or at its end */
    void *ctx;
};
enum { SM_LOOP_SOURCES_MAX = 16 };
struct sm_loop *sm_loop_new(struct sm_session *s, struct sm_err *err);
void sm_loop_free(struct sm_loop *l); /* the signals do again what they did before */
struct sm_session *sm_loop_session(struct sm_loop *l);
void sm_loop_set_exec(struct sm_loop *l, struct sm_exec *x); /* borrowed; NULL: none */
/* at most SM_LOOP_SOURCES_MAX */
bool sm_loop_add(struct sm_loop *l, const struct sm_loop_source *src);
void sm_loop_remove(struct sm_loop *l, int fd);
/* Called once each turn, after commands have run; `changed` says the session has something new
 * since the last call. It returns the monotonic time at which it wants to be called again at the
 * latest (INT64_MAX: on news only). */
void sm_loop_on_turn(struct sm_loop *l, int64_t (*turn)(void *ctx, bool changed), void *ctx);
/* One turn: runs commands that can run, calls the turn function, waits for news or a deadline
 * (block false, or the loop was stopped: does not wait), takes the news. */
void sm_loop_turn(struct sm_loop *l, bool block);
void sm_loop_run(struct sm_loop *l); /* turns until sm_loop_stop */
void sm_loop_stop(struct sm_loop *l);
bool sm_loop_stopped(const struct sm_loop *l);
bool sm_loop_busy(const struct sm_loop *l); /* as of this turn, commands run, wait or are queued */

/* From now on SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP and SIGCONT arrive as calls in the loop,
 * by a self-pipe. One that the program was started with ignored (nohup) stays ignored. NULL: they
 * do again what they did before. */
void sm_loop_on_signal(struct sm_loop *l, void (*signal)(void *ctx, int signo), void *ctx);
/* Lets a signal do what it does by default: end the program, or stop it until SIGCONT (then it
 * returns). */
void sm_loop_raise(struct sm_loop *l, int signo);

#endif
