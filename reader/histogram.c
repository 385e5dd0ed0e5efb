#include "reader/histogram.h"

#include "reader/base/mem.h"

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

/* numpy.linspace: start + i * step, with the last set exactly. In float32 for float32 data, as numpy's result type is. */
static void linspace(double first, double last, size_t bins, bool single, double *out)
{
    double step = (last - first) / (double)bins;
    for (size_t i = 0; i <= bins; i++) {
        double v = step == 0 ? first + (double)i / (double)bins * (last - first) : (double)i * step + first;
        out[i] = single ? (double)(float)v : v;
    }
    out[bins] = last;
}

/* doc/numerics.md: truncate, put the last edge into the last bin, then correct by one against the edges. */
static size_t numpy_bin(double v, const struct sm_histogram *h, double first, double last)
{
    size_t n = h->bins, i = (size_t)((v - first) / (last - first) * (double)n);
    if (i >= n)
        i = n - 1;
    if (i && v < h->edges[i])
        i--;
    else if (i != n - 1 && v >= h->edges[i + 1])
        i++;
    return i;
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

static bool fill(const struct sm_tensor *t, size_t bins, double first, double last, bool single, struct sm_histogram *h,
                 struct sm_err *err)
{
    if (!make_room(h, bins, err))
        return false;
    linspace(first, last, bins, single, h->edges);
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    for (uint64_t i = 0; i < t->n; i++) {
        double v = sm_dtype_load(t->dtype, t->data + i * size);
        if (!isfinite(v))
            count_special(h, v);
        else if (v >= first && v <= last)
            h->counts[numpy_bin(v, h, first, last)]++;
    }
    return true;
}

static bool usable(const struct sm_tensor *t, size_t bins, struct sm_stats *s, struct sm_err *err)
{
    if (bins < 1 || bins > SM_BINS_MAX)
        return sm_err_set(err, SM_ERR_USAGE, "the number of bins must be from 1 to %d", SM_BINS_MAX);
    if (sm_dtype_info(t->dtype)->kind == SM_KIND_COMPLEX)
        return sm_err_set(err, SM_ERR_USAGE, "no histogram of complex elements");
    return sm_stats_of(t, s, err);
}

bool sm_histogram_numpy(const struct sm_tensor *t, size_t bins, struct sm_histogram *out, struct sm_err *err)
{
    struct sm_stats s;
    if (!usable(t, bins, &s, err))
        return false;
    double first = s.finite ? s.min : 0, last = s.finite ? s.max : 1;
    if (first == last) {
        first -= 0.5;
        last += 0.5;
    }
    return fill(t, bins, first, last, t->dtype == SM_DTYPE_FLOAT32 || t->dtype == SM_DTYPE_FLOAT16, out, err);
}

bool sm_histogram_range(const struct sm_tensor *t, size_t bins, double lo, double hi, struct sm_histogram *out, struct sm_err *err)
{
    struct sm_stats s;
    if (!usable(t, bins, &s, err))
        return false;
    if (!(lo < hi))
        return sm_err_set(err, SM_ERR_USAGE, "the histogram's range is empty");
    return fill(t, bins, lo, hi, false, out, err);
}

bool sm_histogram_tensorboard(const struct sm_tensor *t, struct sm_histogram *out, struct sm_err *err)
{
    enum { BUCKETS = 30 };
    struct sm_stats s;
    if (!usable(t, BUCKETS, &s, err) || !make_room(out, BUCKETS, err))
        return false;
    double width = (s.max - s.min) / BUCKETS;
    linspace(s.min, s.max, BUCKETS, false, out->edges);
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    for (uint64_t i = 0; i < t->n; i++) {
        double v = sm_dtype_load(t->dtype, t->data + i * size);
        if (!isfinite(v)) {
            count_special(out, v);
            continue;
        }
        double bin = width > 0 ? floor((v - s.min) / width) : BUCKETS - 1;
        out->counts[bin < BUCKETS - 1 ? (size_t)bin : BUCKETS - 1]++;
    }
    return true;
}
