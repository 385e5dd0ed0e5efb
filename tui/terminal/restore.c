/* SPDX-License-Identifier: Apache-2.0 */
/* Only async-signal-safe calls, except in sm_restore_remember. */
#include "tui/terminal/restore.h"

#include "reader/base/mem.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

enum { PATIENCE_MS = 1000 }; /* for a terminal that does not read */

static struct termios before;
static pid_t owner;
static volatile sig_atomic_t have_before, on_screen, alternate, pastes;

void sm_restore_mode(bool keeps_output)
{
    struct termios mode = before;
    if (keeps_output)
        mode.c_lflag |= NOFLSH;
    if (have_before)
        tcsetattr(STDIN_FILENO, TCSANOW, &mode);
}

void sm_restore_pastes(bool on)
{
    pastes = on;
}

void sm_restore_screen(bool on, bool alternate_screen)
{
    on_screen = on;
    alternate = alternate_screen;
}

/* \030 cancels an incomplete control sequence. */
void sm_restore_late(bool alternate_screen)
{
    static const char
        leave[] = "\030\033[?1049l",
        plain[] = "\033[0m\033[?25h\033[?2004l\033[?1000l\033[?1002l\033[?1006l\033[?2026l\r\n";
    ssize_t ignored = 0;
    if (alternate_screen)
        ignored = write(STDOUT_FILENO, leave, sizeof leave - 1);
    ignored = write(STDOUT_FILENO, plain, sizeof plain - 1);
    (void)ignored;
}

static bool terminal_reads(void)
{
    struct pollfd terminal = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&terminal, 1, PATIENCE_MS) > 0;
}

/* \033[?2004l ends the marks of pastes. */
static void leave_prompt(void)
{
    static const char unmarked[] = "\033[?2004l\r\n";
    ssize_t ignored = write(STDOUT_FILENO, unmarked, sizeof unmarked - 1);
    (void)ignored;
}

void sm_restore_now(void)
{
    if (!have_before || getpid() != owner)
        return; /* a child before its exec */
    if (tcgetpgrp(STDIN_FILENO) != getpgrp())
        return; /* another program has the terminal now */
    if (on_screen && terminal_reads())
        sm_restore_late(alternate);
    else if (!on_screen && pastes && terminal_reads())
        leave_prompt();
    on_screen = pastes = 0;
    sm_restore_mode(false);
}

static void on_fatal_signal(int signo)
{
    sm_restore_now();
    signal(signo, SIG_DFL);
    raise(signo);
}

/* Those that end the program if nothing handles them. Handlers of the loop and of a sanitizer stay.
 */
static void catch_fatal_signals(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS,  SIGABRT, SIGFPE,    SIGILL,  SIGSYS,  SIGTRAP,
                                SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM,   SIGPROF, SIGXCPU, SIGHUP,
                                SIGTERM, SIGINT,  SIGPIPE, SIGVTALRM, SIGIO,   SIGPWR};
    struct sigaction a = {.sa_handler = on_fatal_signal, .sa_flags = (int)SA_RESETHAND}, now;
    sigemptyset(&a.sa_mask);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (sigaction(fatal[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
            now.sa_handler == SIG_DFL)
            sigaction(fatal[i], &a, NULL);
}

void sm_restore_remember(void)
{
    static bool registered;
    if (have_before || tcgetattr(STDIN_FILENO, &before) != 0)
        return;
    have_before = 1;
    owner = getpid();
    if (!registered)
        atexit(sm_restore_now);
    registered = true;
    sm_mem_on_exhausted(sm_restore_now);
    catch_fatal_signals();
}
