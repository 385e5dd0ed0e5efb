/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/action_command.h"
#include "commands/judge/judge.h"
#include "commands/judge/keeper.h"

#include "commands/session/incident.h"
#include "commands/session/session.h"
#include "reader/base/clock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUT_MAX = 4096, CHUNKS_PER_PUMP = 16, WATCH_US = 50000, VARIABLES = 8 };

struct sm_action_command {
    struct sm_action_command *next;
    char *who, *text; /* the shell's */
    int64_t step;
    char *variables[VARIABLES + 1]; /* "SMDBG_STEP=3" */
    pid_t pid;                      /* of its keeper; 0: it waits */
    int status;                     /* once it has ended */
    int64_t end_us;                 /* monotonic */
    bool killed;
    int output_fd; /* -1: closed */
    struct sm_str output;
};

/* ---- starting ---- */

/* The caller frees the array, not the strings. */
static char **make_environment(const struct sm_action_command *c)
{
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **all = sm_xalloc((n + VARIABLES + 1) * sizeof *all);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "SMDBG_", 6) != 0)
            all[kept++] = environ[i];
    memcpy(all + kept, c->variables, (VARIABLES + 1) * sizeof *all);
    return all;
}

static bool spawn(struct sm_action_command *c)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    char **environment = make_environment(c);
    c->pid = sm_keeper_start(c->text, environment, ends[1]);
    sm_free(environment);
    close(ends[1]);
    c->output_fd = ends[0];
    if (c->pid > 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        return true;
    close(ends[0]);
    c->output_fd = -1;
    return false;
}

static char *new_variable(const char *name, const char *value)
{
    struct sm_str text = {0};
    sm_str_printf(&text, "%s=%s", name, value ? value : "");
    char *copy = sm_xstrdup(sm_str_text(&text));
    sm_str_clear(&text);
    return copy;
}

static void set_variables(struct sm_action_command *c, const struct sm_action *a)
{
    char step[24], value[32] = "", breakpoint[16] = "";
    snprintf(step, sizeof step, "%lld", (long long)a->step);
    if (a->has_value)
        sm_format_double(a->value, 17, value);
    if (a->breakpoint)
        snprintf(breakpoint, sizeof breakpoint, "%u", a->breakpoint);
    const char *const variables[VARIABLES][2] = {
        {"SMDBG_RULE", a->rule},       {"SMDBG_BREAKPOINT", breakpoint}, {"SMDBG_STEP", step},
        {"SMDBG_TENSOR", a->tensor},   {"SMDBG_WORKER", a->worker},      {"SMDBG_VALUE", value},
        {"SMDBG_MESSAGE", a->message}, {"SMDBG_TRIAL", a->trial},
    };
    for (size_t i = 0; i < VARIABLES; i++)
        c->variables[i] = new_variable(variables[i][0], variables[i][1]);
}

void sm_action_command_start(struct sm_session *s, const struct sm_action *a, const char *text)
{
    struct sm_action_command **last = &sm_judge(s)->commands;
    size_t n = 0;
    for (; *last; last = &(*last)->next)
        n++;
    if (n >= SM_ACTION_COMMANDS_MAX) {
        sm_incidents_add(s->incidents, a->who, a->step, false,
                         "the command was not started: too many others wait");
        return;
    }
    struct sm_action_command *c = *last = sm_xalloc_zero(1, sizeof *c);
    c->text = sm_xstrdup(text);
    c->who = sm_xstrdup(a->who);
    c->step = a->step;
    c->output_fd = -1;
    set_variables(c, a);
}

/* ---- watching ---- */

static void read_output(struct sm_action_command *c)
{
    char chunk[4096];
    for (int i = 0; i < CHUNKS_PER_PUMP && c->output_fd >= 0; i++) {
        ssize_t n = read(c->output_fd, chunk, sizeof chunk);
        size_t room = OUTPUT_MAX - c->output.len;
        if (n > 0)
            sm_str_addn(&c->output, chunk, (size_t)n < room ? (size_t)n : room);
        else if (n < 0 && errno == EAGAIN)
            return;
        else if (n == 0 || errno != EINTR) {
            close(c->output_fd);
            c->output_fd = -1;
        }
    }
}

/* Whether the shell has ended and nothing of what it has started is left. */
static bool has_ended(struct sm_action_command *c)
{
    return waitpid(c->pid, &c->status, WNOHANG) == c->pid;
}

static void describe_end(const struct sm_action_command *c, int64_t limit_us, struct sm_str *out)
{
    if (c->pid <= 0)
        sm_str_printf(out, "\"%s\" could not be started", c->text);
    else if (c->killed)
        sm_str_printf(out, "\"%s\" was ended after %g s", c->text, (double)limit_us / 1e6);
    else
        sm_str_printf(out, "\"%s\" ended with status %d", c->text,
                      WIFEXITED(c->status) ? WEXITSTATUS(c->status) : 128 + WTERMSIG(c->status));
    size_t n = c->output.len;
    while (n && isspace((unsigned char)c->output.data[n - 1]))
        n--;
    if (n)
        sm_str_printf(out, ": %.*s", (int)n, c->output.data);
}

static void free_command(struct sm_action_command *c)
{
    if (c->output_fd >= 0)
        close(c->output_fd);
    for (size_t i = 0; i < VARIABLES; i++)
        sm_free(c->variables[i]);
    sm_str_clear(&c->output);
    sm_free(c->who);
    sm_free(c->text);
    sm_free(c);
}

/* Starts it, or looks after it. Returns true if it is over. */
static bool watch(struct sm_session *s, struct sm_action_command *c, int64_t now_us)
{
    int64_t limit_us = sm_judge_settings(s)->action_timeout;
    if (!c->pid) {
        c->end_us = now_us + limit_us;
        return !spawn(c);
    }
    bool over = has_ended(c);
    read_output(c);
    if (!over && !c->killed && now_us >= c->end_us) {
        c->killed = true;
        sm_keeper_end(c->pid);
    }
    return over || now_us >= c->end_us + SM_KEEPER_END_US;
}

bool sm_action_commands_pump(struct sm_session *s)
{
    int64_t now_us = sm_clock_mono_us();
    bool ended = false;
    size_t running = 0;
    for (struct sm_action_command **link = &sm_judge(s)->commands, *c; (c = *link);) {
        if (running++ == SM_ACTION_COMMANDS_AT_ONCE)
            break;
        if (!watch(s, c, now_us)) {
            link = &c->next;
            continue;
        }
        struct sm_str text = {0};
        describe_end(c, sm_judge_settings(s)->action_timeout, &text);
        *link = c->next;
        sm_incidents_add(s->incidents, c->who, c->step, false, sm_str_text(&text));
        sm_str_clear(&text);
        free_command(c);
        ended = true;
        running--;
    }
    return ended;
}

int64_t sm_action_commands_deadline_us(const struct sm_session *s)
{
    const struct sm_action_command *c = sm_judge(s)->commands;
    if (!c)
        return INT64_MAX;
    return c->pid ? sm_clock_mono_us() + WATCH_US : 0;
}

size_t sm_action_commands_open(const struct sm_session *s)
{
    size_t n = 0;
    for (const struct sm_action_command *c = sm_judge(s)->commands; c; c = c->next)
        n++;
    return n;
}

void sm_action_commands_wait(struct sm_session *s)
{
    while (sm_action_commands_open(s)) {
        sm_action_commands_pump(s);
        poll(NULL, 0, WATCH_US / 1000);
    }
}

void sm_action_commands_end(struct sm_session *s)
{
    for (struct sm_action_command *c = sm_judge(s)->commands; c; c = c->next)
        if (c->pid > 0)
            sm_keeper_end(c->pid);
    for (struct sm_action_command *c = sm_judge(s)->commands, *next; c; c = next) {
        next = c->next;
        if (c->pid > 0)
            sm_keeper_wait(c->pid);
        free_command(c);
    }
    sm_judge(s)->commands = NULL;
}
