#include "commands/judge/action.h"
#include "commands/judge/judge.h"

#include "commands/session/incident.h"
#include "commands/session/outfile.h"
#include "commands/session/permission.h"
#include "commands/session/session.h"
#include "reader/base/clock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- commands in a worker ---- */

enum { OUTPUT_MAX = 4096, SECONDS_MAX = 60, VARIABLES = 8 };

struct command {
    struct sm_job job;
    struct sm_incidents *log;
    char *who, *text; /* the shell's */
    int64_t step;
    char *variables[VARIABLES + 1]; /* "SMDBG_STEP=3" */
    struct sm_str output;
    int status; /* exit status of the shell; -1: could not be started; -2: timeout */
};

static char **make_environment(const struct command *c)
{
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **all = sm_alloc((n + VARIABLES + 1) * sizeof *all);
    if (!all)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "SMDBG_", 6) != 0)
            all[kept++] = environ[i];
    memcpy(all + kept, c->variables, (VARIABLES + 1) * sizeof *all);
    return all;
}

static bool spawn_command(struct command *c, int output, pid_t *pid)
{
    char sh[] = "sh", option[] = "-c";
    char *const argv[] = {sh, option, c->text, NULL};
    char **environment = make_environment(c);
    posix_spawnattr_t attr;
    posix_spawn_file_actions_t files;
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    bool ok = environment && posix_spawn(pid, "/bin/sh", &files, &attr, argv, environment) == 0;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attr);
    sm_free(environment);
    return ok;
}

/* Reads the output of the command until it ends. Returns false after SECONDS_MAX. */
static bool read_output(struct command *c, int fd)
{
    int64_t end = sm_clock_mono_us() + (int64_t)SECONDS_MAX * 1000000;
    char chunk[512];
    for (ssize_t n;;) {
        int64_t left = (end - sm_clock_mono_us()) / 1000;
        struct pollfd p = {.fd = fd, .events = POLLIN};
        if (left <= 0 || (poll(&p, 1, (int)left) == 0))
            return false;
        n = read(fd, chunk, sizeof chunk);
        if (n == 0 || (n < 0 && errno != EINTR))
            return true;
        if (n > 0 && c->output.len < OUTPUT_MAX)
            sm_str_addn(&c->output, chunk, (size_t)n);
    }
}

static void command_run(struct sm_job *job)
{
    struct command *c = (struct command *)job;
    int ends[2], status = 0;
    pid_t pid;
    c->status = -1;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    bool started = spawn_command(c, ends[1], &pid);
    close(ends[1]);
    bool ended = started && read_output(c, ends[0]);
    close(ends[0]);
    if (!started)
        return;
    if (!ended)
        kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    c->status = !ended ? -2 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void command_done(struct sm_job *job)
{
    struct command *c = (struct command *)job;
    struct sm_str text = {0};
    if (c->status == -1)
        sm_str_printf(&text, "\"%s\" could not be started", c->text);
    else if (c->status == -2)
        sm_str_printf(&text, "\"%s\" was ended after %d s", c->text, SECONDS_MAX);
    else
        sm_str_printf(&text, "\"%s\" ended with status %d", c->text, c->status);
    while (c->output.len && isspace((unsigned char)c->output.data[c->output.len - 1]))
        sm_str_truncate(&c->output, c->output.len - 1);
    if (c->output.len)
        sm_str_printf(&text, ": %s", sm_str_text(&c->output));
    c->log->running--;
    if (!c->log->closed)
        sm_incidents_add(c->log, c->who, c->step, false, sm_str_text(&text));
    else if (!c->log->running)
        sm_free(c->log);
    for (size_t i = 0; i < VARIABLES; i++)
        sm_free(c->variables[i]);
    sm_str_clear(&text);
    sm_str_clear(&c->output);
    sm_free(c->who);
    sm_free(c->text);
    sm_free(c);
}

/* ---- the actions ---- */

static char *new_variable(const char *name, const char *value)
{
    struct sm_str text = {0};
    sm_str_printf(&text, "%s=%s", name, value ? value : "");
    char *copy = sm_xstrdup(sm_str_text(&text));
    sm_str_clear(&text);
    return copy;
}

static void start_command(struct sm_session *s, const struct sm_action *a, const char *text)
{
    struct command *c = sm_xalloc_zero(1, sizeof *c);
    char step[24], value[32] = "", breakpoint[16] = "";
    snprintf(step, sizeof step, "%lld", (long long)a->step);
    if (a->has_value)
        sm_format_double(a->value, 17, value);
    if (a->breakpoint)
        snprintf(breakpoint, sizeof breakpoint, "%u", a->breakpoint);
    *c = (struct command){.job = {.run = command_run, .done = command_done},
                          .log = s->incidents,
                          .text = sm_xstrdup(text),
                          .who = sm_xstrdup(a->who),
                          .step = a->step};
    const char *const variables[VARIABLES][2] = {
        {"SMDBG_RULE", a->rule},       {"SMDBG_BREAKPOINT", breakpoint}, {"SMDBG_STEP", step},
        {"SMDBG_TENSOR", a->tensor},   {"SMDBG_WORKER", a->worker},      {"SMDBG_VALUE", value},
        {"SMDBG_MESSAGE", a->message}, {"SMDBG_TRIAL", a->trial},
    };
    for (size_t i = 0; i < VARIABLES; i++)
        c->variables[i] = new_variable(variables[i][0], variables[i][1]);
    c->log->running++;
    sm_pool_submit(s->pool, &c->job);
}

static void log_event(struct sm_session *s, const struct sm_action *a, const char *text)
{
    sm_incidents_add(s->incidents, a->who, a->step, false, text);
}

void sm_action_command(struct sm_session *s, const struct sm_action *a, const char *text)
{
    struct sm_err err;
    if (sm_session_may(s, SM_DEED_ACTION, &err))
        start_command(s, a, text);
    else
        log_event(s, a, err.msg);
}

static void create_file(struct sm_session *s, const struct sm_action *a, const char *path)
{
    struct sm_err err;
    bool ok = sm_outfile_touch(s, path, &err) || sm_err_prefix(&err, "stop-action");
    log_event(s, a, ok ? "stop-action: the file was created" : err.msg);
}

/* ---- set stop-action ---- */

const char *sm_action_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    if (strncasecmp(text, word, n) != 0 || (text[n] && !isspace((unsigned char)text[n])))
        return NULL;
    text += n;
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static const struct {
    const char *name;
    int number;
} signals[] = {{"TERM", SIGTERM}, {"STOP", SIGSTOP}, {"INT", SIGINT},   {"HUP", SIGHUP},
               {"QUIT", SIGQUIT}, {"KILL", SIGKILL}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2},
               {"TSTP", SIGTSTP}, {"CONT", SIGCONT}};

/* "1234 STOP"; without a name, SIGTERM. */
static bool read_pid(const char *text, pid_t *pid, size_t *which)
{
    char *end;
    long n = strtol(text, &end, 10);
    while (isspace((unsigned char)*end))
        end++;
    if (end == text || n <= 1 || (pid_t)n != n)
        return false;
    *pid = (pid_t)n;
    end += strncasecmp(end, "SIG", 3) == 0 ? 3 : 0;
    for (*which = 0; *end && *which < sizeof signals / sizeof *signals; ++*which)
        if (strcasecmp(end, signals[*which].name) == 0)
            return true;
    return !*end;
}

static void send_signal(struct sm_session *s, const struct sm_action *a, const char *to)
{
    struct sm_str text = {0};
    struct sm_err err;
    pid_t pid = 0;
    size_t which = 0;
    bool allowed = sm_session_may(s, SM_DEED_SIGNAL, &err);
    bool ok = allowed && read_pid(to, &pid, &which) && kill(pid, signals[which].number) == 0;
    if (allowed && !ok)
        sm_err_errno(&err, "process %lld", (long long)pid);
    if (ok)
        sm_str_printf(&text, "stop-action: SIG%s was sent to process %lld", signals[which].name,
                      (long long)pid);
    else
        sm_str_printf(&text, "stop-action: %s", err.msg);
    log_event(s, a, sm_str_text(&text));
    sm_str_clear(&text);
}

bool sm_action_check_stop(const char *text, struct sm_err *err)
{
    const char *rest;
    pid_t pid;
    size_t which;
    if ((rest = sm_action_word(text, "shell")) || (rest = sm_action_word(text, "file")))
        return *rest || sm_err_set(err, SM_ERR_USAGE, "Expected an argument after \"%s\".", text);
    if ((rest = sm_action_word(text, "pid")) && read_pid(rest, &pid, &which))
        return true;
    return !*text || sm_err_set(err, SM_ERR_USAGE,
                                "Invalid stop action \"%s\": expected \"pid N [SIGNAL]\", \"file "
                                "PATH\" or \"shell CMD\".  \"set stop-action\" alone removes it.",
                                text);
}

bool sm_action_stop(struct sm_session *s, const struct sm_action *a)
{
    const char *text = sm_judge_settings(s)->stop_action, *rest;
    struct sm_err err;
    if (!text || !*text)
        return false;
    if (!sm_action_check_stop(text, &err))
        log_event(s, a, err.msg);
    else if (s->readonly)
        log_event(s, a, "stop-action: refused by --readonly");
    else if ((rest = sm_action_word(text, "shell")))
        sm_action_command(s, a, rest);
    else if ((rest = sm_action_word(text, "file")))
        create_file(s, a, rest);
    else if ((rest = sm_action_word(text, "pid")))
        send_signal(s, a, rest);
    return true;
}
