#include "commands/exec_state.h"

#include "commands/grow.h"
#include "reader/base/clock.h"

#include <limits.h>
#include <string.h>

enum { SLICE_US = 20000 };               /* how long one sm_exec_run works before it lets others have a turn */

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
    sm_exec_begin(x, text, SM_FROM_PROMPT, true);
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
        sm_exec_begin(x, whole, SM_FROM_PROMPT, false);
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
        sm_exec_fail(x, &err, SM_FROM_FILE, false);
    } else {
        if (x->script->name)
            sm_exec_trace(x, sm_str_text(&line));
        sm_exec_begin(x, sm_str_text(&line), SM_FROM_FILE, false);
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
        sm_exec_fail(x, &q.err, q.origin, false);
    } else if (q.origin == SM_FROM_PROMPT) {
        begin_prompt_line(x, q.line);
    } else {
        sm_exec_trace(x, q.line);
        sm_exec_begin(x, q.line, q.origin, false);
    }
    free_queued(&q);
}

/* One thing. False: nothing left, or the running command waits. */
static bool advance(struct sm_exec *x)
{
    if (x->quit)
        return false;
    if (x->running)
        return sm_exec_resume(x);
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
    sm_exec_note_status(x, sm_exec_status_of(&err), origin);
    sm_exec_drop_running(x);
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
    sm_exec_drop_running(x);
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
