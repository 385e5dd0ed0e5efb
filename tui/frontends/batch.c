/* SPDX-License-Identifier: Apache-2.0 */
/* Without a terminal: -x, -ex, commands on stdin. Answers are written to stdout, errors to stderr.
 */
#include "commands/judge/judge.h"
#include "commands/judge/session_rules.h"
#include "commands/judge/sleeping_runs.h"
#include "commands/language/command_line.h"
#include "commands/session/incident.h"
#include "tui/app/startup.h"
#include "tui/frontends/frontend.h"
#include "tui/terminal/shell.h"
#include "tui/terminal/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RULE_FIRED = 3, NOTHING_JUDGED = 4, TRIAL_UNREADABLE = 5 }; /* doc/language.md */

struct batch {
    struct sm_loop *loop;
    struct sm_exec *exec;
    const struct sm_options *options;
    bool reading;          /* stdin has commands and has not ended */
    bool listening;        /* stdin is a source of the loop */
    bool broken;           /* stdout cannot be written */
    bool summary, verdict; /* must still be printed */
    struct sm_str input;   /* not yet run */
    size_t at;
    bool cut;      /* a line was too long: skip the rest of it */
    unsigned line; /* number of the next line */
};

/* ---- answers ---- */

static void write_stderr(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    sm_terminal_write(STDERR_FILENO, text, n);
}

static void write_answer(void *ctx, const char *text, size_t n)
{
    struct batch *b = ctx;
    if (b->options->batch_silent || b->broken || sm_terminal_write(STDOUT_FILENO, text, n))
        return;
    struct sm_str message = {0};
    sm_str_printf(&message, "smdbg: stdout: %s\n", strerror(errno));
    write_stderr(b, sm_str_text(&message), message.len);
    sm_str_clear(&message);
    b->broken = true;
}

static int run_shell(void *ctx, const char *command, const char *input, size_t n)
{
    (void)ctx;
    return sm_shell_run(command, input, n);
}

/* Reports rules at once when they fire, while a trial is followed. */
static void report_incident(void *ctx, const struct sm_incident *e)
{
    struct sm_str text = {0};
    sm_str_printf(&text, "%s\n", e->text);
    write_stderr(ctx, sm_str_text(&text), text.len);
    sm_str_clear(&text);
}

/* ---- commands on stdin ---- */

static void on_stdin(void *ctx)
{
    struct batch *b = ctx;
    char chunk[1 << 14];
    ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
    if (n > 0)
        sm_str_addn(&b->input, chunk, (size_t)n);
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        b->reading = false;
}

/* stdin is read only between commands: a running command may read the rest of it. */
static void listen_stdin(struct batch *b, bool on)
{
    const struct sm_loop_source source = {.fd = STDIN_FILENO, .ready = on_stdin, .ctx = b};
    if (on && !b->listening)
        sm_loop_add(b->loop, &source);
    else if (!on && b->listening)
        sm_loop_remove(b->loop, STDIN_FILENO);
    b->listening = on;
}

/* The length of the first line and its continuation lines, with line ends; 0 if it is incomplete.
 */
static size_t complete_line(const struct batch *b, unsigned *lines)
{
    const char *p = sm_str_text(&b->input) + b->at;
    size_t left = b->input.len - b->at, n = 0;
    for (*lines = 0; n < left;) {
        const char *end = memchr(p + n, '\n', left - n);
        size_t length = end ? (size_t)(end - p) - n : left - n;
        bool more = sm_line_continues(p + n, length - (length && p[n + length - 1] == '\r'));
        if (!end && b->reading && left <= SM_LINE_MAX)
            return 0;
        n += length + (end != NULL);
        ++*lines;
        if (!more)
            return n;
    }
    return b->reading ? 0 : n;
}

/* Returns false if the rest of the line is not read yet. */
static bool skip_cut(struct batch *b)
{
    const char *p = sm_str_text(&b->input) + b->at, *end = memchr(p, '\n', b->input.len - b->at);
    b->cut = !end;
    b->at = end ? b->at + (size_t)(end - p) + 1 : b->input.len;
    return end != NULL;
}

static bool feed_line(struct batch *b)
{
    unsigned lines;
    if (b->cut && !skip_cut(b)) {
        sm_str_truncate(&b->input, b->at = 0);
        return false;
    }
    size_t n = complete_line(b, &lines);
    if (!n)
        return false;
    b->cut = b->reading && b->input.data[b->at + n - 1] != '\n';
    struct sm_str text = {0};
    sm_str_addn(&text, b->input.data + b->at, n);
    sm_exec_text(b->exec, "<stdin>", b->line, sm_str_text(&text));
    sm_str_clear(&text);
    b->line += lines;
    b->at += n;
    if (b->at == b->input.len) {
        sm_str_truncate(&b->input, 0);
        b->at = 0;
    }
    return true;
}

/* ---- turns ---- */

/* For --inspect, after the trial was read. Returns true if there is more to wait for. */
static bool print_summary(struct batch *b)
{
    struct sm_session *s = sm_loop_session(b->loop);
    const struct sm_trial *t = sm_session_trial(s);
    struct sm_str text = {0};
    if (!b->summary || (t && !sm_trial_scanned(t)))
        return b->summary;
    b->summary = false;
    sm_summary(s, &text);
    bool values = t && sm_trial_tensor_count(t) > 0;
    if (values)
        sm_str_addc(&text, '\n');
    write_answer(b, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    if (values)
        sm_exec_line(b->exec, "tensors", SM_FROM_OPTION);
    return values;
}

/* For --rules, after all commands. */
static bool print_verdict(struct batch *b)
{
    if (!b->verdict)
        return false;
    b->verdict = false;
    sm_exec_line(b->exec,
                 b->options->json ? "rule status -wait -all -json" : "rule status -wait -all",
                 SM_FROM_OPTION);
    return true;
}

static int64_t on_turn(void *ctx, bool changed)
{
    struct batch *b = ctx;
    (void)changed;
    if (sm_exec_quit(b->exec) || b->broken) {
        sm_loop_stop(b->loop);
        return INT64_MAX;
    }
    bool busy = sm_loop_busy(b->loop);
    if (!busy && print_summary(b))
        return b->summary ? INT64_MAX : 0;
    if (!busy && feed_line(b)) {
        listen_stdin(b, false);
        return 0;
    }
    listen_stdin(b, !busy && b->reading);
    if (!busy && !b->reading && print_verdict(b))
        return 0;
    if (!busy && !b->reading) {
        sm_exec_ended(b->exec);
        sm_loop_stop(b->loop);
    }
    return INT64_MAX;
}

/* doc/language.md: without -x, and in -batch without -ex and --rules too. */
static bool reads_stdin(const struct sm_options *o)
{
    return !o->inspect && !(o->rules && o->batch) && !isatty(STDIN_FILENO) &&
           !sm_options_have_commands(o, !o->batch);
}

/* Says so: NoIssuesFound alone would read as if the run were fine. */
static bool judged_nothing(const struct batch *b)
{
    struct sm_str what = {0}, text = {0};
    bool nothing = sm_session_rules_judged_nothing(sm_loop_session(b->loop), &what);
    sm_str_add_escaped(&text, sm_str_text(&what), what.len);
    if (nothing)
        fprintf(stderr, "smdbg: %s\n", sm_str_text(&text));
    sm_str_clear(&what);
    sm_str_clear(&text);
    return nothing;
}

/* Whether a trial could not be read at all; says which. */
static bool has_unreadable(struct batch *b)
{
    const struct sm_session *s = sm_loop_session(b->loop);
    bool any = false;
    for (size_t i = 0; i < s->n_trials; i++) {
        const struct sm_trial *t = s->trials[i].trial;
        struct sm_err why;
        struct sm_str text = {0};
        if (!sm_trial_unreadable(t, &why))
            continue;
        sm_str_add(&text, "smdbg: ");
        sm_str_add_escaped(&text, sm_trial_path(t), strlen(sm_trial_path(t)));
        sm_str_printf(&text, ": %s\n", why.msg);
        write_stderr(b, sm_str_text(&text), text.len);
        sm_str_clear(&text);
        any = true;
    }
    return any;
}

int sm_batch_run(struct sm_loop *l, const struct sm_options *o)
{
    static const struct sm_exec_ops ops = {
        .answer = write_answer, .complain = write_stderr, .shell = run_shell};
    struct batch b = {
        .loop = l, .options = o, .summary = o->inspect, .verdict = o->rules != NULL, .line = 1};
    sm_loop_session(l)->batch = true;
    sm_loop_session(l)->wait = o->wait;
    sm_loop_session(l)->part = o->shard;
    sm_loop_session(l)->parts = o->shards;
    if (o->rules)
        sm_sleepers_keep_rows(sm_loop_session(l)); /* `rule status -all` is the last command */
    if (o->rules && o->follow == SM_YES && !o->batch_silent)
        sm_loop_session(l)->incidents->on_added = report_incident;
    b.exec = sm_exec_new(sm_loop_session(l), &ops, &b);
    sm_loop_set_exec(l, b.exec);
    sm_startup(l, b.exec, o);
    b.reading = reads_stdin(o);
    sm_loop_on_turn(l, on_turn, &b);
    sm_loop_run(l);
    int status = sm_exec_status(b.exec);
    if (has_unreadable(&b) && !status)
        status = TRIAL_UNREADABLE;
    bool fired = o->rules && sm_session_rules_fired(sm_loop_session(l));
    if (!status && (fired || sm_judge(sm_loop_session(l))->merged_fired))
        status = RULE_FIRED;
    else if (!status && o->rules && judged_nothing(&b))
        status = NOTHING_JUDGED;
    listen_stdin(&b, false);
    sm_loop_on_turn(l, NULL, NULL);
    sm_loop_set_exec(l, NULL);
    sm_exec_free(b.exec);
    sm_str_clear(&b.input);
    return b.broken && !status ? 1 : status;
}
