/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/sample.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/sampler/sample_file.h"
#include "reader/sampler/sampler.h"
#include "tui/terminal/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    STATUS_FAILED = 1,
    STATUS_USAGE = 2,
    STATUS_CANNOT_RUN = 126,
    STATUS_NOT_FOUND = 127,
    STATUS_SIGNAL = 128,
    FILES_MAX = 16384,
    LAST_US = 50000, /* a last sample of less time would say little: CPU time comes in ticks */
};

struct recording {
    const struct sm_sample_options *o;
    struct sm_sampler *sampler;
    struct sm_sample_file file;
    sigset_t before;    /* signals that were blocked when the program was started */
    int signals;        /* signalfd */
    int process;        /* pidfd of --pid; -1: none */
    pid_t child;        /* 0: none */
    int status;         /* exit status */
    int64_t taken_us;   /* when the sample before was taken */
    bool over, failing; /* failing: the last sample could not be written, which was said */
};

static int print_error(const char *message, int status)
{
    fprintf(stderr, "smdbg: %s\n", message);
    return status;
}

/* ---- signals ---- */

/* Those that are passed on to the program, or end the recording. */
static const int passed[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGUSR1,
                             SIGUSR2, SIGALRM, SIGCONT, SIGWINCH};

static bool open_signals(struct recording *r, struct sm_err *err)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        sigaddset(&set, passed[i]);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &r->before);
    r->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return r->signals >= 0 || sm_err_errno(err, "signalfd");
}

static bool is_ignored(int signo)
{
    struct sigaction a;
    return sigaction(signo, NULL, &a) == 0 && a.sa_handler == SIG_IGN;
}

/* What a terminal sends goes to the program without our help. */
static void take_signal(struct recording *r, const struct signalfd_siginfo *info)
{
    int signo = (int)info->ssi_signo;
    bool ends = signo == SIGHUP || signo == SIGINT || signo == SIGQUIT || signo == SIGTERM;
    if (signo == SIGCHLD)
        return;
    if (r->child && info->ssi_code != SI_KERNEL)
        kill(r->child, signo);
    if (!r->child && ends && !is_ignored(signo))
        r->over = true;
}

/* ---- the program ---- */

/* PROGRAM finds the tree, and that somebody samples already. */
static void set_environment(const struct sm_sample_options *o)
{
    char path[PATH_MAX], node[16];
    snprintf(node, sizeof node, "%d", o->node);
    if (realpath(o->out, path))
        setenv("SMDBG_PROFILER_DIR", path, 1);
    setenv("SMDBG_NODE", node, 1);
}

static bool start_program(struct recording *r, struct sm_err *err)
{
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&how, &r->before);
    set_environment(r->o);
    errno = posix_spawnp(&r->child, r->o->argv[0], NULL, &how, r->o->argv, environ);
    posix_spawnattr_destroy(&how);
    if (errno == 0)
        return true;
    r->child = 0;
    r->status = errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
    return sm_err_errno(err, "%s", r->o->argv[0]);
}

static void look_at_program(struct recording *r)
{
    int status;
    if (!r->child || waitpid(r->child, &status, WNOHANG) != r->child)
        return;
    r->status = WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
    r->over = true;
}

/* A kernel before 5.3 has no pidfd: the process is looked for at each sample. */
static bool open_process(struct recording *r, struct sm_err *err)
{
    r->process = (int)syscall(SYS_pidfd_open, r->o->pid, 0);
    if (r->process >= 0 || errno == ENOSYS)
        return true;
    return sm_err_errno(err, "process %d", r->o->pid);
}

static bool process_is_gone(const struct recording *r)
{
    return r->o->pid && r->process < 0 && kill(r->o->pid, 0) != 0 && errno == ESRCH;
}

/* ---- the loop ---- */

/* A full disk must not end the program: it is said once, and tried again with the next sample. */
static void take_sample(struct recording *r)
{
    struct sm_err err = {0};
    int64_t wall_us = sm_clock_wall_us(), mono_us = sm_clock_mono_us();
    struct sm_text lines = sm_sampler_take(r->sampler, wall_us, mono_us);
    bool ok = sm_sample_file_write(&r->file, lines, wall_us, &err);
    if (!ok && !r->failing)
        print_error(err.msg, 0);
    r->failing = !ok;
    r->taken_us = mono_us;
    if (process_is_gone(r))
        r->over = true;
}

/* Waits for news until the deadline. */
static void wait_until(struct recording *r, int64_t deadline_us)
{
    struct pollfd fds[2] = {{.fd = r->signals, .events = POLLIN},
                            {.fd = r->process, .events = POLLIN}};
    int64_t left_us = deadline_us - sm_clock_mono_us();
    struct signalfd_siginfo info;
    if (left_us > 0)
        poll(fds, 2, (int)((left_us + 999) / 1000));
    while (read(r->signals, &info, sizeof info) == (ssize_t)sizeof info)
        take_signal(r, &info);
    if (r->process >= 0 && fds[1].revents)
        r->over = true;
    look_at_program(r);
}

static void run_loop(struct recording *r)
{
    int64_t interval_us = (int64_t)r->o->interval_ms * 1000, next_us;
    take_sample(r);
    next_us = r->taken_us + interval_us;
    while (!r->over) {
        wait_until(r, next_us);
        int64_t now_us = sm_clock_mono_us();
        if (r->over || now_us < next_us)
            continue;
        take_sample(r);
        next_us += (now_us - next_us) / interval_us * interval_us + interval_us;
    }
    if (sm_clock_mono_us() - r->taken_us >= LAST_US)
        take_sample(r);
}

/* ---- begin and end ---- */

static bool open_recording(struct recording *r, struct sm_err *err)
{
    char node[32];
    snprintf(node, sizeof node, "algo-%d", r->o->node);
    const struct sm_sampler_options how = {
        .root = r->o->root, .node = node, .interval_ms = r->o->interval_ms};
    return open_signals(r, err) && (!r->o->pid || open_process(r, err)) &&
           sm_sample_file_open(&r->file, r->o->out, node, sm_clock_wall_us(), err) &&
           sm_sampler_new(&how, &r->sampler, err);
}

/* Two for each process of the tree; the program has begun with its own limit. */
static void allow_more_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    rlim_t most = files.rlim_max < FILES_MAX ? files.rlim_max : FILES_MAX;
    if (files.rlim_cur < most)
        files.rlim_cur = most;
    setrlimit(RLIMIT_NOFILE, &files);
}

static void record(struct recording *r)
{
    struct sm_err err = {0};
    if (r->o->argv && !start_program(r, &err)) {
        print_error(err.msg, 0);
        return;
    }
    allow_more_files();
    signal(SIGXFSZ, SIG_IGN); /* errors like a full disk, and not the end of the recording */
    signal(SIGPIPE, SIG_IGN);
    if (r->child || r->o->pid)
        sm_sampler_follow(r->sampler, r->child ? r->child : r->o->pid);
    run_loop(r);
}

/* For a person: a script gets what the program prints, and no more. */
static void say_where(const struct recording *r)
{
    struct sm_str text = {0};
    if (!isatty(STDERR_FILENO) || r->status == STATUS_NOT_FOUND || r->status == STATUS_CANNOT_RUN)
        return;
    sm_str_add(&text, "recorded to ");
    sm_str_add_escaped(&text, r->o->out, strlen(r->o->out));
    sm_str_add(&text, ".  \"smdbg-tui ");
    sm_str_add_escaped(&text, r->o->out, strlen(r->o->out));
    sm_str_add(&text, "\" shows what held it up.");
    print_error(sm_str_text(&text), 0);
    sm_str_clear(&text);
}

static int run_sample(const struct sm_sample_options *o)
{
    struct recording r = {.o = o, .signals = -1, .process = -1};
    struct sm_err err = {0};
    bool opened = open_recording(&r, &err);
    if (opened)
        record(&r);
    else
        r.status = print_error(err.msg, STATUS_FAILED);
    if (opened && !sm_sample_file_close(&r.file, true, &err))
        print_error(err.msg, 0);
    else if (opened)
        say_where(&r);
    sm_sampler_free(r.sampler);
    if (r.signals >= 0)
        close(r.signals);
    if (r.process >= 0)
        close(r.process);
    return r.status;
}

static int print_sample_help(void)
{
    struct sm_str text = {0};
    sm_sample_help(&text);
    bool ok = sm_terminal_write(STDOUT_FILENO, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return ok ? 0 : 1;
}

int sm_sample_main(int argc, char **argv)
{
    struct sm_sample_options o;
    struct sm_err err = {0};
    sm_terminal_fill_standard_fds();
    if (!sm_sample_parse(argc, argv, &o, &err)) {
        print_error(err.msg, 0);
        fputs("Try \"smdbg-tui sample --help\".\n", stderr);
        return STATUS_USAGE;
    }
    return o.help ? print_sample_help() : run_sample(&o);
}
