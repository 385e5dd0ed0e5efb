/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/trial_events.h"

#include "reader/base/grow.h"

#include <stdlib.h>
#include <string.h>

const char *sm_trial_event_name(enum sm_trial_event_kind kind)
{
    static const char *const names[] = {"rule",    "action", "error", "alert",
                                        "session", "stall",  "lost",  "end"};
    return names[kind];
}

void sm_trial_events_add(struct sm_trial_events *out, struct sm_trial_event e)
{
    e.text = sm_arena_xstrndup(&out->arena, e.text, strlen(e.text));
    SM_GROW(out->items, out->n, out->cap);
    out->items[out->n++] = e;
}

static void add_errors(const struct sm_trial *t, struct sm_str *text, struct sm_trial_events *out)
{
    const struct sm_problems *p = sm_trial_problems(t);
    for (size_t i = 0; i < p->n; i++) {
        const struct sm_problem *x = &p->items[i];
        sm_str_truncate(text, 0);
        sm_str_printf(text, "%s: %s", x->file, x->message);
        if (x->times > 1)
            sm_str_printf(text, " (%llu times)", (unsigned long long)x->times);
        sm_trial_events_add(out, (struct sm_trial_event){.kind = SM_TRIAL_EVENT_ERROR,
                                                         .time_us = x->first_seen_us,
                                                         .step = -1,
                                                         .text = sm_str_text(text)});
    }
}

/* One of which no time is known came when the run began, or soon after. */
static void add_alerts(const struct sm_trial *t, struct sm_trial_events *out)
{
    const struct sm_run_info *info = sm_trial_info(t);
    for (size_t i = 0; i < info->n_alerts; i++) {
        const struct sm_run_alert *x = &info->alerts[i];
        double time = x->time != 0 ? x->time : info->began;
        sm_trial_events_add(out, (struct sm_trial_event){.kind = SM_TRIAL_EVENT_ALERT,
                                                         .time_us = (int64_t)(time * 1e6),
                                                         .step = x->step,
                                                         .text = x->text});
    }
}

static void add_sessions(const struct sm_trial *t, struct sm_str *text, struct sm_trial_events *out)
{
    for (size_t i = 0; i < sm_trial_session_count(t); i++) {
        const struct sm_trial_session *x = sm_trial_session(t, i);
        sm_str_truncate(text, 0);
        if (i)
            sm_str_printf(text, "session %zu begins at step %lld: the job was started again", i + 1,
                          (long long)x->first.n);
        else
            sm_str_printf(text, "the job begins at step %lld", (long long)x->first.n);
        sm_trial_events_add(out, (struct sm_trial_event){.kind = SM_TRIAL_EVENT_SESSION,
                                                         .time_us = x->begin_us,
                                                         .step = x->first.n,
                                                         .text = sm_str_text(text)});
    }
}

static void add_state(const struct sm_trial *t, int64_t now_us, struct sm_str *text,
                      struct sm_trial_events *out)
{
    char age[32];
    size_t n = sm_trial_step_count(t);
    struct sm_trial_event e = {.time_us = sm_trial_newest_us(t),
                               .step = n ? sm_trial_step(t, n - 1)->step.n : -1};
    sm_str_truncate(text, 0);
    if (sm_trial_state(t) == SM_TRIAL_STALLED) {
        sm_format_duration((now_us - e.time_us) / 1000000 * 1000000, age);
        sm_str_printf(text, "stalled: nothing has come for %s", age);
        e.kind = SM_TRIAL_EVENT_STALL;
    } else if (sm_trial_end_unsaid(t)) {
        sm_format_duration((now_us - e.time_us) / 1000000 * 1000000, age);
        sm_str_printf(text, "ended, or stopped: nothing has come for %s", age);
        e.kind = SM_TRIAL_EVENT_END;
    } else if (sm_trial_state(t) == SM_TRIAL_ENDED) {
        sm_str_add(text, "the job has ended");
        e.kind = SM_TRIAL_EVENT_END;
    }
    e.text = sm_str_text(text);
    if (text->len)
        sm_trial_events_add(out, e);
}

/* Only for a job that has ended: while it runs, some worker is behind most of the time. */
static void add_lost_workers(const struct sm_trial *t, struct sm_str *text,
                             struct sm_trial_events *out)
{
    if (sm_trial_state(t) != SM_TRIAL_ENDED)
        return;
    sm_workers_read(t, &out->workers);
    for (size_t i = 0; i < out->workers.n; i++) {
        const struct sm_worker_progress *w = &out->workers.items[i];
        if (!w->lost)
            continue;
        sm_str_truncate(text, 0);
        sm_workers_describe(t, w, text);
        sm_trial_events_add(out, (struct sm_trial_event){.kind = SM_TRIAL_EVENT_LOSS,
                                                         .time_us = w->last < 0 ? 0 : w->last_us,
                                                         .step = w->last,
                                                         .text = sm_str_text(text)});
    }
}

/* Of events at the same time, those added later come first, then those of a later step. */
static int newest_first(const void *a, const void *b)
{
    const struct sm_trial_event *x = a, *y = b;
    if (x->time_us != y->time_us)
        return x->time_us > y->time_us ? -1 : 1;
    if (x->sequence != y->sequence)
        return x->sequence > y->sequence ? -1 : 1;
    if (x->step != y->step)
        return x->step > y->step ? -1 : 1;
    int kind = (int)y->kind - (int)x->kind;
    return kind ? kind : strcmp(x->text, y->text);
}

void sm_trial_events_sort(struct sm_trial_events *e)
{
    if (e->n)
        qsort(e->items, e->n, sizeof *e->items, newest_first);
}

void sm_trial_events_read(const struct sm_trial *t, int64_t now_us, struct sm_trial_events *out)
{
    struct sm_str text = {0};
    out->n = 0;
    sm_arena_reset(&out->arena);
    if (!t)
        return;
    add_errors(t, &text, out);
    add_alerts(t, out);
    add_sessions(t, &text, out);
    add_state(t, now_us, &text, out);
    add_lost_workers(t, &text, out);
    sm_trial_events_sort(out);
    sm_str_clear(&text);
}

void sm_trial_events_clear(struct sm_trial_events *e)
{
    sm_free(e->items);
    sm_arena_clear(&e->arena);
    sm_workers_clear(&e->workers);
    *e = (struct sm_trial_events){0};
}
