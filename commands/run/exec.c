/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/language/language.h"
#include "commands/run/exec_state.h"
#include "commands/run/run_state.h"

#include "reader/base/clock.h"
#include "reader/base/grow.h"

#include <limits.h>
#include <string.h>

enum { SLICE_US = 20000 }; /* how long one sm_exec_run works before it returns to the loop */

struct sm_exec *sm_exec_new(struct sm_session *s, const struct sm_exec_ops *ops, void *ctx)
{
    struct sm_exec *x = sm_xalloc_zero(1, sizeof *x);
    x->session = s;
    x->ops = ops;
    x->ctx = ctx;
    x->reader.set = sm_commands(s);
    return x;
}

/* ---- adding to the queue ---- */

static void enqueue(struct sm_exec *x, struct queued q)
{
    if (x->head == x->n_queue)
        x->head = x->n_queue = 0;
    SM_GROW(x->queue, x->n_queue, x->cap_queue);
    x->queue[x->n_queue++] = q;
}

void sm_exec_line(struct sm_exec *x, const char *line, enum sm_line_origin origin)
{
    enqueue(x, (struct queued){.origin = origin, .line = sm_xstrdup(line)});
}

void sm_exec_file(struct sm_exec *x, const char *path, const char *const *args, size_t n_args)
{
    struct queued q = {.origin = SM_FROM_FILE};
    q.script = sm_script_read(path, &q.err);
    for (size_t i = 0; q.script && i < n_args; i++)
        sm_script_add_arg(q.script, sm_text(args[i]));
    enqueue(x, q);
}

void sm_exec_text(struct sm_exec *x, const char *name, unsigned line, const char *text)
{
    struct queued q = {.origin = SM_FROM_FILE, .script = sm_script_of_text(text)};
    q.script->name = sm_xstrdup(name);
    q.script->next_line = line;
    q.script->piece = true;
    enqueue(x, q);
}

void sm_exec_call(struct sm_exec *x, const struct sm_cmd *cmd, const char *text, void *state)
{
    enqueue(x, (struct queued){
                   .origin = SM_FROM_OPTION, .line = sm_xstrdup(text), .cmd = cmd, .state = state});
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
    int64_t limit = sm_run_settings(s)->history_size;
    if (s->batch || is_blank(line) || line[0] == ' ' ||
        (sm_run(s)->n_lines && strcmp(sm_run(s)->lines[sm_run(s)->n_lines - 1], line) == 0))
        return;
    SM_GROW(sm_run(s)->lines, sm_run(s)->n_lines, sm_run(s)->cap_lines);
    sm_run(s)->lines[sm_run(s)->n_lines++] = sm_xstrdup(line);
    while ((int64_t)sm_run(s)->n_lines > limit) {
        sm_free(sm_run(s)->lines[0]);
        memmove(sm_run(s)->lines, sm_run(s)->lines + 1,
                --sm_run(s)->n_lines * sizeof *sm_run(s)->lines);
    }
}

/* An empty line repeats the last command, or continues it. */
static void repeat_last(struct sm_exec *x)
{
    if (!x->last || !x->session->interactive)
        return;
    char *text = sm_xstrdup(x->last);
    sm_exec_begin(x, text, SM_FROM_PROMPT, NULL, true);
    sm_free(text);
}

/* Reads a line. Returns true if the caller should run it; false if it belongs to a body or is
 * invalid. */
static bool read_line(struct sm_exec *x, const char *line, const char *file, unsigned number,
                      enum sm_line_origin origin)
{
    struct sm_err err = {0};
    switch (sm_body_feed(&x->reader, line, file, number, &err)) {
    case SM_BODY_SIMPLE:
        return true;
    case SM_BODY_MORE:
        return false;
    case SM_BODY_BAD:
        sm_exec_fail(x, &err, origin, false);
        return false;
    case SM_BODY_WHOLE:
        break;
    }
    struct sm_body *b = sm_body_take(&x->reader);
    struct sm_script *s = sm_script_of_body(b);
    s->typed = origin == SM_FROM_PROMPT;
    sm_exec_push(x, s);
    sm_body_unref(b);
    return false;
}

/* Called at the end of the lines. Fails if a body is open. */
static bool check_ended(struct sm_exec *x, enum sm_line_origin origin)
{
    struct sm_err err = {0};
    if (sm_body_end(&x->reader, &err))
        return true;
    sm_exec_fail(x, &err, origin, false);
    return false;
}

void sm_exec_ended(struct sm_exec *x)
{
    check_ended(x, SM_FROM_FILE);
}

/* Runs the command of a body before the user types the body, to report its errors early. */
static void check_body_command(struct sm_exec *x, const char *line)
{
    if (!x->session->interactive || !(sm_body_flags(&x->reader) & SM_CMD_CHECK_FIRST))
        return;
    sm_exec_begin(x, line, SM_FROM_PROMPT, NULL, false);
    if (x->session->exit_code)
        sm_body_drop(&x->reader);
}

static void start_typed(struct sm_exec *x, const char *line)
{
    bool was_open = sm_body_open(&x->reader);
    if (read_line(x, line, NULL, 0, SM_FROM_PROMPT)) {
        sm_exec_trace(x, line);
        sm_exec_begin(x, line, SM_FROM_PROMPT, NULL, false);
    } else {
        sm_free(x->last); /* a body is not repeated */
        x->last = NULL;
        if (!was_open && sm_body_open(&x->reader))
            check_body_command(x, line);
    }
}

/* The answer to a question. Returns false if it is another command; the question is then dropped.
 */
static bool answer_question(struct sm_exec *x, const char *line)
{
    char *asked = x->asked, word[5];
    size_t n = strspn(line, " \t"), length = strcspn(line + n, " \t\r\n");
    x->asked = NULL;
    if (!asked)
        return false;
    snprintf(word, sizeof word, "%.*s", (int)(length < 4 ? length : 4), line + n);
    bool yes = strcasecmp(word, "y") == 0 || strcasecmp(word, "yes") == 0;
    bool no = strcasecmp(word, "n") == 0 || strcasecmp(word, "no") == 0 || is_blank(line);
    x->confirmed = true;
    if (yes)
        sm_exec_begin(x, asked, SM_FROM_PROMPT, NULL, false);
    x->confirmed = false;
    sm_free(asked);
    return yes || no;
}

static void start_prompt_line(struct sm_exec *x, const char *line)
{
    size_t n = strlen(line);
    if (answer_question(x, line))
        return;
    bool more = sm_line_continues(line, n);
    sm_str_addn(&x->partial, line, n - more);
    if (more)
        return;
    char *line_text = sm_xstrdup(sm_str_text(&x->partial));
    sm_str_truncate(&x->partial, 0);
    add_history(x->session, line_text);
    if (sm_body_open(&x->reader) || !is_blank(line_text))
        start_typed(x, line_text);
    else
        repeat_last(x);
    sm_free(line_text);
}

/* ---- the queue ---- */

static void run_script_line(struct sm_exec *x, struct sm_str *line, const struct sm_statement *st)
{
    const struct sm_script *s = x->script;
    enum sm_line_origin origin = s->typed ? SM_FROM_PROMPT : SM_FROM_FILE;
    struct sm_err err = {0};
    if (!sm_script_expand(s, line, &err)) {
        sm_exec_fail(x, &err, origin, false);
        return;
    }
    if (s->name || s->body)
        sm_exec_trace(x, sm_str_text(line));
    sm_exec_begin(x, sm_str_text(line), origin, st, s->again);
}

/* Then the hook that follows its line runs. */
static void end_script(struct sm_exec *x)
{
    char *after = x->script->after;
    x->script->after = NULL;
    sm_exec_pop(x);
    if (after)
        sm_exec_hook_after(x, after);
    sm_free(after);
}

static void start_script_line(struct sm_exec *x)
{
    struct sm_script *s = x->script;
    struct sm_str line = {0};
    const struct sm_statement *st = s->body ? sm_script_statement(s, &line) : NULL;
    bool any = s->body ? st != NULL : sm_script_next(s, &line);
    enum sm_line_origin origin = s->typed ? SM_FROM_PROMPT : SM_FROM_FILE;
    if (any && (st || read_line(x, sm_str_text(&line), s->name, s->line, origin)))
        run_script_line(x, &line, st);
    else if (!any && (s->body || s->piece || check_ended(x, origin)) && x->script == s)
        end_script(x);
    sm_str_clear(&line);
}

static void start_option(struct sm_exec *x, const char *line, enum sm_line_origin origin)
{
    if (!read_line(x, line, NULL, 0, origin))
        return;
    sm_exec_trace(x, line);
    sm_exec_begin(x, line, origin, NULL, false);
}

static void start_queued(struct sm_exec *x)
{
    struct queued q = x->queue[x->head++];
    if (q.script && !q.script->piece && !check_ended(x, q.origin)) {
        free_queued(&q);
        return;
    }
    if (q.script) {
        sm_exec_push(x, q.script);
        q.script = NULL;
    } else if (q.cmd) {
        sm_exec_begin_call(x, q.cmd, q.line, q.state);
    } else if (!q.line) {
        sm_exec_fail(x, &q.err, q.origin, false);
    } else if (q.origin == SM_FROM_PROMPT) {
        start_prompt_line(x, q.line);
    } else {
        start_option(x, q.line, q.origin);
    }
    free_queued(&q);
}

static void drop_queue(struct sm_exec *x)
{
    while (x->head < x->n_queue)
        free_queued(&x->queue[x->head++]);
}

/* Finds the place before the first line. Returns false while it waits. */
static bool find_place(struct sm_exec *x)
{
    struct sm_err err;
    if (sm_exec_find_place(x, &err))
        return true;
    if (sm_exec_place_waits(x))
        return false;
    drop_queue(x);
    sm_exec_fail(x, &err, SM_FROM_OPTION, false);
    return true;
}

/* Runs one item. Returns false if nothing is left, or the running command waits. */
static bool run_next(struct sm_exec *x)
{
    if (x->quit)
        return false;
    if (sm_exec_place_waits(x) && x->head < x->n_queue && !find_place(x))
        return false;
    if (x->running)
        return sm_exec_resume(x);
    if (x->script)
        start_script_line(x);
    else if (x->head < x->n_queue)
        start_queued(x);
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
    if (x->inside) /* a front end that runs the loop while it shows an answer */
        return true;
    x->inside = true;
    sm_exec_enter_place(x);
    int64_t until = sm_clock_mono_us() + SLICE_US;
    while (run_next(x) && sm_clock_mono_us() < until)
        ;
    sm_exec_leave_place(x);
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
        return sm_exec_place_waits(x) ? INT64_MAX : 0;
    return x->running->call.wake_us ? x->running->call.wake_us : INT64_MAX;
}

size_t sm_exec_left(const struct sm_exec *x)
{
    return x->running ? sm_works_left(&x->running->call.works) : 0;
}

const char *sm_exec_running(const struct sm_exec *x)
{
    return x->running ? x->running->text : NULL;
}

const char *sm_exec_waits_for(const struct sm_exec *x)
{
    return x->running ? x->running->waits.msg : "";
}

bool sm_exec_partial(const struct sm_exec *x)
{
    return x->partial.len > 0 || sm_body_open(&x->reader);
}

size_t sm_exec_bodies(const struct sm_exec *x)
{
    return x->reader.depth;
}

void sm_exec_cancel(struct sm_exec *x)
{
    sm_str_truncate(&x->partial, 0);
    sm_body_drop(&x->reader);
    bool waits = sm_exec_place_waits(x) && x->head < x->n_queue;
    if (waits)
        drop_queue(x);
    if (!x->running && !x->script && !waits)
        return;
    struct sm_err err = {.code = SM_ERR_CANCELLED, .msg = "Quit"};
    /* Ctrl-C in a session with a prompt is no failure, whatever it interrupts */
    enum sm_line_origin origin = x->session->interactive ? SM_FROM_PROMPT
                                 : x->running            ? x->running->origin
                                                         : SM_FROM_FILE;
    sm_exec_report_failure(x, &err, false);
    sm_exec_record_status(x, sm_exec_status_of(&err), origin);
    sm_exec_drop_running(x);
    bool outside = !x->inside;
    if (outside)
        sm_exec_enter_place(x); /* `at` goes back to where it was */
    sm_exec_abandon(x);
    if (outside)
        sm_exec_leave_place(x);
}

void sm_exec_set_secondary(struct sm_exec *x)
{
    x->beside = true;
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
    sm_body_drop(&x->reader);
    while (x->script) {
        struct sm_script *below = x->script->below;
        sm_script_free(x->script);
        x->script = below;
    }
    for (size_t i = x->head; i < x->n_queue; i++)
        free_queued(&x->queue[i]);
    sm_free(x->queue);
    sm_str_clear(&x->partial);
    sm_exec_clear_place(x);
    sm_free(x->last);
    sm_free(x->asked);
    sm_free(x);
}
