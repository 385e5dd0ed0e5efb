/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The keeper is a fork of a program with threads: below, up to the caller's side, it uses only
 * functions that are safe in a signal handler, and no memory from the heap. */

/* Counted in rounds, not by the clock, which may be set or stand still. */
enum { ROUND_MS = 5, KILL_ROUNDS = 400 };

/* struct linux_dirent64 of getdents64(2): inode and offset, length of the entry, type, name */
enum { ENTRY_LENGTH_AT = 16, ENTRY_NAME_AT = 19 };

struct keeper {
    pid_t shell;
    int status; /* of the keeper: the shell's */
    sigset_t wakeups;
};

/* 0: no number */
static pid_t number_at(const char *text)
{
    pid_t n = 0;
    for (; *text >= '0' && *text <= '9' && n < 100000000; text++)
        n = n * 10 + (*text - '0');
    return n;
}

/* The parent of a process of /proc, 0 if it is gone: the second word behind the name in
 * parentheses, which may hold parentheses itself. */
static pid_t parent_of(int proc, const char *process)
{
    char path[32], text[512];
    size_t n = strlen(process);
    if (n > 16)
        return 0;
    memcpy(path, process, n + 1);
    memcpy(path + n, "/stat", sizeof "/stat");
    int fd = openat(proc, path, O_RDONLY);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (length <= 0)
        return 0;
    text[length] = '\0';
    const char *name_end = strrchr(text, ')');
    return name_end && strlen(name_end) > 4 ? number_at(name_end + 4) : 0;
}

static void kill_children_among(int proc, const char *entries, size_t n, pid_t self)
{
    for (size_t at = 0; at < n;) {
        unsigned short length;
        memcpy(&length, entries + at + ENTRY_LENGTH_AT, sizeof length);
        const char *name = entries + at + ENTRY_NAME_AT;
        pid_t process = number_at(name);
        if (process && parent_of(proc, name) == self)
            kill(process, SIGKILL);
        at += length;
    }
}

static void kill_children(pid_t shell)
{
    char entries[4096];
    int proc = open("/proc", O_RDONLY | O_DIRECTORY);
    if (proc < 0)
        kill(-shell, SIGKILL); /* all that can be found without it */
    for (long n; proc >= 0 && (n = syscall(SYS_getdents64, proc, entries, sizeof entries)) > 0;)
        kill_children_among(proc, entries, (size_t)n, getpid());
    if (proc >= 0)
        close(proc);
}

/* Returns whether there are children left. */
static bool reap_children(struct keeper *k)
{
    int status;
    pid_t child;
    while ((child = waitpid(-1, &status, WNOHANG)) > 0)
        if (child == k->shell)
            k->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return child == 0;
}

/* The children of what was killed become ours: the next round finds them. */
static void kill_all(struct keeper *k)
{
    const struct timespec pause = {.tv_nsec = ROUND_MS * 1000000L};
    int rounds = 0;
    do {
        kill_children(k->shell);
        sigtimedwait(&k->wakeups, NULL, &pause);
    } while (reap_children(k) && ++rounds < KILL_ROUNDS);
}

static void exec_shell(char *text, char **environment, int output)
{
    char sh[] = "sh", option[] = "-c";
    char *const argv[] = {sh, option, text, NULL};
    sigset_t none;
    int input = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0)
        execve("/bin/sh", argv, environment);
    _exit(127);
}

/* As close_range(0, ~0U, 0), which musl, glibc before 2.34 and Linux before 5.9 do not have. */
static void close_all(void)
{
    if (syscall(SYS_close_range, 0, ~0U, 0) == 0)
        return;
    long n = sysconf(_SC_OPEN_MAX);
    for (int fd = 0; fd < n; fd++)
        close(fd);
}

/* No handler of the program may run in the keeper: all signals are blocked, and taken here. */
static void start_shell(struct keeper *k, char *text, char **environment, int output)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGCHLD, SIG_DFL);
    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigemptyset(&k->wakeups);
    sigaddset(&k->wakeups, SIGCHLD);
    sigaddset(&k->wakeups, SIGTERM);
    k->status = 127;
    k->shell = fork();
    if (k->shell == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        exec_shell(text, environment, output);
    }
    if (k->shell < 0)
        _exit(127);
    close_all();
}

static void keep(char *text, char **environment, int output, pid_t parent)
{
    struct keeper k;
    start_shell(&k, text, environment, output);
    bool asked = getppid() != parent;
    while (!asked && reap_children(&k))
        asked = sigwaitinfo(&k.wakeups, NULL) == SIGTERM;
    if (asked)
        kill_all(&k);
    _exit(k.status);
}

/* ---- the caller's side ---- */

pid_t sm_keeper_start(char *text, char **environment, int output)
{
    sigset_t all, before;
    pid_t parent = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* no handler runs in the child before it blocks */
    pid_t keeper = fork();
    if (keeper == 0)
        keep(text, environment, output, parent);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return keeper;
}

void sm_keeper_end(pid_t keeper)
{
    kill(keeper, SIGTERM);
}

void sm_keeper_wait(pid_t keeper)
{
    int rounds = SM_KEEPER_END_US / 1000 / ROUND_MS;
    while (waitpid(keeper, NULL, WNOHANG) == 0 && rounds-- > 0)
        poll(NULL, 0, ROUND_MS);
}
