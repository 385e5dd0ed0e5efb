/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor/histogram.h"

#include "reader/base/mem.h"
#include "reader/tensor/rounding.h"

#include <math.h>
#include <string.h>

static bool make_room(struct sm_histogram *h, size_t bins, struct sm_err *err)
{
    *h = (struct sm_histogram){.bins = bins};
    h->edges = sm_alloc_zero(bins + 1, sizeof *h->edges);
    h->counts = sm_alloc_zero(bins ? bins : 1, sizeof *h->counts);
    if (h->edges && h->counts)
        return true;
    sm_histogram_clear(h);
    return sm_err_set(err, SM_ERR_MEMORY, "no memory for %zu bins", bins);
}

void sm_histogram_clear(struct sm_histogram *h)
{
    sm_free(h->edges);
    sm_free(h->counts);
    *h = (struct sm_histogram){0};
}

/* numpy.linspace in doubles, then rounded to the tensor's type; the last edge is exact. */
static void linspace(double first, double last, size_t bins, enum sm_dtype d, double *out)
{
    double step = (last - first) / (double)bins;
    for (size_t i = 0; i <= bins; i++) {
        double v = step == 0 ? first + (double)i / (double)bins * (last - first)
                             : (double)i * step + first;
        out[i] = sm_round_to(d, v);
    }
    out[bins] = sm_round_to(d, last);
}

/* doc/numerics.md: truncate, put the last edge into the last bin, then correct by one bin against
 * the edges. */
static size_t numpy_bin(double v, const struct sm_histogram *h, double first, double last)
{
    size_t n = h->bins;
    double place = (v - first) / (last - first) * (double)n; /* NaN if the range is empty */
    size_t i = place < (double)n ? (size_t)place : n - 1;
    if (i && v < h->edges[i])
        i--;
    else if (i != n - 1 && v >= h->edges[i + 1])
        i++;
    return i;
}

/* The last bucket is closed; it takes everything if all values are equal. */
static size_t tensorboard_bin(double v, const struct sm_histogram *h, double first, double last)
{
    double width = (last - first) / (double)h->bins, i = floor((v - first) / width);
    return width > 0 && i < (double)(h->bins - 1) ? (size_t)i : h->bins - 1;
}

static void count_special(struct sm_histogram *h, double v)
{
    if (isnan(v))
        h->nan++;
    else if (v > 0)
        h->pos_inf++;
    else
        h->neg_inf++;
}

/* What to count: finite elements from first to last. */
struct tally {
    double first, last;
    enum sm_dtype edges; /* the type to which edges are rounded */
    size_t (*bin)(double v, const struct sm_histogram *h, double first, double last);
};

static void count(const struct tally *c, const double *x, size_t n, struct sm_histogram *h)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            count_special(h, x[i]);
        else if (x[i] >= c->first && x[i] <= c->last)
            h->counts[c->bin(x[i], h, c->first, c->last)]++;
    }
}

static bool fill(const struct sm_tensor *t, size_t bins, const struct tally *c,
                 struct sm_histogram *h, struct sm_err *err)
{
    enum { BLOCK = 512 };
    double x[BLOCK];
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    if (!isfinite(c->last - c->first))
        return sm_err_set(err, SM_ERR_LIMIT, "the range from %g to %g is too wide for a histogram",
                          c->first, c->last);
    if (!make_room(h, bins, err))
        return false;
    linspace(c->first, c->last, bins, c->edges, h->edges);
    for (uint64_t at = 0; at < t->n; at += BLOCK) {
        size_t n = t->n - at < BLOCK ? (size_t)(t->n - at) : BLOCK;
        sm_dtype_widen(t->dtype, t->data + at * size, n, x);
        count(c, x, n, h);
    }
    return true;
}

static bool usable(const struct sm_tensor *t, size_t bins, struct sm_stats *s, struct sm_err *err)
{
    if (bins < 1 || bins > SM_BINS_MAX)
        return sm_err_set(err, SM_ERR_USAGE, "the number of bins must be from 1 to %d",
                          SM_BINS_MAX);
    if (sm_dtype_info(t->dtype)->kind == SM_KIND_COMPLEX)
        return sm_err_set(err, SM_ERR_USAGE, "no histogram of complex elements");
    return sm_stats_of(t, s, err);
}

void sm_histogram_view(const struct sm_histogram *h, struct sm_histogram_view *out)
{
    *out = (struct sm_histogram_view){
        .edges = h->edges, .counts = h->counts, .bins = h->bins, .at = {h->value, h->value}};
    for (size_t i = 0; i < h->bins; i++)
        out->n += h->counts[i];
    if (!out->n)
        out->bins = 0;
    if (!h->same || !out->n)
        return;
    out->edges = out->at;
    out->counts = &out->n;
    out->bins = 1;
}

bool sm_histogram_numpy(const struct sm_tensor *t, size_t bins, struct sm_histogram *out,
                        struct sm_err *err)
{
    struct sm_stats s;
    if (!usable(t, bins, &s, err))
        return false;
    struct tally c = {s.finite ? s.min : 0, s.finite ? s.max : 1, t->dtype, numpy_bin};
    if (c.first == c.last) {
        c.first -= 0.5;
        c.last += 0.5;
    }
    if (!fill(t, bins, &c, out, err))
        return false;
    out->same = s.finite && s.min == s.max;
    out->value = out->same ? s.min : 0;
    return true;
}

bool sm_histogram_tensorboard(const struct sm_tensor *t, struct sm_histogram *out,
                              struct sm_err *err)
{
    enum { BUCKETS = 30 };
    struct sm_stats s;
    return usable(t, BUCKETS, &s, err) &&
           fill(t, BUCKETS, &(struct tally){s.min, s.max, SM_DTYPE_FLOAT64, tensorboard_bin}, out,
                err);
}
