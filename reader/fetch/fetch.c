/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/fetch.h"

#include "reader/base/mem.h"
#include "reader/fetch/fetch_state.h"
#include "reader/fetch/read_part.h"
#include "reader/fetch/survey.h"

enum { LEAST_LIMIT = 1 << 20 };

/* ---- values ---- */

/* The node with `want` known; NULL if waiting or failed, see err. */
static struct sm_cache_node *get_node(struct sm_fetch *f, struct sm_trial *t,
                                      const struct sm_entry *e, uint8_t want, struct sm_err *err)
{
    struct sm_cache_node *x = sm_cache_node(&f->cache, t, e);
    if (!x) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory for a value");
        return NULL;
    }
    if (x->have & want) {
        x->fresh = false;
        return x;
    }
    if (x->err && !sm_cache_may_succeed(&f->cache, x)) {
        if (err)
            *err = *x->err;
        return NULL;
    }
    sm_cache_forgive(&f->cache, x);
    sm_fetch_request(f, x, want, err);
    return NULL;
}

static bool get_facts(const struct sm_cache_node *x, const struct sm_facts **out)
{
    if (x)
        *out = &x->facts;
    return x;
}

bool sm_fetch_head(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                   const struct sm_facts **out, struct sm_err *err)
{
    if (sm_entry_is_scalar(e))
        return sm_fetch_scalar_facts(&f->scalars, t, e, out, err);
    return get_facts(get_node(f, t, e, SM_WANT_HEAD, err), out);
}

bool sm_fetch_stats(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                    const struct sm_facts **out, struct sm_err *err)
{
    if (sm_entry_is_scalar(e))
        return sm_fetch_scalar_facts(&f->scalars, t, e, out, err);
    return get_facts(get_node(f, t, e, SM_WANT_STATS, err), out);
}

bool sm_fetch_number(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                     const struct sm_facts **out, struct sm_err *err)
{
    struct sm_brief b = sm_trial_brief(t, e);
    unsigned one = SM_BRIEF_READ | SM_BRIEF_NUMBERS | SM_BRIEF_ONE | SM_BRIEF_FLAT;
    if ((b.flags & one) != one)
        return sm_fetch_stats(f, t, e, out, err);
    *out = sm_fetch_number_facts(&f->scalars, &b);
    return true;
}

bool sm_fetch_tensor(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                     struct sm_tensor **out, struct sm_err *err)
{
    if (sm_entry_is_scalar(e))
        return sm_fetch_scalar_tensor(t, e, out, err);
    if (sm_trial_left_out(t, e))
        return sm_err_set(err, SM_ERR_MISSING, SM_LEFT_OUT);
    if (sm_fetch_too_large(f, e))
        return sm_read_too_large(e->length, sm_fetch_limit(f), err);
    const struct sm_cache_node *x = get_node(f, t, e, SM_WANT_TENSOR, err);
    if (x)
        *out = sm_tensor_ref(x->tensor);
    return x;
}

uint64_t sm_fetch_limit(const struct sm_fetch *f)
{
    return f->cache.budget > LEAST_LIMIT ? f->cache.budget : LEAST_LIMIT;
}

bool sm_fetch_too_large(const struct sm_fetch *f, const struct sm_entry *e)
{
    return e->kind != SM_ENTRY_SHAPE && e->length > sm_fetch_limit(f);
}

bool sm_fetch_slice(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                    const struct sm_slice *slice, struct sm_tensor **out, struct sm_err *err)
{
    struct sm_tensor *whole;
    if (slice && (e->length >= SM_PART_FROM_BYTES || sm_fetch_too_large(f, e)) &&
        !sm_trial_left_out(t, e))
        return sm_fetch_parts_get(&f->parts, f->pool, t, e, slice, sm_fetch_limit(f),
                                  f->cache.in_command && !f->cache.aside ? f->cache.command : 0,
                                  out, err);
    if (!slice)
        return sm_fetch_tensor(f, t, e, out, err);
    if (!sm_fetch_tensor(f, t, e, &whole, err))
        return false;
    bool ok = sm_slice_apply(slice, whole, out, err);
    sm_tensor_unref(whole);
    return ok;
}

bool sm_fetch_brief(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                    struct sm_brief *out, struct sm_err *err)
{
    const struct sm_facts *facts;
    *out = sm_trial_brief(t, e);
    if (out->flags & SM_BRIEF_READ)
        return true;
    if (!sm_fetch_stats(f, t, e, &facts, err))
        return false;
    sm_brief_of(facts, out);
    return true;
}

bool sm_fetch_all(struct sm_fetch *f, struct sm_trial *t, const struct sm_trial_tensor *x,
                  struct sm_err *err)
{
    return sm_survey_ask(f->survey, t, x, sm_fetch_urgency(f), err);
}

void sm_fetch_survey(struct sm_fetch *f, struct sm_trial *t, uint64_t limit_bytes)
{
    sm_survey_all(f->survey, t, limit_bytes);
}

bool sm_fetch_surveying(const struct sm_fetch *f, const struct sm_trial *t)
{
    return sm_survey_reads(f->survey, t);
}

/* ---- commands ---- */

void sm_fetch_begin(struct sm_fetch *f)
{
    sm_cache_begin(&f->cache);
}

static void drop_queue(struct sm_fetch *f, struct sm_fetch_queue *q, const struct sm_trial *t)
{
    for (struct sm_cache_node *x = q->first, *next; x; x = next) {
        next = x->after;
        if (!t || x->trial == t)
            sm_fetch_cancel(f, x);
    }
}

static bool is_requested(const struct sm_cache_node *x)
{
    return x && x->urgency == SM_URGENCY_ASKED;
}

void sm_fetch_end(struct sm_fetch *f)
{
    sm_cache_end(&f->cache);
    sm_survey_cancel(f->survey);
    /* others may have requested it too and must repeat that */
    f->answers = f->answers || f->queues[SM_URGENCY_ASKED].first;
    for (struct sm_cache_node *x = f->queues[SM_URGENCY_ASKED].first, *next; x; x = next) {
        next = x->after;
        sm_fetch_cancel(f, x);
        x->urgency = SM_URGENCY_BACKGROUND;
    }
    for (struct sm_read_job *j = f->jobs; j; j = j->next) {
        if (j->job.urgency == SM_URGENCY_ASKED)
            atomic_store(&j->job.cancelled, true);
        for (size_t i = 0; i < j->n; i++)
            if (is_requested(j->items[i].node))
                j->items[i].node->urgency = SM_URGENCY_BACKGROUND;
    }
    sm_cache_evict(&f->cache);
}

void sm_fetch_release(struct sm_fetch *f)
{
    if (f->cache.aside) {
        sm_cache_lap(&f->cache);
        return;
    }
    sm_fetch_end(f);
    sm_fetch_begin(f);
}

void sm_fetch_set_background(struct sm_fetch *f, bool on)
{
    f->cache.aside = on;
}

void sm_fetch_lap(struct sm_fetch *f)
{
    sm_cache_lap(&f->cache);
}

bool sm_fetch_busy(const struct sm_fetch *f)
{
    if (f->queues[SM_URGENCY_ASKED].first || f->parts.n_running || sm_survey_busy(f->survey))
        return true;
    for (const struct sm_read_job *j = f->jobs; j; j = j->next)
        for (size_t i = 0; i < j->n; i++)
            if (is_requested(j->items[i].node))
                return true;
    return false;
}

size_t sm_fetch_open(const struct sm_fetch *f)
{
    size_t n = f->n_running + f->parts.n_running + sm_survey_open(f->survey);
    for (int u = 0; u < SM_URGENCIES; u++)
        n += f->queues[u].n;
    return n;
}

void sm_fetch_flush(struct sm_fetch *f)
{
    sm_fetch_submit(f);
    sm_survey_flush(f->survey, f->checksum, sm_fetch_limit(f));
}

bool sm_fetch_pump(struct sm_fetch *f)
{
    sm_fetch_submit(f);
    sm_cache_tick(&f->cache);
    sm_cache_evict(&f->cache);
    sm_survey_flush(f->survey, f->checksum, sm_fetch_limit(f));
    bool answers = sm_survey_news(f->survey) || f->answers || f->parts.answers;
    f->answers = f->parts.answers = false;
    return answers;
}

/* ---- create and free ---- */

struct sm_fetch *sm_fetch_new(struct sm_pool *pool, size_t budget_bytes, struct sm_err *err)
{
    struct sm_fetch *f = sm_alloc_zero(1, sizeof *f);
    if (!f) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory to read values");
        return NULL;
    }
    f->pool = pool;
    f->cache.budget = budget_bytes;
    f->survey = sm_survey_new(pool);
    if (!f->survey) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory to read values");
        sm_free(f);
        return NULL;
    }
    return f;
}

void sm_fetch_forget(struct sm_fetch *f, const struct sm_trial *t)
{
    for (int u = 0; u < SM_URGENCIES; u++)
        drop_queue(f, &f->queues[u], t);
    for (struct sm_read_job *j = f->jobs; j; j = j->next) {
        if (t && j->trial != t)
            continue;
        atomic_store(&j->job.cancelled, true);
        for (size_t i = 0; i < j->n; i++)
            j->items[i].node = NULL;
    }
    sm_fetch_parts_forget(&f->parts, t);
    sm_cache_forget(&f->cache, t);
    sm_survey_forget(f->survey, t);
}

void sm_fetch_free(struct sm_fetch *f)
{
    if (!f)
        return;
    sm_fetch_forget(f, NULL);
    for (struct sm_read_job *j = f->jobs; j; j = j->next)
        j->owner = NULL; /* the pool still owns it and returns it later */
    sm_fetch_parts_clear(&f->parts);
    sm_cache_clear(&f->cache);
    sm_survey_free(f->survey);
    for (int u = 0; u < SM_URGENCIES; u++)
        sm_fetch_queue_clear(&f->queues[u]);
    sm_free(f);
}

void sm_fetch_budget(struct sm_fetch *f, size_t budget_bytes)
{
    f->cache.budget = budget_bytes;
    f->cache.retry_us = 0;
    sm_cache_evict(&f->cache);
}

void sm_fetch_checksum(struct sm_fetch *f, enum sm_checksum c)
{
    f->checksum = c;
}

size_t sm_fetch_memory(const struct sm_fetch *f)
{
    return f->cache.used;
}
