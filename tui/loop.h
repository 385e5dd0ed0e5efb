/* The one loop: owns all state, waits with poll, and never longer than the next deadline.
 *
 * A source of news is a file descriptor with a function that takes what is there within a budget; or a deadline.
 * The session (trial, fetch, pool) and the exec are always part of it; the prompt, curses and signals are added. */
#ifndef SM_LOOP_H
#define SM_LOOP_H

#include "commands/exec.h"

struct sm_loop;
struct sm_loop_source {
    int fd;
    void (*ready)(void *ctx);            /* the fd is readable */
    void *ctx;
};
struct sm_loop *sm_loop_new(struct sm_session *s, struct sm_err *err);
void sm_loop_free(struct sm_loop *l);
struct sm_session *sm_loop_session(struct sm_loop *l);
void sm_loop_set_exec(struct sm_loop *l, struct sm_exec *x);
bool sm_loop_add(struct sm_loop *l, const struct sm_loop_source *src);     /* at most 16 */
void sm_loop_remove(struct sm_loop *l, int fd);
/* Called once each turn, after news was taken; `changed` says the session has something new. It returns the monotonic time
 * at which it wants to be called again at the latest (INT64_MAX: on news only). */
void sm_loop_on_turn(struct sm_loop *l, int64_t (*turn)(void *ctx, bool changed), void *ctx);
/* One turn: waits for news or a deadline (block false: does not wait), takes it, runs commands that can run. */
void sm_loop_turn(struct sm_loop *l, bool block);
void sm_loop_run(struct sm_loop *l);                       /* turns until sm_loop_stop */
void sm_loop_stop(struct sm_loop *l);
bool sm_loop_stopped(const struct sm_loop *l);

/* Signals arrive through a signalfd or self-pipe as bits: SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT. */
void sm_loop_on_signal(struct sm_loop *l, void (*signal)(void *ctx, int signo), void *ctx);

#endif
