#include "tui/panes/events.h"

#include "commands/place/describe.h"
#include "commands/session/incident.h"
#include "reader/base/vec.h"
#include "tui/panes/worker_lag.h"

#include <stdlib.h>
#include <string.h>

static void add(struct sm_happenings *out, struct sm_happening e, const struct sm_str *text)
{
    e.text = sm_arena_xstrndup(&out->arena, sm_str_text(text), text->len);
    if (SM_VEC_ROOM(out->items, out->n, out->cap))
        out->items[out->n++] = e;
}

static void add_incidents(const struct sm_session *s, struct sm_happenings *out)
{
    const struct sm_incidents *l = s->incidents;
    struct sm_str text = {0};
    for (size_t i = 0; i < l->n; i++) {
        const struct sm_incident *x = &l->items[i];
        bool fired = x->rule && x->step >= 0;
        sm_str_truncate(&text, 0);
        sm_str_add_escaped(&text, x->text, strlen(x->text));
        add(out,
            (struct sm_happening){fired ? SM_HAPPENED_RULE : SM_HAPPENED_SAID, x->time_us, x->step,
                                  x->rule, NULL},
            &text);
    }
    sm_str_clear(&text);
}

static void add_problems(const struct sm_trial *t, struct sm_happenings *out)
{
    const struct sm_problems *p = sm_trial_problems(t);
    struct sm_str text = {0};
    for (size_t i = 0; i < p->n; i++) {
        const struct sm_problem *x = &p->items[i];
        sm_str_truncate(&text, 0);
        sm_str_add_escaped(&text, x->file, strlen(x->file));
        sm_str_add(&text, ": ");
        sm_str_add_escaped(&text, x->message, strlen(x->message));
        if (x->times > 1)
            sm_str_printf(&text, " (%llu times)", (unsigned long long)x->times);
        add(out, (struct sm_happening){SM_HAPPENED_ERROR, x->first_seen_us, -1, NULL, NULL}, &text);
    }
    sm_str_clear(&text);
}

static void add_sessions(const struct sm_trial *t, struct sm_happenings *out)
{
    struct sm_str text = {0};
    for (size_t i = 0; i < sm_trial_session_count(t); i++) {
        const struct sm_trial_session *x = sm_trial_session(t, i);
        sm_str_truncate(&text, 0);
        if (i)
            sm_str_printf(&text, "session %zu begins at step %lld: the job was started again",
                          i + 1, (long long)x->first.n);
        else
            sm_str_printf(&text, "the job begins at step %lld", (long long)x->first.n);
        add(out, (struct sm_happening){SM_HAPPENED_SESSION, x->begin_us, x->first.n, NULL, NULL},
            &text);
    }
    sm_str_clear(&text);
}

static void add_state(const struct sm_trial *t, int64_t now_us, struct sm_happenings *out)
{
    struct sm_str text = {0};
    char age[32];
    size_t n = sm_trial_step_count(t);
    struct sm_happening e = {.time_us = sm_trial_newest_us(t),
                             .step = n ? sm_trial_step(t, n - 1)->step.n : -1};
    if (sm_trial_state(t) == SM_TRIAL_STALLED) {
        sm_format_duration((now_us - e.time_us) / 1000000 * 1000000, age);
        sm_str_printf(&text, "stalled: nothing has come for %s", age);
        e.kind = SM_HAPPENED_STALL;
    } else if (sm_trial_state(t) == SM_TRIAL_ENDED) {
        sm_str_printf(&text, "the job has ended");
        e.kind = SM_HAPPENED_END;
    }
    if (text.len)
        add(out, e, &text);
    sm_str_clear(&text);
}

/* Of a job that has ended: while one runs, workers are behind all the time. */
static void add_lost_workers(const struct sm_trial *t, struct sm_happenings *out)
{
    struct sm_worker_lags all = {0};
    struct sm_str text = {0};
    if (sm_trial_state(t) == SM_TRIAL_ENDED)
        sm_worker_lags_read(t, &all);
    for (size_t i = 0; i < all.n && all.items[i].behind; i++) {
        const struct sm_worker_lag *w = &all.items[i];
        const char *name = sm_trial_worker(t, w->worker);
        sm_str_truncate(&text, 0);
        sm_str_add_escaped(&text, name, strlen(name));
        if (w->last < 0)
            sm_str_add(&text, " wrote no step");
        else
            sm_str_printf(&text, " wrote nothing after step %lld: %zu steps lack it",
                          (long long)w->last, w->behind);
        add(out,
            (struct sm_happening){SM_HAPPENED_LOSS, w->last < 0 ? 0 : w->last_us, w->last, NULL,
                                  NULL},
            &text);
    }
    sm_worker_lags_clear(&all);
    sm_str_clear(&text);
}

/* What came later stands above; of the same time, what is of a later step. */
static int compare(const void *a, const void *b)
{
    const struct sm_happening *x = a, *y = b;
    if (x->time_us != y->time_us)
        return x->time_us > y->time_us ? -1 : 1;
    if (x->step != y->step)
        return x->step > y->step ? -1 : 1;
    int kind = (int)y->kind - (int)x->kind;
    return kind ? kind : strcmp(x->text, y->text);
}

void sm_happenings_read(const struct sm_session *s, int64_t now_us, struct sm_happenings *out)
{
    const struct sm_trial *t = sm_session_trial(s);
    out->n = 0;
    sm_arena_reset(&out->arena);
    if (!t)
        return;
    add_incidents(s, out);
    add_problems(t, out);
    add_sessions(t, out);
    add_state(t, now_us, out);
    add_lost_workers(t, out);
    if (out->n)
        qsort(out->items, out->n, sizeof *out->items, compare);
}

void sm_happenings_clear(struct sm_happenings *e)
{
    sm_free(e->items);
    sm_arena_clear(&e->arena);
}
