/* SPDX-License-Identifier: Apache-2.0 */
/* A child on a pseudo-terminal: what a person would type goes in, what would be on the screen is
 * waited for. Nothing here depends on how fast the machine is; a test only fails when what it waits
 * for does not come within five minutes. */
#ifndef SM_TEST_PTY_H
#define SM_TEST_PTY_H

#include "reader/base/str.h"
#include "tests/tui/signals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { PTY_PATIENCE_MS = 300000 };

struct pty {
    pid_t pid; /* 0: none runs */
    int fd;
    struct timespec since; /* the start, or the last key */
    struct sm_str seen;    /* all that was shown */
    size_t at;             /* behind the last thing expected */
};

/* Counted from the last key, as some screens never rest. */
static inline int pty_patience(const struct pty *p)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t ms = PTY_PATIENCE_MS - (now.tv_sec - p->since.tv_sec) * 1000;
    return ms > 0 ? (int)ms : 0;
}

/* In the child: false. */
static inline bool pty_start(struct pty *p, unsigned short w, unsigned short h)
{
    struct winsize size = {.ws_row = h, .ws_col = w};
    p->at = 0;
    sm_str_truncate(&p->seen, 0);
    clock_gettime(CLOCK_MONOTONIC, &p->since);
    p->pid = forkpty(&p->fd, NULL, NULL, &size);
    assert_true(p->pid >= 0);
    if (p->pid == 0)
        signals_default();
    return p->pid != 0;
}

/* More of the output. False: it has ended, or took too long. */
static inline bool pty_hear(struct pty *p)
{
    char chunk[4096];
    struct pollfd f = {.fd = p->fd, .events = POLLIN};
    if (!pty_patience(p) || poll(&f, 1, pty_patience(p)) <= 0)
        return false;
    ssize_t n = read(p->fd, chunk, sizeof chunk);
    if (n > 0)
        sm_str_addn(&p->seen, chunk, (size_t)n);
    return n > 0;
}

static inline const char *pty_rest(const struct pty *p)
{
    return sm_str_text(&p->seen) + p->at;
}

static inline void pty_expect(struct pty *p, const char *text)
{
    const char *found;
    while (!(found = strstr(pty_rest(p), text)))
        if (!pty_hear(p))
            fail_msg("\"%s\" does not come; seen since the last: \"%s\"", text, pty_rest(p));
    p->at = (size_t)(found - sm_str_text(&p->seen)) + strlen(text);
}

static inline void pty_type(struct pty *p, const char *text)
{
    clock_gettime(CLOCK_MONOTONIC, &p->since);
    assert_int_equal(write(p->fd, text, strlen(text)), (ssize_t)strlen(text));
}

/* Of a wait status: as a shell would say it. */
static inline int pty_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Reads to the end, and returns the child's status. */
static inline int pty_finish(struct pty *p)
{
    int status;
    while (pty_hear(p))
        ;
    close(p->fd);
    assert_int_equal(waitpid(p->pid, &status, 0), p->pid);
    p->pid = 0;
    return pty_status(status);
}

/* Whatever a failed test has left behind. */
static inline void pty_clear(struct pty *p)
{
    if (p->pid > 0) {
        kill(p->pid, SIGKILL);
        clock_gettime(CLOCK_MONOTONIC, &p->since);
        pty_finish(p);
    }
    sm_str_clear(&p->seen);
}

#endif
