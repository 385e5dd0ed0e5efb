/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/shell.h"

#include "reader/base/mem.h"
#include "tui/terminal/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

/* While the command runs, Ctrl-C interrupts only the command, and Ctrl-Z stops it together with the
 * debugger. SIGPIPE is ignored because a command need not read all of its input. */
static const struct {
    int signo;
    void (*handler)(int);
} signals[] = {{SIGINT, SIG_IGN}, {SIGQUIT, SIG_IGN}, {SIGPIPE, SIG_IGN}, {SIGTSTP, SIG_DFL}};
enum { N_SIGNALS = sizeof signals / sizeof *signals };

static void set_signals(struct sigaction before[N_SIGNALS])
{
    for (int i = 0; i < N_SIGNALS; i++) {
        struct sigaction a = {.sa_handler = signals[i].handler};
        sigemptyset(&a.sa_mask);
        sigaction(signals[i].signo, &a, &before[i]);
    }
}

static void restore_signals(const struct sigaction before[N_SIGNALS])
{
    for (int i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i].signo, &before[i], NULL);
}

/* stdin_fd < 0: inherited. */
static bool start_shell(const char *command, int stdin_fd, pid_t *pid)
{
    char sh[] = "sh", c[] = "-c", *copy = sm_xstrdup(command);
    char *const argv[] = {sh, c, copy, NULL};
    posix_spawnattr_t attr;
    posix_spawn_file_actions_t files;
    sigset_t usual;
    sigemptyset(&usual);
    for (int i = 0; i < N_SIGNALS; i++)
        sigaddset(&usual, signals[i].signo);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setsigdefault(&attr, &usual);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&files);
    if (stdin_fd >= 0)
        posix_spawn_file_actions_adddup2(&files, stdin_fd, STDIN_FILENO);
    else if (!isatty(STDIN_FILENO)) /* the command must not read the rest of a script */
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    bool ok = posix_spawn(pid, "/bin/sh", &files, &attr, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attr);
    sm_free(copy);
    return ok;
}

static int wait_for(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int sm_shell_run(const char *command, const char *input, size_t n)
{
    struct sigaction before[N_SIGNALS];
    int ends[2] = {-1, -1};
    pid_t pid;
    if (input && pipe2(ends, O_CLOEXEC) != 0)
        return 127;
    set_signals(before);
    bool started = start_shell(command, ends[0], &pid);
    if (input)
        close(ends[0]);
    if (input && started)
        sm_terminal_write(ends[1], input, n);
    if (input)
        close(ends[1]);
    int status = started ? wait_for(pid) : 127;
    restore_signals(before);
    return status;
}
