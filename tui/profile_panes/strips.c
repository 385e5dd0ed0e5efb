/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/profile_panes/strips.h"

#include "reader/base/grow.h"

#include <math.h>
#include <string.h>

enum {
    NODES_MOST = 4096,
    MEMBERS_MOST = 4096,
    FEW_SAMPLES = 20000,
    FRAME_SAMPLES = 300000 /* that are read in one frame, for p95 */
};

/* ---- the rows ---- */

static void clear_items(struct sm_strips *s)
{
    for (size_t i = 0; i < s->n; i++) {
        sm_free(s->items[i].label);
        sm_free(s->items[i].values);
        sm_usage_clear(&s->items[i].sums);
        sm_ranks_clear(&s->items[i].ranks);
    }
    s->n = 0;
}

void sm_strips_clear(struct sm_strips *s)
{
    clear_items(s);
    sm_free(s->items);
    sm_free(s->filter);
    *s = (struct sm_strips){0};
}

void sm_strips_forget(struct sm_strips *s)
{
    clear_items(s);
    s->of = NULL;
    s->unfolded = false;
    s->node = 0;
}

void sm_strips_filter(struct sm_strips *s, const char *text)
{
    sm_free(s->filter);
    s->filter = *text ? sm_xstrdup(text) : NULL;
    s->stale = true;
}

/* name NULL: of the use of a node. before: of the label. */
static void add_strip(struct sm_strips *s, const struct sm_metric_store *m, struct sm_strip row,
                      const char *before, const char *name)
{
    struct sm_str label = {0};
    const char *node = sm_metric_name(m, row.node);
    sm_str_add(&label, before);
    if (s->nodes > 1 && !s->node && !*before) {
        sm_str_add_escaped(&label, node, strlen(node));
        sm_str_addc(&label, ' ');
    }
    sm_str_add_escaped(&label, name ? name : sm_usage_name(row.usage),
                       strlen(name ? name : sm_usage_name(row.usage)));
    if (name && (row.usage == SM_USAGE_GPU_MEMORY || row.usage == SM_USAGE_IO_WAIT))
        sm_str_add(&label, row.usage == SM_USAGE_GPU_MEMORY ? " mem" : " wait");
    if (!s->filter || strcasestr(sm_str_text(&label), s->filter)) {
        row.label = sm_xstrdup(sm_str_text(&label));
        row.p95_samples = SIZE_MAX;
        SM_GROW(s->items, s->n, s->cap);
        s->items[s->n++] = row;
    }
    sm_str_clear(&label);
}

static const char *member_name(const struct sm_metric_store *m, const struct sm_metric_series *x,
                               enum sm_usage u)
{
    const char *name = sm_metric_name(m, x->key.name);
    bool bytes = u == SM_USAGE_NETWORK || u == SM_USAGE_DISKS;
    return !bytes                              ? name
           : strncmp(name, "Receive", 7) == 0  ? "received"
           : strncmp(name, "Transmit", 8) == 0 ? "sent"
           : strncmp(name, "Read", 4) == 0     ? "read"
           : strncmp(name, "Write", 5) == 0    ? "written"
                                               : name;
}

/* The single cores or GPUs of a node; choice: of these, or NULL. */
static void add_members(struct sm_strips *s, const struct sm_metric_store *m, uint32_t node,
                        enum sm_usage u, const char *before, const struct sm_number_choice *choice)
{
    const struct sm_metric_series **series = sm_xalloc_zero(MEMBERS_MOST, sizeof(*series));
    size_t n = sm_usage_series(m, node, u, series, MEMBERS_MOST);
    for (size_t k = 0; k < n; k++) {
        const char *name = member_name(m, series[k], u);
        if (!choice || !choice->n || sm_number_set_has(&choice->chosen, sm_number_of_name(name)))
            add_strip(s, m,
                      (struct sm_strip){
                          .node = node, .usage = u, .series = (uint32_t)(series[k] - m->series)},
                      before, name);
    }
    sm_free(series);
}

static void add_uses(struct sm_strips *s, const struct sm_metric_store *m, uint32_t node)
{
    for (int u = 0; u < SM_USAGES; u++) {
        const struct sm_strip use = {
            .node = node, .usage = (enum sm_usage)u, .series = SM_NAME_NONE};
        if (!sm_usage_members(m, node, use.usage))
            continue;
        add_strip(s, m, use, "", NULL);
        if (s->unfolded && s->unfolded_node == node && s->unfolded_usage == use.usage)
            add_members(s, m, node, use.usage, "  ", &s->choice);
    }
}

/* The nodes that are chosen; the caller frees them. */
static uint32_t *nodes_of(struct sm_strips *s, const struct sm_metric_store *m, size_t *n)
{
    uint32_t *nodes = sm_xalloc_zero(NODES_MOST, sizeof *nodes);
    *n = s->nodes = sm_usage_nodes(m, nodes, NODES_MOST);
    if (s->node && s->node <= *n) {
        nodes[0] = nodes[s->node - 1];
        *n = 1;
    }
    return nodes;
}

void sm_strips_add_uses(struct sm_strips *s, const struct sm_metric_store *m)
{
    size_t n;
    uint32_t *nodes = nodes_of(s, m, &n);
    for (size_t i = 0; i < n; i++)
        add_uses(s, m, nodes[i]);
    sm_free(nodes);
}

void sm_strips_add_members(struct sm_strips *s, const struct sm_metric_store *m, enum sm_usage u)
{
    size_t n;
    uint32_t *nodes = nodes_of(s, m, &n);
    for (size_t i = 0; i < n; i++)
        add_members(s, m, nodes[i], u, "", NULL);
    sm_free(nodes);
}

bool sm_strips_read(struct sm_strips *s, const struct sm_profile *p, sm_strips_fill fill)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    if (s->of != p || s->n_series != m->n_series || s->stale) {
        clear_items(s);
        fill(s, m);
        s->of = p;
        s->n_series = m->n_series;
        s->stale = false;
    }
    return s->n > 0;
}

/* ---- the values ---- */

static bool same_buckets(const struct sm_buckets *a, const struct sm_buckets *b)
{
    return a->from_ns == b->from_ns && a->width_ns == b->width_ns && a->n == b->n &&
           a->hold_ns == b->hold_ns;
}

/* What is stale is only marked. */
static void update_stamp(struct sm_strips *s, const struct sm_profile *p,
                         const struct sm_time_ruler *ruler)
{
    uint64_t version = sm_profile_metrics(p)->version;
    bool same = same_buckets(&s->ruler.buckets, &ruler->buckets);
    for (size_t i = 0; i < s->n && (!same || s->version != version); i++) {
        s->items[i].known = false;
        if (!same)
            s->items[i].p95_samples = SIZE_MAX;
    }
    s->version = version;
    s->ruler = *ruler;
}

static int64_t end_of(const struct sm_buckets *b)
{
    return b->from_ns + b->width_ns * (int64_t)b->n;
}

static bool is_part(const struct sm_strip *x, const struct sm_metric_store *m, size_t series)
{
    const struct sm_metric_series *s = &m->series[series];
    return x->series != SM_NAME_NONE
               ? series == x->series
               : s->key.node == x->node && s->n && sm_usage_counts(m, s, x->usage);
}

/* Newest value and mean, each the sum of those of the parts. */
static void read_numbers(struct sm_strip *x, const struct sm_buckets *b,
                         const struct sm_metric_store *m)
{
    x->samples = 0;
    x->mean = x->newest = (double)NAN;
    for (size_t i = 0; i < m->n_series; i++) {
        const struct sm_metric_series *s = &m->series[i];
        if (!is_part(x, m, i))
            continue;
        size_t from = sm_metric_at(m, s, b->from_ns), to = sm_metric_at(m, s, end_of(b));
        if (to <= from)
            continue;
        x->mean = (isnan(x->mean) ? 0 : x->mean) + sm_metric_range_of(s, from, to).mean;
        x->newest = (isnan(x->newest) ? 0 : x->newest) + s->values[to - 1];
        x->samples += to - from;
    }
}

static void read_values(struct sm_strip *x, const struct sm_buckets *b,
                        const struct sm_metric_store *m)
{
    if (x->known)
        return;
    if (x->cap < b->n) {
        sm_free(x->values);
        x->values = sm_xalloc_zero(b->n, sizeof *x->values);
        x->cap = b->n;
    }
    x->n = b->n;
    if (x->series != SM_NAME_NONE)
        sm_buckets_means(b, m, &m->series[x->series], x->values);
    else
        sm_buckets_usage(b, m, x->node, x->usage, x->values);
    read_numbers(x, b, m);
    x->known = true;
}

static double sum_at(const void *of, size_t i)
{
    return ((const struct sm_usage_values *)of)->values[i];
}

/* The only series of a row; NULL: it is the sum of several, or there is none. */
static const struct sm_metric_series *series_of(const struct sm_metric_store *m,
                                                const struct sm_strip *x)
{
    return x->series != SM_NAME_NONE ? &m->series[x->series] : sm_usage_only(m, x->node, x->usage);
}

/* Sums are made again when the samples have grown by a hundredth. */
static bool p95_is_due(const struct sm_strip *x, const struct sm_metric_store *m)
{
    if (x->p95_samples == SIZE_MAX || x->samples < x->p95_samples || series_of(m, x))
        return x->p95_samples != x->samples;
    size_t grown = x->samples - x->p95_samples;
    return grown && (x->samples < FEW_SAMPLES || grown > x->samples / 100);
}

/* Index of the first sum at this time or later. */
static size_t sum_from(const struct sm_usage_values *v, int64_t ns)
{
    size_t from = 0, to = v->n;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (v->ns[mid] < ns)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

/* Returns the samples that were read. */
static size_t read_p95_of_sums(struct sm_strip *x, const struct sm_buckets *b,
                               const struct sm_metric_store *m, const double q[1])
{
    const struct sm_ranked ranked = {&x->sums, sum_at};
    size_t read = 0;
    if (!x->sums.n || x->sums_of != m->version) {
        sm_usage_clear(&x->sums);
        sm_ranks_truncate(&x->ranks, 0);
        if (!sm_usage_read(m, x->node, x->usage, INT64_MIN, INT64_MAX, &x->sums) ||
            !sm_ranks_add(&x->ranks, &ranked, x->sums.n))
            return 0;
        x->sums_of = m->version;
        read = 2 * x->sums.n;
    }
    sm_ranks_quantiles(&x->ranks, &ranked, sum_from(&x->sums, b->from_ns),
                       sum_from(&x->sums, end_of(b)), q, 1, &x->p95);
    return read + SM_RANKS_BLOCK;
}

static size_t read_p95(struct sm_strip *x, const struct sm_buckets *b,
                       const struct sm_metric_store *m)
{
    static const double q[] = {0.95};
    const struct sm_metric_series *s = series_of(m, x);
    x->p95 = (double)NAN;
    x->p95_samples = x->samples;
    if (!x->samples)
        return 0;
    if (!s)
        return read_p95_of_sums(x, b, m, q);
    size_t from = sm_metric_at(m, s, b->from_ns);
    sm_metric_quantiles(s, from, from + x->samples, q, 1, &x->p95);
    return x->samples < SM_RANKS_BLOCK ? x->samples : SM_RANKS_BLOCK;
}

/* The rows that are shown. */
static size_t end_of_rows(const struct sm_strips *s, size_t shown)
{
    return shown < s->n - s->rows.top ? s->rows.top + shown : s->n;
}

void sm_strips_read_values(struct sm_strips *s, const struct sm_profile *p,
                           const struct sm_time_ruler *ruler, size_t shown)
{
    update_stamp(s, p, ruler);
    for (size_t i = s->rows.top; i < end_of_rows(s, shown); i++)
        read_values(&s->items[i], &ruler->buckets, sm_profile_metrics(p));
}

void sm_strips_read_p95(struct sm_strips *s, const struct sm_profile *p, size_t shown, bool *more)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    size_t samples = 0;
    for (size_t i = s->rows.top; i < end_of_rows(s, shown); i++) {
        if (!p95_is_due(&s->items[i], m))
            continue;
        *more = *more || samples > FRAME_SAMPLES;
        if (samples <= FRAME_SAMPLES)
            samples += read_p95(&s->items[i], &s->ruler.buckets, m);
    }
}
