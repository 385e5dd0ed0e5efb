/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/language/language.h"
#include "commands/run/exec_state.h"
#include "commands/run/run_state.h"
#include "commands/session/session_settings.h"

#include "commands/language/help.h"
#include "commands/language/user.h"
#include "commands/run/logging.h"
#include "commands/session/outfile.h"
#include "commands/session/permission.h"
#include "reader/base/clock.h"
#include "reader/s3/source_s3.h"
#include "reader/source/source_pipe.h"

#include <string.h>
#include <unistd.h>

/* ---- the output of answers ---- */

bool sm_exec_shell(struct sm_exec *x, const char *command, const char *input, size_t n, int *status,
                   struct sm_err *err)
{
    if (!sm_session_may(x->session, SM_DEED_SHELL, err))
        return false;
    if (!x->ops->shell)
        return sm_err_set(err, SM_ERR_REFUSED, "No shell is available.");
    *status = x->ops->shell(x->ctx, command, input, n);
    sm_exec_set_number(x->session, "_shell_exitcode", (size_t)(*status < 0 ? 0 : *status));
    return true;
}

/* Keeps the text of the last listing for `list`. */
static void keep_listing(struct sm_session *s, const struct running *r, const struct sm_str *text)
{
    if (!(r->line.cmd->flags & SM_CMD_LISTING) || (r->line.cmd->flags & SM_CMD_CONTINUES) ||
        r->line.output != SM_OUTPUT_TEXT || r->tree)
        return;
    sm_str_truncate(&sm_run(s)->listing.lines, 0);
    sm_str_addn(&sm_run(s)->listing.lines, sm_str_text(text), text->len);
    sm_run(s)->listing.next = 0;
}

static void keep_picture(struct sm_session *s, const struct sm_result *r)
{
    struct sm_print_options o;
    const struct sm_block *b = r->first;
    while (b && b->kind != SM_BLOCK_GRID)
        b = b->next;
    if (!b)
        return;
    sm_session_print_options(s, &o);
    sm_str_truncate(&sm_run(s)->picture, 0);
    sm_print_picture(r, &o, &sm_run(s)->picture);
}

/* The script that contains the command and whose answers go to a file or a program, or NULL. */
static struct sm_script *collector(const struct sm_exec *x)
{
    struct sm_script *s = x->script;
    while (s && !s->target)
        s = s->below;
    return s;
}

/* A program gets the tree of an answer that the user would get as text. */
static bool wants_tree(const struct sm_exec *x, const struct running *r)
{
    return x->ops->machine && r->result.root && !collector(x) &&
           r->line.redirect == SM_REDIRECT_NONE &&
           (r->line.output == SM_OUTPUT_TEXT || r->line.output == SM_OUTPUT_JSON);
}

static void print_options(const struct sm_exec *x, const struct sm_line *line,
                          struct sm_print_options *o)
{
    sm_session_print_options(x->session, o);
    o->output = line->output;
    if (x->ops->plain)
        o->depth = SM_COLOR_MONO;
    if (x->ops->roles)
        o->depth = SM_COLOR_ROLES;
    o->fields = line->fields;
    if (line->redirect != SM_REDIRECT_NONE || collector(x)) {
        o->depth = SM_COLOR_MONO;
        o->width = 0;
    }
    if (o->output == SM_OUTPUT_TEXT && line->redirect == SM_REDIRECT_WRITE &&
        sm_is_svg_file(line->target))
        o->output = SM_OUTPUT_SVG;
}

void sm_exec_answer(struct sm_exec *x, const char *text, size_t n)
{
    struct sm_script *s = collector(x);
    if (s)
        sm_str_addn(&s->answer, text, n);
    else if (sm_logging_add(x->session, text, n))
        x->ops->answer(x->ctx, text, n);
}

bool sm_exec_send(struct sm_exec *x, enum sm_redirect how, const char *target,
                  const struct sm_str *text, struct sm_err *err)
{
    int status;
    if (how == SM_REDIRECT_PIPE)
        return sm_exec_shell(x, target, sm_str_text(text), text->len, &status, err);
    return sm_outfile_write(x->session, target, how == SM_REDIRECT_APPEND, sm_str_text(text),
                            text->len, err);
}

const char *sm_exec_answering(const struct sm_exec *x, struct sm_str *name)
{
    const struct sm_line *line = x->running ? &x->running->line : NULL;
    if (!line || !line->cmd)
        return NULL;
    sm_str_printf(name, "%s%s%s", line->parent ? line->parent->name : "", line->parent ? " " : "",
                  line->cmd->name);
    return line->fields;
}

static bool deliver(struct sm_exec *x, struct running *r, const struct sm_str *text,
                    struct sm_err *err)
{
    bool ok = true, here = r->line.redirect == SM_REDIRECT_NONE;
    if (r->result.stopped && x->ops->machine)
        x->ops->machine->stopped(x->ctx, r->line.cmd, &r->result);
    bool held =
        r->result.stopped && sm_exec_hook_stop(x, here && !r->tree ? text : &(struct sm_str){0});
    if (r->tree) {
        sm_logging_add(x->session, sm_str_text(text), text->len);
        x->ops->machine->answer(x->ctx, sm_str_text(text), text->len);
    }
    if (!r->tree && !here && !r->script_redirects)
        ok = sm_exec_send(x, r->line.redirect, r->line.target, text, err);
    else if (!r->tree && here && !held && text->len)
        sm_exec_answer(x, sm_str_text(text), text->len);
    keep_listing(x->session, r, text);
    keep_picture(x->session, &r->result);
    return ok;
}

/* ---- one command ---- */

void sm_exec_drop_running(struct sm_exec *x)
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

/* Outputs the answer or the error. After that no command runs. */
static void end_call(struct sm_exec *x, bool ok, const struct sm_str *text, struct sm_err *err)
{
    struct running *r = x->running;
    ok = ok && deliver(x, r, text, err);
    sm_exec_report_time(x);
    if (ok)
        sm_exec_succeed(x, r->origin, &r->result);
    else
        sm_exec_fail(x, err, r->origin, r->line.forgiven);
    if (ok && r->result.asks) {
        sm_free(x->asked);
        x->asked = sm_xstrdup(r->text);
    }
    if (ok && r->result.quit) {
        x->quit = true;
        if (r->result.quit_status >= 0)
            x->status = r->result.quit_status;
    }
    sm_exec_drop_running(x);
}

static void finish_call(struct sm_exec *x, bool ok, struct sm_err *err)
{
    struct running *r = x->running;
    struct sm_print_options o;
    struct sm_str text = {0};
    if (r->fetching)
        sm_fetch_end(x->session->fetch);
    r->fetching = false;
    if (ok && r->result.passes) {
        end_call(x, true, &text, err);
        return;
    }
    ok = ok && sm_print_check_fields(&r->result, r->line.fields, err);
    print_options(x, &r->line, &o);
    r->tree = wants_tree(x, r);
    if (r->tree)
        o.output = SM_OUTPUT_JSON;
    if (ok && sm_render_takes_long(&r->result)) {
        r->render = sm_render_start(x->session->pool, &r->result, &o);
        return;
    }
    if (ok)
        sm_print_result(&r->result, &o, &text);
    end_call(x, ok, &text, err);
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
    end_call(x, true, &text, &err);
    sm_str_clear(&text);
    return true;
}

static bool needs_trial(const struct sm_call *c)
{
    const char *without = c->cmd->without_trial;
    bool opens = (c->cmd->flags & SM_CMD_MAY_OPEN) && !sm_session_trial(c->session);
    return (c->cmd->flags & SM_CMD_NEEDS_TRIAL) && !opens &&
           !(without && sm_call_option(c, without));
}

/* Whether a trial is open and its first scan is merged: 1 yes (or not needed), 0 not yet, -1 no
 * trial. */
static int trial_ready(const struct sm_exec *x, const struct sm_call *c)
{
    const struct sm_trial *t = sm_session_trial(x->session);
    if (!needs_trial(c))
        return 1;
    return t ? sm_trial_scanned(t) : -1;
}

/* The trial is empty because of an error in its files. */
static bool is_unreadable(const struct sm_trial *t, struct sm_err *err)
{
    const struct sm_problem *x = sm_trial_problems(t)->items;
    if (!x)
        return false;
    sm_err_set(err, SM_ERR_DATA, "%s: %s", x->file, x->message);
    if (strcmp(x->file, ".") == 0)
        sm_err_strip(err, x->file);
    return true;
}

/* In a batch a command fails if the directory does not exist, or none of it can be read, instead of
 * showing nothing. Not for commands that open, check or wait. */
static bool trial_exists(const struct sm_exec *x, const struct sm_call *c, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(x->session);
    bool patient = c->cmd->cmd_class == SM_CLASS_RUNNING || c->cmd->cmd_class == SM_CLASS_FILES;
    if (!x->session->batch || x->session->wait || patient || !needs_trial(c) ||
        sm_trial_step_count(t) || sm_trial_profile_root(t) || sm_trial_traits(t)->traces)
        return true;
    if (!sm_pipe_is_source(sm_trial_source(t)) && !sm_path_exists(sm_trial_path(t)))
        return sm_err_errno(err, "%s", sm_trial_path(t));
    return c->cmd->cmd_class != SM_CLASS_DATA || !is_unreadable(t, err);
}

/* Runs the command once. Returns false if it waits. */
static bool run_call(struct sm_exec *x)
{
    struct running *r = x->running;
    struct sm_err err = {0};
    int ready = trial_ready(x, &r->call);
    r->seen = x->session->news;
    r->call.wake_us = 0;
    if (ready == 0)
        return false;
    if (ready < 0) {
        finish_call(x, sm_session_no_trial(&err), &err);
        return true;
    }
    if (!trial_exists(x, &r->call, &err)) {
        finish_call(x, false, &err);
        return true;
    }
    if (!r->fetching && !x->beside) {
        sm_fetch_begin(x->session->fetch);
        r->fetching = true;
    }
    sm_works_begin(&r->call.works);
    sm_result_reset(&r->result);
    sm_fetch_set_background(x->session->fetch, x->beside);
    bool ok = r->call.cmd->run(&r->call, &r->result, &err);
    sm_fetch_set_background(x->session->fetch, false);
    sm_session_apply_settings(x->session);
    if (!ok && err.code == SM_ERR_WAIT) {
        r->waits = err;
        return false;
    }
    finish_call(x, ok, &err);
    return true;
}

bool sm_exec_resume(struct sm_exec *x)
{
    struct running *r = x->running;
    if (r->render)
        return finish_render(x);
    bool due = r->call.wake_us && sm_clock_mono_us() >= r->call.wake_us;
    bool news = x->session->news != r->seen && (x->beside || !sm_fetch_busy(x->session->fetch));
    return (due || news) && run_call(x);
}

/* Asked before the command runs, so that a refused line does nothing at all. */
static bool check_allowed(const struct sm_exec *x, const struct sm_line *line, struct sm_err *err)
{
    bool shell =
        ((line->cmd->flags & SM_CMD_SHELL) && !line->help) || line->redirect == SM_REDIRECT_PIPE;
    bool file = line->redirect == SM_REDIRECT_WRITE || line->redirect == SM_REDIRECT_APPEND;
    return (!shell || sm_session_may(x->session, SM_DEED_SHELL, err)) &&
           (!file || sm_session_may(x->session, SM_DEED_WRITE, err));
}

static void set_up_call(struct sm_exec *x, struct running *r, const struct sm_statement *st,
                        bool again)
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
    if (x->ops->machine && c->output == SM_OUTPUT_TEXT && r->line.redirect == SM_REDIRECT_NONE &&
        !collector(x))
        c->output = SM_OUTPUT_JSON;
    c->fields = r->line.fields;
    c->line_redirected = r->line.redirect != SM_REDIRECT_NONE;
    c->redirected = c->line_redirected || collector(x);
    c->again = again;
    c->may_ask = r->origin == SM_FROM_PROMPT && !x->script && x->session->interactive &&
                 sm_session_settings(x->session)->confirm && !x->confirmed;
    c->body = st ? st->body : NULL;
    c->otherwise = st ? st->otherwise : NULL;
    c->works = (struct sm_works){.pool = x->session->pool, .news = &x->session->news};
    c->started_us = sm_clock_mono_us();
    c->option_values = r->line.option_values;
    c->keyword_values = r->line.keyword_values;
}

static void remember_line(struct sm_exec *x, const char *text, const struct sm_cmd *cmd,
                          enum sm_line_origin origin)
{
    if (origin != SM_FROM_PROMPT || !x->session->interactive || x->script)
        return;
    sm_free(x->last);
    x->last = cmd->flags & SM_CMD_NO_REPEAT ? NULL : sm_xstrdup(text);
}

/* Answers with the help, if that is requested or the command has only subcommands. Returns whether
 * it did. */
static bool answer_help(struct sm_exec *x, struct running *r)
{
    if (!r->line.help && r->line.cmd->run)
        return false;
    struct sm_err err = {0};
    sm_help_command(sm_commands(x->session), &r->result, r->line.parent, r->line.cmd);
    finish_call(x, true, &err);
    return true;
}

static char *expand_alias(const struct sm_exec *x, const char *text)
{
    struct sm_text line;
    size_t taken;
    if (!sm_users_expand(sm_users(x->session), text, &line, &taken))
        return sm_xstrdup(text);
    struct sm_str whole = {0};
    bool forgiven = text[strspn(text, " \t")] == '-';
    sm_str_printf(&whole, "%s%.*s%s", forgiven ? "-" : "", (int)line.n, line.p, text + taken);
    return whole.data;
}

void sm_exec_begin(struct sm_exec *x, const char *text, enum sm_line_origin origin,
                   const struct sm_statement *st, bool again)
{
    struct running *r = sm_xalloc_zero(1, sizeof *r);
    struct sm_err err = {0};
    sm_result_init(&r->result);
    r->text = expand_alias(x, text);
    r->origin = origin;
    x->running = r;
    sm_session_sync_variables(x->session);
    bool ok = sm_line_parse(sm_commands(x->session), r->text, strlen(r->text), &r->call.arena,
                            &r->line, &err);
    if (ok && !r->line.cmd) {
        sm_exec_drop_running(x);
        return;
    }
    if (!ok || !check_allowed(x, &r->line, &err)) {
        sm_exec_fail(x, &err, origin, r->line.forgiven);
        sm_exec_drop_running(x);
        return;
    }
    if (!again)
        remember_line(x, text, r->line.cmd, origin);
    if (!st && sm_exec_hook(x, r->text, r->line.parent ? r->line.parent->name : r->line.cmd->name,
                            origin, again)) {
        sm_exec_drop_running(x);
        return;
    }
    set_up_call(x, r, st, again);
    if (!answer_help(x, r))
        run_call(x);
}

void sm_exec_begin_call(struct sm_exec *x, const struct sm_cmd *cmd, const char *text, void *state)
{
    struct running *r = sm_xalloc_zero(1, sizeof *r);
    sm_result_init(&r->result);
    r->text = sm_xstrdup(text);
    r->origin = SM_FROM_OPTION;
    r->line.cmd = cmd;
    x->running = r;
    set_up_call(x, r, NULL, false);
    r->call.state = state;
    run_call(x);
}
