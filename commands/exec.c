#include "commands/exec_state.h"

#include "commands/grow.h"
#include "commands/help.h"
#include "commands/outfile.h"
#include "reader/base/clock.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLICE_US = 20000 };               /* how long one sm_exec_run works before it lets others have a turn */

enum {
    STATUS_OK,
    STATUS_FAILED = 1,
    STATUS_VERDICT = 3,
    STATUS_MISSING = 4,
    STATUS_TRIAL = 5,
    STATUS_TIMEOUT = 6,
    STATUS_PARTIAL = 7,
};

struct sm_exec *sm_exec_new(struct sm_session *s, const struct sm_exec_ops *ops, void *ctx)
{
    struct sm_exec *x = sm_xalloc_zero(1, sizeof *x);
    x->session = s;
    x->ops = ops;
    x->ctx = ctx;
    return x;
}

/* ---- what waits to be run ---- */

static void enqueue(struct sm_exec *x, struct queued q)
{
    if (x->head == x->n_queue)
        x->head = x->n_queue = 0;
    SM_GROW(x->queue, x->n_queue, x->cap_queue);
    x->queue[x->n_queue++] = q;
}

void sm_exec_line(struct sm_exec *x, const char *line, enum sm_origin origin)
{
    enqueue(x, (struct queued){.origin = origin, .line = sm_xstrdup(line)});
}

void sm_exec_file(struct sm_exec *x, const char *path)
{
    struct queued q = {.origin = SM_FROM_FILE};
    q.script = sm_script_read(path, &q.err);
    enqueue(x, q);
}

void sm_exec_text(struct sm_exec *x, const char *name, unsigned line, const char *text)
{
    struct queued q = {.origin = SM_FROM_FILE, .script = sm_script_of_text(text)};
    q.script->name = sm_xstrdup(name);
    q.script->next_line = line;
    enqueue(x, q);
}

void sm_exec_failure(struct sm_exec *x, const struct sm_err *err)
{
    enqueue(x, (struct queued){.origin = SM_FROM_OPTION, .err = *err});
}

static void free_queued(struct queued *q)
{
    sm_free(q->line);
    sm_script_free(q->script);
}

/* ---- what people see ---- */

int sm_exec_status_of(const struct sm_err *err)
{
    switch (err->code) {
    case SM_OK:
        return STATUS_OK;
    case SM_ERR_MISSING:
        return STATUS_MISSING;
    case SM_ERR_DATA:
    case SM_ERR_IO:
        return STATUS_TRIAL;
    case SM_ERR_TIMEOUT:
        return STATUS_TIMEOUT;
    case SM_ERR_VERDICT:
        return STATUS_VERDICT;
    default:
        return STATUS_FAILED;
    }
}

static void note_status(struct sm_exec *x, int status, enum sm_origin origin)
{
    struct sm_session *s = x->session;
    s->exit_code = status;
    s->failures += status != STATUS_OK;
    /* a person at the prompt sees what failed and goes on */
    if (!x->status && !(origin == SM_FROM_PROMPT && s->interactive))
        x->status = status;
}

/* A command failed: the script around it ends, and so does a batch. */
static void fail(struct sm_exec *x, const struct sm_err *err, enum sm_origin origin, bool forgiven)
{
    sm_exec_complain(x, err->msg);
    if (forgiven) {
        x->session->exit_code = sm_exec_status_of(err);
        return;
    }
    note_status(x, sm_exec_status_of(err), origin);
    if (x->keep_going || !x->session->settings.values[SM_SET_STOP_ON_ERROR].b)
        return;
    sm_exec_abandon(x);
    if (x->session->batch)
        x->quit = true;
}

/* ---- where answers go ---- */

bool sm_exec_shell(struct sm_exec *x, const char *command, const char *input, size_t n, int *status, struct sm_err *err)
{
    const struct sm_session *s = x->session;
    if (s->readonly)
        return sm_err_set(err, SM_ERR_REFUSED, "Shell commands are refused with --readonly.");
    if (s->batch && !s->allow_shell)
        return sm_err_set(err, SM_ERR_REFUSED, "Shell commands are refused in a batch without --allow-shell.");
    if (!x->ops->shell)
        return sm_err_set(err, SM_ERR_REFUSED, "There is no shell here.");
    *status = x->ops->shell(x->ctx, command, input, n);
    sm_exec_set_number(x->session, "_shell_exitcode", (size_t)(*status < 0 ? 0 : *status));
    return true;
}

/* What `list` pages through: the last listing's text. */
static void keep_listing(struct sm_session *s, const struct running *r, const struct sm_str *text)
{
    if (!(r->line.cmd->flags & SM_CMD_LISTING) || (r->line.cmd->flags & SM_CMD_CONTINUES) || r->line.output != SM_OUTPUT_TEXT)
        return;
    sm_str_truncate(&s->listing.lines, 0);
    sm_str_addn(&s->listing.lines, sm_str_text(text), text->len);
    s->listing.next = 0;
}

static void print_options(const struct sm_exec *x, const struct sm_line *line, struct sm_print_options *o)
{
    sm_session_print_options(x->session, o);
    o->output = line->output;
    if (x->ops->plain)
        o->depth = SM_COLOR_MONO;
    o->fields = line->fields;
    if (line->redirect != SM_REDIRECT_NONE) {
        o->depth = SM_COLOR_MONO;
        o->width = 0;
    }
}

static bool deliver(struct sm_exec *x, struct running *r, const struct sm_str *text, struct sm_err *err)
{
    bool ok = true;
    int status;
    if (r->line.redirect == SM_REDIRECT_PIPE)
        ok = sm_exec_shell(x, r->line.target, sm_str_text(text), text->len, &status, err);
    else if (r->line.redirect != SM_REDIRECT_NONE)
        ok = sm_outfile_write(x->session, r->line.target, r->line.redirect == SM_REDIRECT_APPEND, sm_str_text(text), text->len, err);
    else if (text->len)
        x->ops->answer(x->ctx, sm_str_text(text), text->len);
    keep_listing(x->session, r, text);
    return ok;
}

/* ---- one command ---- */

static void drop_running(struct sm_exec *x)
{
    struct running *r = x->running;
    if (!r)
        return;
    x->running = NULL;
    if (r->fetching)
        sm_fetch_end(x->session->fetch);
    if (r->render)
        sm_render_drop(r->render);
    sm_works_drop(&r->call.works);
    sm_result_clear(&r->result);
    sm_arena_clear(&r->call.arena);
    sm_free(r->text);
    sm_free(r);
}

/* Damaged pieces that were skipped count as a failure of their own when the person wants that. */
static int partial_status(const struct sm_exec *x)
{
    const struct sm_trial *t = sm_session_trial(x->session);
    bool strict = x->session->settings.values[SM_SET_STRICT].b;
    return strict && t && sm_trial_problems(t)->total ? STATUS_PARTIAL : STATUS_OK;
}

/* The answer as text, or the complaint; then nothing runs any more. */
static void end(struct sm_exec *x, bool ok, const struct sm_str *text, struct sm_err *err)
{
    struct running *r = x->running;
    ok = ok && deliver(x, r, text, err);
    if (ok)
        note_status(x, partial_status(x), r->origin);
    else
        fail(x, err, r->origin, r->line.forgiven);
    if (ok && r->result.quit) {
        x->quit = true;
        if (r->result.quit_status >= 0)
            x->status = r->result.quit_status;
    }
    drop_running(x);
}

static void finish(struct sm_exec *x, bool ok, struct sm_err *err)
{
    struct running *r = x->running;
    struct sm_print_options o;
    struct sm_str text = {0};
    if (r->fetching)
        sm_fetch_end(x->session->fetch);
    r->fetching = false;
    ok = ok && sm_print_check_fields(&r->result, r->line.fields, err);
    print_options(x, &r->line, &o);
    if (ok && sm_render_takes_long(&r->result)) {
        r->render = sm_render_start(x->session->pool, &r->result, &o);
        return;
    }
    if (ok)
        sm_print_result(&r->result, &o, &text);
    end(x, ok, &text, err);
    sm_str_clear(&text);
}

static bool finish_render(struct sm_exec *x)
{
    struct running *r = x->running;
    struct sm_str text = {0};
    struct sm_err err = {0};
    if (!sm_render_done(r->render))
        return false;
    sm_render_take(r->render, &r->result, &text);
    r->render = NULL;
    end(x, true, &text, &err);
    sm_str_clear(&text);
    return true;
}

/* An open trial whose first scan has been merged. 1 yes, 0 not yet, -1 there is none. */
static int trial_ready(const struct sm_exec *x, const struct sm_cmd *cmd)
{
    const struct sm_trial *t = sm_session_trial(x->session);
    if (!(cmd->flags & SM_CMD_NEEDS_TRIAL))
        return 1;
    return t ? sm_trial_scanned(t) : -1;
}

/* A batch does not go on asking a directory that is not there; opening, checking and waiting may. */
static bool trial_exists(const struct sm_exec *x, const struct sm_cmd *cmd, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(x->session);
    bool patient = cmd->cmd_class == SM_CLASS_RUNNING || cmd->cmd_class == SM_CLASS_FILES;
    if (!x->session->batch || x->session->wait || patient || !(cmd->flags & SM_CMD_NEEDS_TRIAL) || sm_trial_step_count(t))
        return true;
    return access(sm_trial_path(t), F_OK) == 0 || sm_err_errno(err, "%s", sm_trial_path(t));
}

/* Runs the command once. False: it waits. */
static bool attempt(struct sm_exec *x)
{
    struct running *r = x->running;
    struct sm_err err = {0};
    int ready = trial_ready(x, r->call.cmd);
    r->seen = x->session->news;
    r->call.wake_us = 0;
    if (ready == 0)
        return false;
    if (ready < 0) {
        sm_err_set(&err, SM_ERR_USAGE, "No trial is open.  Use \"open PATH\".");
        finish(x, false, &err);
        return true;
    }
    if (!trial_exists(x, r->call.cmd, &err)) {
        finish(x, false, &err);
        return true;
    }
    if (!r->fetching) {
        sm_fetch_begin(x->session->fetch);
        r->fetching = true;
    }
    sm_works_begin(&r->call.works);
    sm_result_reset(&r->result);
    bool ok = r->call.cmd->run(&r->call, &r->result, &err);
    sm_session_apply_settings(x->session);
    if (!ok && err.code == SM_ERR_WAIT)
        return false;
    finish(x, ok, &err);
    return true;
}

/* The waiting command again, if there is a reason. False: it waits on. */
static bool resume(struct sm_exec *x)
{
    struct running *r = x->running;
    if (r->render)
        return finish_render(x);
    bool due = r->call.wake_us && sm_clock_mono_us() >= r->call.wake_us;
    bool news = x->session->news != r->seen && !sm_fetch_busy(x->session->fetch);
    return (due || news) && attempt(x);
}

static bool allowed(const struct sm_exec *x, const struct sm_line *line, struct sm_err *err)
{
    const struct sm_session *s = x->session;
    bool shell = (line->cmd->flags & SM_CMD_SHELL) || line->redirect == SM_REDIRECT_PIPE;
    if (shell && s->readonly)
        return sm_err_set(err, SM_ERR_REFUSED, "Shell commands are refused with --readonly.");
    if (shell && s->batch && !s->allow_shell)
        return sm_err_set(err, SM_ERR_REFUSED, "Shell commands are refused in a batch without --allow-shell.");
    return true;
}

static void set_up_call(struct sm_exec *x, struct running *r, bool again)
{
    struct sm_call *c = &r->call;
    c->session = x->session;
    c->exec = x;
    c->cmd = r->line.cmd;
    c->words = r->line.words;
    c->n_words = r->line.n_words;
    c->raw = r->line.raw;
    c->format = r->line.format;
    c->output = r->line.output;
    c->fields = r->line.fields;
    c->again = again;
    c->works = (struct sm_works){.pool = x->session->pool, .news = &x->session->news};
    c->started_us = sm_clock_mono_us();
    c->option_values = r->line.option_values;
    c->keyword_values = r->line.keyword_values;
}

static void remember(struct sm_exec *x, const char *text, const struct sm_cmd *cmd, enum sm_origin origin)
{
    if (origin != SM_FROM_PROMPT || !x->session->interactive || x->script)
        return;
    sm_free(x->last);
    x->last = cmd->flags & SM_CMD_NO_REPEAT ? NULL : sm_xstrdup(text);
}

/* Help needs no running; also a command that has only subcommands. True: answered. */
static bool answer_help(struct sm_exec *x, struct running *r)
{
    if (!r->line.help && r->line.cmd->run)
        return false;
    struct sm_err err = {0};
    sm_help_command(&r->result, r->line.parent, r->line.cmd);
    finish(x, true, &err);
    return true;
}

/* Takes a line up. The command may be waiting afterwards. */
static void begin(struct sm_exec *x, const char *text, enum sm_origin origin, bool again)
{
    struct running *r = sm_xalloc_zero(1, sizeof *r);
    struct sm_err err = {0};
    sm_result_init(&r->result);
    r->text = sm_xstrdup(text);
    r->origin = origin;
    x->running = r;
    sm_session_sync_variables(x->session);
    bool ok = sm_line_parse(r->text, strlen(r->text), &r->call.arena, &r->line, &err);
    if (ok && !r->line.cmd) {
        drop_running(x);
        return;
    }
    if (!ok || !allowed(x, &r->line, &err)) {
        fail(x, &err, origin, r->line.forgiven);
        drop_running(x);
        return;
    }
    if (!again)
        remember(x, text, r->line.cmd, origin);
    set_up_call(x, r, again);
    if (!answer_help(x, r))
        attempt(x);
}

/* ---- lines from the prompt ---- */

static bool is_blank(const char *line)
{
    return !line[strspn(line, " \t\r\n")];
}

static void add_history(struct sm_session *s, const char *line)
{
    int64_t most = s->settings.values[SM_SET_HISTORY_SIZE].i;
    if (s->batch || is_blank(line) || line[0] == ' ' || (s->n_lines && strcmp(s->lines[s->n_lines - 1], line) == 0))
        return;
    SM_GROW(s->lines, s->n_lines, s->cap_lines);
    s->lines[s->n_lines++] = sm_xstrdup(line);
    while ((int64_t)s->n_lines > most) {
        sm_free(s->lines[0]);
        memmove(s->lines, s->lines + 1, --s->n_lines * sizeof *s->lines);
    }
}

/* An empty line repeats the last command, or goes on with it. */
static void repeat(struct sm_exec *x)
{
    if (!x->last || !x->session->interactive)
        return;
    char *text = sm_xstrdup(x->last);
    begin(x, text, SM_FROM_PROMPT, true);
    sm_free(text);
}

static void begin_prompt_line(struct sm_exec *x, const char *line)
{
    size_t n = strlen(line);
    bool more = sm_line_continues(line, n);
    sm_str_addn(&x->partial, line, n - more);
    if (more)
        return;
    char *whole = sm_xstrdup(sm_str_text(&x->partial));
    sm_str_truncate(&x->partial, 0);
    add_history(x->session, whole);
    sm_exec_trace(x, whole);
    if (is_blank(whole))
        repeat(x);
    else
        begin(x, whole, SM_FROM_PROMPT, false);
    sm_free(whole);
}

/* ---- the queue ---- */

static void begin_script_line(struct sm_exec *x)
{
    struct sm_str line = {0};
    struct sm_err err = {0};
    if (!sm_script_next(x->script, &line)) {
        sm_exec_pop(x);
    } else if (!sm_script_expand(x->script, &line, &err)) {
        fail(x, &err, SM_FROM_FILE, false);
    } else {
        if (x->script->name)
            sm_exec_trace(x, sm_str_text(&line));
        begin(x, sm_str_text(&line), SM_FROM_FILE, false);
    }
    sm_str_clear(&line);
}

static void begin_queued(struct sm_exec *x)
{
    struct queued q = x->queue[x->head++];
    if (q.script) {
        sm_exec_push(x, q.script);
        q.script = NULL;
    } else if (!q.line) {
        fail(x, &q.err, q.origin, false);
    } else if (q.origin == SM_FROM_PROMPT) {
        begin_prompt_line(x, q.line);
    } else {
        sm_exec_trace(x, q.line);
        begin(x, q.line, q.origin, false);
    }
    free_queued(&q);
}

/* One thing. False: nothing left, or the running command waits. */
static bool advance(struct sm_exec *x)
{
    if (x->quit)
        return false;
    if (x->running)
        return resume(x);
    if (x->script)
        begin_script_line(x);
    else if (x->head < x->n_queue)
        begin_queued(x);
    else
        return false;
    return true;
}

static bool has_work(const struct sm_exec *x)
{
    return !x->quit && (x->running || x->script || x->head < x->n_queue);
}

bool sm_exec_run(struct sm_exec *x)
{
    if (x->inside)                       /* a front end that lets the loop turn while it shows an answer */
        return true;
    x->inside = true;
    int64_t until = sm_clock_mono_us() + SLICE_US;
    while (advance(x) && sm_clock_mono_us() < until)
        ;
    x->inside = false;
    return has_work(x);
}

bool sm_exec_waiting(const struct sm_exec *x)
{
    return x->running && !x->quit;
}

int64_t sm_exec_deadline_us(const struct sm_exec *x)
{
    if (!has_work(x))
        return INT64_MAX;
    if (!x->running)
        return 0;
    return x->running->call.wake_us ? x->running->call.wake_us : INT64_MAX;
}

const char *sm_exec_running(const struct sm_exec *x)
{
    return x->running ? x->running->text : NULL;
}

bool sm_exec_partial(const struct sm_exec *x)
{
    return x->partial.len > 0;
}

void sm_exec_cancel(struct sm_exec *x)
{
    sm_str_truncate(&x->partial, 0);
    if (!x->running && !x->script)
        return;
    struct sm_err err = {.code = SM_ERR_CANCELLED, .msg = "Quit"};
    enum sm_origin origin = x->running ? x->running->origin : SM_FROM_FILE;
    sm_exec_complain(x, err.msg);
    note_status(x, sm_exec_status_of(&err), origin);
    drop_running(x);
    sm_exec_abandon(x);
}

void sm_exec_keep_going(struct sm_exec *x, bool on)
{
    x->keep_going = on;
}

bool sm_exec_quit(const struct sm_exec *x)
{
    return x->quit;
}

int sm_exec_status(const struct sm_exec *x)
{
    return x->status;
}

void sm_exec_free(struct sm_exec *x)
{
    if (!x)
        return;
    drop_running(x);
    while (x->script) {
        struct sm_script *below = x->script->below;
        sm_script_free(x->script);
        x->script = below;
    }
    for (size_t i = x->head; i < x->n_queue; i++)
        free_queued(&x->queue[i]);
    sm_free(x->queue);
    sm_str_clear(&x->partial);
    sm_free(x->last);
    sm_free(x);
}
