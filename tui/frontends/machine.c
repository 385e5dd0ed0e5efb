/* SPDX-License-Identifier: Apache-2.0 */
/* --interpreter=json: requests on stdin, results and events on stdout, one JSON object per line
 * (doc/json-protocol.md). Requests are answered one after another in their order; requests with
 * "now" run at the same time. Events are written in between. */
#include "commands/language/language.h"
#include "commands/language/request.h"
#include "commands/session/version.h"
#include "reader/base/grow.h"
#include "tui/app/startup.h"
#include "tui/frontends/frontend.h"
#include "tui/frontends/machine_event.h"
#include "tui/frontends/machine_in.h"
#include "tui/frontends/machine_out.h"
#include "tui/frontends/machine_parallel.h"
#include "tui/terminal/shell.h"
#include "tui/terminal/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { QUEUE_MAX = 1000, PROTOCOL = 1 };

struct machine {
    struct sm_loop *loop;
    struct sm_session *session;
    struct sm_exec *exec;
    struct sm_line_in in;
    bool listening; /* stdin is a source of the loop */
    bool broken;    /* stdout is closed */
    bool lost;      /* writing to stdout failed */
    struct sm_request *queue;
    size_t head, n_queue, cap_queue;
    bool head_runs; /* the request at the head runs, or the options while `starting` */
    bool starting;
    struct sm_reply reply;
    struct sm_kept kept;
    struct sm_events events;
    struct sm_parallel parallel;
};

/* ---- lines out ---- */

static void write_lines(struct machine *m, struct sm_str *text)
{
    if (text->len && !m->broken && !sm_terminal_write(STDOUT_FILENO, text->data, text->len)) {
        fprintf(stderr, "smdbg: stdout: %s\n", strerror(errno));
        m->broken = m->lost = true;
    }
    sm_str_clear(text);
}

static void write_hello(struct machine *m)
{
    struct sm_str text = {0};
    sm_str_printf(&text,
                  "{\"type\":\"hello\",\"version\":\"%s\",\"protocol\":%d,\"capabilities\":["
                  "\"cmd\",\"cli\",\"more\",\"cancel\","
                  "\"now\",\"place\",\"step\",\"stopped\",\"rule\",\"state\"]}\n",
                  SMDBG_VERSION, PROTOCOL);
    write_lines(m, &text);
}

static void write_error(struct machine *m, const char *id, const struct sm_err *err)
{
    struct sm_reply r = {0};
    struct sm_str text = {0};
    sm_reply_fail(&r, err, err->msg, false);
    sm_reply_write(&r, id, &m->kept, &text);
    sm_reply_clear(&r);
    write_lines(m, &text);
}

/* ---- answers of the exec ---- */

static void answer_text(void *ctx, const char *text, size_t n)
{
    struct machine *m = ctx;
    sm_reply_text(&m->reply, m->exec, text, n);
}

static void answer_tree(void *ctx, const char *json, size_t n)
{
    struct machine *m = ctx;
    sm_reply_data(&m->reply, m->exec, json, n);
}

static void answer_error(void *ctx, const struct sm_err *err, const char *message, bool as_warning)
{
    sm_reply_fail(&((struct machine *)ctx)->reply, err, message, as_warning);
}

static void answer_stop(void *ctx, const struct sm_cmd *cmd, const struct sm_result *r)
{
    struct machine *m = ctx;
    struct sm_str text = {0};
    bool own = m->head_runs && !m->starting && sm_request_has_place(&m->queue[m->head]);
    if (own) /* the current step is as before */
        return;
    sm_event_stopped(m->session, cmd, r, &text);
    write_lines(m, &text);
}

static void write_stderr(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    sm_terminal_write(STDERR_FILENO, text, n);
}

/* stdout belongs to the protocol: the output of the command goes to stderr. */
static int run_shell(void *ctx, const char *command, const char *input, size_t n)
{
    int out = dup(STDOUT_FILENO);
    (void)ctx;
    if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return 127;
    int status = sm_shell_run(command, input ? input : "", n);
    dup2(out, STDOUT_FILENO);
    close(out);
    return status;
}

/* ---- requests in ---- */

static bool is_open(const struct machine *m, const char *id)
{
    bool open = sm_parallel_holds(&m->parallel, id);
    for (size_t i = m->head; i < m->n_queue; i++)
        open = open || strcmp(m->queue[i].id, id) == 0;
    return open && strcmp(id, "null") != 0;
}

/* Cancels waiting and running requests with this id, or all (NULL), and returns their number. The
 * running request is answered when it ends. */
static size_t cancel_queued(struct machine *m, const char *id)
{
    size_t kept = m->head, n = 0;
    struct sm_err err;
    sm_err_set(&err, SM_ERR_CANCELLED, "Quit");
    for (size_t i = m->head; i < m->n_queue; i++) {
        struct sm_request *r = &m->queue[i];
        bool runs = i == m->head && m->head_runs && !m->starting,
             meant = !id || strcmp(r->id, id) == 0;
        n += meant;
        if (meant && runs)
            sm_exec_cancel(m->exec);
        if (!meant || runs) {
            m->queue[kept++] = *r;
            continue;
        }
        write_error(m, r->id, &err);
        sm_request_clear(r);
    }
    m->n_queue = kept;
    return n;
}

static void cancel_requests(struct machine *m, const struct sm_request *r)
{
    struct sm_reply done = {0};
    struct sm_str text = {0}, data = {0};
    size_t n = sm_parallel_cancel(&m->parallel, r->target) + cancel_queued(m, r->target);
    if (m->starting && !r->target)
        sm_exec_cancel(m->exec);
    sm_str_printf(&data, "{\"cancelled\":%zu}", n);
    sm_reply_data(&done, NULL, sm_str_text(&data), data.len);
    sm_reply_write(&done, r->id, &m->kept, &text);
    sm_reply_clear(&done);
    sm_str_clear(&data);
    write_lines(m, &text);
}

static void enqueue_request(struct machine *m, const struct sm_request *r)
{
    if (m->head == m->n_queue)
        m->head = m->n_queue = 0;
    SM_GROW(m->queue, m->n_queue, m->cap_queue);
    m->queue[m->n_queue++] = *r;
}

/* Returns true if it takes ownership of the request. */
static bool accept_request(struct machine *m, struct sm_request *r, struct sm_err *err)
{
    if (is_open(m, r->id)) {
        sm_err_set(err, SM_ERR_USAGE, "A request with the id %s is still open.", r->id);
        return sm_err_kind(err, SM_ERR_IS_BAD_REQUEST);
    }
    if (r->now && !r->more)
        return sm_parallel_begin(&m->parallel, r, err);
    enqueue_request(m, r);
    return true;
}

static void refuse_overlong(struct machine *m)
{
    struct sm_err err;
    sm_err_set(&err, SM_ERR_LIMIT, "The request is longer than %d bytes.", SM_REQUEST_MAX);
    write_error(m, "null", &err);
}

static void on_request(void *ctx, const char *line, size_t n)
{
    struct machine *m = ctx;
    struct sm_request r;
    struct sm_err err = {0};
    if (!line)
        refuse_overlong(m);
    if (!line || strspn(line, " \t\r\n") == n)
        return;
    bool ok = sm_request_parse(line, n, &r, &err),
         taken = ok && !r.cancel && accept_request(m, &r, &err);
    if (taken)
        return;
    if (ok && r.cancel)
        cancel_requests(m, &r);
    else
        write_error(m, r.id, &err);
    sm_request_clear(&r);
}

static void on_stdin(void *ctx)
{
    struct machine *m = ctx;
    sm_line_in_read(&m->in, STDIN_FILENO, on_request, m);
}

static void listen_stdin(struct machine *m, bool on)
{
    const struct sm_loop_source source = {.fd = STDIN_FILENO, .ready = on_stdin, .ctx = m};
    if (on && !m->listening)
        sm_loop_add(m->loop, &source);
    else if (!on && m->listening)
        sm_loop_remove(m->loop, STDIN_FILENO);
    m->listening = on;
}

/* Without a reader, running requests are not finished. */
static void on_reader_gone(void *ctx)
{
    struct machine *m = ctx;
    m->broken = true;
}

static void watch_reader(struct machine *m, bool on)
{
    const struct sm_loop_source source = {.fd = STDOUT_FILENO, .ready = on_reader_gone, .ctx = m};
    struct stat st;
    if (fstat(STDOUT_FILENO, &st) != 0 || !S_ISFIFO(st.st_mode))
        return;
    if (on)
        sm_loop_add(m->loop, &source);
    else
        sm_loop_remove(m->loop, STDOUT_FILENO);
}

/* ---- turns ---- */

static void write_events(struct machine *m)
{
    struct sm_str text = {0};
    sm_events_read(&m->events, m->session, &text);
    write_lines(m, &text);
}

static void end_request(struct machine *m)
{
    struct sm_str text = {0};
    bool silent = m->starting && !m->reply.n_answers && !m->reply.failed && !m->reply.warnings.len;
    sm_exec_ended(m->exec); /* a body that the request left open */
    sm_exec_clear_place(m->exec);
    if (!silent)
        sm_reply_write(&m->reply, m->starting ? "null" : m->queue[m->head].id, &m->kept, &text);
    sm_reply_clear(&m->reply);
    if (!m->starting)
        sm_request_clear(&m->queue[m->head++]);
    m->head_runs = m->starting = false;
    write_lines(m, &text);
}

/* Several lines are a script, which stops at the first failure. */
static void run_lines(struct machine *m, const char *text)
{
    if (strchr(text, '\n'))
        sm_exec_text(m->exec, "request", 1, text);
    else
        sm_exec_line(m->exec, text, SM_FROM_OPTION);
}

static void start_request(struct machine *m)
{
    struct sm_request *r = &m->queue[m->head];
    struct sm_str text = {0};
    struct sm_err err = {0};
    bool ok = true;
    m->head_runs = true;
    if (r->more) {
        ok = sm_kept_write(&m->kept, r->id, r->more, &text) ||
             sm_err_set(&err, SM_ERR_MISSING,
                        "No more parts for \"%s\": only the last %d long answers are stored.",
                        r->more, SM_MACHINE_KEPT);
        if (ok) {
            write_lines(m, &text);
            sm_request_clear(&m->queue[m->head++]);
            m->head_runs = false;
            return;
        }
    } else if (r->cli) {
        sm_str_add(&text, r->cli);
    } else {
        ok = sm_request_line(sm_commands(m->session), r, &text, &err);
    }
    if (ok)
        sm_request_set_place(r, m->exec);
    if (ok && text.len)
        run_lines(m, text.data);
    else if (!ok)
        sm_reply_fail(&m->reply, &err, err.msg, false);
    sm_str_clear(&text);
}

/* ---- the feature ---- */

struct machine_state {
    struct machine *machine; /* NULL in other front ends */
};

static const struct sm_state_kind machine_state_kind = {.size = sizeof(struct machine_state)};

static void on_trial(struct sm_session *s, size_t i)
{
    struct machine *m = ((struct machine_state *)sm_session_state(s, &machine_state_kind))->machine;
    (void)i;
    if (m)
        m->parallel.trials_changed = true;
}

const struct sm_feature sm_machine_feature = {
    .name = "machine",
    .state = &machine_state_kind,
    .trial_opened = on_trial,
    .trial_closing = on_trial,
};

static void set_machine(struct sm_session *s, struct machine *m)
{
    ((struct machine_state *)sm_session_state(s, &machine_state_kind))->machine = m;
}

static int64_t run_parallel(struct machine *m)
{
    struct sm_str text = {0};
    int64_t deadline = sm_parallel_run(&m->parallel, &m->kept, &text);
    write_lines(m, &text);
    return deadline;
}

static int64_t on_turn(void *ctx, bool changed)
{
    struct machine *m = ctx;
    bool busy = sm_loop_busy(m->loop), quit = sm_exec_quit(m->exec);
    if (changed)
        write_events(m);
    int64_t deadline = quit ? INT64_MAX : run_parallel(m);
    if (m->head_runs && (!busy || quit))
        end_request(m);
    if (quit || m->broken) {
        sm_loop_stop(m->loop);
        return INT64_MAX;
    }
    listen_stdin(m, !m->in.ended && m->n_queue - m->head < QUEUE_MAX);
    if (!busy && m->head < m->n_queue) {
        start_request(m);
        return 0;
    }
    if (!busy && m->in.ended && !m->parallel.n)
        sm_loop_stop(m->loop);
    return deadline;
}

static void clear_machine(struct machine *m)
{
    while (m->head < m->n_queue)
        sm_request_clear(&m->queue[m->head++]);
    sm_free(m->queue);
    sm_line_in_clear(&m->in);
    sm_reply_clear(&m->reply);
    sm_kept_clear(&m->kept);
    sm_events_clear(&m->events);
    sm_parallel_clear(&m->parallel);
}

int sm_machine_run(struct sm_loop *l, const struct sm_options *o)
{
    static const struct sm_exec_machine to_program = {
        .answer = answer_tree, .failed = answer_error, .stopped = answer_stop};
    static const struct sm_exec_ops ops = {.answer = answer_text,
                                           .complain = write_stderr,
                                           .shell = run_shell,
                                           .plain = true,
                                           .machine = &to_program};
    struct machine m = {
        .loop = l, .session = sm_loop_session(l), .head_runs = true, .starting = true};
    m.session->batch = m.session->by_program = true;
    m.session->wait = o->wait;
    set_machine(m.session, &m);
    m.parallel.session = m.session;
    m.exec = sm_exec_new(m.session, &ops, &m);
    sm_loop_set_exec(l, m.exec);
    write_hello(&m);
    watch_reader(&m, true);
    sm_startup(l, m.exec, o);
    sm_loop_on_turn(l, on_turn, &m);
    sm_loop_run(l);
    int status = sm_exec_status(m.exec);
    set_machine(m.session, NULL);
    listen_stdin(&m, false);
    watch_reader(&m, false);
    sm_loop_on_turn(l, NULL, NULL);
    sm_loop_set_exec(l, NULL);
    sm_exec_free(m.exec);
    clear_machine(&m);
    return m.lost && !status ? 1 : status;
}
