#include "commands/rule_action.h"

#include "commands/grow.h"
#include "reader/base/clock.h"
#include "reader/base/json.h"

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
#include <sys/wait.h>
#include <unistd.h>

/* ---- commands in a worker ---- */

enum { OUTPUT_MAX = 4096, SECONDS_MAX = 60, VARIABLES = 6 };

struct command {
    struct sm_job job;
    struct sm_incidents *log;
    char *rule, *text; /* the shell's */
    int64_t step;
    char *variables[VARIABLES + 1]; /* "SMDBG_STEP=3" */
    struct sm_str output;
    int status; /* of the shell; -1: it could not be started; -2: it took too long */
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

static bool spawn(struct command *c, int output, pid_t *pid)
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

/* What it writes, until it ends or its time is over. False: it took too long. */
static bool listen_to(struct command *c, int fd)
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
    bool started = spawn(c, ends[1], &pid);
    close(ends[1]);
    bool ended = started && listen_to(c, ends[0]);
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
        sm_incidents_add(c->log, c->rule, c->step, false, sm_str_text(&text));
    else if (!c->log->running)
        sm_free(c->log);
    for (size_t i = 0; i < VARIABLES; i++)
        sm_free(c->variables[i]);
    sm_str_clear(&text);
    sm_str_clear(&c->output);
    sm_free(c->rule);
    sm_free(c->text);
    sm_free(c);
}

/* ---- one action ---- */

struct firing {
    struct sm_session *s;
    const struct sm_rule_instance *i;
    const struct sm_finding *f;
    struct sm_str message;
};

static char *variable(const char *name, const char *value)
{
    struct sm_str text = {0};
    sm_str_printf(&text, "%s=%s", name, value ? value : "");
    char *copy = sm_xstrdup(sm_str_text(&text));
    sm_str_clear(&text);
    return copy;
}

static const struct sm_trial *trial_of(const struct firing *x)
{
    for (size_t i = 0; i < x->s->n_trials; i++) {
        const struct sm_rules *r = x->s->trials[i].rules;
        for (size_t k = 0; r && k < sm_rules_count(r); k++)
            if (sm_rules_item(r, k) == x->i)
                return x->s->trials[i].trial;
    }
    return NULL;
}

static void run_command(const struct firing *x, const char *text)
{
    struct command *c = sm_xalloc_zero(1, sizeof *c);
    const struct sm_trial *t = trial_of(x);
    char step[24], value[32];
    snprintf(step, sizeof step, "%lld", (long long)x->f->step);
    sm_format_double(x->f->value, 17, value);
    *c = (struct command){.job = {.run = command_run, .done = command_done},
                          .log = x->s->incidents,
                          .text = sm_xstrdup(text),
                          .rule = sm_xstrdup(x->i->name),
                          .step = x->f->step};
    c->variables[0] = variable("SMDBG_RULE", x->i->name);
    c->variables[1] = variable("SMDBG_STEP", step);
    c->variables[2] = variable("SMDBG_TENSOR", x->f->tensor);
    c->variables[3] = variable("SMDBG_VALUE", value);
    c->variables[4] = variable("SMDBG_MESSAGE", sm_str_text(&x->message));
    c->variables[5] = variable("SMDBG_TRIAL", t ? sm_trial_path(t) : NULL);
    c->log->running++;
    sm_pool_submit(x->s->pool, &c->job);
}

static void tell(const struct firing *x, const char *text)
{
    sm_incidents_add(x->s->incidents, x->i->name, x->f->step, false, text);
}

static void write_log(const struct firing *x, const char *path)
{
    struct sm_err err;
    FILE *f = fopen(path, "ae");
    bool ok = f && fprintf(f, "%s\n", sm_str_text(&x->message)) > 0;
    if (!f || fclose(f) != 0 || !ok) {
        sm_err_errno(&err, "log %s", path);
        tell(x, err.msg);
    }
}

static const char *after_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    if (strncasecmp(text, word, n) != 0 || (text[n] && !isspace((unsigned char)text[n])))
        return NULL;
    text += n;
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static void make_file(const struct firing *x, const char *path)
{
    struct sm_err err;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        sm_err_errno(&err, "stop: %s", path);
    tell(x, fd < 0 ? err.msg : "stop: the file was made");
    if (fd >= 0)
        close(fd);
}

/* As `set stop-action` says: "pid N", "file PATH", "shell CMD". */
static void stop(const struct firing *x)
{
    const char *text = x->s->settings.values[SM_SET_STOP_ACTION].text, *rest;
    char *end;
    if (!text || !*text) {
        tell(x, "no stop command configured: see \"help set stop-action\"");
    } else if ((rest = after_word(text, "shell"))) {
        run_command(x, rest);
    } else if ((rest = after_word(text, "file"))) {
        make_file(x, rest);
    } else if ((rest = after_word(text, "pid"))) {
        long pid = strtol(rest, &end, 10);
        bool ok = end != rest && !*end && pid > 1 && kill((pid_t)pid, SIGTERM) == 0;
        tell(x, ok ? "stop: the process was asked to end" : "stop: no such process");
    } else {
        tell(x, "stop-action wants pid N, file PATH or shell CMD");
    }
}

static void notify(const struct firing *x)
{
    const char *text = x->s->settings.values[SM_SET_NOTIFY_ACTION].text;
    if (text && *text)
        run_command(x, text);
    else
        tell(x, "no notifier configured: see \"help set notify-action\"");
}

static void suspend(const struct firing *x)
{
    x->s->at.follow = false;
    x->s->at.step = (struct sm_step){x->f->step};
}

enum action { PRINT, BELL, BREAK, LOG, STOP, SHELL, NOTIFY, UNKNOWN };
static const struct {
    const char *name;
    enum action action;
    bool argument;
} names[] = {
    {"print", PRINT, false},  {"bell", BELL, false},  {"break", BREAK, false},   {"log", LOG, true},
    {"stop", STOP, false},    {"shell", SHELL, true}, {"notify", NOTIFY, false}, {"stoptraining", STOP, false},
    {"email", NOTIFY, false}, {"sms", NOTIFY, false},
};

static enum action find_action(const char *text, const char **argument)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *rest = after_word(text, names[i].name);
        if (!rest)
            continue;
        *argument = rest;
        return names[i].argument != (*rest != 0) ? UNKNOWN : names[i].action;
    }
    return UNKNOWN;
}

static void run_action(const struct firing *x, const char *text)
{
    const char *argument = "";
    enum action a = find_action(text, &argument);
    bool bold = a == LOG || a == STOP || a == SHELL || a == NOTIFY;
    if (bold && (x->s->readonly || !x->s->settings.values[SM_SET_RULE_ACTIONS].b)) {
        tell(x, x->s->readonly ? "action refused by --readonly" : "action refused: \"set rule-actions on\" allows it");
        return;
    }
    switch (a) {
    case BREAK:
        suspend(x);
        break;
    case LOG:
        write_log(x, argument);
        break;
    case STOP:
        stop(x);
        break;
    case SHELL:
        run_command(x, argument);
        break;
    case NOTIFY:
        notify(x);
        break;
    default:
        break; /* the log's entry is what print and bell do */
    }
}

/* ---- lists of actions ---- */

/* The service's JSON: the values of keys called "name". */
struct names_of_json {
    struct sm_str *out;
    bool name;
};

static bool on_key(void *ctx, const char *p, size_t n)
{
    ((struct names_of_json *)ctx)->name = n == 4 && strncasecmp(p, "name", n) == 0;
    return true;
}

static bool on_string(void *ctx, const char *p, size_t n)
{
    struct names_of_json *x = ctx;
    if (x->name) {
        sm_str_add(x->out, x->out->len ? "; " : "");
        sm_str_addn(x->out, p, n);
    }
    return true;
}

/* As a list with semicolons. */
static bool plain_list(const char *actions, struct sm_str *out, struct sm_err *err)
{
    static const struct sm_json_ops ops = {.key = on_key, .string = on_string};
    struct names_of_json x = {.out = out};
    if (*actions == '{' || *actions == '[')
        return sm_json_parse(actions, strlen(actions), &ops, &x, err);
    sm_str_add(out, actions);
    return true;
}

/* Calls each for every action; a semicolon parts them, but in `shell` the rest of the line is the command. */
static bool for_each(const char *actions, bool (*each)(void *ctx, const char *text), void *ctx, struct sm_err *err)
{
    struct sm_str list = {0};
    bool ok = plain_list(actions, &list, err);
    char *text = sm_xstrdup(sm_str_text(&list));
    for (char *p = text; ok && p && *p;) {
        while (isspace((unsigned char)*p) || *p == ';')
            p++;
        char *end = after_word(p, "shell") ? NULL : strchr(p, ';');
        if (end)
            *end = 0;
        for (size_t n = strlen(p); n && isspace((unsigned char)p[n - 1]); n--)
            p[n - 1] = 0;
        ok = !*p || each(ctx, p);
        p = end ? end + 1 : NULL;
    }
    sm_free(text);
    sm_str_clear(&list);
    return ok;
}

static bool check_one(void *ctx, const char *text)
{
    const char *argument = "";
    return find_action(text, &argument) != UNKNOWN ||
           sm_err_set(ctx, SM_ERR_USAGE,
                      "no action \"%s\": print, bell, break, log FILE, stop, shell CMD or notify is expected", text);
}

bool sm_action_check(const char *actions, struct sm_err *err)
{
    struct sm_err none;
    return for_each(actions, check_one, err ? err : &none, err ? err : &none);
}

static bool run_one(void *ctx, const char *text)
{
    run_action(ctx, text);
    return true;
}

static bool is_bell(void *ctx, const char *text)
{
    const char *argument;
    *(bool *)ctx = *(bool *)ctx || find_action(text, &argument) == BELL;
    return true;
}

void sm_action_fire(struct sm_session *s, const struct sm_rule_instance *i, const struct sm_finding *f)
{
    struct firing x = {.s = s, .i = i, .f = f};
    struct sm_err err;
    bool bell = false;
    const struct sm_rules *rules = NULL;
    for (size_t k = 0; k < s->n_trials; k++)
        if (s->trials[k].rules && s->trials[k].trial == trial_of(&x))
            rules = s->trials[k].rules;
    if (rules)
        sm_rule_message(rules, i, f, &x.message);
    if (i->actions)
        for_each(i->actions, is_bell, &bell, &err);
    sm_incidents_add(s->incidents, i->name, f->step, bell, sm_str_text(&x.message));
    if (i->actions)
        for_each(i->actions, run_one, &x, &err);
    const struct sm_rule_value *stops = sm_rule_value(i->rule, i->values, "stop_training_on_fire");
    if (stops && stops->number != 0)
        run_action(&x, "stop");
    sm_str_clear(&x.message);
}
