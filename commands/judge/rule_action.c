/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/rule_action.h"
#include "commands/judge/judge.h"

#include "commands/judge/action.h"
#include "commands/session/outfile.h"
#include "commands/session/trial_list.h"
#include "reader/base/json.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- one action ---- */

struct firing {
    struct sm_session *s;
    size_t trial;
    const struct sm_rule_instance *i;
    const struct sm_finding *f;
    struct sm_str message; /* of the rule */
    struct sm_str text;    /* the same, with the name of the trial */
};

static void log_event(const struct firing *x, const char *text)
{
    sm_incidents_add(x->s->incidents, x->i->name, x->f->step, false, text);
}

static void write_log(const struct firing *x, const char *path)
{
    struct sm_str line = {0};
    struct sm_err err;
    sm_str_printf(&line, "%s\n", sm_str_text(&x->text));
    if (!sm_outfile_write(x->s, path, true, sm_str_text(&line), line.len, &err)) {
        sm_err_prefix(&err, "log");
        log_event(x, err.msg);
    }
    sm_str_clear(&line);
}

static struct sm_action action_of(const struct firing *x)
{
    return (struct sm_action){.who = x->i->name,
                              .rule = x->i->name,
                              .step = x->f->step,
                              .tensor = x->f->tensor,
                              .worker = x->f->worker,
                              .message = sm_str_text(&x->message),
                              .trial = sm_trial_path(x->s->trials[x->trial].trial),
                              .has_value = true,
                              .value = x->f->value};
}

static void run_command(const struct firing *x, const char *text)
{
    const struct sm_action a = action_of(x);
    sm_action_command(x->s, &a, text);
}

static void run_stop(const struct firing *x)
{
    const struct sm_action a = action_of(x);
    if (!sm_action_stop(x->s, &a))
        log_event(x, "no stop command configured: see \"help set stop-action\"");
}

static void run_notify(const struct firing *x)
{
    const char *text = sm_judge_settings(x->s)->notify_action;
    if (text && *text)
        run_command(x, text);
    else
        log_event(x, "no notifier configured: see \"help set notify-action\"");
}

static void set_current_step(const struct firing *x)
{
    if (x->f->step < 0 || x->trial != x->s->current) /* < 0: of a window of time */
        return;
    x->s->at.follow = false;
    x->s->at.step = (struct sm_step){x->f->step};
}

enum action { PRINT, BELL, BREAK, LOG, STOP, SHELL, NOTIFY, UNKNOWN };
static const struct {
    const char *name;
    enum action action;
    bool argument;
} names[] = {
    {"print", PRINT, false},   {"bell", BELL, false},         {"break", BREAK, false},
    {"log", LOG, true},        {"stop", STOP, false},         {"shell", SHELL, true},
    {"notify", NOTIFY, false}, {"stoptraining", STOP, false}, {"email", NOTIFY, false},
    {"sms", NOTIFY, false},
};

static enum action find_action(const char *text, const char **argument)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *rest = sm_action_word(text, names[i].name);
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
    bool restricted = a == LOG || a == STOP || a == SHELL || a == NOTIFY;
    if (restricted && (x->s->readonly || !sm_judge_settings(x->s)->rule_actions)) {
        log_event(x, x->s->readonly ? "action refused by --readonly"
                                    : "action refused: \"set rule-actions on\" allows it");
        return;
    }
    switch (a) {
    case BREAK:
        set_current_step(x);
        break;
    case LOG:
        write_log(x, argument);
        break;
    case STOP:
        run_stop(x);
        break;
    case SHELL:
        run_command(x, argument);
        break;
    case NOTIFY:
        run_notify(x);
        break;
    default:
        break; /* print and bell only need the log entry, which exists already */
    }
}

/* ---- lists of actions ---- */

/* For the JSON of the service: collects the values of keys called "name". */
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

/* Converts actions to a list with semicolons. */
static bool to_plain_list(const char *actions, struct sm_str *out, struct sm_err *err)
{
    static const struct sm_json_ops ops = {.key = on_key, .string = on_string};
    struct names_of_json x = {.out = out};
    if (*actions == '{' || *actions == '[')
        return sm_json_parse(actions, strlen(actions), &ops, &x, err);
    sm_str_add(out, actions);
    return true;
}

/* Calls each for every action. Semicolons separate actions, but the command of `shell` extends to
 * the end of the line. */
static bool for_each_action(const char *actions, bool (*each)(void *ctx, const char *text),
                            void *ctx, struct sm_err *err)
{
    struct sm_str list = {0};
    bool ok = to_plain_list(actions, &list, err);
    char *text = sm_xstrdup(sm_str_text(&list));
    for (char *p = text; ok && p && *p;) {
        while (isspace((unsigned char)*p) || *p == ';')
            p++;
        char *end = sm_action_word(p, "shell") ? NULL : strchr(p, ';');
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

static bool check_action(void *ctx, const char *text)
{
    const char *argument = "";
    return find_action(text, &argument) != UNKNOWN ||
           sm_err_set(ctx, SM_ERR_USAGE,
                      "unknown action \"%s\": expected print, bell, break, log FILE, stop, shell "
                      "CMD or notify",
                      text);
}

bool sm_action_check(const char *actions, struct sm_err *err)
{
    struct sm_err none;
    return for_each_action(actions, check_action, err ? err : &none, err ? err : &none);
}

static bool run_each(void *ctx, const char *text)
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

static void add_texts(struct firing *x)
{
    sm_rule_message(sm_rule_set_of(x->i), x->i, x->f, &x->message);
    if (x->s->n_trials > 1) {
        sm_trials_label(x->s, x->trial, &x->text);
        sm_str_add(&x->text, ": ");
    }
    sm_str_addn(&x->text, sm_str_text(&x->message), x->message.len);
}

void sm_action_fire(struct sm_session *s, size_t trial, const struct sm_rule_instance *i,
                    const struct sm_finding *f)
{
    struct firing x = {.s = s, .trial = trial, .i = i, .f = f};
    struct sm_err err;
    bool bell = false;
    add_texts(&x);
    if (i->actions)
        for_each_action(i->actions, is_bell, &bell, &err);
    sm_incidents_add(s->incidents, i->name, f->step, bell, sm_str_text(&x.text));
    if (i->actions)
        for_each_action(i->actions, run_each, &x, &err);
    const struct sm_rule_value *stops = sm_rule_value(i->rule, i->values, "stop_training_on_fire");
    if (stops && stops->number != 0)
        run_action(&x, "stop");
    sm_str_clear(&x.message);
    sm_str_clear(&x.text);
}
