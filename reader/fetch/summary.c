/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/summary.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/fetch/fetch_answer.h"
#include "reader/fetch/read_part.h"
#include "reader/fetch/summary_stream.h"

#include <math.h>
#include <string.h>

/* Records below INLINE_BYTES take no longer than a frame. If there are many answers, those not
 * requested lately are dropped. */
enum { INLINE_BYTES = 1 << 20, JOBS_MAX = 4, BUCKETS = 256, KEPT = 1024, LATELY_US = 60 * 1000000 };
enum { NUMPY_BINS = 10, TENSORBOARD_BINS = 30 };

const double sm_summary_points[SM_SUMMARY_POINTS] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};

/* ---- the computation ---- */

static void forget_quantiles(struct sm_summary *x)
{
    for (int i = 0; i < SM_FACTS_QUANTILES; i++)
        x->quantiles[i] = (double)NAN;
}

void sm_summary_queries(double points[SM_SUMMARY_POINTS], double out[SM_FACTS_QUANTILES],
                        struct sm_quantile_query queries[SM_QUANTILE_QUERIES])
{
    static const double median = SM_MEDIAN;
    for (int i = 0; i < SM_SUMMARY_POINTS; i++)
        points[i] = sm_summary_points[i] == 0.5 ? median : sm_summary_points[i];
    queries[0] = (struct sm_quantile_query){false, points, SM_SUMMARY_POINTS, out};
    queries[1] = (struct sm_quantile_query){true, &median, 1, &out[SM_SUMMARY_POINTS]};
}

bool sm_summary_quantiles(const struct sm_tensor *t, double out[SM_FACTS_QUANTILES],
                          struct sm_err *err)
{
    struct sm_quantile_query queries[SM_QUANTILE_QUERIES];
    double points[SM_SUMMARY_POINTS];
    sm_summary_queries(points, out, queries);
    return sm_quantile_queries(t, queries, SM_QUANTILE_QUERIES, err);
}

static bool compute_summary(struct sm_tensor *t, const struct sm_summary_spec *spec,
                            struct sm_summary *out, struct sm_err *err)
{
    out->dtype = t->dtype;
    out->n_dims = t->n_dims;
    memcpy(out->dims, t->dims, sizeof out->dims);
    out->n = t->n;
    if (t->histogram && !spec->slice && spec->want == SM_SUMMARY_HISTOGRAM)
        return sm_histogram_saved(t, spec->bins, &out->histogram, err);
    if (t->histogram && !spec->slice && spec->want == SM_SUMMARY_TENSORBOARD)
        return sm_histogram_saved(t, TENSORBOARD_BINS, &out->histogram, err);
    if (spec->want == SM_SUMMARY_TENSORBOARD)
        return sm_histogram_tensorboard(t, &out->histogram, err);
    if (spec->want == SM_SUMMARY_HISTOGRAM)
        return sm_histogram_numpy(t, spec->bins ? spec->bins : NUMPY_BINS, &out->histogram, err);
    forget_quantiles(out);
    out->has_stats = sm_stats_of(t, &out->stats, NULL);
    return spec->want == SM_SUMMARY_STATS || !out->has_stats || !out->stats.finite ||
           sm_summary_quantiles(t, out->quantiles, err);
}

static bool fill_summary(struct sm_tensor *t, const struct sm_summary_spec *spec,
                         struct sm_summary *out, struct sm_err *err)
{
    struct sm_tensor *part = NULL;
    *out = (struct sm_summary){0};
    bool ok =
        spec->slice ? sm_slice_apply(spec->slice, t, &part, err) : (part = sm_tensor_ref(t), true);
    ok = ok && compute_summary(part, spec, out, err);
    if (!ok)
        sm_summary_clear(out);
    sm_tensor_unref(part);
    return ok;
}

void sm_summary_clear(struct sm_summary *x)
{
    sm_histogram_clear(&x->histogram);
    *x = (struct sm_summary){0};
}

bool sm_summary_get(const struct sm_summary *x, const struct sm_statistic *s, double *out)
{
    if (!x->has_stats || (s->kind != SM_STATISTIC_COUNT && !x->stats.finite))
        return false;
    if (s->kind == SM_STATISTIC_QUANTILE)
        return *out = x->quantiles[s->point], !isnan(*out);
    *out = sm_statistic_of(&x->stats, s);
    return sm_statistic_known(&x->stats, s);
}

static bool copy_summary(struct sm_summary *to, const struct sm_summary *from, struct sm_err *err)
{
    const struct sm_histogram *h = &from->histogram;
    *to = *from;
    if (!h->bins)
        return true;
    to->histogram.edges = sm_alloc((h->bins + 1) * sizeof *h->edges);
    to->histogram.counts = sm_alloc(h->bins * sizeof *h->counts);
    if (!to->histogram.edges || !to->histogram.counts) {
        sm_summary_clear(to);
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a histogram");
    }
    memcpy(to->histogram.edges, h->edges, (h->bins + 1) * sizeof *h->edges);
    memcpy(to->histogram.counts, h->counts, h->bins * sizeof *h->counts);
    return true;
}

/* ---- answers ---- */

enum state { ASKED, RUNNING, ANSWERED };

struct node {
    struct sm_trial *trial;
    uint32_t part;
    uint64_t offset;
    uint16_t value; /* index in the record */
    struct sm_slice slice;
    struct sm_summary_spec spec; /* its slice is owned by the node */
    enum state state;
    bool unread;       /* the record could not be read; fetch has the reason */
    struct sm_err err; /* ANSWERED with a code set: the answer is an error */
    struct sm_summary summary;
    int64_t asked_us;
    struct node *next;
};

struct job {
    struct sm_job job;
    struct sm_summaries *owner; /* NULL if it was freed */
    struct node *node;          /* NULL: no longer in the table; loop's thread only */
    struct sm_source *source;
    char *path;
    struct sm_read read;
    struct sm_slice slice;
    struct sm_summary_spec spec;
    struct sm_summary summary;
    struct sm_err err;
    struct job *next;
};

struct sm_summaries {
    struct sm_pool *pool;
    struct sm_fetch *fetch;
    struct node *buckets[BUCKETS];
    size_t n_nodes, n_jobs;
    struct job *jobs;
    bool answers;
};

static struct node **summary_bucket(struct sm_summaries *s, uint32_t part, uint64_t offset)
{
    return &s->buckets[(part * UINT64_C(31) + offset / 16) % BUCKETS];
}

static bool node_matches(const struct node *x, const struct sm_trial *t, const struct sm_entry *e,
                         const struct sm_summary_spec *spec)
{
    return x->trial == t && x->part == e->part && x->offset == e->offset && x->value == e->value &&
           x->spec.want == spec->want && x->spec.bins == spec->bins &&
           !x->spec.slice == !spec->slice &&
           (!spec->slice || sm_slice_same(&x->slice, spec->slice));
}

static void free_node(struct sm_summaries *s, struct node *x)
{
    s->n_nodes--;
    sm_summary_clear(&x->summary);
    sm_free(x);
}

/* Removes the nodes for which `unwanted` is true. */
static void remove_nodes(struct sm_summaries *s,
                         bool (*unwanted)(const struct node *x, const void *ctx), const void *ctx)
{
    for (size_t i = 0; i < BUCKETS; i++) {
        for (struct node **link = &s->buckets[i], *x; (x = *link);) {
            if (unwanted(x, ctx)) {
                *link = x->next;
                free_node(s, x);
            } else {
                link = &x->next;
            }
        }
    }
}

static bool is_old(const struct node *x, const void *now)
{
    return x->state != RUNNING && x->asked_us < *(const int64_t *)now - LATELY_US;
}

static struct node *find_or_add(struct sm_summaries *s, struct sm_trial *t,
                                const struct sm_entry *e, const struct sm_summary_spec *spec)
{
    int64_t now = sm_clock_mono_us();
    struct node **bucket = summary_bucket(s, e->part, e->offset), *x;
    for (x = *bucket; x && !node_matches(x, t, e, spec); x = x->next)
        ;
    if (!x) {
        if (s->n_nodes >= KEPT)
            remove_nodes(s, is_old, &now);
        x = sm_alloc_zero(1, sizeof *x);
        if (!x)
            return NULL;
        x->trial = t;
        x->part = e->part;
        x->offset = e->offset;
        x->value = e->value;
        x->spec = *spec;
        if (spec->slice) {
            x->slice = *spec->slice;
            x->spec.slice = &x->slice;
        }
        x->next = *bucket;
        *bucket = x;
        s->n_nodes++;
    }
    x->asked_us = now;
    return x;
}

/* ---- jobs ---- */

/* Quantiles need no more than some passes over the elements. */
static bool is_streamed(const struct sm_summary_spec *spec)
{
    return spec->want == SM_SUMMARY_QUANTILES && !spec->slice;
}

/* What the value itself is not to blame for is the answer. */
static void read_selected(struct job *j, const struct sm_file *file, struct sm_scratch *scratch)
{
    struct sm_read *x = &j->read;
    if (is_streamed(&j->spec) &&
        (sm_summary_stream(file, &j->job.cancelled, x, scratch, &j->summary) || x->err.code))
        return;
    if (j->spec.slice)
        sm_read_part(file, j->spec.slice, &j->job.cancelled, x, scratch);
    else
        sm_read_record(file, SM_CHECKSUM_AUTO, x, scratch);
    if (x->ok || (x->err.code != SM_ERR_USAGE && x->err.code != SM_ERR_LIMIT))
        return;
    j->err = x->err;
    sm_err_clear(&x->err);
    x->ok = true;
}

static void run_summary_job(struct sm_job *job)
{
    struct job *j = (struct job *)job;
    struct sm_file file = {0};
    struct sm_summary_spec spec = j->spec;
    spec.slice = NULL; /* of the tensor that is read, all */
    if (sm_file_open(&file, j->source, j->path, &j->read.err))
        read_selected(j, &file, job->scratch);
    sm_file_close(&file);
    if (j->read.tensor && !fill_summary(j->read.tensor, &spec, &j->summary, &j->err) &&
        !j->err.code)
        sm_err_set(&j->err, SM_ERR_DATA, "no summary");
    sm_tensor_unref(j->read.tensor);
    j->read.tensor = NULL;
}

static void free_summary_job(struct job *j)
{
    sm_source_unref(j->source);
    sm_summary_clear(&j->summary);
    sm_free(j->path);
    sm_free(j);
}

static void end_summary_job(struct sm_job *job)
{
    struct job *j = (struct job *)job;
    struct node *x = j->node;
    if (j->owner) {
        struct job **link = &j->owner->jobs;
        while (*link != j)
            link = &(*link)->next;
        *link = j->next;
        j->owner->n_jobs--;
        j->owner->answers = true;
    }
    if (j->owner && x) {
        if (j->read.ok && j->read.err.code)
            sm_fetch_report_at(x->trial, j->path, x->offset, &j->read.err);
        x->state = j->read.ok ? ANSWERED : ASKED;
        x->unread = !j->read.ok;
        x->err = j->err;
        x->summary = j->summary;
        j->summary = (struct sm_summary){0};
    }
    free_summary_job(j);
}

static bool start_summary_job(struct sm_summaries *s, struct node *x, const struct sm_entry *e,
                              struct sm_err *err)
{
    const char *path = sm_trial_event_path(x->trial, sm_trial_part(x->trial, x->part));
    struct job *j = sm_alloc_zero(1, sizeof *j);
    if (j)
        j->path = sm_strdup(path);
    if (!j || !j->path) {
        sm_free(j);
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a request");
    }
    j->job.run = run_summary_job;
    j->job.done = end_summary_job;
    j->job.urgency = SM_URGENCY_ASKED;
    j->owner = s;
    j->node = x;
    j->source = sm_source_ref(sm_trial_source(x->trial));
    j->read = (struct sm_read){.path = j->path,
                               .offset = e->offset,
                               .length = e->length,
                               .value = e->value,
                               .want = SM_WANT_TENSOR,
                               .limit = sm_fetch_limit(s->fetch)};
    j->slice = x->slice;
    j->spec = x->spec;
    j->spec.slice = x->spec.slice ? &j->slice : NULL;
    j->next = s->jobs;
    s->jobs = j;
    s->n_jobs++;
    x->state = RUNNING;
    sm_pool_submit(s->pool, &j->job);
    return true;
}

/* ---- requests ---- */

static bool read_small(struct sm_summaries *s, struct sm_trial *t, const struct sm_entry *e,
                       const struct sm_summary_spec *spec, struct sm_summary *out,
                       struct sm_err *err)
{
    struct sm_tensor *tensor;
    if (!sm_fetch_tensor(s->fetch, t, e, &tensor, err))
        return false;
    bool ok = fill_summary(tensor, spec, out, err);
    sm_tensor_unref(tensor);
    return ok;
}

/* Uses the statistics of the whole tensor, which fetch has. */
static bool read_facts(struct sm_summaries *s, struct sm_trial *t, const struct sm_entry *e,
                       struct sm_summary *out, struct sm_err *err)
{
    const struct sm_facts *facts;
    if (!sm_fetch_stats(s->fetch, t, e, &facts, err))
        return false;
    out->dtype = facts->dtype;
    out->n_dims = facts->n_dims;
    memcpy(out->dims, facts->dims, facts->n_dims * sizeof *out->dims);
    out->n = facts->n;
    out->has_stats = facts->has_stats;
    out->stats = facts->stats;
    forget_quantiles(out);
    return true;
}

/* Uses what an archive stores of a value without its bytes. */
static bool read_archived(struct sm_summaries *s, struct sm_trial *t, const struct sm_entry *e,
                          const struct sm_summary_spec *spec, struct sm_summary *out,
                          struct sm_err *err)
{
    const struct sm_facts *facts;
    if (spec->slice || spec->want != SM_SUMMARY_QUANTILES)
        return sm_err_set(err, SM_ERR_MISSING, SM_LEFT_OUT);
    if (!read_facts(s, t, e, out, err) || !sm_fetch_stats(s->fetch, t, e, &facts, err))
        return false;
    if (facts->quantiles)
        memcpy(out->quantiles, facts->quantiles, sizeof out->quantiles);
    return true;
}

/* Statistics and quantiles are computed in pieces; histograms need all elements at once. */
static bool read_too_large(struct sm_summaries *s, struct sm_trial *t, const struct sm_entry *e,
                           struct sm_err *err)
{
    struct sm_tensor *none;
    return sm_fetch_tensor(s->fetch, t, e, &none, err); /* has the reason */
}

bool sm_summary_read(struct sm_summaries *s, struct sm_trial *t, const struct sm_entry *e,
                     const struct sm_summary_spec *spec, struct sm_summary *out, struct sm_err *err)
{
    const struct sm_facts *facts;
    *out = (struct sm_summary){0};
    if (spec->want == SM_SUMMARY_STATS && !spec->slice)
        return read_facts(s, t, e, out, err);
    if (sm_trial_left_out(t, e))
        return read_archived(s, t, e, spec, out, err);
    if (sm_fetch_too_large(s->fetch, e) && !spec->slice && !is_streamed(spec))
        return read_too_large(s, t, e, err);
    if (e->length <= INLINE_BYTES)
        return read_small(s, t, e, spec, out, err);
    struct node *x = find_or_add(s, t, e, spec);
    if (!x)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a summary");
    if (x->state == ANSWERED && x->err.code == SM_ERR_LIMIT && is_streamed(spec))
        return read_facts(s, t, e, out, err); /* it cannot be read in pieces */
    if (x->state == ANSWERED && x->err.code) {
        if (err)
            *err = x->err;
        return false;
    }
    if (x->state == ANSWERED)
        return copy_summary(out, &x->summary, err);
    if (x->unread && !sm_fetch_stats(s->fetch, t, e, &facts, err))
        return false; /* fetch has the reason, and reports it */
    x->unread = false;
    if (x->state == ASKED && s->n_jobs < JOBS_MAX &&
        sm_trial_event_path(t, sm_trial_part(t, e->part)) && !start_summary_job(s, x, e, err))
        return false;
    return sm_err_set(err, SM_ERR_WAIT, "being computed");
}

/* ---- create and free ---- */

struct sm_summaries *sm_summaries_new(struct sm_pool *pool, struct sm_fetch *fetch,
                                      struct sm_err *err)
{
    struct sm_summaries *s = sm_alloc_zero(1, sizeof *s);
    if (!s) {
        sm_err_set(err, SM_ERR_MEMORY, "no memory for summaries");
        return NULL;
    }
    s->pool = pool;
    s->fetch = fetch;
    return s;
}

static bool is_of_trial(const struct node *x, const void *trial)
{
    return !trial || x->trial == trial;
}

void sm_summaries_forget(struct sm_summaries *s, const struct sm_trial *t)
{
    for (struct job *j = s->jobs; j; j = j->next) {
        if (j->node && is_of_trial(j->node, t)) {
            atomic_store(&j->job.cancelled, true);
            j->node = NULL;
        }
    }
    remove_nodes(s, is_of_trial, t);
}

void sm_summaries_free(struct sm_summaries *s)
{
    if (!s)
        return;
    sm_summaries_forget(s, NULL);
    for (struct job *j = s->jobs; j; j = j->next)
        j->owner = NULL;
    sm_free(s);
}

bool sm_summaries_pump(struct sm_summaries *s)
{
    bool answers = s->answers;
    s->answers = false;
    return answers;
}

size_t sm_summaries_open(const struct sm_summaries *s)
{
    return s->n_jobs;
}
