/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/step_tree.h"

#include "reader/base/vec.h"

#include <math.h>
#include <string.h>

/* CALM: so many entries are asked about at once */
enum { LEAF = 32, CALM = 1024, LEVELS = sizeof((struct sm_step_tree *)0)->n / sizeof(size_t) };
#define NONE UINT32_MAX

/* Entries are indices: the array moves when it grows. */
struct sm_step_sum {
    uint32_t from;                          /* the first entry */
    uint32_t n, steps, failed, known;       /* steps; of the mode; known: finite numbers */
    uint32_t low, high, other, bad, unread; /* as in sm_step_values; NONE: there is none */
    uint32_t hidden; /* the first of bad that is of another worker than the one shown */
    int rank;        /* of bad */
    double low_v, high_v, other_v, mean;
};

static struct sm_step_sum empty_sum(size_t from)
{
    return (struct sm_step_sum){.from = (uint32_t)from,
                                .low = NONE,
                                .high = NONE,
                                .other = NONE,
                                .bad = NONE,
                                .hidden = NONE,
                                .unread = NONE};
}

/* Of equal numbers the later one counts. */
static void join(struct sm_step_sum *a, const struct sm_step_sum *b)
{
    if (b->low != NONE && (a->low == NONE || b->low_v <= a->low_v)) {
        a->low = b->low;
        a->low_v = b->low_v;
    }
    if (b->high != NONE && (a->high == NONE || b->high_v >= a->high_v)) {
        a->high = b->high;
        a->high_v = b->high_v;
    }
    if (b->other != NONE && (a->other == NONE || b->other_v >= a->other_v)) {
        a->other = b->other;
        a->other_v = b->other_v;
    }
    if (b->bad != NONE && b->rank >= a->rank) {
        a->bad = b->bad;
        a->rank = b->rank;
    }
    a->hidden = a->hidden != NONE ? a->hidden : b->hidden;
    a->unread = b->unread != NONE ? b->unread : a->unread;
    a->n += b->n;
    a->steps += b->steps;
    a->failed += b->failed;
    a->known += b->known;
    if (b->known)
        a->mean += (b->mean - a->mean) * ((double)b->known / (double)a->known);
}

static const struct sm_trial_tensor *tensor_of(const struct sm_step_tree *x)
{
    return sm_trial_tensor_of(x->trial, x->tensor);
}

static uint32_t index_of(size_t i)
{
    return i != SM_NO_STEP_VALUE ? (uint32_t)i : NONE;
}

/* The sum of one step. Of another mode than that of the tree only what is bad counts. */
static struct sm_step_sum sum_of_step(const struct sm_step_tree *x,
                                      const struct sm_trial_tensor *of, size_t from,
                                      const struct sm_step_values *v)
{
    struct sm_step_sum s = empty_sum(from);
    struct sm_entry e = sm_tensor_entry(x->trial, of, v->shown);
    const struct sm_part *shown = sm_trial_part(x->trial, e.part);
    bool counts = x->mode == SM_MODE_ANY || shown->mode == x->mode;
    s.n = 1;
    s.unread = index_of(v->unread);
    s.bad = index_of(v->bad);
    s.rank = s.bad != NONE ? sm_brief_rank(&v->bad_brief) : 0;
    if (s.bad != NONE && sm_tensor_part(x->trial, of, s.bad)->worker != shown->worker)
        s.hidden = s.bad;
    if (!counts)
        return s;
    double y = sm_step_value_number(&e, &v->brief, x->spec.statistic);
    s.steps = 1;
    s.failed = (v->brief.flags & SM_BRIEF_FAILED) != 0;
    s.known = isfinite(y);
    s.mean = s.known ? y : 0;
    if (s.bad != NONE)
        return s;
    s.low = index_of(v->low);
    s.high = index_of(v->high);
    s.other = index_of(v->other);
    s.low_v = v->low_v;
    s.high_v = v->high_v;
    s.other_v = v->other_v;
    return s;
}

/* Joins the steps of the entries [*at, to) to the sum, at most `most` of them. Returns their
 * number. */
static size_t add_steps(struct sm_step_tree *x, size_t *at, size_t to, size_t most,
                        struct sm_step_sum *out)
{
    const struct sm_trial_tensor *of = tensor_of(x);
    struct sm_step_values v;
    size_t n = 0, from = *at;
    for (; n < most && sm_step_values_next(x->trial, of, &x->spec, at, to, &v); n++) {
        struct sm_step_sum one = sum_of_step(x, of, from, &v);
        join(out, &one);
        from = *at;
        x->looked_at++;
    }
    return n;
}

/* The number of calm entries (reader/trial.h) from `at` on, up to `most`, that count. */
static size_t count_calm(const struct sm_step_tree *x, size_t at, size_t most)
{
    const struct sm_trial_tensor *of = tensor_of(x);
    const struct sm_step_values_spec *spec = &x->spec;
    struct sm_calm calm;
    size_t to = at + most < of->n_entries ? at + most : of->n_entries;
    if (spec->statistic != sm_reduction_statistic(SM_REDUCE_MEAN) || to >= NONE)
        return 0;
    size_t n = sm_tensor_calm_to(x->trial, of, at, to, &calm) - at;
    bool counts = n && (x->mode == SM_MODE_ANY || x->mode == calm.mode) &&
                  (spec->mode == SM_MODE_ANY || spec->mode == calm.mode) &&
                  (spec->worker == SM_WORKER_ANY || spec->worker == calm.worker);
    return counts ? n : 0;
}

/* Joins LEAF calm steps: as add_steps, which looks at each as if there could be more at it. */
static void add_calm_leaf(struct sm_step_tree *x, size_t *at, struct sm_step_sum *out)
{
    const struct sm_trial_tensor *of = tensor_of(x);
    for (size_t to = *at + LEAF; *at < to; ++*at, x->looked_at++) {
        double y = sm_tensor_number(of, *at);
        struct sm_step_sum one = empty_sum(*at);
        one.n = one.steps = one.known = 1;
        one.low = one.high = (uint32_t)*at;
        one.low_v = one.high_v = one.mean = y;
        join(out, &one);
    }
}

/* ---- growing ---- */

static bool push(struct sm_step_tree *x, int level, const struct sm_step_sum *s)
{
    if (!SM_VEC_ROOM(x->levels[level], x->n[level], x->cap[level]))
        return false;
    x->levels[level][x->n[level]++] = *s;
    return true;
}

/* Adds the sum of each two of the level below, as far as these are settled. */
static void build_level(struct sm_step_tree *x, int level)
{
    while (2 * x->n[level] + 1 < x->n[level - 1]) {
        const struct sm_step_sum *pair = &x->levels[level - 1][2 * x->n[level]];
        struct sm_step_sum s = pair[0];
        if (pair[0].unread != NONE || pair[1].unread != NONE)
            return;
        join(&s, &pair[1]);
        if (!push(x, level, &s))
            return;
    }
}

/* Without memory the tree ends earlier; what is behind it is looked at each time. */
static void grow(struct sm_step_tree *x)
{
    const struct sm_trial_tensor *of = tensor_of(x);
    size_t calm_to = 0, looked_to = 0;
    for (;;) {
        size_t at = x->covered, n = LEAF;
        struct sm_step_sum s = empty_sum(at);
        if (at >= looked_to) {
            looked_to = at + CALM;
            calm_to = at + count_calm(x, at, CALM);
        }
        if (at + LEAF <= calm_to)
            add_calm_leaf(x, &at, &s);
        else
            n = add_steps(x, &at, of->n_entries, LEAF, &s);
        if (n < LEAF || at >= of->n_entries || at >= NONE || !push(x, 0, &s))
            return;
        x->covered = at;
    }
}

static size_t end_of_leaf(const struct sm_step_tree *x, size_t leaf)
{
    return leaf + 1 < x->n[0] ? x->levels[0][leaf + 1].from : x->covered;
}

static void look_again(struct sm_step_tree *x, size_t leaf)
{
    size_t at = x->levels[0][leaf].from;
    struct sm_step_sum s = empty_sum(at);
    add_steps(x, &at, end_of_leaf(x, leaf), SIZE_MAX, &s);
    x->levels[0][leaf] = s;
}

/* Forgets the leaves from this one on, and what was made of them. */
static void cut(struct sm_step_tree *x, size_t leaf)
{
    if (leaf >= x->n[0])
        return;
    x->covered = x->levels[0][leaf].from;
    for (int i = 0; i < LEVELS; i++)
        x->n[i] = x->n[i] < leaf >> i ? x->n[i] : leaf >> i;
}

/* Looks again at leaves with values that were not read, or failed and may have come since. */
static void settle(struct sm_step_tree *x)
{
    bool arrived = x->arrivals != sm_trial_arrivals(x->trial);
    for (size_t i = 0; i < x->n[0]; i++) {
        uint32_t failed = x->levels[0][i].failed;
        bool open = x->levels[0][i].unread != NONE;
        if (!open && !(arrived && failed))
            continue;
        look_again(x, i);
        for (int k = 1; k < LEVELS && !open && failed != x->levels[0][i].failed; k++)
            x->n[k] = x->n[k] < i >> k ? x->n[k] : i >> k;
    }
    x->arrivals = sm_trial_arrivals(x->trial);
}

/* ---- what it is of ---- */

static bool same_question(const struct sm_step_tree *x, const struct sm_trial *t,
                          const struct sm_trial_tensor *of, const struct sm_step_values_spec *spec,
                          enum sm_mode mode)
{
    return x->trial == t && x->tensor == of->name && x->spec.statistic == spec->statistic &&
           x->spec.worker == spec->worker && x->spec.mode == spec->mode &&
           x->spec.first_only == spec->first_only && x->mode == mode;
}

/* The leaf of an entry; n[0] if it is behind them. */
static size_t leaf_at(const struct sm_step_tree *x, size_t entry)
{
    size_t low = 0, high = x->n[0];
    if (entry >= x->covered)
        return x->n[0];
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        *(x->levels[0][middle].from <= entry ? &low : &high) = middle;
    }
    return low;
}

/* Forgets what changed behind the end: steps to which something was added. */
static void forget_changed(struct sm_step_tree *x, const struct sm_trial_tensor *of)
{
    const struct sm_trial *t = x->trial;
    if (x->sessions != sm_trial_session_count(t) || x->n_workers != sm_trial_worker_count(t) ||
        of->n_entries < x->covered || x->late > sm_trial_late_count(t))
        cut(x, 0);
    else
        for (size_t i = x->late; i < sm_trial_late_count(t); i++)
            cut(x, leaf_at(x, sm_trial_entries_from(t, of, sm_trial_late_step(t, i))));
    x->sessions = sm_trial_session_count(t);
    x->n_workers = sm_trial_worker_count(t);
    x->late = sm_trial_late_count(t);
}

void sm_step_tree_update(struct sm_step_tree *x, const struct sm_trial *t,
                         const struct sm_trial_tensor *of, const struct sm_step_values_spec *spec,
                         enum sm_mode mode)
{
    if (!same_question(x, t, of, spec, mode)) {
        cut(x, 0);
        x->trial = t;
        x->tensor = of->name;
        x->spec = *spec;
        x->mode = mode;
    }
    forget_changed(x, of);
    settle(x);
    grow(x);
    for (int i = 1; i < LEVELS; i++)
        build_level(x, i);
}

void sm_step_tree_clear(struct sm_step_tree *x)
{
    for (int i = 0; i < LEVELS; i++)
        sm_free(x->levels[i]);
    memset(x, 0, sizeof *x);
}

/* ---- asking ---- */

/* The largest sum that begins with this leaf and ends at or before the entry. */
static const struct sm_step_sum *largest_from(const struct sm_step_tree *x, size_t leaf, size_t to,
                                              size_t *end)
{
    const struct sm_step_sum *found = NULL;
    for (int i = 0; i < LEVELS && !(leaf & (((size_t)1 << i) - 1)); i++) {
        size_t next = ((leaf >> i) + 1) << i;
        if (leaf >> i >= x->n[i] || end_of_leaf(x, next - 1) > to)
            break;
        found = &x->levels[i][leaf >> i];
        *end = end_of_leaf(x, next - 1);
    }
    return found;
}

static struct sm_step_sum sum_of(struct sm_step_tree *x, size_t from, size_t to)
{
    struct sm_step_sum s = empty_sum(from);
    while (from < to) {
        size_t leaf = leaf_at(x, from), end = to;
        const struct sm_step_sum *whole = leaf < x->n[0] && x->levels[0][leaf].from == from
                                              ? largest_from(x, leaf, to, &end)
                                              : NULL;
        if (whole) {
            join(&s, whole);
            from = end;
            continue;
        }
        end = leaf < x->n[0] && end_of_leaf(x, leaf) < to ? end_of_leaf(x, leaf) : to;
        add_steps(x, &from, end, SIZE_MAX, &s);
        from = end;
    }
    return s;
}

struct sm_step_total sm_step_tree_total(struct sm_step_tree *x)
{
    struct sm_step_sum s = sum_of(x, 0, tensor_of(x)->n_entries);
    return (struct sm_step_total){s.steps, s.mean};
}

size_t sm_step_tree_entry(struct sm_step_tree *x, size_t k)
{
    size_t at = 0, n = tensor_of(x)->n_entries, end = 0;
    for (size_t leaf = 0; leaf < x->n[0];) {
        const struct sm_step_sum *s = NULL;
        size_t size = 1;
        for (int i = LEVELS - 1; i >= 0 && !s; i--)
            if (!(leaf & (((size_t)1 << i) - 1)) && leaf >> i < x->n[i] &&
                x->levels[i][leaf >> i].steps <= k) {
                s = &x->levels[i][leaf >> i];
                size = (size_t)1 << i;
            }
        if (!s)
            break;
        k -= s->steps;
        leaf += size;
        at = leaf < x->n[0] ? x->levels[0][leaf].from : x->covered;
    }
    for (end = at; at < n; at = end) {
        struct sm_step_sum one = empty_sum(at);
        if (!add_steps(x, &end, n, 1, &one))
            return n;
        if (one.steps && !k--)
            return at;
    }
    return n;
}

/* Of equal distances the later entry counts. */
static void consider(uint32_t *worst, double *most, uint32_t entry, double distance)
{
    if (entry == NONE ||
        (*worst != NONE && (distance < *most || (distance == *most && entry < *worst))))
        return;
    *worst = entry;
    *most = distance;
}

struct sm_worst_value sm_step_tree_worst(struct sm_step_tree *x, size_t from, size_t to,
                                         double centre)
{
    const struct sm_trial_tensor *of = tensor_of(x);
    struct sm_step_sum s = sum_of(x, from, to);
    struct sm_worst_value w = {.n = s.n, .failed = s.failed};
    uint32_t worst = s.bad;
    if (s.bad != NONE) {
        w.distance = INFINITY;
    } else {
        consider(&worst, &w.distance, s.low, fabs(s.low_v - centre));
        consider(&worst, &w.distance, s.high, fabs(s.high_v - centre));
        consider(&worst, &w.distance, s.other, s.other_v);
    }
    if (worst != NONE) {
        w.entry = sm_tensor_entry(x->trial, of, worst);
        w.brief = sm_tensor_brief(x->trial, of, worst);
    }
    if (s.unread != NONE)
        w.unread = sm_tensor_entry(x->trial, of, s.unread);
    return w;
}

size_t sm_step_tree_hidden(struct sm_step_tree *x)
{
    const struct sm_trial_tensor *of = tensor_of(x);
    uint32_t hidden = sum_of(x, 0, of->n_entries).hidden;
    return hidden != NONE ? hidden : of->n_entries;
}
