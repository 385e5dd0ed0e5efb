/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/app/loop.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/base/replace.h"
#include "reader/source/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT};
enum { N_CAUGHT = sizeof caught / sizeof *caught };

struct sm_loop {
    struct sm_session *session;
    struct sm_exec *exec;
    struct sm_loop_source sources[SM_LOOP_SOURCES_MAX];
    size_t n_sources;
    struct pollfd *fds; /* of this turn: signals, pool, trials, then the sources */
    size_t cap_fds;
    int64_t (*turn)(void *ctx, bool changed);
    void *turn_ctx;
    void (*signal)(void *ctx, int signo);
    void *signal_ctx;
    struct sigaction before[N_CAUGHT]; /* the previous signal handlers */
    int signal_pipe[2];
    bool changed; /* since the last call of the turn function */
    bool busy, stopped;
};

/* For the signal handler, which has no context. */
static volatile sig_atomic_t signal_fd = -1;
/* The signal to end that the loop has not handled yet, or 0, and what handled such a signal before.
 */
static volatile sig_atomic_t ends_by;
static struct sigaction end_before;

static void on_signal(int signo)
{
    int before = errno;
    if (ends_by && (signo == SIGTERM || signo == SIGHUP)) {
        /* the terminal may take no output (Ctrl-S), so that the loop never comes to the first */
        sigaction(signo, &end_before, NULL);
        raise(signo);
        return;
    }
    if (signo == SIGTERM || signo == SIGHUP)
        ends_by = signo;
    unsigned char byte = (unsigned char)signo;
    if (write(signal_fd, &byte, 1) < 0)
        errno = 0; /* the pipe is full: the loop will wake up anyway */
    errno = before;
}

struct sm_loop *sm_loop_new(struct sm_session *s, struct sm_err *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        sm_err_errno(err, "pipe");
        return NULL;
    }
    struct sm_loop *l = sm_xalloc_zero(1, sizeof *l);
    l->session = s;
    memcpy(l->signal_pipe, ends, sizeof ends);
    return l;
}

void sm_loop_free(struct sm_loop *l)
{
    if (!l)
        return;
    sm_loop_on_signal(l, NULL, NULL);
    close(l->signal_pipe[0]);
    close(l->signal_pipe[1]);
    sm_free(l->fds);
    sm_free(l);
}

struct sm_session *sm_loop_session(struct sm_loop *l)
{
    return l->session;
}

void sm_loop_set_exec(struct sm_loop *l, struct sm_exec *x)
{
    l->exec = x;
}

bool sm_loop_add(struct sm_loop *l, const struct sm_loop_source *src)
{
    if (l->n_sources == SM_LOOP_SOURCES_MAX)
        return false;
    l->sources[l->n_sources++] = *src;
    return true;
}

void sm_loop_remove(struct sm_loop *l, int fd)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->n_sources; i++)
        if (l->sources[i].fd != fd)
            l->sources[kept++] = l->sources[i];
    l->n_sources = kept;
}

void sm_loop_on_turn(struct sm_loop *l, int64_t (*turn)(void *ctx, bool changed), void *ctx)
{
    l->turn = turn;
    l->turn_ctx = ctx;
}

/* ---- signals ---- */

static void catch_signals(struct sm_loop *l)
{
    struct sigaction a = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&a.sa_mask);
    signal_fd = l->signal_pipe[1];
    for (int i = 0; i < N_CAUGHT; i++) {
        sigaction(caught[i], NULL, &l->before[i]);
        if (l->before[i].sa_handler != SIG_IGN)
            sigaction(caught[i], &a, NULL);
        if (caught[i] == SIGTERM)
            end_before = l->before[i];
    }
}

void sm_loop_on_signal(struct sm_loop *l, void (*signal)(void *ctx, int signo), void *ctx)
{
    if (signal && !l->signal)
        catch_signals(l);
    for (int i = 0; !signal && l->signal && i < N_CAUGHT; i++)
        sigaction(caught[i], &l->before[i], NULL);
    l->signal = signal;
    l->signal_ctx = ctx;
}

void sm_loop_raise(struct sm_loop *l, int signo)
{
    struct sigaction now, usual = {.sa_handler = SIG_DFL};
    (void)l;
    if (signo != SIGTSTP)
        sm_replacements_unlink();
    sigemptyset(&usual.sa_mask);
    sigaction(signo, &usual, &now);
    raise(signo);
    sigaction(signo, &now, NULL);
}

void sm_loop_leave(struct sm_loop *l)
{
    l->n_sources = 0;
    sm_loop_on_signal(l, NULL, NULL);
    sm_loop_on_turn(l, NULL, NULL);
    sm_loop_set_exec(l, NULL);
}

static void handle_signals(struct sm_loop *l)
{
    unsigned char bytes[64];
    uint64_t seen = 0;
    for (ssize_t n; (n = read(l->signal_pipe[0], bytes, sizeof bytes)) > 0;)
        for (ssize_t i = 0; i < n; i++)
            seen |= 1ull << (bytes[i] & 63);
    ends_by = 0;
    for (int i = 0; i < N_CAUGHT; i++)
        if ((seen >> caught[i] & 1) && l->signal)
            l->signal(l->signal_ctx, caught[i]);
}

/* ---- a turn ---- */

static size_t add_fd(struct sm_loop *l, size_t n, int fd, short events)
{
    if (fd < 0)
        return n;
    if (n == l->cap_fds)
        l->fds = sm_xrealloc(l->fds, l->cap_fds = l->cap_fds * 2 + 8, sizeof *l->fds);
    l->fds[n] = (struct pollfd){.fd = fd, .events = events};
    return n + 1;
}

static int timeout_ms(int64_t deadline_us)
{
    if (deadline_us == INT64_MAX)
        return -1;
    int64_t left = deadline_us - sm_clock_mono_us();
    return left <= 0 ? 0 : left > 1000LL * INT_MAX - 1000 ? INT_MAX : (int)((left + 999) / 1000);
}

static int64_t min_us(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The next deadline. That of the commands counts only if the last sm_exec_run returned busy. */
static int64_t next_deadline(const struct sm_loop *l, int64_t turn_us)
{
    int64_t deadline = min_us(turn_us, sm_session_deadline_us(l->session));
    return l->busy ? min_us(deadline, sm_exec_deadline_us(l->exec)) : deadline;
}

/* A ready function may remove sources, including its own, so each source is looked up again. */
static void call_ready_sources(struct sm_loop *l, size_t from, size_t n)
{
    for (size_t i = from; i < n; i++) {
        if (!l->fds[i].revents)
            continue;
        for (size_t k = 0; k < l->n_sources; k++)
            if (l->sources[k].fd == l->fds[i].fd) {
                l->sources[k].ready(l->sources[k].ctx);
                break;
            }
    }
}

static void wait_for_events(struct sm_loop *l, int64_t deadline_us)
{
    struct sm_session *s = l->session;
    size_t n = add_fd(l, 0, l->signal_pipe[0], POLLIN);
    n = add_fd(l, n, sm_pool_fd(s->pool), POLLIN);
    n = add_fd(l, n, sm_watch_fd(), POLLIN);
    size_t first_source = n;
    for (size_t i = 0; i < l->n_sources; i++)
        n = add_fd(l, n, l->sources[i].fd, l->sources[i].writes ? POLLOUT : POLLIN);
    if (poll(l->fds, (nfds_t)n, timeout_ms(deadline_us)) <= 0)
        n = 0;
    if (n && l->fds[0].revents)
        handle_signals(l);
    call_ready_sources(l, first_source, n);
    l->changed = sm_session_pump(s) || l->changed;
}

void sm_loop_turn(struct sm_loop *l, bool block)
{
    int64_t turn_us = INT64_MAX;
    l->busy = l->exec && sm_exec_run(l->exec);
    if (l->turn) {
        bool changed = l->changed;
        l->changed = false;
        turn_us = l->turn(l->turn_ctx, changed);
    }
    sm_fetch_flush(l->session->fetch);
    wait_for_events(l, block && !l->stopped ? next_deadline(l, turn_us) : 0);
}

void sm_loop_run(struct sm_loop *l)
{
    l->stopped = false;
    while (!l->stopped)
        sm_loop_turn(l, true);
}

void sm_loop_stop(struct sm_loop *l)
{
    l->stopped = true;
}

bool sm_loop_stopped(const struct sm_loop *l)
{
    return l->stopped;
}

bool sm_loop_busy(const struct sm_loop *l)
{
    return l->busy;
}
