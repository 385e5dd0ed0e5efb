/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/run/answer_live.h"

#include "commands/language/command_line.h"
#include "commands/language/language.h"
#include "commands/run/run_state.h"
#include "reader/base/clock.h"

#include <string.h>

enum {
    ANSWERS = 8,        /* those that were not asked for the longest go first */
    UNSEEN = 500,       /* changes without being asked for; then it does not run */
    PAUSE_US = 1000000, /* between two runs, and */
    PAUSE_TIMES = 9     /* times as long as a run took */
};

/* ---- the list ---- */

static void end_call(struct sm_answer_live *x)
{
    if (!x->call)
        return;
    sm_works_drop(&x->call->works);
    sm_arena_clear(&x->call->arena);
    sm_free(x->call);
    x->call = NULL;
}

static void free_answer(struct sm_answer_live *x)
{
    end_call(x);
    sm_result_clear(&x->next);
    sm_result_clear(&x->result);
    sm_free(x->line);
    sm_free(x);
}

void sm_answer_live_drop(struct sm_session *s)
{
    struct sm_answer_live *x = sm_run(s)->answers, *other;
    for (; x; x = other) {
        other = x->other;
        free_answer(x);
    }
    sm_run(s)->answers = NULL;
}

/* The link to the answer, or to NULL. */
static struct sm_answer_live **find_link(struct sm_session *s, const char *line)
{
    struct sm_answer_live **at = &sm_run(s)->answers;
    const struct sm_trial *t = sm_session_trial(s);
    while (*at && ((*at)->trial != t || strcmp((*at)->line, line) != 0))
        at = &(*at)->other;
    return at;
}

/* Makes room for one more. */
static void drop_oldest(struct sm_session *s)
{
    struct sm_answer_live **oldest = &sm_run(s)->answers;
    size_t n = 0;
    for (struct sm_answer_live **at = oldest; *at; at = &(*at)->other, n++)
        oldest = (*at)->asked < (*oldest)->asked ? at : oldest;
    if (n < ANSWERS)
        return;
    struct sm_answer_live *x = *oldest;
    *oldest = x->other;
    free_answer(x);
}

static struct sm_answer_live *add_answer(struct sm_session *s, const char *line)
{
    struct sm_answer_live *x = sm_xalloc_zero(1, sizeof *x);
    x->line = sm_xstrdup(line);
    x->trial = sm_session_trial(s);
    sm_result_init(&x->result);
    sm_result_init(&x->next);
    x->other = sm_run(s)->answers;
    return sm_run(s)->answers = x;
}

const struct sm_answer_live *sm_answer_live_get(struct sm_session *s, const char *line)
{
    struct sm_answer_live *x;
    if (!sm_session_trial(s))
        return NULL;
    x = *find_link(s, line);
    if (!x) {
        drop_oldest(s);
        x = add_answer(s, line);
    }
    x->asked = s->news;
    return x;
}

const struct sm_answer_live *sm_answer_live_find(struct sm_session *s, const char *line)
{
    struct sm_answer_live *x = sm_session_trial(s) ? *find_link(s, line) : NULL;
    if (!x || !x->made)
        return NULL;
    x->asked = s->news;
    return x;
}

size_t sm_answer_live_left(const struct sm_answer_live *x)
{
    return x->call ? sm_works_left(&x->call->works) : 0;
}

/* ---- running ---- */

static bool is_wanted(const struct sm_session *s, const struct sm_answer_live *x)
{
    return x->trial == sm_session_trial(s) && sm_trial_scanned(x->trial) &&
           s->news - x->asked <= UNSEEN;
}

/* A trial that has grown has another one; its state does not matter. */
static uint64_t extent_of(const struct sm_trial *t)
{
    return sm_trial_bytes(t) + sm_trial_step_count(t) + sm_trial_tensor_count(t);
}

/* When it is to run again; INT64_MAX: the trial has not grown. */
static int64_t next_run_us(const struct sm_answer_live *x)
{
    int64_t took = x->finished_us - x->started_us;
    if (!x->finished_us)
        return 0;
    if (x->extent == extent_of(x->trial))
        return INT64_MAX;
    return x->finished_us + (took * PAUSE_TIMES > PAUSE_US ? took * PAUSE_TIMES : PAUSE_US);
}

static void finish(struct sm_session *s, struct sm_answer_live *x, bool ok,
                   const struct sm_err *err)
{
    x->err = ok ? (struct sm_err){0} : *err;
    x->finished_us = sm_clock_mono_us();
    end_call(x);
    if (!ok)
        return;
    struct sm_result before = x->result;
    x->result = x->next;
    x->next = before;
    sm_result_reset(&x->next);
    x->made = ++sm_run(s)->n_answers;
}

static bool begin(struct sm_session *s, struct sm_answer_live *x)
{
    struct sm_call *c = sm_xalloc_zero(1, sizeof *c);
    struct sm_line line;
    struct sm_err err = {0};
    x->call = c;
    x->started_us = sm_clock_mono_us();
    x->extent = extent_of(x->trial);
    if (!sm_line_parse(sm_commands(s), x->line, strlen(x->line), &c->arena, &line, &err) ||
        !line.cmd || !line.cmd->run) {
        finish(s, x, false, &err);
        return false;
    }
    *c = (struct sm_call){.session = s,
                          .cmd = line.cmd,
                          .arena = c->arena,
                          .words = line.words,
                          .n_words = line.n_words,
                          .raw = line.raw,
                          .format = line.format,
                          .fields = line.fields,
                          .output = SM_OUTPUT_JSON,
                          .works = {.pool = s->pool, .news = &s->news},
                          .started_us = x->started_us,
                          .option_values = line.option_values,
                          .keyword_values = line.keyword_values};
    return true;
}

/* Returns whether it is done. */
static bool run(struct sm_session *s, struct sm_answer_live *x)
{
    struct sm_err err = {0};
    x->seen = s->news;
    x->call->wake_us = 0;
    sm_works_begin(&x->call->works);
    sm_result_reset(&x->next);
    sm_fetch_set_background(s->fetch, true);
    bool ok = x->call->cmd->run(x->call, &x->next, &err);
    sm_fetch_set_background(s->fetch, false);
    if (!ok && err.code == SM_ERR_WAIT)
        return false;
    finish(s, x, ok, &err);
    return true;
}

static bool advance(struct sm_session *s, struct sm_answer_live *x)
{
    int64_t now = sm_clock_mono_us();
    if (!is_wanted(s, x))
        return false;
    if (!x->call)
        return now >= next_run_us(x) && (!begin(s, x) || run(s, x));
    bool due = x->call->wake_us && now >= x->call->wake_us;
    return (due || s->news != x->seen) && run(s, x);
}

bool sm_answer_live_pump(struct sm_session *s)
{
    bool changed = false;
    for (struct sm_answer_live *x = sm_run(s)->answers; x; x = x->other)
        changed = advance(s, x) || changed;
    return changed;
}

int64_t sm_answer_live_deadline_us(const struct sm_session *s)
{
    int64_t first = INT64_MAX;
    for (const struct sm_answer_live *x = sm_run(s)->answers; x; x = x->other) {
        int64_t at = !is_wanted(s, x)   ? INT64_MAX
                     : !x->call         ? next_run_us(x)
                     : x->call->wake_us ? x->call->wake_us
                                        : INT64_MAX;
        first = at < first ? at : first;
    }
    return first;
}

bool sm_answer_live_settled(const struct sm_session *s)
{
    for (const struct sm_answer_live *x = sm_run(s)->answers; x; x = x->other)
        if (is_wanted(s, x) && (x->call || !x->finished_us))
            return false;
    return true;
}
