/* SPDX-License-Identifier: Apache-2.0 */
/* smdbg-tui: parses the options, runs one of the front ends, returns the exit status. Only this
 * file ends the program. */
#include "commands/judge/action_command.h"
#include "commands/profile/profile_rules.h"
#include "commands/session/incident.h"
#include "reader/base/mem.h"
#include "reader/base/replace.h"
#include "reader/hook/replay.h"
#include "reader/s3/source_s3.h"
#include "tui/app/sandbox.h"
#include "tui/app/startup.h"
#include "tui/app/stdin_log.h"
#include "tui/build_info.h"
#include "tui/check.h"
#include "tui/dashboard/dashboard_feature.h"
#include "tui/demo.h"
#include "tui/frontends/frontend.h"
#include "tui/panes/key_help.h"
#include "tui/program_features.h"
#include "tui/sample.h"
#include "tui/terminal/restore.h"
#include "tui/terminal/screen.h"
#include "tui/terminal/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_USAGE = 2, STATUS_NO_TRIAL = 5, THREADS = 2, NICENESS = 10 };

static int print_error(const char *message, int status)
{
    fprintf(stderr, "smdbg: %s\n", message);
    return status;
}

/* ---- without a trial ---- */

static int print_made(void (*make)(struct sm_str *out))
{
    struct sm_str text = {0};
    make(&text);
    bool ok = sm_terminal_write(STDOUT_FILENO, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return ok ? 0 : 1;
}

static int run_replay(const struct sm_options *o)
{
    const struct sm_replay_options how = {.speed = o->speed,
                                          .interval_ms = o->interval_ms > 0 ? o->interval_ms : 0};
    struct sm_err err = {0};
    if (sm_replay(o->replay_src, o->replay_dst, &how, &err))
        return 0;
    return print_error(err.msg,
                       err.code == SM_ERR_MISSING ? STATUS_NO_TRIAL : sm_exec_status_of(&err));
}

/* ---- the session ---- */

static void describe_terminal(struct sm_session *s)
{
    s->term.on_tty = isatty(STDOUT_FILENO);
    s->term.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    s->term.depth = sm_screen_depth();
    sm_terminal_size(s);
}

static bool use_dashboard(const struct sm_options *o)
{
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    if (o->keys)
        return true;
    if (o->batch || o->inspect || o->tui == SM_NO ||
        (o->tui == SM_AUTO && (!terminal || sm_options_have_commands(o, false))))
        return false;
    char *lacks = terminal
                      ? sm_terminal_lacks()
                      : sm_xstrdup("stdin or stdout is not a terminal: cannot show the dashboard");
    if (lacks)
        print_error(lacks, 0);
    bool can = !lacks;
    sm_free(lacks);
    return can;
}

static int run_frontend(struct sm_loop *l, const struct sm_options *o)
{
    if (o->check)
        return sm_check_run(l, o);
    if (o->interpreter && strcmp(o->interpreter, "json") == 0)
        return sm_machine_run(l, o);
    if (use_dashboard(o)) {
        const char *missing = sm_startup_missing(o);
        if (!missing)
            return sm_frontend_run(l, o, true);
        fprintf(stderr, "smdbg: %s: no such trial directory (--wait waits for it).\n", missing);
        return STATUS_NO_TRIAL;
    }
    return o->batch || o->inspect || !isatty(STDIN_FILENO) ? sm_batch_run(l, o)
                                                           : sm_frontend_run(l, o, false);
}

/* A notification must not be lost because the program that has sent it ends. */
static void wait_for_actions(struct sm_session *s, const struct sm_options *o)
{
    size_t n = sm_action_commands_open(s);
    if (n && !o->batch && isatty(STDERR_FILENO))
        fprintf(stderr, "smdbg: waiting for %zu command%s of actions; Ctrl-C ends %s\n", n,
                n == 1 ? "" : "s", n == 1 ? "it" : "them");
    sm_action_commands_wait(s);
}

static int run_session(const struct sm_options *o)
{
    struct sm_err err = {0};
    if (o->readonly || o->check) {
        sm_s3_keep_nothing();
        sm_sandbox_enter(); /* before there are threads; a kernel without it is no error */
    }
    struct sm_pool *pool =
        sm_pool_new(o->threads < 0 ? THREADS : (unsigned)o->threads, NICENESS, &err);
    struct sm_session *s = pool ? sm_session_new(pool, sm_program_features, &err) : NULL;
    struct sm_loop *l = s ? sm_loop_new(s, &err) : NULL;
    if (!l)
        return print_error(err.msg, 1);
    size_t n_keys;
    struct sm_key_help *keys = sm_key_help_rows(NULL, &n_keys);
    sm_dashboard_state(s)->keys = keys;
    sm_dashboard_state(s)->n_keys = n_keys;
    describe_terminal(s);
    int status = run_frontend(l, o);
    sm_loop_free(l);
    s->incidents->on_added = NULL;
    wait_for_actions(s, o);
    if (!sm_profile_reports_end(s, &err))
        status = print_error(err.msg, status ? status : 1);
    if (sm_pool_pending(pool)) /* do not wait for a disk that does not respond: the system frees the
                                  rest */
        return status;
    sm_session_free(s);
    sm_pool_free(pool);
    sm_key_help_free(keys, n_keys);
    return status;
}

static void end_by_signal(int signo)
{
    sm_replacements_unlink();
    sm_restore_now();
    signal(signo, SIG_DFL);
    raise(signo);
}

/* A signal that ends the program leaves no half-written file. One that was ignored at the start
 * (nohup) stays ignored. */
static void catch_ends(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction a = {.sa_handler = end_by_signal}, before;
    sigemptyset(&a.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &a, NULL);
}

/* A closed pipe ends the program as it ends cat, also if SIGPIPE was ignored at the start. A file
 * at its size limit is an error like a full disk, not a signal. */
static void reset_signals(void)
{
    struct sigaction usual = {.sa_handler = SIG_DFL}, ignored = {.sa_handler = SIG_IGN};
    sigemptyset(&usual.sa_mask);
    sigemptyset(&ignored.sa_mask);
    sigaction(SIGPIPE, &usual, NULL);
    sigaction(SIGXFSZ, &ignored, NULL);
    catch_ends();
}

int main(int argc, char **argv)
{
    struct sm_options o;
    struct sm_err err = {0};
    int status;
    if (argc > 1 && strcmp(argv[1], "sample") == 0)
        return sm_sample_main(argc - 1, argv + 1);
    reset_signals();
    sm_terminal_fill_standard_fds();
    setlocale(LC_CTYPE, ""); /* characters only: numbers stay those of the C locale */
    if (!sm_options_parse(argc, argv, &o, &err)) {
        status = print_error(err.msg, STATUS_USAGE);
        fputs("Try \"smdbg-tui --help\".\n", stderr);
    } else if (o.help || o.version) {
        status = o.help ? print_made(sm_options_help) : print_made(sm_build_info);
    } else if (!sm_stdin_log_begin(&o, &err)) {
        status = print_error(err.msg, err.code == SM_ERR_USAGE ? STATUS_USAGE : 1);
    } else if (o.demo) {
        status = sm_demo_run(&o, run_session);
    } else {
        status = o.replay_src ? run_replay(&o) : run_session(&o);
    }
    sm_options_clear(&o);
    return status;
}
