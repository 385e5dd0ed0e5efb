/* SPDX-License-Identifier: Apache-2.0 */
/* The rule FeatureRedundancy: linear dependence between the features of the input. */
#include "rules/builtin/rule_list.h"

#include <math.h>

enum { REDUNDANCY_REGEX, REDUNDANCY_SAMPLES, REDUNDANCY_CORR, REDUNDANCY_RCOND };
enum { FEATURES_MAX = 2048 };

/* t: [samples, features]. Numbers: samples, features, sum of each feature x_i, then the sums of
 * x_i x_j in a features x features matrix, of which only j <= i is filled. */
static void measure_products(const struct sm_tensor *const *t, const double *args,
                             struct sm_numbers *out)
{
    struct sm_elements e = sm_elements(t[0]);
    size_t size = sm_dtype_info(e.dtype)->size_bytes,
           f = t[0]->n_dims == 2 ? (size_t)t[0]->dims[1] : 0;
    double *row = sm_alloc((f + 1) * sizeof *row);
    (void)args;
    if (!row || f > FEATURES_MAX || !sm_numbers_alloc(out, 2 + f + f * f)) {
        sm_free(row);
        return;
    }
    out->v[0] = f ? (double)t[0]->dims[0] : 0;
    out->v[1] = (double)f;
    for (uint64_t s = 0; f && s < t[0]->dims[0]; s++) {
        for (size_t i = 0; i < f; i++) {
            row[i] = sm_dtype_load(e.dtype, e.data + (s * f + i) * size);
            out->v[2 + i] += row[i];
        }
        for (size_t i = 0; i < f; i++)
            for (size_t j = 0; j <= i; j++)
                out->v[2 + f + i * f + j] += row[i] * row[j];
    }
    sm_free(row);
}

struct products {
    double *sums; /* as in measure_products, without samples and features */
    size_t features;
    double samples;
};

static void clear_products(void *state)
{
    sm_free(((struct products *)state)->sums);
}

static bool add_products(struct products *p, const struct sm_numbers *r)
{
    size_t f = (size_t)r->v[1];
    if (!f || (p->features && p->features != f))
        return false;
    if (!p->features) {
        p->features = f;
        p->sums = sm_xalloc_zero(f + f * f, sizeof *p->sums);
    }
    for (size_t i = 0; i < f + f * f; i++)
        p->sums[i] += r->v[2 + i];
    p->samples += r->v[0];
    return true;
}

/* Computes the lower triangle of the correlations of the features that are not constant; returns
 * their number, which[] has their indices. */
static size_t correlations(const struct products *p, double *corr, size_t *which)
{
    size_t f = p->features, n = 0;
    const double *sum = p->sums, *product = p->sums + f;
    for (size_t i = 0; i < f; i++) {
        double mean = sum[i] / p->samples, var = product[i * f + i] / p->samples - mean * mean;
        if (var > 1e-12 * (1 + mean * mean))
            which[n++] = i;
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b <= a; b++) {
            size_t i = which[a], j = which[b];
            double mi = sum[i] / p->samples, mj = sum[j] / p->samples;
            double vi = product[i * f + i] / p->samples - mi * mi,
                   vj = product[j * f + j] / p->samples - mj * mj;
            corr[a * n + b] = (product[i * f + j] / p->samples - mi * mj) / sqrt(vi * vj);
        }
    return n;
}

/* The largest diagonal element that was not used yet. */
static size_t next_pivot(const double *c, const bool *used, size_t n)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if (!used[i] && (best == n || c[i * n + i] > c[best * n + best]))
            best = i;
    return best;
}

/* Smallest over largest pivot of a diagonally pivoted Cholesky decomposition, in place (lower
 * triangle). */
static double pivot_ratio(double *c, size_t n)
{
    double most = 0, least = (double)INFINITY;
    bool *used = sm_xalloc_zero(n + 1, sizeof *used);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            c[i * n + j] = c[j * n + i];
    for (size_t k = 0; k < n; k++) {
        size_t best = next_pivot(c, used, n);
        double pivot = c[best * n + best];
        used[best] = true;
        most = pivot > most ? pivot : most;
        least = pivot < least ? pivot : least;
        for (size_t i = 0; pivot > 0 && i < n; i++)
            for (size_t j = 0; !used[i] && j < n; j++)
                if (!used[j])
                    c[i * n + j] -= c[i * n + best] * c[best * n + j] / pivot;
    }
    sm_free(used);
    return most > 0 ? least / most : 0;
}

static void judge_correlations(struct sm_rule_at *x, const struct sm_rule_item *it,
                               const struct products *p)
{
    size_t f = p->features, *which = sm_xalloc_zero(f + 1, sizeof *which);
    double *corr = sm_xalloc_zero(f * f + 1, sizeof *corr), limit = x->p[REDUNDANCY_CORR].number,
           most = 0;
    size_t n = correlations(p, corr, which), a = 0, b = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (fabs(corr[i * n + j]) > fabs(most)) {
                most = corr[i * n + j];
                a = which[j];
                b = which[i];
            }
    if (n < f)
        sm_rule_skip(x, "constant features are left out");
    if (n > 1) {
        double ratio = pivot_ratio(corr, n), rcond = x->p[REDUNDANCY_RCOND].number;
        bool alike = fabs(most) > limit;
        sm_rule_note(
            x, it, alike ? most : ratio, alike ? limit : rcond, alike || ratio < rcond,
            "features %zu and %zu have correlation %.6g (limit %g); smallest pivot %.3g (limit %g)",
            a, b, most, limit, ratio, rcond);
    }
    sm_free(which);
    sm_free(corr);
}

static void judge_redundancy(struct sm_rule_at *x)
{
    struct products *p = x->state;
    const struct sm_rule_item *it = x->picks[0].n ? &x->picks[0].items[0] : NULL;
    const struct sm_numbers *r;
    if (!it || !sm_entry_exists(&it->value) ||
        !sm_rule_measure(x, measure_products, NULL, 0, &it->value, 1, &r))
        return;
    if (!add_products(p, r)) {
        sm_rule_skip(x, "not of shape [samples, features]");
        return;
    }
    double needed = x->p[REDUNDANCY_SAMPLES].set ? x->p[REDUNDANCY_SAMPLES].number
                                                 : fmax(100, 2 * (double)p->features);
    if (p->samples >= needed)
        judge_correlations(x, it, p);
}

static const struct sm_rule_param redundancy_params[] = {
    {.name = "regex",
     .type = SM_RULE_PATTERN,
     .required = true,
     .help = "pattern of a tensor [samples, features]"},
    {.name = "samples",
     .type = SM_RULE_INT,
     .min = 2,
     .max = 1e15,
     .unit = "samples",
     .help = "samples needed before judging; default: the larger of 100 and twice the features"},
    {.name = "max_corr",
     .type = SM_RULE_NUMBER,
     .initial = "0.999",
     .max = 1,
     .help = "largest correlation of two features"},
    {.name = "rcond",
     .type = SM_RULE_NUMBER,
     .initial = "1e-6",
     .max = 1,
     .help = "smallest ratio of the smallest pivot to the largest"},
    {0},
};
const struct sm_rule sm_rule_feature_redundancy = {
    .name = "feature_redundancy",
    .class_name = "FeatureRedundancy",
    .group = SM_RULE_EXTRA,
    .summary = "Input features are linearly dependent",
    .fires = "after `samples` samples, the correlation of two features is above max_corr, or the "
             "correlation matrix is singular: the smallest pivot of its Cholesky decomposition is "
             "below rcond times the largest",
    .advice = "Drop or combine these features.",
    .saves = "the input features",
    .params = redundancy_params,
    .picks = {{.regex = "regex"}},
    .state_size = sizeof(struct products),
    .judge = judge_redundancy,
    .clear = clear_products,
};
