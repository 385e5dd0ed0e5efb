/* Only async-signal-safe calls. */
#include "tui/terminal/screen_crash.h"

#include <signal.h>
#include <stddef.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;
static bool have_before, guarded, alternate;

void sm_screen_crash_remember(void)
{
    have_before = tcgetattr(STDIN_FILENO, &before) == 0;
}

void sm_screen_crash_restore(void)
{
    if (have_before)
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

static void restore_terminal(void)
{
    static const char
        leave[] = "\033[?1049l",
        plain[] = "\033[0m\033[?25h\033[?2004l\033[?1000l\033[?1002l\033[?1006l\033[?2026l\r\n";
    ssize_t ignored = 0;
    if (alternate)
        ignored = write(STDOUT_FILENO, leave, sizeof leave - 1);
    ignored = write(STDOUT_FILENO, plain, sizeof plain - 1);
    (void)ignored;
    sm_screen_crash_restore();
}

static void on_crash(int signo)
{
    if (guarded)
        restore_terminal();
    signal(signo, SIG_DFL);
    raise(signo);
}

void sm_screen_crash_guard(bool on, bool alternate_screen)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
    static bool caught;
    guarded = on;
    alternate = alternate_screen;
    for (size_t i = 0; !caught && i < sizeof signals / sizeof *signals; i++) {
        struct sigaction a = {.sa_handler = on_crash};
        sigaction(signals[i], &a, NULL);
    }
    caught = true;
}
