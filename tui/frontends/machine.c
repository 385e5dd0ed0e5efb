/* --interpreter=json: requests on stdin, results and events on stdout, a JSON object a line
 * (doc/json-protocol.md). Requests are answered in their order, one after another, those with "now"
 * beside them; events come in between. */
#include "commands/language/language.h"
#include "commands/language/request.h"
#include "commands/session/version.h"
#include "reader/base/grow.h"
#include "tui/app/startup.h"
#include "tui/frontends/frontend.h"
#include "tui/frontends/machine_beside.h"
#include "tui/frontends/machine_event.h"
#include "tui/frontends/machine_in.h"
#include "tui/frontends/machine_out.h"
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
    bool hearing; /* stdin is a source of the loop */
    bool broken;  /* nobody reads stdout */
    bool lost;    /* what could not be written to it */
    struct sm_request *queue;
    size_t head, n_queue, cap_queue;
    bool asked; /* the request at the head runs, or at first what the options say */
    bool starting;
    struct sm_reply reply;
    struct sm_kept kept;
    struct sm_events events;
    struct sm_beside beside;
};

/* ---- lines out ---- */

static void put(struct machine *m, struct sm_str *text)
{
    if (text->len && !m->broken && !sm_terminal_write(STDOUT_FILENO, text->data, text->len)) {
        fprintf(stderr, "smdbg: stdout: %s\n", strerror(errno));
        m->broken = m->lost = true;
    }
    sm_str_clear(text);
}

static void put_hello(struct machine *m)
{
    struct sm_str text = {0};
    sm_str_printf(&text,
                  "{\"type\":\"hello\",\"version\":\"%s\",\"protocol\":%d,\"capabilities\":["
                  "\"cmd\",\"cli\",\"more\",\"cancel\","
                  "\"now\",\"step\",\"stopped\",\"rule\",\"state\"]}\n",
                  SMDBG_VERSION, PROTOCOL);
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

static bool is_open(const struct machine *m, const char *id)
{
    bool open = sm_beside_holds(&m->beside, id);
    for (size_t i = m->head; i < m->n_queue; i++)
        open = open || strcmp(m->queue[i].id, id) == 0;
    return open && strcmp(id, "null") != 0;
}

/* Of those that wait or run with this id, or of all (NULL); the running ones answer in their turn.
 * How many there were. */
static size_t cancel_queued(struct machine *m, const char *id)
{
    size_t kept = m->head, n = 0;
    struct sm_err err;
    sm_err_set(&err, SM_ERR_CANCELLED, "Quit");
    for (size_t i = m->head; i < m->n_queue; i++) {
        struct sm_request *r = &m->queue[i];
        bool runs = i == m->head && m->asked && !m->starting, meant = !id || strcmp(r->id, id) == 0;
        n += meant;
        if (meant && runs)
            sm_exec_cancel(m->exec);
        if (!meant || runs) {
            m->queue[kept++] = *r;
            continue;
        }
        put_error(m, r->id, &err);
        sm_request_clear(r);
    }
    m->n_queue = kept;
    return n;
}

static void cancel(struct machine *m, const struct sm_request *r)
{
    struct sm_reply done = {0};
    struct sm_str text = {0}, data = {0};
    size_t n = sm_beside_cancel(&m->beside, r->target) + cancel_queued(m, r->target);
    if (m->starting && !r->target)
        sm_exec_cancel(m->exec);
    sm_str_printf(&data, "{\"cancelled\":%zu}", n);
    sm_reply_data(&done, sm_str_text(&data), data.len);
    sm_reply_write(&done, r->id, &m->kept, &text);
    sm_reply_clear(&done);
    sm_str_clear(&data);
    put(m, &text);
}

static void enqueue(struct machine *m, const struct sm_request *r)
{
    if (m->head == m->n_queue)
        m->head = m->n_queue = 0;
    SM_GROW(m->queue, m->n_queue, m->cap_queue);
    m->queue[m->n_queue++] = *r;
}

/* Whether it was taken over. */
static bool take(struct machine *m, struct sm_request *r, struct sm_err *err)
{
    if (is_open(m, r->id)) {
        sm_err_set(err, SM_ERR_USAGE, "A request with the id %s is still open.", r->id);
        return sm_err_kind(err, SM_ERR_IS_BAD_REQUEST);
    }
    if (r->now && !r->more)
        return sm_beside_begin(&m->beside, r, err);
    enqueue(m, r);
    return true;
}

static void refuse_overlong(struct machine *m)
{
    struct sm_err err;
    sm_err_set(&err, SM_ERR_LIMIT, "The request is longer than %d bytes.", SM_REQUEST_MAX);
    put_error(m, "null", &err);
}

static void take_request(void *ctx, const char *line, size_t n)
{
    struct machine *m = ctx;
    struct sm_request r;
    struct sm_err err = {0};
    if (!line)
        refuse_overlong(m);
    if (!line || strspn(line, " \t\r\n") == n)
        return;
    bool ok = sm_request_parse(line, n, &r, &err), taken = ok && !r.cancel && take(m, &r, &err);
    if (taken)
        return;
    if (ok && r.cancel)
        cancel(m, &r);
    else
        put_error(m, r.id, &err);
    sm_request_clear(&r);
}

static void on_stdin(void *ctx)
{
    struct machine *m = ctx;
    sm_line_in_read(&m->in, STDIN_FILENO, take_request, m);
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
    sm_exec_ended(m->exec); /* a body that the request left open */
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
             sm_err_set(&err, SM_ERR_MISSING,
                        "There is no more behind \"%s\": the last %d long answers are kept.",
                        r->more, SM_MACHINE_KEPT);
        if (ok) {
            put(m, &text);
            sm_request_clear(&m->queue[m->head++]);
            m->asked = false;
            return;
        }
    } else if (r->cli) {
        sm_str_add(&text, r->cli);
    } else {
        ok = sm_request_line(sm_commands(m->session), r, &text, &err);
    }
    if (ok && text.len)
        run_lines(m, text.data);
    else if (!ok)
        sm_reply_fail(&m->reply, &err, err.msg, false);
    sm_str_clear(&text);
}

/* ---- the feature ---- */

struct machine_state {
    struct machine *machine; /* NULL: another front end runs */
};

static const struct sm_state_kind machine_state_kind = {.size = sizeof(struct machine_state)};

static void on_trial(struct sm_session *s, size_t i)
{
    struct machine *m = ((struct machine_state *)sm_session_state(s, &machine_state_kind))->machine;
    (void)i;
    if (m)
        m->beside.trials_changed = true;
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

static int64_t run_beside(struct machine *m)
{
    struct sm_str text = {0};
    int64_t deadline = sm_beside_run(&m->beside, &m->kept, &text);
    put(m, &text);
    return deadline;
}

static int64_t on_turn(void *ctx, bool changed)
{
    struct machine *m = ctx;
    bool busy = sm_loop_busy(m->loop), quit = sm_exec_quit(m->exec);
    if (changed)
        put_events(m);
    int64_t deadline = quit ? INT64_MAX : run_beside(m);
    if (m->asked && (!busy || quit))
        end_request(m);
    if (quit || m->broken) {
        sm_loop_stop(m->loop);
        return INT64_MAX;
    }
    hear(m, !m->in.ended && m->n_queue - m->head < QUEUE_MAX);
    if (!busy && m->head < m->n_queue) {
        begin_request(m);
        return 0;
    }
    if (!busy && m->in.ended && !m->beside.n)
        sm_loop_stop(m->loop);
    return deadline;
}

static void clear(struct machine *m)
{
    while (m->head < m->n_queue)
        sm_request_clear(&m->queue[m->head++]);
    sm_free(m->queue);
    sm_line_in_clear(&m->in);
    sm_reply_clear(&m->reply);
    sm_kept_clear(&m->kept);
    sm_events_clear(&m->events);
    sm_beside_clear(&m->beside);
}

int sm_machine_run(struct sm_loop *l, const struct sm_options *o)
{
    static const struct sm_exec_machine to_program = {
        .answer = answer_tree, .failed = failed, .stopped = stopped};
    static const struct sm_exec_ops ops = {.answer = answer_text,
                                           .complain = complain,
                                           .shell = shell,
                                           .plain = true,
                                           .machine = &to_program};
    struct machine m = {.loop = l, .session = sm_loop_session(l), .asked = true, .starting = true};
    m.session->batch = true;
    m.session->wait = o->wait;
    set_machine(m.session, &m);
    m.beside.session = m.session;
    m.exec = sm_exec_new(m.session, &ops, &m);
    sm_loop_set_exec(l, m.exec);
    put_hello(&m);
    watch_reader(&m, true);
    sm_startup(l, m.exec, o);
    sm_loop_on_turn(l, on_turn, &m);
    sm_loop_run(l);
    int status = sm_exec_status(m.exec);
    set_machine(m.session, NULL);
    hear(&m, false);
    watch_reader(&m, false);
    sm_loop_on_turn(l, NULL, NULL);
    sm_loop_set_exec(l, NULL);
    sm_exec_free(m.exec);
    clear(&m);
    return m.lost && !status ? 1 : status;
}
