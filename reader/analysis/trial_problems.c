/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/trial_problems.h"

#include "reader/analysis/tensor_health.h"
#include "reader/analysis/worker_values.h"
#include "reader/base/grow.h"
#include "reader/format/location.h"

#include <stdlib.h>
#include <string.h>

const char *sm_trial_problem_name(enum sm_trial_problem_kind kind)
{
    static const char *const names[] = {"rule", "value", "file", "steps", "worker", "stall"};
    return names[kind];
}

void sm_trial_problems_add(struct sm_trial_problems *out, struct sm_trial_problem p)
{
    SM_GROW(out->items, out->n, out->cap);
    out->items[out->n++] = p;
}

/* ---- search ---- */

/* Adds the value if it has NaN or infinities. True: it is being read. */
static bool add_value(struct sm_trial *t, struct sm_fetch *fetch, const struct sm_trial_tensor *x,
                      const struct sm_entry *e, struct sm_step step, struct sm_trial_problems *out)
{
    const struct sm_part *p = sm_trial_part(t, e->part);
    const struct sm_facts *f;
    struct sm_err err = {0};
    struct sm_str text = {0};
    if (!sm_fetch_stats(fetch, t, e, &f, &err))
        return err.code == SM_ERR_WAIT;
    if (sm_tensor_health_text(f, &text)) {
        if (sm_trial_worker_count(t) > 1)
            sm_str_printf(&text, " on %s", sm_trial_worker(t, p->worker));
        sm_trial_problems_add(
            out, (struct sm_trial_problem){
                     .kind = SM_TRIAL_PROBLEM_VALUE,
                     .step = step.n,
                     .saved = p->step.n,
                     .tensor = sm_trial_tensor_name(t, x),
                     .text = sm_arena_xstrndup(&out->arena, sm_str_text(&text), text.len)});
    }
    sm_str_clear(&text);
    return false;
}

/* The step of the newest value at or before the step. */
static struct sm_step saved_step(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                 struct sm_step step, uint16_t worker)
{
    struct sm_entry e = sm_tensor_health_entry(t, x, step, worker);
    return sm_entry_exists(&e) ? sm_trial_part(t, e.part)->step : (struct sm_step){INT64_MAX};
}

/* From the worker, or from every worker. */
static size_t add_values(struct sm_trial *t, struct sm_fetch *fetch, struct sm_step step,
                         uint16_t worker, struct sm_trial_problems *out)
{
    struct sm_worker_values values = {0};
    size_t waiting = 0;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        sm_worker_values_read(&values, t, x, saved_step(t, x, step, worker), worker);
        for (size_t k = 0; k < values.n; k++)
            waiting += add_value(t, fetch, x, &values.items[k], step, out);
    }
    sm_worker_values_clear(&values);
    return waiting;
}

/* Files of a step contain the step in their names. */
static int64_t step_of(const struct sm_problem *p)
{
    const char *slash = strrchr(p->file, '/'), *name = slash ? slash + 1 : p->file;
    struct sm_str worker = {0};
    int64_t step = -1;
    if (!sm_location_parse(name, ".tfevents", &step, &worker) &&
        !sm_location_parse(name, ".json", &step, &worker))
        step = -1;
    sm_str_clear(&worker);
    return step;
}

static void add_files(const struct sm_trial *t, struct sm_trial_problems *out)
{
    const struct sm_problems *p = sm_trial_problems(t);
    for (size_t i = 0; i < p->n; i++)
        sm_trial_problems_add(out, (struct sm_trial_problem){.kind = SM_TRIAL_PROBLEM_FILE,
                                                             .step = step_of(&p->items[i]),
                                                             .tensor = "",
                                                             .file = &p->items[i]});
}

static void add_steps(const struct sm_trial *t, struct sm_trial_problems *out)
{
    const struct sm_timeline *line = &out->timeline;
    for (size_t i = 0; i < line->n; i++)
        if (line->notes[i].missing || line->notes[i].pause_us)
            sm_trial_problems_add(out,
                                  (struct sm_trial_problem){.kind = SM_TRIAL_PROBLEM_GAP,
                                                            .step = sm_trial_step(t, i)->step.n,
                                                            .tensor = "",
                                                            .note = &line->notes[i]});
    if (sm_trial_state(t) == SM_TRIAL_STALLED)
        sm_trial_problems_add(out, (struct sm_trial_problem){
                                       .kind = SM_TRIAL_PROBLEM_STALL,
                                       .step = line->n ? sm_trial_step(t, line->n - 1)->step.n : -1,
                                       .tensor = ""});
}

/* A worker that has not written the newest steps is not a problem while the job runs. */
static void add_workers(const struct sm_trial *t, struct sm_trial_problems *out)
{
    const struct sm_worker_gaps *gaps = &out->gaps;
    bool stalled = sm_trial_state(t) == SM_TRIAL_STALLED;
    for (size_t i = 0; i < gaps->n; i += 1 + gaps->items[i].beside)
        if (stalled || !gaps->items[i].open)
            sm_trial_problems_add(out, (struct sm_trial_problem){.kind = SM_TRIAL_PROBLEM_WORKER,
                                                                 .step = gaps->items[i].from,
                                                                 .tensor = "",
                                                                 .gap = &gaps->items[i]});
}

size_t sm_trial_problems_read(struct sm_trial *t, struct sm_fetch *f, struct sm_step step,
                              uint16_t worker, struct sm_trial_problems *out)
{
    out->n = 0;
    sm_arena_reset(&out->arena);
    sm_timeline_read(t, &out->timeline);
    sm_worker_gaps_read(t, &out->gaps);
    size_t waiting = add_values(t, f, step, worker, out);
    add_files(t, out);
    add_steps(t, out);
    add_workers(t, out);
    return waiting;
}

void sm_trial_problems_clear(struct sm_trial_problems *p)
{
    sm_free(p->items);
    sm_arena_clear(&p->arena);
    sm_timeline_clear(&p->timeline);
    sm_worker_gaps_clear(&p->gaps);
    *p = (struct sm_trial_problems){0};
}

/* ---- order ---- */

static int rank_of(const struct sm_trial_problem *p)
{
    return p->kind == SM_TRIAL_PROBLEM_RULE ? SM_TRIAL_PROBLEM_VALUE : (int)p->kind;
}

int sm_trial_problems_compare(const struct sm_trial_problem *a, const struct sm_trial_problem *b)
{
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    int order = sm_natural_cmp(a->tensor, b->tensor);
    return order ? order : rank_of(a) - rank_of(b);
}

struct ordered {
    struct sm_trial_problem p;
    size_t place;
};

static int by_place(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    int order = sm_trial_problems_compare(&x->p, &y->p);
    order = order ? order : (int)x->p.kind - (int)y->p.kind;
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

void sm_trial_problems_sort(struct sm_trial_problems *p)
{
    struct ordered *all = sm_xalloc((p->n + 1) * sizeof *all);
    for (size_t i = 0; i < p->n; i++)
        all[i] = (struct ordered){p->items[i], i};
    qsort(all, p->n, sizeof *all, by_place);
    for (size_t i = 0; i < p->n; i++)
        p->items[i] = all[i].p;
    sm_free(all);
}

/* ---- description ---- */

static bool has_record(const struct sm_trial *t, const struct sm_trial_tensor *x, int64_t step,
                       const struct sm_problem *p)
{
    size_t from, to;
    if (!sm_trial_entries_at(t, x, (struct sm_step){step}, &from, &to))
        return false;
    for (size_t i = from; i < to; i++) {
        const char *path = sm_trial_event_path(t, sm_tensor_part(t, x, i));
        if (path && sm_tensor_entry(t, x, i).offset == (uint64_t)p->offset &&
            sm_tensor_entry(t, x, i).kind != SM_ENTRY_SHAPE && strcmp(path, p->file) == 0)
            return true;
    }
    return false;
}

const struct sm_trial_tensor *sm_trial_problem_tensor(const struct sm_trial *t,
                                                      const struct sm_trial_problem *p)
{
    if (*p->tensor)
        return sm_trial_find(t, p->tensor, strlen(p->tensor));
    for (size_t i = 0; p->file && p->file->offset >= 0 && i < sm_trial_tensor_count(t); i++)
        if (has_record(t, sm_trial_tensor(t, i), p->step, p->file))
            return sm_trial_tensor(t, i);
    return NULL;
}

bool sm_trial_problem_timed(const struct sm_trial_problem *p)
{
    return p->kind == SM_TRIAL_PROBLEM_STALL ||
           (p->kind == SM_TRIAL_PROBLEM_GAP && !p->note->missing) ||
           (p->kind == SM_TRIAL_PROBLEM_WORKER && p->gap->open);
}

static void describe_file(const struct sm_trial *t, const struct sm_trial_problem *p,
                          const struct sm_trial_tensor *x, struct sm_str *out)
{
    sm_str_printf(out, "damaged: %s", x ? sm_trial_tensor_name(t, x) : p->file->file);
    if (p->step >= 0)
        sm_str_printf(out, " at step %lld", (long long)p->step);
    sm_str_printf(out, ": %s", p->file->message);
}

static void describe_stall(const struct sm_trial *t, const struct sm_trial_problem *p,
                           int64_t now_us, struct sm_str *out)
{
    char age[32];
    sm_format_duration((now_us - sm_trial_newest_us(t)) / 1000000 * 1000000, age);
    sm_str_printf(out, "stalled: nothing has come for %s", age);
    if (p->step >= 0)
        sm_str_printf(out, " since step %lld", (long long)p->step);
}

void sm_trial_problem_describe(const struct sm_trial *t, const struct sm_trial_problem *p,
                               const struct sm_trial_tensor *x, int64_t now_us, struct sm_str *out)
{
    switch (p->kind) {
    case SM_TRIAL_PROBLEM_RULE:
        sm_str_printf(out, "%s at step %lld: %s", p->rule, (long long)p->step, p->text);
        break;
    case SM_TRIAL_PROBLEM_VALUE:
        sm_str_printf(out, "%s at step %lld: %s", p->tensor, (long long)p->saved, p->text);
        break;
    case SM_TRIAL_PROBLEM_FILE:
        describe_file(t, p, x, out);
        break;
    case SM_TRIAL_PROBLEM_GAP:
        sm_timeline_describe(p->note, (struct sm_step){p->step}, out);
        break;
    case SM_TRIAL_PROBLEM_WORKER:
        sm_worker_gaps_describe(t, p->gap, out);
        break;
    case SM_TRIAL_PROBLEM_STALL:
        describe_stall(t, p, now_us, out);
        break;
    case SM_TRIAL_PROBLEM_BEFORE:
    case SM_TRIAL_PROBLEM_AFTER:
        break;
    }
}
