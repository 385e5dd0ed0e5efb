/* SPDX-License-Identifier: Apache-2.0 */
/* Merges what the tail found into the trial: workers, sessions, steps, parts, entries,
 * completeness.
 *
 * A part is merged whole or not at all: sm_trial_prepare reserves everything it needs and may fail,
 * sm_trial_commit cannot. */
#include "reader/base/clock.h"
#include "reader/trial_take.h"

#include <string.h>

enum { WAIT_WINDOW = 1000 }; /* SMDEBUG_INCOMPLETE_STEP_WAIT_WINDOW */

/* ---- completeness (doc/formats.md) ---- */

void sm_trial_update_complete(struct sm_trial *t)
{
    bool one = t->options.worker || t->one_worker;
    int64_t needed = one && t->num_workers > 1 ? 1 : t->num_workers;
    size_t n = sm_step_list_count(t->steps);
    for (size_t i = n; needed > 0 && i-- > t->completed;) {
        const struct sm_trial_step *s = sm_step_list_at(t->steps, i);
        if (s->n_workers >= needed) {
            t->last_complete = s->step.n > t->last_complete ? s->step.n : t->last_complete;
            break;
        }
    }
    while (needed > 0 && (int64_t)n - (t->last_complete + 1) > WAIT_WINDOW)
        t->last_complete += WAIT_WINDOW / 2;
    int64_t upto = t->ended && t->end_read ? INT64_MAX : t->last_complete;
    for (; t->completed < n; t->completed++) {
        struct sm_trial_step *s = sm_step_list_at(t->steps, t->completed);
        if (s->step.n > upto)
            break;
        s->complete = true;
    }
}

/* The marker is of the worker that ended first: others have a time of grace. It begins when the
 * marker is seen; if it was there from the start, when it was written, or it is believed
 * (waits_for_end). */
static void notice_end(struct sm_trial *t, const struct sm_tail_changes *n)
{
    if (n->ended && !t->ended) {
        int64_t age_us = sm_clock_wall_us() - n->ended_us;
        t->end_fresh = t->options.follow && (t->scanned || t->options.waits_for_end) &&
                       age_us < SM_END_GRACE_US;
        t->end_quiet_us = sm_clock_mono_us() - (!t->scanned && age_us > 0 ? age_us : 0);
    }
    t->ended = n->ended;
}

/* The end marker was removed: by a restarted job. */
static void reopen_job(struct sm_trial *t)
{
    t->end_read = false;
    t->completed = 0;
    for (size_t i = 0; i < sm_step_list_count(t->steps); i++)
        sm_step_list_at(t->steps, i)->complete = false;
}

/* ---- batches ---- */

static void take_problems(struct sm_trial *t, const struct sm_problems *p)
{
    for (size_t i = 0; i < p->n; i++) {
        struct sm_err err;
        sm_err_set(&err, p->items[i].code, "%s", p->items[i].message);
        sm_problems_add(&t->problems, p->items[i].file, p->items[i].offset, &err);
    }
}

/* The work of a part: what a turn of the loop is measured in. */
static size_t work_of(const struct sm_batch_part *p)
{
    return 4 + p->n_values + p->n_scalars + p->n_shapes;
}

/* What the files of a batch say of the run. */
static bool take_info(struct sm_trial *t, const struct sm_run_info *info)
{
    t->info = t->info ? t->info : sm_alloc_zero(1, sizeof *t->info);
    t->ended = t->ended || info->ended;
    t->info_version++;
    t->version++;
    return t->info && sm_run_info_add(t->info, info);
}

/* Merges parts from m->n on, until the work is done. Returns the work. */
static size_t merge_parts(struct sm_trial *t, const struct sm_batch *b, struct sm_trial_merged *m,
                          size_t work)
{
    size_t spent = 0;
    if (!m->names)
        m->names = sm_alloc_zero(sm_names_count(b->names), sizeof *m->names);
    t->late_before = t->n_late;
    for (; m->names && m->n < b->n_parts && spent < work; m->n++) {
        struct prepared x;
        if (!sm_trial_prepare(t, b, &b->parts[m->n], m->names, &x)) {
            m->failed = true;
            break;
        }
        sm_trial_commit(t, b, &b->parts[m->n], m->names, &x);
        spent += work_of(&b->parts[m->n]);
    }
    m->failed = m->failed || !m->names;
    sm_trial_note_pauses(t);
    return spent;
}

/* Of a trial that sleeps: all at once, a few nanoseconds a point. */
static size_t glance_at(struct sm_trial *t, const struct sm_batch *b, struct sm_trial_merged *m)
{
    m->failed = !sm_glance_add(t->glance, b);
    for (m->n = 0; !m->failed && m->n < b->n_parts; m->n++) {
        int64_t us = b->parts[m->n].time_us;
        t->newest_us = us > t->newest_us ? us : t->newest_us;
    }
    sm_trial_note_pauses(t);
    if (t->glance->stale)
        sm_trial_wake(t);
    return b->n_parts + b->n_scalars / 16;
}

bool sm_trial_merge(struct sm_trial *t, const struct sm_batch *b, struct sm_trial_merged *m,
                    size_t *work)
{
    size_t before = m->n;
    size_t spent = t->glance ? glance_at(t, b, m) : merge_parts(t, b, m, *work);
    *work -= spent < *work ? spent : *work;
    t->merged_most = spent > t->merged_most ? spent : t->merged_most;
    t->after_end = t->after_end || (t->ended && t->end_read && m->n > before);
    t->end_quiet_us = m->n > before ? sm_clock_mono_us() : t->end_quiet_us;
    t->arrivals_seen += m->n > before;
    if (m->n < b->n_parts && !m->failed)
        return false;
    sm_free(m->names);
    m->names = NULL;
    if (b->info && !take_info(t, b->info))
        m->failed = true;
    take_problems(t, &b->problems);
    sm_trial_update_complete(t);
    return true;
}

/* The directory was replaced by another: its steps are gone. The parts stay, because readers
 * identify cached values by part numbers. */
static void forget_steps(struct sm_trial *t)
{
    for (size_t i = 0; i < t->n_tensors; i++) {
        struct sm_trial_tensor *x = &t->tensors[i];
        sm_free(x->kept);
        sm_points_free(x->scalars);
        *x = (struct sm_trial_tensor){
            .name = x->name, .located = x->located, .cap_entries = x->cap_entries};
    }
    for (size_t i = 0; i < t->n_parts; i++)
        t->parts[i].replaced = true;
    for (size_t w = 0; w < t->n_workers; w++)
        sm_free(t->workers[w]);
    sm_step_list_clear(t->steps);
    t->completed = t->n_workers = t->arrivals.n = 0;
    memset(t->mode_steps, 0, sizeof t->mode_steps);
    t->bytes = t->index_files = 0;
    memset(&t->briefs, 0, sizeof t->briefs);
    t->last_complete = -1;
    t->newest_us = 0;
    t->new_session = t->order_stale = true;
    t->after_end = false;
    sm_trial_note_pauses(t);
    sm_trial_clear_collections(t);
    sm_batch_free(t->waiting);
    t->waiting = NULL;
}

static bool forget_glance(struct sm_trial *t)
{
    struct sm_glance *fresh = t->glance ? sm_glance_new() : NULL;
    if (!t->glance)
        return true;
    if (!fresh)
        return false;
    sm_glance_free(t->glance);
    t->glance = fresh;
    return true;
}

/* Without memory all is read again, with `whole_info`. */
static bool take_news_info(struct sm_trial *t, struct sm_tail_changes *n)
{
    bool ok = true;
    if (n->whole_info || !t->info) {
        sm_run_info_free(t->info);
        t->info = n->info;
        n->info = NULL;
    } else {
        ok = sm_run_info_add(t->info, n->info);
    }
    if (!ok)
        sm_tail_unread(t->tail);
    t->info_version++;
    t->version++;
    return ok;
}

void sm_trial_merge_news(struct sm_trial *t, struct sm_tail_changes *n)
{
    uint64_t problems = t->problems.total;
    bool other = t->exists != n->exists || t->ended != n->ended || t->claimed != n->claimed ||
                 t->emptied != n->emptied;
    bool reopened = n->exists && t->ended && !n->ended;
    if (n->recreated && !forget_glance(t))
        t->scan.failed = true;
    if (n->recreated)
        forget_steps(t);
    if (n->exists) {
        t->arrivals_seen += t->ended != n->ended;
        notice_end(t, n);
        t->claimed = n->claimed;
    }
    if (n->traits->runs && (n->recreated || !t->traits->runs))
        t->num_workers = 1; /* one run is enough for a step to be complete */
    t->traits = n->traits;
    if (n->info && !take_news_info(t, n))
        t->scan.failed = true;
    if (n->newest_us > t->newest_us) {
        t->newest_us = n->newest_us;
        t->stepless = other = true;
    }
    t->archive = n->archive;
    t->final = n->final;
    t->one_worker = n->one_worker;
    t->exists = n->exists;
    t->emptied = n->emptied;
    if (reopened)
        reopen_job(t);
    if (!t->glance && !sm_trial_merge_collections(t, n)) {
        t->scan.failed = true;
        sm_tail_unread(t->tail);
    }
    take_problems(t, &n->problems);
    sm_trial_update_complete(t);
    t->version += other || n->recreated || n->n_collections || problems != t->problems.total;
}
