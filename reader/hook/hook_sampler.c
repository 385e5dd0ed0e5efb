/* SPDX-License-Identifier: Apache-2.0 */
/* Starts "smdbg-tui sample", which records the machine until the training's process ends.
 *
 * The training must not notice: no SIGCHLD, nothing that its wait() could return, no message. So
 * the program is started by a grandchild, and the child between is made without a signal at its
 * end, which the C library's functions cannot do. */
#include "reader/hook/hook_private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* fork() without a signal to the parent and without handlers. What runs in the child is what may
 * run in a signal handler. */
static pid_t fork_quietly(void)
{
    return (pid_t)syscall(SYS_clone, 0UL, NULL, NULL, NULL, 0UL);
}

static void exec_program(char *const *argv)
{
    sigset_t none;
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; null >= 0 && fd <= 2; fd++)
        dup2(null, fd);
    setsid();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(argv[0], argv);
}

/* Tells the parent why it could not be started; nothing if it was. */
static void run_child(char *const *argv, int report)
{
    if (fork_quietly() == 0) {
        exec_program(argv);
        int why = errno;
        if (write(report, &why, sizeof why) < 0)
            _exit(2);
        _exit(1);
    }
    _exit(0);
}

static bool start_program(char *const *argv, struct sm_err *err)
{
    int ends[2], why = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return sm_err_errno(err, "pipe");
    pid_t child = fork_quietly();
    if (child == 0)
        run_child(argv, ends[1]);
    close(ends[1]);
    ssize_t n = child > 0 ? read(ends[0], &why, sizeof why) : 0;
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, __WALL) < 0 && errno == EINTR)
        ;
    if (child > 0 && n <= 0)
        return true;
    if (n > 0)
        errno = why;
    return sm_err_errno(err, "%s", argv[0]);
}

/* One on each machine, unless somebody samples already. */
static bool is_wanted(const struct smdbg_hook *h)
{
    const char *local = getenv("LOCAL_RANK");
    return h->sample_ms && hook_writes(h) && !getenv("SMDBG_PROFILER_DIR") &&
           (!local || strcmp(local, "0") == 0);
}

bool hook_sampler_start(const struct smdbg_hook *h, struct sm_err *err)
{
    char name[] = "sample", p[] = "-p", o[] = "-o", i[] = "-i", pid[24], ms[24],
         usual[] = "smdbg-tui";
    char *chosen = getenv("SMDBG_TUI");
    struct sm_str dir = {0};
    if (!is_wanted(h))
        return true;
    snprintf(pid, sizeof pid, "%d", (int)getpid());
    snprintf(ms, sizeof ms, "%" PRId64, h->sample_ms);
    sm_str_printf(&dir, "%s/profiler-output", h->dir);
    char *argv[] = {chosen && *chosen ? chosen : usual, name, p, pid, o, dir.data, i, ms, NULL};
    bool ok = dir.failed ? sm_err_set(err, SM_ERR_MEMORY, "no memory to start the sampler")
                         : start_program(argv, err);
    sm_str_clear(&dir);
    return ok;
}
