/* SPDX-License-Identifier: Apache-2.0 */
/* What the function of a rule can call at a step: numbers, earlier values, notes, state. */
#include "rules/private.h"

#include "reader/tensor/statistic_list.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---- */

static bool read_stats(struct sm_rule_at *x, const struct sm_entry *e, const struct sm_facts **out)
{
    struct sm_err err;
    if (x->ahead) {
        sm_rule_request_stats(x, e);
        return false;
    }
    if (sm_fetch_number(x->fetch, x->trial, e, out, &err))
        return true;
    if (err.code == SM_ERR_WAIT)
        x->waiting = true;
    else
        sm_rule_skip(x, "could not be read");
    return false;
}

bool sm_rule_facts(struct sm_rule_at *x, const struct sm_rule_item *it, const struct sm_facts **out)
{
    if (!sm_entry_exists(&it->value)) {
        sm_rule_skip(x, "needs the whole tensor, only reductions or a shape were saved");
        return false;
    }
    return read_stats(x, &it->value, out);
}

/* The reduction over all elements as numpy computes it, from statistics of the finite ones. */
static double reduce_all(const struct sm_stats *s, int reduction)
{
    uint64_t infinite = s->pos_inf + s->neg_inf;
    int op = reduction & (SM_REDUCE_ABS - 1);
    if (!s->nan && !infinite)
        return sm_stats_get(s, reduction);
    if (s->nan || op == SM_REDUCE_VARIANCE || op == SM_REDUCE_STD)
        return (double)NAN;
    if ((reduction & SM_REDUCE_ABS) || op == SM_REDUCE_L1 || op == SM_REDUCE_L2)
        return (double)INFINITY;
    if (op == SM_REDUCE_MIN)
        return s->neg_inf ? (double)-INFINITY : s->finite ? s->min : (double)INFINITY;
    if (op == SM_REDUCE_MAX)
        return s->pos_inf ? (double)INFINITY : s->finite ? s->max : (double)-INFINITY;
    return s->pos_inf && s->neg_inf ? (double)NAN
           : s->pos_inf             ? (double)INFINITY
                                    : (double)-INFINITY;
}

static bool has_moments(const struct sm_facts *f)
{
    enum sm_dtype_kind kind = sm_dtype_info(f->dtype)->kind;
    return f->has_stats && kind != SM_KIND_COMPLEX && f->n;
}

/* 1 if saved, 0 if not saved, -1 if waiting or unreadable. */
static int read_saved(struct sm_rule_at *x, const struct sm_rule_item *it, int reduction,
                      double *out)
{
    const struct sm_facts *f;
    struct sm_entry e = sm_trial_entry(x->trial, it->tensor, x->step.step, it->worker,
                                       SM_ENTRY_REDUCTION, reduction);
    if (!sm_entry_exists(&e))
        return 0;
    if (!read_stats(x, &e, &f))
        return -1;
    *out = f->n == 1 ? sm_dtype_load(f->dtype, f->first) : (double)NAN;
    return 1;
}

bool sm_rule_reduction(struct sm_rule_at *x, const struct sm_rule_item *it, int reduction,
                       double *out)
{
    const struct sm_facts *f;
    int got;
    if (sm_entry_exists(&it->value)) {
        if (!read_stats(x, &it->value, &f))
            return false;
        bool known = sm_statistic_known(&f->stats, sm_reduction_statistic(reduction));
        if (has_moments(f) && known)
            *out = reduce_all(&f->stats, reduction);
        else
            sm_rule_skip(x, known ? "empty, or not real numbers"
                                  : "the statistic was not saved in the archive");
        return has_moments(f) && known;
    }
    got = read_saved(x, it, reduction, out);
    if (got == 0 && (reduction & (SM_REDUCE_ABS - 1)) == SM_REDUCE_VARIANCE) {
        got = read_saved(x, it, (reduction & SM_REDUCE_ABS) | SM_REDUCE_STD, out);
        *out = got > 0 ? *out * *out : *out;
    }
    if (got == 0)
        sm_rule_skip(x, "needs the whole tensor, only reductions or a shape were saved");
    return got > 0;
}

/* Of a value that came with its step: no facts have to be made of it. */
static bool read_number(const struct sm_rule_at *x, const struct sm_entry *e, double *out)
{
    const unsigned wanted = SM_BRIEF_ONE | SM_BRIEF_NUMBERS;
    if (!sm_entry_is_scalar(e))
        return false;
    const struct sm_brief b = sm_trial_brief(x->trial, e);
    if ((b.flags & wanted) == wanted)
        *out = sm_dtype_load((enum sm_dtype)b.dtype, b.first);
    return (b.flags & wanted) == wanted;
}

bool sm_rule_scalar_of(struct sm_rule_at *x, const struct sm_entry *e, double *out)
{
    const struct sm_facts *f;
    if (read_number(x, e, out))
        return true;
    if (!read_stats(x, e, &f))
        return false;
    if (f->n != 1 || !has_moments(f)) {
        sm_rule_skip(x, "not a scalar");
        return false;
    }
    *out = sm_dtype_load(f->dtype, f->first);
    return true;
}

bool sm_rule_scalar(struct sm_rule_at *x, const struct sm_rule_item *it, double *out)
{
    if (sm_entry_exists(&it->value))
        return sm_rule_scalar_of(x, &it->value, out);
    sm_rule_skip(x, "needs the whole tensor, only reductions or a shape were saved");
    return false;
}

/* ---- steps ---- */

static bool is_global(enum sm_mode m)
{
    return m == SM_MODE_ANY || m == SM_MODE_GLOBAL;
}

int64_t sm_rule_entry_step(const struct sm_trial *t, const struct sm_entry *e, enum sm_mode mode)
{
    const struct sm_part *p = sm_trial_part(t, e->part);
    return is_global(mode) ? p->step.n : p->mode_step.n;
}

int64_t sm_rule_current_step(const struct sm_rule_at *x, enum sm_mode mode)
{
    return is_global(mode) ? x->step.step.n : x->step.mode_step.n;
}

struct sm_entry sm_rule_previous_entry(const struct sm_rule_at *x, const struct sm_rule_item *it,
                                       enum sm_mode mode, int64_t below)
{
    return sm_rule_entry_below(&x->rules->ranges, x->trial, it->tensor, it->worker, x->step.step,
                               mode, below);
}

enum sm_mode sm_rule_training_mode(const struct sm_rule_at *x)
{
    return sm_trial_has_mode(x->trial, SM_MODE_TRAIN) ? SM_MODE_TRAIN : SM_MODE_ANY;
}

/* ---- notes ---- */

void sm_finding_clear(struct sm_finding *f)
{
    sm_free(f->tensor);
    sm_free(f->worker);
    sm_free(f->text);
    sm_free(f->node);
    *f = (struct sm_finding){0};
}

void sm_rule_clear_notes(struct sm_rule_private *p)
{
    while (p->n_notes)
        sm_finding_clear(&p->notes[--p->n_notes]);
    p->datapoints = p->violations = 0;
    p->tensors = p->violating = 0;
    p->of = p->bad_of = NULL;
    memset(p->skips, 0, sizeof p->skips);
    sm_free(p->failure);
    p->failure = NULL;
}

/* printf writes "-nan" for the result of inf - inf; the sign has no meaning, so it is dropped. In
 * names "-nan" stays. */
static void drop_nan_signs(struct sm_str *text)
{
    static const char word[] = "-nan";
    char *from = text->data, *to = text->data;
    while (from && *from) {
        char before = from == text->data ? ' ' : from[-1],
             after = strncmp(from, word, 4) == 0 ? from[4] : '_';
        from += strchr(" ([=", before) && (!after || strchr(" ,;:)]%", after));
        *to++ = *from++;
    }
    sm_str_truncate(text, (size_t)(to - text->data));
}

bool sm_rule_wants_text(const struct sm_rule_at *x, bool violated)
{
    return violated || x->rules->explain == x->step.step.n;
}

void sm_rule_note(struct sm_rule_at *x, const struct sm_rule_item *it, double value, double limit,
                  bool violated, const char *fmt, ...)
{
    struct sm_rule_private *p = x->instance->own;
    struct sm_str text = {0};
    va_list ap;
    p->datapoints++;
    p->violations += violated;
    p->tensors += it && it != p->of;
    p->violating += violated && it && it != p->bad_of;
    p->of = it ? it : p->of;
    p->bad_of = violated && it ? it : p->bad_of;
    bool full = !x->rules->each && p->n_notes + x->instance->n_findings >= SM_RULE_FINDINGS_MAX;
    /* the first violation of a step is noted even if the list is full */
    if ((full && !(violated && p->violations == 1)) || !sm_rule_wants_text(x, violated))
        return;
    va_start(ap, fmt);
    sm_str_vprintf(&text, fmt, ap);
    va_end(ap);
    drop_nan_signs(&text);
    if (p->n_notes == p->cap_notes)
        p->notes = sm_xrealloc(p->notes, p->cap_notes = 2 * p->cap_notes + 8, sizeof *p->notes);
    p->notes[p->n_notes++] = (struct sm_finding){
        .step = x->step.step.n,
        .mode_step = x->step.mode_step.n,
        .mode = x->step.mode,
        .violated = violated,
        .tensor = it ? sm_xstrdup(it->name) : NULL,
        .worker = it ? sm_xstrdup(sm_trial_worker(x->trial, it->worker)) : NULL,
        .value = value,
        .limit = limit,
        .text = sm_xstrdup(sm_str_text(&text)),
        .time_us = x->step.time_us,
        .from_ns = x->from_ns,
        .to_ns = x->to_ns,
        .node = x->node ? sm_xstrdup(x->node) : NULL,
    };
    sm_str_clear(&text);
}

void sm_rule_window_count(struct sm_rule_at *x, uint64_t datapoints, uint64_t violations,
                          uint64_t triggered)
{
    x->instance->datapoints = datapoints;
    x->instance->violations += violations;
    x->instance->own->triggering += triggered;
}

void sm_rule_count_skip(struct sm_skip *skips, const char *why, uint64_t count)
{
    for (size_t i = 0; i < SM_RULE_SKIPS; i++) {
        if (skips[i].why && strcmp(skips[i].why, why) != 0)
            continue;
        skips[i].why = why;
        skips[i].count += count;
        return;
    }
}

void sm_rule_skip(struct sm_rule_at *x, const char *why)
{
    sm_rule_count_skip(x->instance->own->skips, why, 1);
}

void sm_remark_clear(struct sm_remark *m)
{
    sm_free(m->tensor);
    sm_free(m->worker);
    *m = (struct sm_remark){0};
}

void sm_rule_remark(struct sm_rule_at *x, const struct sm_rule_item *it, size_t known,
                    const char *why)
{
    struct sm_remark *m = x->instance->remarks;
    size_t k = 0;
    while (k < SM_RULE_REMARKS && m[k].why && strcmp(m[k].why, why) != 0)
        k++;
    uint64_t key = (uint64_t)k << 48 | (it ? (uint64_t)it->tensor->name << 16 | it->worker : 0), at;
    if (k == SM_RULE_REMARKS || x->ahead || sm_map_get(&x->instance->own->remarked, key, &at))
        return;
    sm_map_put(&x->instance->own->remarked, key, 1);
    x->rules->version++;
    m[k].n++;
    m[k].known = known;
    if (m[k].why)
        return;
    m[k].why = why;
    m[k].step = x->step.step.n;
    m[k].tensor = it ? sm_xstrdup(it->name) : NULL;
    m[k].worker = it ? sm_xstrdup(sm_trial_worker(x->trial, it->worker)) : NULL;
}

void sm_rule_fail(struct sm_rule_at *x, const char *fmt, ...)
{
    struct sm_rule_private *p = x->instance->own;
    struct sm_str text = {0};
    va_list ap;
    if (p->failure)
        return;
    va_start(ap, fmt);
    sm_str_vprintf(&text, fmt, ap);
    va_end(ap);
    p->failure = sm_xstrdup(sm_str_text(&text));
    sm_str_clear(&text);
}

struct sm_pool *sm_rule_pool(const struct sm_rule_at *x)
{
    return x->rules->pool;
}

void sm_rule_poll(struct sm_rule_at *x)
{
    x->waiting = true;
    x->rules->polling = true;
}

void sm_rule_add_index(struct sm_str *out, const struct sm_facts *f, uint64_t flat)
{
    uint64_t rest = flat, below = f->n;
    for (unsigned d = 0; d < f->n_dims; d++) {
        below = f->dims[d] ? below / f->dims[d] : 1;
        sm_str_printf(out, "%s%llu", d ? "," : "", (unsigned long long)(below ? rest / below : 0));
        rest = below ? rest % below : 0;
    }
}

/* ---- records for each tensor ---- */

void *sm_rule_record_of(struct sm_rule_records *m, const struct sm_rule_item *it, size_t size)
{
    uint64_t key = (uint64_t)it->tensor->name << 16 | it->worker, at;
    if (sm_map_get(&m->places, key, &at))
        return m->items[at];
    if (m->n == m->cap)
        m->items = sm_xrealloc(m->items, m->cap = 2 * m->cap + 4, sizeof *m->items);
    m->items[m->n] = sm_xalloc_zero(1, size);
    if (!sm_map_put(&m->places, key, m->n))
        sm_xalloc(SIZE_MAX); /* stops the program, as above */
    return m->items[m->n++];
}

void sm_memory_clear(struct sm_rule_records *m)
{
    for (size_t i = 0; i < m->n; i++)
        sm_free(m->items[i]);
    sm_map_clear(&m->places);
    sm_free(m->items);
    *m = (struct sm_rule_records){0};
}
