/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/quality.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- classes ---- */

/* Index of the class, or where it would be inserted. */
static size_t class_index(const struct sm_confusion *c, double label)
{
    size_t lo = 0, hi = c->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (c->classes[mid] < label)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool add_class(struct sm_confusion *c, double label)
{
    size_t at = class_index(c, label);
    if (at < c->n && c->classes[at] == label)
        return true;
    if (c->n == SM_CONFUSION_MAX)
        return false;
    memmove(&c->classes[at + 1], &c->classes[at], (c->n++ - at) * sizeof *c->classes);
    c->classes[at] = label;
    return true;
}

bool sm_confusion_count(const double *labels, const double *predictions, size_t n,
                        struct sm_confusion *out)
{
    *out = (struct sm_confusion){.classes = sm_alloc_zero(SM_CONFUSION_MAX, sizeof *out->classes)};
    bool ok = out->classes != NULL;
    for (size_t i = 0; ok && i < n; i++)
        ok = isnan(labels[i]) || isnan(predictions[i]) ||
             (add_class(out, labels[i]) && add_class(out, predictions[i]));
    out->cells = ok ? sm_alloc_zero(out->n * out->n + 1, sizeof *out->cells) : NULL;
    if (!out->cells) {
        sm_confusion_clear(out);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (isnan(labels[i]) || isnan(predictions[i]))
            continue;
        out->cells[class_index(out, labels[i]) * out->n + class_index(out, predictions[i])]++;
        out->total++;
    }
    return true;
}

void sm_confusion_clear(struct sm_confusion *c)
{
    sm_free(c->classes);
    sm_free(c->cells);
    *c = (struct sm_confusion){0};
}

/* 0 if whole is 0 */
static double divide(double part, double whole)
{
    return whole != 0 ? part / whole : 0;
}

static double f1_score(double precision, double recall)
{
    return divide(2 * precision * recall, precision + recall);
}

struct sm_score sm_class_score(const struct sm_confusion *c, size_t i)
{
    uint64_t hits = c->cells[i * c->n + i], support = 0, predicted = 0;
    for (size_t k = 0; k < c->n; k++) {
        support += c->cells[i * c->n + k];
        predicted += c->cells[k * c->n + i];
    }
    struct sm_score s = {.precision = divide((double)hits, (double)predicted),
                         .recall = divide((double)hits, (double)support),
                         .support = support};
    s.f1 = f1_score(s.precision, s.recall);
    return s;
}

struct sm_score sm_average_score(const struct sm_confusion *c, enum sm_average kind)
{
    struct sm_score sum = {.support = c->total};
    /* each pair is one prediction of one class, so all three equal the accuracy */
    if (kind == SM_AVERAGE_MICRO) {
        double a = c->total ? sm_confusion_accuracy(c) : 0;
        return (struct sm_score){a, a, a, c->total};
    }
    double weights = kind == SM_AVERAGE_MACRO ? (double)c->n : (double)c->total;
    for (size_t i = 0; i < c->n; i++) {
        struct sm_score s = sm_class_score(c, i);
        double w = divide(kind == SM_AVERAGE_MACRO ? 1 : (double)s.support, weights);
        sum.precision += w * s.precision;
        sum.recall += w * s.recall;
        sum.f1 += w * s.f1;
    }
    return sum;
}

double sm_confusion_accuracy(const struct sm_confusion *c)
{
    uint64_t hits = 0;
    for (size_t i = 0; i < c->n; i++)
        hits += c->cells[i * c->n + i];
    return c->total ? (double)hits / (double)c->total : (double)NAN;
}

/* ---- two classes by a score ---- */

struct scored {
    double score;
    bool positive;
};

static int by_score(const void *a, const void *b)
{
    double x = ((const struct scored *)a)->score, y = ((const struct scored *)b)->score;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* items: sorted by falling score; 0 < positive < n of them are positive. */
static void fill_curve(struct sm_roc *r, const struct scored *items, size_t n, size_t positive)
{
    double t = 0, f = 0;
    r->false_rate[0] = r->true_rate[0] = 0;
    r->n = 1;
    for (size_t i = 0; i < n; i++) {
        t += items[i].positive;
        f += !items[i].positive;
        if (i + 1 < n && items[i + 1].score == items[i].score)
            continue;
        r->true_rate[r->n] = t / (double)positive;
        r->false_rate[r->n] = f / (double)(n - positive);
        r->area += (r->false_rate[r->n] - r->false_rate[r->n - 1]) *
                   (r->true_rate[r->n] + r->true_rate[r->n - 1]) / 2;
        r->n++;
    }
}

bool sm_roc_curve(const double *labels, const double *scores, size_t n, struct sm_roc *out)
{
    struct scored *items = sm_alloc_zero(n + 1, sizeof *items);
    size_t kept = 0, positive = 0;
    *out = (struct sm_roc){.false_rate = sm_alloc_zero(n + 1, sizeof(double)),
                           .true_rate = sm_alloc_zero(n + 1, sizeof(double))};
    bool ok = items && out->false_rate && out->true_rate;
    for (size_t i = 0; ok && i < n; i++) {
        if (isnan(labels[i]) || isnan(scores[i]))
            continue;
        items[kept] = (struct scored){scores[i], labels[i] > 0.5};
        positive += items[kept++].positive;
    }
    ok = ok && positive && positive < kept;
    if (ok) {
        qsort(items, kept, sizeof *items, by_score);
        fill_curve(out, items, kept, positive);
    } else {
        sm_roc_clear(out);
    }
    sm_free(items);
    return ok;
}

void sm_roc_clear(struct sm_roc *r)
{
    sm_free(r->false_rate);
    sm_free(r->true_rate);
    *r = (struct sm_roc){0};
}

/* ---- numbers ---- */

void sm_bin_errors(const double *labels, const double *predictions, size_t n, double lo, double hi,
                   struct sm_bin_errors *out)
{
    double sum[SM_LABEL_BINS] = {0}, width = (hi - lo) / SM_LABEL_BINS;
    *out = (struct sm_bin_errors){0};
    for (size_t i = 0; i < n; i++) {
        if (!(labels[i] >= lo && labels[i] <= hi) || isnan(predictions[i]))
            continue;
        double at = width > 0 ? (labels[i] - lo) / width : 0;
        size_t bin = at < SM_LABEL_BINS ? (size_t)at : SM_LABEL_BINS - 1;
        sum[bin] += fabs(labels[i] - predictions[i]);
        out->count[bin]++;
    }
    for (size_t b = 0; b < SM_LABEL_BINS; b++)
        out->mean[b] = out->count[b] ? sum[b] / (double)out->count[b] : (double)NAN;
}
