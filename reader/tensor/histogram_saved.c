/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms that were saved as such: rows of left edge, right edge and count. */
#include "reader/base/mem.h"
#include "reader/tensor/histogram.h"

#include <math.h>

enum { OWN_BINS_MAX = 64, MERGED_BINS = 30 };

/* The bins with their counts as they were saved: ascending edges, with empty bins in gaps, without
 * the empty ones at both ends. */
struct saved {
    double *edges, *counts; /* n + 1; n */
    size_t n;
};

static void add_bin(struct saved *s, double left, double right, double count)
{
    if (!s->n)
        s->edges[0] = left;
    s->counts[s->n++] = count;
    s->edges[s->n] = right > s->edges[s->n - 1] ? right : s->edges[s->n - 1];
}

static bool check_row(const double row[3], struct sm_err *err)
{
    if (isfinite(row[0]) && isfinite(row[1]) && row[2] >= 0 && row[2] < 1e18)
        return true;
    return sm_err_set(err, SM_ERR_DATA, "a histogram with the bin %g to %g and the count %g",
                      row[0], row[1], row[2]);
}

/* In the old form the first row begins at the smallest value and the last one ends at the largest,
 * also if they are within other rows. */
static void clip_ends(const struct sm_tensor *t, struct saved *s)
{
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    double least = sm_dtype_load(t->dtype, t->data),
           most = sm_dtype_load(t->dtype, t->data + (t->dims[0] * 3 - 2) * size);
    if (s->n && least > s->edges[0] && least < s->edges[1])
        s->edges[0] = least;
    if (s->n && most < s->edges[s->n] && most > s->edges[s->n - 1])
        s->edges[s->n] = most;
}

static bool read_rows(const struct sm_tensor *t, struct saved *s, struct sm_err *err)
{
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    double row[3];
    for (uint64_t i = 0; i < t->dims[0]; i++) {
        sm_dtype_widen(t->dtype, t->data + i * 3 * size, 3, row);
        if (row[2] == 0)
            continue;
        if (!check_row(row, err))
            return false;
        double empty_to = s->n ? s->edges[s->n] : row[0];
        if (row[0] > empty_to)
            add_bin(s, empty_to, row[0], 0);
        add_bin(s, row[0], row[1], row[2]);
    }
    clip_ends(t, s);
    if (s->n && s->edges[0] == s->edges[s->n]) { /* all values are equal */
        s->edges[0] -= 0.5;
        s->edges[s->n] += 0.5;
        for (size_t i = 1; i < s->n; i++)
            s->counts[0] += s->counts[i];
        s->edges[1] = s->edges[s->n];
        s->n = 1;
    }
    return !s->n || isfinite(s->edges[s->n] - s->edges[0]) ||
           sm_err_set(err, SM_ERR_LIMIT, "the range from %g to %g is too wide for a histogram",
                      s->edges[0], s->edges[s->n]);
}

/* How many of the values are below x, if those of a bin are evenly spread. *at: a bin that begins
 * at or before x, *below: the values before it; both are moved on. */
static double count_below(const struct saved *s, double x, size_t *at, double *below)
{
    while (*at < s->n && s->edges[*at + 1] <= x)
        *below += s->counts[(*at)++];
    if (*at == s->n || x <= s->edges[*at])
        return *below;
    double width = s->edges[*at + 1] - s->edges[*at];
    return *below + s->counts[*at] * ((x - s->edges[*at]) / width);
}

/* Counts are rounded so that their sum is right. */
static void fill_bins(const struct saved *s, struct sm_histogram *h, bool own)
{
    double first = s->edges[0], last = s->edges[s->n], below = 0;
    uint64_t before = 0;
    size_t at = 0;
    h->edges[0] = first;
    for (size_t i = 0; i < h->bins; i++) {
        double right = first + (last - first) * ((double)(i + 1) / (double)h->bins);
        h->edges[i + 1] = own ? s->edges[i + 1] : i + 1 == h->bins ? last : right;
        if (own)
            below += s->counts[i];
        uint64_t now =
            (uint64_t)llround(own ? below : count_below(s, h->edges[i + 1], &at, &below));
        h->counts[i] = now - before;
        before = now;
    }
}

bool sm_histogram_saved(const struct sm_tensor *t, size_t bins, struct sm_histogram *out,
                        struct sm_err *err)
{
    struct saved s = {0};
    *out = (struct sm_histogram){0};
    if (t->dims[0] > SIZE_MAX / 64)
        return sm_err_set(err, SM_ERR_LIMIT, "too many bins");
    s.edges = sm_alloc_zero((size_t)t->dims[0] * 2 + 1, sizeof *s.edges);
    s.counts = sm_alloc_zero((size_t)t->dims[0] * 2 + 1, sizeof *s.counts);
    bool ok = (s.edges && s.counts) || sm_err_set(err, SM_ERR_MEMORY, "no memory for a histogram");
    ok = ok && read_rows(t, &s, err);
    bool own = !bins && s.n <= OWN_BINS_MAX;
    if (ok && s.n) {
        out->bins = own ? s.n : bins ? bins : MERGED_BINS;
        out->edges = sm_alloc_zero(out->bins + 1, sizeof *out->edges);
        out->counts = sm_alloc_zero(out->bins, sizeof *out->counts);
        ok = (out->edges && out->counts) ||
             sm_err_set(err, SM_ERR_MEMORY, "no memory for a histogram");
        if (ok)
            fill_bins(&s, out, own);
        else
            sm_histogram_clear(out);
    }
    sm_free(s.edges);
    sm_free(s.counts);
    return ok;
}
