/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/run/exec_state.h"

#include "commands/language/user.h"

#include <stdio.h>

void sm_exec_set_number(struct sm_session *s, const char *name, size_t n)
{
    struct sm_value v = {
        .type = SM_NUMBER, .is_int = true, .integer = (int64_t)n, .number = (double)n};
    sm_session_set_variable(s, name, &v);
}

/* Sets $argc, $arg0 ... of the running script; the rest of the `before` old ones become void. */
static void set_arguments(struct sm_exec *x, size_t before)
{
    const struct sm_script *s = sm_script_owner(x->script);
    size_t n = s ? s->n_args : 0;
    sm_exec_set_number(x->session, "argc", n);
    for (size_t i = 0; i < n || i < before; i++) {
        char name[32];
        struct sm_value v = {.type = SM_VOID};
        snprintf(name, sizeof name, "arg%zu", i);
        if (i < n)
            v = (struct sm_value){.type = SM_STRING, .text = sm_text(s->args[i])};
        sm_session_set_variable(x->session, name, &v);
    }
}

void sm_exec_push(struct sm_exec *x, struct sm_script *s)
{
    const struct running *r = x->running;
    const struct sm_script *outer = sm_script_owner(x->script);
    size_t before = outer ? outer->n_args : 0;
    s->typed = s->typed || (r && r->origin == SM_FROM_PROMPT);
    s->forgiven = r && r->line.forgiven;
    s->below = x->script;
    x->script = s;
    if (!s->inside)
        set_arguments(x, before);
}

/* Outputs the answer that the script kept until its end. */
static void deliver_kept(struct sm_exec *x, const struct sm_script *s)
{
    struct sm_err err = {0};
    if (s->target && !sm_exec_send(x, (enum sm_redirect)s->redirect, s->target, &s->answer, &err))
        sm_exec_fail(x, &err, s->typed ? SM_FROM_PROMPT : SM_FROM_FILE, s->forgiven);
    else if (!s->target && s->answer.len)
        sm_exec_answer(x, sm_str_text(&s->answer), s->answer.len);
}

void sm_exec_pop(struct sm_exec *x)
{
    struct sm_script *s = x->script;
    x->script = s->below;
    if (!s->inside)
        set_arguments(x, s->n_args);
    if (s->restores) {
        sm_setting_set(&x->session->settings, s->restores, s->before, NULL);
        sm_session_apply_settings(x->session);
    }
    if (s->returns && s->returns_in == sm_session_trial(x->session))
        x->session->at = *s->returns;
    deliver_kept(x, s);
    sm_script_free(s);
}

/* The script has no more lines, and nothing to do at its end. */
static bool is_spent(const struct sm_script *s)
{
    bool ended = s->body ? s->next == s->body->n : s->at >= s->text.len;
    return ended && s->inside && !s->loop && !s->piece && !s->forgiven && !s->after && !s->target &&
           !s->answer.len && !s->restores && !s->returns;
}

void sm_exec_pop_finished(struct sm_exec *x)
{
    while (x->script && is_spent(x->script))
        sm_exec_pop(x);
}

bool sm_exec_source(struct sm_exec *x, const char *path, bool trace, const struct sm_word *args,
                    size_t n_args, struct sm_err *err)
{
    if (sm_script_depth(x->script) >= SM_SCRIPT_DEPTH_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "%s: scripts are nested deeper than %d.", path,
                          SM_SCRIPT_DEPTH_MAX);
    struct sm_script *s = sm_script_read(path, err);
    if (!s)
        return false;
    s->trace = trace || sm_script_traced(x->script);
    for (size_t i = 0; i < n_args; i++)
        sm_script_add_arg(s, args[i].text);
    sm_exec_push(x, s);
    return true;
}

void sm_exec_push_user(struct sm_exec *x, const struct sm_user *user, const struct sm_text *args,
                       size_t n)
{
    struct sm_script *s = sm_script_of_body(user->body);
    s->inside = false;
    s->user = sm_xstrdup(user->name);
    s->trace = sm_script_traced(x->script);
    for (size_t i = 0; i < n; i++)
        sm_script_add_arg(s, args[i]);
    sm_exec_push(x, s);
}

bool sm_exec_user(struct sm_exec *x, const struct sm_user *user, const struct sm_text *args,
                  size_t n, struct sm_err *err)
{
    const struct sm_line *line = &x->running->line;
    if (sm_script_calls(x->script) >= SM_USER_DEPTH_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "%s: commands call each other deeper than %d.",
                          user->name, SM_USER_DEPTH_MAX);
    sm_exec_push_user(x, user, args, n);
    if (line->redirect != SM_REDIRECT_NONE) {
        x->script->redirect = line->redirect;
        x->script->target = sm_xstrdup(line->target);
        x->running->script_redirects = true;
    }
    return true;
}

void sm_exec_next(struct sm_exec *x, const char *text)
{
    struct sm_script *s = sm_script_of_text(text);
    s->inside = true;
    sm_exec_push(x, s);
}

void sm_exec_body(struct sm_exec *x, struct sm_body *body)
{
    sm_exec_push(x, sm_script_of_body(body));
}

void sm_exec_loop(struct sm_exec *x, struct sm_body *body)
{
    struct sm_script *s = sm_script_of_body(body);
    x->script->next--;
    s->loop = true;
    sm_exec_push(x, s);
}

bool sm_exec_leave(struct sm_exec *x, bool again, struct sm_err *err)
{
    const struct sm_script *s = x->script;
    while (s && s->inside && !s->loop)
        s = s->below;
    if (!s || !s->loop)
        return sm_err_set(err, SM_ERR_USAGE, "This line is not in the body of a \"while\".");
    s = s->below;
    while (x->script != s)
        sm_exec_pop(x);
    x->script->next += !again;
    return true;
}

void sm_exec_with(struct sm_exec *x, const struct sm_setting *row, const char *before,
                  const char *text)
{
    struct sm_script *s = sm_script_of_text(text);
    s->inside = true;
    s->restores = row;
    s->before = sm_xstrdup(before);
    sm_exec_push(x, s);
}

void sm_exec_at(struct sm_exec *x, const struct sm_place *at, const char *text)
{
    struct sm_script *s = sm_script_of_text(text);
    s->inside = true;
    s->returns = sm_xalloc(sizeof *s->returns);
    *s->returns = x->session->at;
    s->returns_in = sm_session_trial(x->session);
    x->session->at = *at;
    sm_exec_push(x, s);
}

void sm_exec_abandon(struct sm_exec *x)
{
    sm_body_drop(&x->reader);
    while (x->script)
        sm_exec_pop(x);
}

static const struct sm_script *find_forgiven(const struct sm_script *s)
{
    while (s && !s->forgiven)
        s = s->below;
    return s;
}

bool sm_exec_is_forgiven(const struct sm_exec *x)
{
    return find_forgiven(x->script) != NULL;
}

void sm_exec_end_forgiven(struct sm_exec *x)
{
    const struct sm_script *left = find_forgiven(x->script)->below;
    while (x->script != left)
        sm_exec_pop(x);
}
