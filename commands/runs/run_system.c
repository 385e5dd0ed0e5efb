/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/run_system.h"

#include "reader/base/grow.h"
#include "reader/base/map.h"
#include "reader/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void count_samples(const struct sm_run_info *info, struct sm_run_system *s)
{
    for (size_t i = 0; i < info->n_samples; i++)
        s->rows[info->samples[i].metric].n++;
    for (size_t i = 0, at = 0; i < s->n; at += s->rows[i++].n) {
        s->rows[i].times = s->times + at;
        s->rows[i].values = s->values + at;
    }
}

/* By metric, each in the order in which they came. */
static void place_samples(const struct sm_run_info *info, struct sm_run_system *s)
{
    size_t *next = sm_xalloc((s->n + 1) * sizeof *next);
    for (size_t i = 0; i < s->n; i++)
        next[i] = (size_t)(s->rows[i].values - s->values);
    for (size_t i = 0; i < info->n_samples; i++) {
        const struct sm_run_sample *x = &info->samples[i];
        s->times[next[x->metric]] = x->time;
        s->values[next[x->metric]++] = x->value;
    }
    sm_free(next);
}

static void summarize(struct sm_run_system_row *r)
{
    double sum = 0;
    r->newest = r->n ? r->values[r->n - 1] : (double)NAN;
    r->min = r->max = (double)NAN;
    for (size_t i = 0; i < r->n; i++) {
        double v = r->values[i];
        if (!isfinite(v)) {
            r->not_finite++;
            continue;
        }
        r->min = isnan(r->min) || v < r->min ? v : r->min;
        r->max = isnan(r->max) || v > r->max ? v : r->max;
        sum += v;
    }
    r->mean = r->n > r->not_finite ? sum / (double)(r->n - r->not_finite) : (double)NAN;
}

static int by_name(const void *a, const void *b)
{
    const struct sm_run_system_row *x = a, *y = b;
    return sm_natural_cmp(x->name, y->name);
}

static void keep_rows(struct sm_run_system *s, const char *part)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (!part || strcasestr(s->rows[i].name, part))
            s->rows[n++] = s->rows[i];
    s->n = n;
}

void sm_run_system_read(const struct sm_run_info *info, const char *part, struct sm_run_system *out)
{
    size_t n = info->metrics ? sm_names_count(info->metrics) : 0;
    *out = (struct sm_run_system){
        .rows = sm_xalloc((n + 1) * sizeof *out->rows),
        .n = n,
        .times = sm_xalloc((info->n_samples + 1) * sizeof *out->times),
        .values = sm_xalloc((info->n_samples + 1) * sizeof *out->values),
    };
    for (size_t i = 0; i < n; i++)
        out->rows[i] =
            (struct sm_run_system_row){.name = sm_names_text(info->metrics, (uint32_t)i)};
    count_samples(info, out);
    place_samples(info, out);
    keep_rows(out, part);
    for (size_t i = 0; i < out->n; i++)
        summarize(&out->rows[i]);
    if (out->n)
        qsort(out->rows, out->n, sizeof *out->rows, by_name);
}

void sm_run_system_clear(struct sm_run_system *s)
{
    sm_free(s->rows);
    sm_free(s->times);
    sm_free(s->values);
    *s = (struct sm_run_system){0};
}
