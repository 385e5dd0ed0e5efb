/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/action.h"
#include "commands/judge/action_command.h"
#include "commands/judge/judge.h"

#include "commands/session/incident.h"
#include "commands/session/outfile.h"
#include "commands/session/permission.h"
#include "commands/session/session.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- the actions ---- */

static void log_event(struct sm_session *s, const struct sm_action *a, const char *text)
{
    sm_incidents_add(s->incidents, a->who, a->step, false, text);
}

void sm_action_command(struct sm_session *s, const struct sm_action *a, const char *text)
{
    struct sm_err err;
    if (sm_session_may(s, SM_DEED_ACTION, &err))
        sm_action_command_start(s, a, text);
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
