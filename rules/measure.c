/* SPDX-License-Identifier: Apache-2.0 */
/* Measures: pure functions over whole tensors; small ones run immediately, large ones in worker
 * threads. */
#include "rules/private.h"

#include <string.h>

enum { AT_ONCE_ELEMENTS = 1 << 14 };

enum state { ASKED, RUNNING, DONE, FAILED };
struct sm_measured {
    struct sm_rules *rules;
    sm_measure *measure;
    double args[SM_MEASURE_ARGS];
    struct {
        uint32_t part;
        uint64_t offset;
        uint16_t value;
    } keys[SM_MEASURE_TENSORS];
    size_t n;
    enum state state;
    struct sm_numbers numbers;
    struct job *job;
};
struct job {
    struct sm_job job;
    struct sm_measured *of; /* NULL if the result is no longer needed */
    sm_measure *measure;
    double args[SM_MEASURE_ARGS];
    struct sm_tensor *tensors[SM_MEASURE_TENSORS];
    size_t n;
    struct sm_numbers numbers;
};

bool sm_numbers_alloc(struct sm_numbers *out, size_t n)
{
    *out = (struct sm_numbers){sm_alloc_zero(n ? n : 1, sizeof *out->v), n};
    return out->v;
}

struct sm_elements sm_elements(const struct sm_tensor *t)
{
    struct sm_elements e = {t->dtype, t->data, t->n};
    if (t->dtype == SM_DTYPE_COMPLEX64 || t->dtype == SM_DTYPE_COMPLEX128) {
        e.dtype = t->dtype == SM_DTYPE_COMPLEX64 ? SM_DTYPE_FLOAT32 : SM_DTYPE_FLOAT64;
        e.n = 2 * t->n;
    }
    return e;
}

static size_t block_length(const struct sm_elements *e, uint64_t at)
{
    return at < e->n ? (size_t)(e->n - at < SM_BLOCK_ELEMENTS ? e->n - at : SM_BLOCK_ELEMENTS) : 0;
}

size_t sm_elements_read(const struct sm_elements *e, uint64_t at, double out[SM_BLOCK_ELEMENTS])
{
    size_t n = block_length(e, at);
    if (n)
        sm_dtype_widen(e->dtype, e->data + at * sm_dtype_info(e->dtype)->size_bytes, n, out);
    return n;
}

size_t sm_elements_floats(const struct sm_elements *e, uint64_t at, float out[SM_BLOCK_ELEMENTS])
{
    size_t n = block_length(e, at);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (n)
        memcpy(out, e->data + at * sizeof *out, n * sizeof *out);
#else
    for (size_t i = 0; i < n; i++)
        out[i] = (float)sm_dtype_load(SM_DTYPE_FLOAT32, e->data + (at + i) * sizeof *out);
#endif
    return n;
}

bool sm_same_shape(const struct sm_tensor *a, const struct sm_tensor *b)
{
    return a->n_dims == b->n_dims &&
           (!a->n_dims || memcmp(a->dims, b->dims, a->n_dims * sizeof *a->dims) == 0);
}

static void job_run(struct sm_job *job)
{
    struct job *j = (struct job *)job;
    if (!atomic_load(&job->cancelled))
        j->measure((const struct sm_tensor *const *)j->tensors, j->args, &j->numbers);
}

static void job_done(struct sm_job *job)
{
    struct job *j = (struct job *)job;
    if (j->of) {
        j->of->state = j->numbers.v ? DONE : FAILED;
        j->of->numbers = j->numbers;
        j->of->job = NULL;
        j->of->rules->answered = true;
    } else {
        sm_free(j->numbers.v);
    }
    for (size_t i = 0; i < j->n; i++)
        sm_tensor_unref(j->tensors[i]);
    sm_free(j);
}

static void free_measured(struct sm_measured *m)
{
    if (m->job) {
        m->job->of = NULL;
        atomic_store(&m->job->job.cancelled, true);
    }
    sm_free(m->numbers.v);
    sm_free(m);
}

void sm_measured_begin(struct sm_rule_private *p)
{
    p->asked = 0;
}

void sm_measured_drop(struct sm_rule_private *p, size_t from)
{
    while (p->n_measured > from)
        free_measured(p->measured[--p->n_measured]);
}

static bool is_same_measure(const struct sm_measured *m, sm_measure *measure,
                            const struct sm_entry *entries, size_t n)
{
    if (m->measure != measure || m->n != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (m->keys[i].part != entries[i].part || m->keys[i].offset != entries[i].offset ||
            m->keys[i].value != entries[i].value)
            return false;
    return true;
}

/* The measure with the next index; calls come in the same order each time. */
static struct sm_measured *measured_at(struct sm_rule_private *p, sm_measure *measure,
                                       const double *args, size_t n_args,
                                       const struct sm_entry *entries, size_t n)
{
    size_t at = p->asked++;
    if (at < p->n_measured && is_same_measure(p->measured[at], measure, entries, n))
        return p->measured[at];
    sm_measured_drop(p, at);
    struct sm_measured *m = sm_xalloc_zero(1, sizeof *m);
    *m = (struct sm_measured){.rules = p->rules, .measure = measure, .n = n};
    if (n_args)
        memcpy(m->args, args, n_args * sizeof *args);
    for (size_t i = 0; i < n; i++) {
        m->keys[i].part = entries[i].part;
        m->keys[i].offset = entries[i].offset;
        m->keys[i].value = entries[i].value;
    }
    if (p->n_measured == p->cap_measured)
        p->measured = sm_xrealloc(p->measured, p->cap_measured = 2 * p->cap_measured + 16,
                                  sizeof *p->measured);
    p->measured[p->n_measured++] = m;
    return m;
}

static bool has_numbers(const struct sm_tensor *t)
{
    enum sm_dtype_kind kind = sm_dtype_info(t->dtype)->kind;
    return kind != SM_KIND_STRING && kind != SM_KIND_OTHER;
}

/* Fetches all tensors, with a reference each. False: still waiting (state ASKED), or FAILED. */
static bool fetch_tensors(struct sm_rule_at *x, struct sm_measured *m,
                          struct sm_trial *const *trials, const struct sm_entry *entries,
                          struct sm_tensor **tensors)
{
    struct sm_err err;
    size_t got = 0;
    bool ok = true, waiting = false;
    for (size_t i = 0; i < m->n; i++) {
        if (sm_fetch_tensor(x->fetch, trials[i], &entries[i], &tensors[got], &err)) {
            ok = ok && has_numbers(tensors[got]);
            got++;
        } else {
            waiting = waiting || err.code == SM_ERR_WAIT;
            ok = false;
        }
    }
    if (ok)
        return true;
    while (got)
        sm_tensor_unref(tensors[--got]);
    m->state = waiting ? ASKED : FAILED;
    return false;
}

static void start_measure(struct sm_rule_at *x, struct sm_measured *m,
                          struct sm_trial *const *trials, const struct sm_entry *entries)
{
    struct sm_tensor *tensors[SM_MEASURE_TENSORS] = {NULL};
    uint64_t elements = 0;
    if (!fetch_tensors(x, m, trials, entries, tensors))
        return;
    for (size_t i = 0; i < m->n; i++)
        elements += tensors[i]->n;
    if (elements <= AT_ONCE_ELEMENTS) {
        m->measure((const struct sm_tensor *const *)tensors, m->args, &m->numbers);
        m->state = m->numbers.v ? DONE : FAILED;
        for (size_t i = 0; i < m->n; i++)
            sm_tensor_unref(tensors[i]);
        return;
    }
    struct job *j = sm_xalloc_zero(1, sizeof *j);
    *j = (struct job){
        .job = {.run = job_run, .done = job_done}, .of = m, .measure = m->measure, .n = m->n};
    memcpy(j->args, m->args, sizeof j->args);
    memcpy(j->tensors, tensors, sizeof j->tensors);
    m->job = j;
    m->state = RUNNING;
    sm_pool_submit(x->rules->pool, &j->job);
}

bool sm_rule_measure(struct sm_rule_at *x, sm_measure *measure, const double *args, size_t n_args,
                     const struct sm_entry *entries, size_t n, const struct sm_numbers **out)
{
    struct sm_trial *const own[SM_MEASURE_TENSORS] = {x->trial, x->trial};
    return sm_rule_measure_across(x, measure, args, n_args, own, entries, n, out);
}

bool sm_rule_measure_across(struct sm_rule_at *x, sm_measure *measure, const double *args,
                            size_t n_args, struct sm_trial *const *trials,
                            const struct sm_entry *entries, size_t n, const struct sm_numbers **out)
{
    for (size_t i = 0; i < n && x->ahead; i++)
        sm_rule_request_tensor(x, trials[i], &entries[i]);
    if (x->ahead)
        return false;
    struct sm_measured *m = measured_at(x->instance->own, measure, args, n_args, entries, n);
    if (m->state == ASKED)
        start_measure(x, m, trials, entries);
    if (m->state == DONE) {
        *out = &m->numbers;
        return true;
    }
    if (m->state == FAILED)
        sm_rule_skip(x, sm_trial_left_out(trials[0], &entries[0]) ? "values are not in the archive"
                                                                  : "could not be read as numbers");
    else
        x->waiting = true;
    return false;
}
