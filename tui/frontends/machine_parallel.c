/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/frontends/machine_parallel.h"

#include "commands/language/command_line.h"
#include "commands/language/language.h"

#include <string.h>

/* ---- answers of the exec ---- */

static void answer_text(void *ctx, const char *text, size_t n)
{
    struct sm_parallel_request *x = ctx;
    sm_reply_text(&x->reply, x->exec, text, n);
}

static void answer_tree(void *ctx, const char *json, size_t n)
{
    struct sm_parallel_request *x = ctx;
    sm_reply_data(&x->reply, x->exec, json, n);
}

static void answer_error(void *ctx, const struct sm_err *err, const char *message, bool as_warning)
{
    sm_reply_fail(&((struct sm_parallel_request *)ctx)->reply, err, message, as_warning);
}

static void ignore_stop(void *ctx, const struct sm_cmd *cmd, const struct sm_result *r)
{
    (void)ctx;
    (void)cmd;
    (void)r;
}

static void ignore_text(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    (void)text;
    (void)n;
}

static const struct sm_exec_machine to_program = {
    .answer = answer_tree, .failed = answer_error, .stopped = ignore_stop};
static const struct sm_exec_ops ops = {
    .answer = answer_text, .complain = ignore_text, .plain = true, .machine = &to_program};

void sm_request_set_place(const struct sm_request *r, struct sm_exec *x)
{
    const struct sm_exec_place place = {r->trial, r->step, r->mode, r->worker};
    if (sm_request_has_place(r))
        sm_exec_set_place(x, &place);
}

/* ---- allowed commands ---- */

static bool is_read_only(const struct sm_line *line)
{
    const struct sm_cmd *cmd = line->cmd;
    enum sm_class class = cmd ? cmd->cmd_class : SM_CLASS_COUNT;
    bool looks = class == SM_CLASS_DATA || class == SM_CLASS_STATUS ||
                 (cmd && (cmd->flags & SM_CMD_READ_ONLY));
    return looks && line->redirect == SM_REDIRECT_NONE;
}

static bool check_line(const struct sm_session *s, const struct sm_str *text, struct sm_err *err)
{
    struct sm_arena arena = {0};
    struct sm_line line;
    if (strchr(sm_str_text(text), '\n'))
        return sm_err_set(err, SM_ERR_REFUSED,
                          "A script cannot run in parallel with other requests.");
    bool ok = sm_line_parse(sm_commands(s), sm_str_text(text), text->len, &arena, &line, err);
    if (ok && !is_read_only(&line))
        ok = sm_err_set(err, SM_ERR_REFUSED,
                        "\"%s\" cannot run in parallel with other requests: only commands of the "
                        "classes data and status can.",
                        line.cmd ? line.cmd->name : "");
    sm_arena_clear(&arena);
    return ok;
}

static bool line_of(const struct sm_session *s, const struct sm_request *r, struct sm_str *text,
                    struct sm_err *err)
{
    if (r->cmd)
        return sm_request_line(sm_commands(s), r, text, err);
    sm_str_add(text, r->cli);
    return true;
}

bool sm_parallel_begin(struct sm_parallel *b, struct sm_request *r, struct sm_err *err)
{
    struct sm_str text = {0};
    bool ok =
        b->n < SM_PARALLEL_MAX ||
        sm_err_set(err, SM_ERR_LIMIT, "Already %d requests run in parallel.", SM_PARALLEL_MAX);
    ok = ok && line_of(b->session, r, &text, err) && check_line(b->session, &text, err);
    if (ok) {
        struct sm_parallel_request *x = b->items[b->n++] = sm_xalloc_zero(1, sizeof *x);
        x->request = *r;
        x->exec = sm_exec_new(b->session, &ops, x);
        sm_exec_set_secondary(x->exec);
        sm_request_set_place(r, x->exec);
        sm_exec_line(x->exec, sm_str_text(&text), SM_FROM_OPTION);
    }
    sm_str_clear(&text);
    return ok;
}

/* ---- turns ---- */

bool sm_parallel_holds(const struct sm_parallel *b, const char *id)
{
    for (size_t i = 0; i < b->n; i++)
        if (strcmp(b->items[i]->request.id, id) == 0)
            return true;
    return false;
}

size_t sm_parallel_cancel(struct sm_parallel *b, const char *id)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++)
        if (!id || strcmp(b->items[i]->request.id, id) == 0) {
            sm_exec_cancel(b->items[i]->exec);
            n++;
        }
    return n;
}

static void free_request(struct sm_parallel *b, size_t i)
{
    struct sm_parallel_request *x = b->items[i];
    sm_exec_free(x->exec);
    sm_reply_clear(&x->reply);
    sm_request_clear(&x->request);
    sm_free(x);
    memmove(&b->items[i], &b->items[i + 1], (--b->n - i) * sizeof *b->items);
}

int64_t sm_parallel_run(struct sm_parallel *b, struct sm_kept *kept, struct sm_str *out)
{
    int64_t deadline = INT64_MAX;
    for (size_t i = 0; i < b->n;) {
        struct sm_parallel_request *x = b->items[i];
        if (b->trials_changed)
            sm_parallel_cancel(b, NULL);
        b->trials_changed = false;
        bool busy = sm_exec_run(x->exec);
        int64_t wake = sm_exec_deadline_us(x->exec);
        if (busy) {
            deadline = wake < deadline ? wake : deadline;
            i++;
            continue;
        }
        sm_reply_write(&x->reply, x->request.id, kept, out);
        free_request(b, i);
    }
    b->trials_changed = false;
    return deadline;
}

void sm_parallel_clear(struct sm_parallel *b)
{
    while (b->n)
        free_request(b, b->n - 1);
}
