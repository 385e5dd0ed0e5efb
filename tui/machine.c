/* --interpreter=json: requests on stdin, results and events on stdout, a JSON object a line (doc/json-protocol.md).
 * Requests are answered in their order, one after another; events come in between. */
#include "commands/grow.h"
#include "commands/request.h"
#include "commands/version.h"
#include "tui/frontend.h"
#include "tui/machine_event.h"
#include "tui/machine_out.h"
#include "tui/shell.h"
#include "tui/terminal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { QUEUE_MAX = 1000, PROTOCOL = 1 };

struct machine {
    struct sm_loop *loop;
    struct sm_session *session;
    struct sm_exec *exec;
    struct sm_str input;                 /* read and not yet taken apart */
    bool reading, hearing;               /* stdin has not ended; it is a source of the loop */
    bool broken;                         /* nobody reads stdout */
    bool overlong;                       /* the rest of a line that was too long is to be dropped */
    struct sm_request *queue;
    size_t head, n_queue, cap_queue;
    bool asked;                          /* the request at the head runs, or at first what the options say */
    bool starting;
    struct sm_reply reply;
    struct sm_kept kept;
    struct sm_events events;
};

/* ---- lines out ---- */

static void put(struct machine *m, struct sm_str *text)
{
    if (text->len && !m->broken && !sm_terminal_write(STDOUT_FILENO, text->data, text->len))
        m->broken = true;
    sm_str_clear(text);
}

static void put_hello(struct machine *m)
{
    struct sm_str text = {0};
    sm_str_printf(&text, "{\"type\":\"hello\",\"version\":\"%s\",\"protocol\":%d,\"capabilities\":[\"cmd\",\"cli\",\"more\",\"cancel\","
                         "\"step\",\"stopped\",\"rule\",\"state\"]}\n", SMDBG_VERSION, PROTOCOL);
    put(m, &text);
}

static void put_error(struct machine *m, const char *id, const struct sm_err *err)
{
    struct sm_reply r = {0};
    struct sm_str text = {0};
    sm_reply_fail(&r, err, err->msg, false);
    sm_reply_write(&r, id, &m->kept, &text);
    sm_reply_clear(&r);
    put(m, &text);
}

/* ---- what the exec says ---- */

static void answer_text(void *ctx, const char *text, size_t n)
{
    sm_reply_text(&((struct machine *)ctx)->reply, text, n);
}

static void answer_tree(void *ctx, const char *json, size_t n)
{
    sm_reply_data(&((struct machine *)ctx)->reply, json, n);
}

static void failed(void *ctx, const struct sm_err *err, const char *message, bool forgiven)
{
    sm_reply_fail(&((struct machine *)ctx)->reply, err, message, forgiven);
}

static void stopped(void *ctx, const struct sm_cmd *cmd, const struct sm_result *r)
{
    struct machine *m = ctx;
    struct sm_str text = {0};
    sm_event_stopped(m->session, cmd, r, &text);
    put(m, &text);
}

static void complain(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    sm_terminal_write(STDERR_FILENO, text, n);
}

/* stdout belongs to the protocol: what the command prints goes to stderr. */
static int shell(void *ctx, const char *command, const char *input, size_t n)
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

/* Everything that was asked before and has not been answered. */
static void cancel(struct machine *m, const char *id)
{
    struct sm_reply done = {0};
    struct sm_str text = {0};
    struct sm_err err;
    sm_err_set(&err, SM_ERR_CANCELLED, "Quit");
    sm_exec_cancel(m->exec);
    while (m->n_queue > m->head + (m->asked && !m->starting)) {
        struct sm_request *last = &m->queue[--m->n_queue];
        put_error(m, last->id, &err);
        sm_request_clear(last);
    }
    sm_reply_write(&done, id, &m->kept, &text);
    put(m, &text);
}

static void take_request(struct machine *m, const char *line, size_t n)
{
    struct sm_request r;
    struct sm_err err = {0};
    if (!line[strspn(line, " \t\r\n")])
        return;
    bool ok = sm_request_parse(line, n, &r, &err);
    if (!ok) {
        err.code = err.code == SM_ERR_DATA ? SM_ERR_USAGE : err.code;      /* of the asker, not of the trial */
        put_error(m, r.id, &err);
    }
    if (ok && r.cancel)
        cancel(m, r.id);
    if (!ok || r.cancel) {
        sm_request_clear(&r);
        return;
    }
    if (m->head == m->n_queue)
        m->head = m->n_queue = 0;
    SM_GROW(m->queue, m->n_queue, m->cap_queue);
    m->queue[m->n_queue++] = r;
}

static void refuse_overlong(struct machine *m)
{
    struct sm_err err;
    if (!m->overlong) {
        sm_err_set(&err, SM_ERR_LIMIT, "The request is longer than %d bytes.", SM_REQUEST_MAX);
        put_error(m, "null", &err);
    }
    m->overlong = true;
    sm_str_truncate(&m->input, 0);
}

/* The lines that have come as a whole; behind the end of stdin the rest, too. */
static void take_lines(struct machine *m)
{
    size_t at = 0;
    while (at < m->input.len) {
        const char *p = m->input.data + at, *end = memchr(p, '\n', m->input.len - at);
        if (!end && m->reading)
            break;
        size_t n = end ? (size_t)(end - p) : m->input.len - at;
        if (end)
            m->input.data[at + n] = 0;
        if (!m->overlong)
            take_request(m, p, n);
        m->overlong = false;
        at += n + (end != NULL);
    }
    size_t left = m->input.len - at;
    memmove(m->input.data, m->input.data + at, left);
    sm_str_truncate(&m->input, left);
    if (left > SM_REQUEST_MAX)
        refuse_overlong(m);
}

static void on_stdin(void *ctx)
{
    struct machine *m = ctx;
    char chunk[1 << 14];
    ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
    if (n > 0)
        sm_str_addn(&m->input, chunk, (size_t)n);
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        m->reading = false;
    if (m->input.len)
        take_lines(m);
}

static void hear(struct machine *m, bool on)
{
    const struct sm_loop_source source = {.fd = STDIN_FILENO, .ready = on_stdin, .ctx = m};
    if (on && !m->hearing)
        sm_loop_add(m->loop, &source);
    else if (!on && m->hearing)
        sm_loop_remove(m->loop, STDIN_FILENO);
    m->hearing = on;
}

/* Whoever started us and is gone does not wait for what still runs. */
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

static void put_events(struct machine *m)
{
    struct sm_str text = {0};
    sm_events_look(&m->events, m->session, &text);
    put(m, &text);
}

static void end_request(struct machine *m)
{
    struct sm_str text = {0};
    bool silent = m->starting && !m->reply.n_answers && !m->reply.failed && !m->reply.warnings.len;
    sm_exec_ended(m->exec);              /* a body that the request left open */
    if (!silent)
        sm_reply_write(&m->reply, m->starting ? "null" : m->queue[m->head].id, &m->kept, &text);
    sm_reply_clear(&m->reply);
    if (!m->starting)
        sm_request_clear(&m->queue[m->head++]);
    m->asked = m->starting = false;
    put(m, &text);
}

/* Several lines are a script: the first that fails ends it. */
static void run_lines(struct machine *m, const char *text)
{
    if (strchr(text, '\n'))
        sm_exec_text(m->exec, "request", 1, text);
    else
        sm_exec_line(m->exec, text, SM_FROM_OPTION);
}

static void begin_request(struct machine *m)
{
    struct sm_request *r = &m->queue[m->head];
    struct sm_str text = {0};
    struct sm_err err = {0};
    bool ok = true;
    m->asked = true;
    if (r->more) {
        ok = sm_kept_write(&m->kept, r->id, r->more, &text) ||
             sm_err_set(&err, SM_ERR_MISSING, "There is no more behind \"%s\": the last %d long answers are kept.", r->more,
                        SM_MACHINE_KEPT);
        if (ok) {
            put(m, &text);
            sm_request_clear(&m->queue[m->head++]);
            m->asked = false;
            return;
        }
    } else if (r->cli) {
        sm_str_add(&text, r->cli);
    } else {
        ok = sm_request_line(m->session->users, r, &text, &err);
    }
    if (ok && text.len)
        run_lines(m, text.data);
    else if (!ok)
        sm_reply_fail(&m->reply, &err, err.msg, false);
    sm_str_clear(&text);
}

static int64_t on_turn(void *ctx, bool changed)
{
    struct machine *m = ctx;
    bool busy = sm_loop_busy(m->loop), quit = sm_exec_quit(m->exec);
    if (changed)
        put_events(m);
    if (m->asked && (!busy || quit))
        end_request(m);
    if (quit || m->broken) {
        sm_loop_stop(m->loop);
        return INT64_MAX;
    }
    hear(m, m->reading && m->n_queue - m->head < QUEUE_MAX);
    if (!busy && m->head < m->n_queue) {
        begin_request(m);
        return 0;
    }
    if (!busy && !m->reading)
        sm_loop_stop(m->loop);
    return INT64_MAX;
}

static void clear(struct machine *m)
{
    while (m->head < m->n_queue)
        sm_request_clear(&m->queue[m->head++]);
    sm_free(m->queue);
    sm_str_clear(&m->input);
    sm_reply_clear(&m->reply);
    sm_kept_clear(&m->kept);
    sm_events_clear(&m->events);
}

int sm_machine_run(struct sm_loop *l, const struct sm_options *o)
{
    static const struct sm_exec_machine to_program = {.answer = answer_tree, .failed = failed, .stopped = stopped};
    static const struct sm_exec_ops ops = {
        .answer = answer_text, .complain = complain, .shell = shell, .plain = true, .machine = &to_program};
    struct machine m = {.loop = l, .session = sm_loop_session(l), .reading = true, .asked = true, .starting = true};
    m.session->batch = true;
    m.session->wait = o->wait;
    m.exec = sm_exec_new(m.session, &ops, &m);
    sm_loop_set_exec(l, m.exec);
    put_hello(&m);
    watch_reader(&m, true);
    sm_startup(l, m.exec, o);
    sm_loop_on_turn(l, on_turn, &m);
    sm_loop_run(l);
    int status = sm_exec_status(m.exec);
    hear(&m, false);
    watch_reader(&m, false);
    sm_loop_on_turn(l, NULL, NULL);
    sm_loop_set_exec(l, NULL);
    sm_exec_free(m.exec);
    clear(&m);
    return status;
}
