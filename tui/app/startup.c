/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a session from the command line: init files, options and trials in the order of
 * doc/language.md. */
#include "tui/app/startup.h"
#include "commands/judge/rule_attach.h"
#include "commands/judge/session_rules.h"
#include "commands/language/command_line.h"
#include "reader/base/mem.h"
#include "reader/s3/address.h"
#include "reader/s3/source_s3.h"
#include "reader/source/source_pipe.h"
#include "rules/builtin/rule_list.h"
#include "tui/app/startup_settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- init files ---- */

/* The first of $XDG_CONFIG_HOME/smdbg/init and ~/.smdbginit that exists; empty if none does. */
static void find_home_init(struct sm_str *out)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0] == '/') /* the XDG specification ignores relative values */
        sm_str_printf(out, "%s/smdbg/init", config);
    else if (home && *home)
        sm_str_printf(out, "%s/.config/smdbg/init", home);
    if (out->len && sm_path_exists(sm_str_text(out)))
        return;
    sm_str_truncate(out, 0);
    if (home && *home)
        sm_str_printf(out, "%s/.smdbginit", home);
    if (out->len && !sm_path_exists(sm_str_text(out)))
        sm_str_truncate(out, 0);
}

static void queue_init_files(struct sm_exec *x, const struct sm_options *o)
{
    static const char system_init[] = "/etc/smdbg/init";
    struct sm_str home = {0};
    if (!o->no_init && sm_path_exists(system_init))
        sm_exec_file(x, system_init, NULL, 0);
    if (!o->no_init && !o->no_home_init)
        find_home_init(&home);
    if (home.len)
        sm_exec_file(x, sm_str_text(&home), NULL, 0);
    sm_str_clear(&home);
}

static bool is_within(const char *dir, const char *root)
{
    char *real = realpath(root, NULL);
    size_t n = real ? strlen(real) : 0;
    bool yes =
        n && strncmp(dir, real, n) == 0 && (dir[n] == 0 || dir[n] == '/' || real[n - 1] == '/');
    free(real);
    return yes;
}

/* A trial directory may come from elsewhere: its init file runs only if the user has allowed it. */
static bool directory_is_safe(const struct sm_session *s)
{
    const char *path = sm_startup_settings(s)->safe_path;
    char *here = realpath(".", NULL), *copy = sm_xstrdup(path ? path : ""), *rest = copy;
    bool safe = false;
    for (char *dir; here && !safe && (dir = strsep(&rest, ":"));)
        safe = *dir && is_within(here, dir);
    sm_free(copy);
    free(here);
    return safe;
}

static bool is_home_init(const char *path)
{
    struct sm_str home = {0};
    struct stat a, b;
    find_home_init(&home);
    bool same = home.len && stat(path, &a) == 0 && stat(sm_str_text(&home), &b) == 0 &&
                a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    sm_str_clear(&home);
    return same;
}

static void queue_local_init(struct sm_session *s, struct sm_exec *x, const struct sm_options *o)
{
    static const char local[] = "./.smdbginit";
    if (o->no_init || !sm_path_exists(local) || is_home_init(local))
        return;
    if (directory_is_safe(s))
        sm_exec_file(x, local, NULL, 0);
    else if (s->interactive)
        sm_exec_line(
            x, "echo ./.smdbginit was not run: its directory is not in \"auto-load safe-path\".\\n",
            SM_FROM_OPTION);
}

/* ---- options ---- */

static void set_setting(struct sm_session *s, const char *name, const char *text)
{
    sm_setting_set(&s->settings, sm_setting_named(&s->settings, name), text, NULL);
}

/* Options override init files; -iex overrides options. */
static void apply_options(struct sm_session *s, const struct sm_options *o)
{
    char period[32];
    if (o->color != SM_AUTO)
        set_setting(s, "color", o->color == SM_YES ? "always" : "never");
    if (o->symbols)
        set_setting(s, "symbols", o->symbols);
    if (o->mouse != SM_AUTO)
        set_setting(s, "mouse", o->mouse == SM_YES ? "on" : "off");
    if (o->delay_tenths) {
        snprintf(period, sizeof period, "%dms", o->delay_tenths * 100);
        set_setting(s, "refresh", period);
    }
    if (o->threads > 0) {
        snprintf(period, sizeof period, "%d", o->threads);
        set_setting(s, "threads", period);
    }
    if (o->stop_on_error)
        set_setting(s, "stop-on-error", "on");
    s->readonly = o->readonly;
    s->allow_shell = o->allow_shell;
    sm_options_restrict(o, &s->open_options, NULL); /* already checked */
    sm_session_apply_settings(s);
}

static void queue_items(struct sm_exec *x, const struct sm_options *o, bool early)
{
    for (size_t i = 0; i < o->n_items; i++) {
        const struct sm_start_item *item = &o->items[i];
        if (item->early != early)
            continue;
        if (item->kind == SM_START_FILE)
            sm_exec_file(x, item->text, o->args, o->n_args);
        else
            sm_exec_line(x, item->text, SM_FROM_OPTION);
    }
}

static void run_queued(struct sm_loop *l, struct sm_exec *x)
{
    while (!sm_loop_stopped(l) && sm_exec_run(x))
        sm_loop_turn(l, true);
}

/* ---- trials ---- */

static bool may_open(const struct sm_options *o, const char *path)
{
    return o->wait || sm_pipe_is_path(path) || sm_path_exists(path);
}

/* One trial of the command line: the call has its path as the state. */
static bool run_open(struct sm_call *c, bool wait, struct sm_err *err)
{
    struct sm_session *s = c->session;
    unsigned how = (s->n_trials ? SM_OPEN_ADD : 0) | (wait ? 0 : SM_OPEN_EXISTING);
    return sm_session_open_later(s, &c->works, c->state, NULL, how, err);
}

static bool run_open_existing(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return run_open(c, false, err);
}

static bool run_open_waiting(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return run_open(c, true, err);
}

/* The trials in their order: once there is the address of a bucket, in the turns of the loop. */
static void open_trial(struct sm_session *s, struct sm_exec *x, const struct sm_options *o,
                       const char *path, bool later)
{
    static const struct sm_cmd existing = {
        .name = "open", .cmd_class = SM_CLASS_FILES, .run = run_open_existing};
    static const struct sm_cmd waiting = {
        .name = "open", .cmd_class = SM_CLASS_FILES, .run = run_open_waiting};
    struct sm_err err = {0};
    struct sm_str text = {0};
    bool ok = true;
    sm_str_printf(&text, "open %s", path);
    if (later)
        sm_exec_call(x, o->wait ? &waiting : &existing, sm_str_text(&text),
                     (void *)(uintptr_t)path);
    else if (!may_open(o, path))
        ok =
            sm_err_set(&err, SM_ERR_IO, "%s: no such trial directory (--wait waits for it).", path);
    else
        ok = sm_session_open(s, path, NULL, s->n_trials > 0, &err);
    if (!ok)
        sm_exec_failure(x, &err);
    sm_str_clear(&text);
}

static bool opens_later(const struct sm_options *o)
{
    const char *environment = getenv("SMDEBUG_OUT");
    bool later = !o->n_trials && environment && sm_is_address(environment);
    for (size_t i = 0; i < o->n_trials; i++)
        later = later || sm_is_address(o->trials[i]);
    return later;
}

static void open_trials(struct sm_session *s, struct sm_exec *x, const struct sm_options *o)
{
    static const char usual[] = "./debug-output";
    const char *environment = getenv("SMDEBUG_OUT");
    bool later = opens_later(o);
    for (size_t i = 0; i < o->n_trials; i++)
        open_trial(s, x, o, o->trials[i], later);
    if (o->n_trials)
        return;
    if (sm_path_exists(usual))
        open_trial(s, x, o, usual, false);
    else if (environment && *environment)
        open_trial(s, x, o, environment, later);
    else if (o->wait)
        open_trial(s, x, o, usual, false);
}

const char *sm_startup_missing(const struct sm_options *o)
{
    for (size_t i = 0; i < o->n_trials; i++)
        if (!may_open(o, o->trials[i]))
            return o->trials[i];
    return NULL;
}

static bool run_automatic_rules(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    (void)out, (void)err;
    for (size_t i = 0; i < s->n_trials; i++)
        sm_rules_auto(sm_session_rules_of(s, i), sm_rule_table);
    sm_rules_auto(sm_session_rules_to_come(s), sm_rule_table);
    return true;
}

/* The first word of a list with commas, or the file of that name. */
static size_t first_rule(const char *list)
{
    return sm_path_exists(list) ? strlen(list) : strcspn(list, ",");
}

/* The call has the rest of the list as its state. */
static bool run_load_rule(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return sm_rules_load_for_all(c, sm_arena_xstrndup(&c->arena, c->state, first_rule(c->state)),
                                 err);
}

/* One of the rules of --rules, for every trial. */
static void attach_rule(struct sm_exec *x, const char *name, size_t n)
{
    static const struct sm_cmd automatic = {
        .name = "rule", .cmd_class = SM_CLASS_RULES, .run = run_automatic_rules};
    static const struct sm_cmd load = {.name = "rule",
                                       .cmd_class = SM_CLASS_RULES,
                                       .flags = SM_CMD_NEEDS_TRIAL,
                                       .run = run_load_rule};
    if (n == 4 && strncmp(name, "auto", n) == 0)
        sm_exec_call(x, &automatic, "--rules auto", NULL);
    else
        sm_exec_call(x, &load, "--rules", (void *)(uintptr_t)name);
}

/* --rules: a file, or a list with commas. */
static void attach_rules(struct sm_exec *x, const struct sm_options *o)
{
    const char *at = o->rules;
    while (at) {
        size_t n = first_rule(at);
        attach_rule(x, at, n);
        at = at[n] ? at + n + 1 : NULL;
    }
}

void sm_startup(struct sm_loop *l, struct sm_exec *x, const struct sm_options *o)
{
    struct sm_session *s = sm_loop_session(l);
    s->readonly = o->readonly; /* also applies to init files */
    s->allow_shell = o->allow_shell;
    sm_exec_keep_going(x, o->keep_going);
    if (o->resumed)
        return;
    if (!o->no_init && !o->no_home_init) {
        sm_home_rules(x);
        sm_home_log_patterns(x);
    }
    queue_init_files(x, o);
    run_queued(l, x);
    apply_options(s, o);
    queue_items(x, o, true);
    run_queued(l, x);
    if (sm_exec_quit(x) || sm_loop_stopped(l))
        return;
    open_trials(s, x, o);
    attach_rules(x, o);
    queue_local_init(s, x, o);
    queue_items(x, o, false);
}
