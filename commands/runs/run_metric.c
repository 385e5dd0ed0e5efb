/* SPDX-License-Identifier: Apache-2.0 */
/* Which series of a run is its metric, and what it says. */
#include "commands/runs/run_metric.h"

#include "reader/analysis/trend.h"
#include "reader/base/grow.h"
#include "reader/kind/loss_names.h"
#include "reader/kind/scalar_names.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- names ---- */

static bool has_word(const char *name, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = name; (p = strcasestr(p, word)); p++)
        if ((p == name || !isalpha((unsigned char)p[-1])) && !isalpha((unsigned char)p[n]))
            return true;
    return false;
}

bool sm_run_metric_falls(const char *name)
{
    static const char *const rising[] = {
        "acc",       "accuracy", "auc",    "auroc",  "ap",   "map",   "mAP50", "f1",        "score",
        "precision", "recall",   "reward", "return", "bleu", "rouge", "iou",   "miou",      "dice",
        "psnr",      "ssim",     "r2",     "win",    "top1", "top5",  "mfu",   "throughput"};
    for (size_t i = 0; i < sizeof rising / sizeof *rising; i++)
        if (has_word(name, rising[i]))
            return false;
    return true;
}

/* How good a series is as the metric: losses of validation, losses, accuracies of validation, any
 * other accuracy; 0: none. What has one point only, as the result of a test, comes after all that
 * have more. */
static unsigned rank_of(const char *name, bool loss, bool scalar, uint64_t points)
{
    bool valid = sm_name_is_of_validation(name);
    unsigned kind = loss                        ? scalar && valid ? 5 : 4
                    : !scalar                   ? 0
                    : sm_run_metric_falls(name) ? 1
                    : valid                     ? 3
                                                : 2;
    return kind && points > 1 ? kind + 5 : kind;
}

struct candidate {
    const char *name;
    unsigned rank;
};

static struct candidate glanced(const struct sm_glance *g, uint32_t i)
{
    const char *name = sm_names_text(g->names, i);
    bool loss = sm_scalar_is_loss(name, sm_names_length(g->names, i));
    return (struct candidate){name, rank_of(name, loss, true, g->series[i].n)};
}

static struct candidate known(const struct sm_trial *t, size_t i)
{
    const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
    const char *name = sm_trial_tensor_name(t, x);
    bool loss = sm_trial_in_named(t, "losses", x->name), scalar = x->forms >> SM_FORM_SCALAR & 1;
    bool own = x->has_value && !sm_trial_is_validation(t, name);
    return (struct candidate){name, own ? rank_of(name, loss, scalar, x->steps) : 0};
}

/* Numbers that files of tensors have beside them are hardly ever measures, unless their name says
 * so: "epoch", "dp_world_size". */
static bool is_counter(const struct sm_trial *t, const struct candidate *x)
{
    return sm_trial_traits(t)->named_by_files && (x->rank == 1 || x->rank == 6);
}

/* Of several with the same rank the first by name. */
static const char *best_of(const struct sm_trial *t, const struct sm_glance *g)
{
    struct candidate best = {0};
    size_t n = g ? sm_names_count(g->names) : sm_trial_tensor_count(t);
    for (size_t i = 0; i < n; i++) {
        struct candidate x = g ? glanced(g, (uint32_t)i) : known(t, i);
        if (is_counter(t, &x))
            continue;
        bool first = best.name && x.rank == best.rank && sm_natural_cmp(x.name, best.name) < 0;
        if (x.rank > best.rank || (x.rank && first))
            best = x;
    }
    return best.name;
}

const char *sm_run_series_name(const struct sm_trial *t, const char *name)
{
    const struct sm_glance *g = sm_trial_glance(t);
    uint32_t id = g ? sm_names_find(g->names, name, strlen(name)) : SM_NAME_NONE;
    const struct sm_trial_tensor *x = g ? NULL : sm_trial_find(t, name, strlen(name));
    return id != SM_NAME_NONE ? sm_names_text(g->names, id) : x ? sm_trial_tensor_name(t, x) : NULL;
}

const char *sm_run_metric_of(const struct sm_trial *t, const char *wanted)
{
    return *wanted ? sm_run_series_name(t, wanted) : best_of(t, sm_trial_glance(t));
}

/* ---- numbers ---- */

bool sm_run_row_diverged(const struct sm_run_row *row)
{
    enum { FAR = 100 };
    if (!row->has_metric || !row->metric || !isfinite(row->newest))
        return row->has_metric;
    double first = row->n_points && isfinite(row->points[0]) ? fabs(row->points[0]) : 0;
    double usual = isfinite(row->best) ? fmax(first, fabs(row->best)) : first;
    return sm_run_metric_falls(row->metric) && usual > 0 && row->newest > FAR * usual;
}

enum { TREND_LEAST = 6, TREND_FEW = 12 };

/* Significant by Mann and Kendall, of the second half: what it does now. Of few points the last
 * TREND_FEW; fewer cannot reach the usual limit, even if all of them fall. */
enum sm_run_trend sm_run_trend_of(const double *values, size_t n_values)
{
    if (n_values && !isfinite(values[n_values - 1]))
        return SM_RUN_DIVERGED;
    double *v = sm_xalloc((n_values + 1) * sizeof *v);
    size_t n = 0, from = n_values / 2;
    from = n_values - from < TREND_FEW ? n_values - (n_values < TREND_FEW ? n_values : TREND_FEW)
                                       : from;
    for (size_t i = from; i < n_values; i++)
        if (!isnan(values[i]))
            v[n++] = values[i];
    double z = n >= TREND_LEAST ? sm_trend_z(v, n) : (double)NAN, limit = n < TREND_FEW ? 2.5 : 3;
    sm_free(v);
    return isnan(z)     ? SM_RUN_NO_TREND
           : z > limit  ? SM_RUN_RISING
           : z < -limit ? SM_RUN_FALLING
                        : SM_RUN_FLAT;
}

static enum sm_run_trend trend_of(const struct sm_series *s)
{
    double *v = sm_xalloc((s->n + 1) * sizeof *v);
    for (size_t i = 0; i < s->n; i++)
        v[i] = s->points[i].value;
    enum sm_run_trend trend = sm_run_trend_of(v, s->n);
    sm_free(v);
    return trend;
}

void sm_run_metric_numbers(const struct sm_series *s, const char *name, struct sm_run_row *row)
{
    bool falls = sm_run_metric_falls(name);
    row->has_metric = s->n;
    row->newest = s->n ? s->points[s->n - 1].value : (double)NAN;
    row->best = (double)NAN;
    row->best_step = -1;
    for (size_t i = 0; i < s->n; i++) {
        double v = s->points[i].value;
        if (isfinite(v) && (isnan(row->best) || (falls ? v < row->best : v > row->best))) {
            row->best = v;
            row->best_step = s->points[i].step.n;
        }
    }
    row->trend = trend_of(s);
}

/* The last of a part, or what is not finite in it. */
static double part_value(const double *v, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (!isfinite(v[i]))
            return v[i];
    return v[to - 1];
}

size_t sm_run_thin(const double *v, size_t n_values, double *out)
{
    size_t n = n_values < SM_RUN_POINTS ? n_values : SM_RUN_POINTS;
    for (size_t i = 0; i < n; i++)
        out[i] = part_value(v, i * n_values / n, (i + 1) * n_values / n);
    return n;
}

size_t sm_run_metric_points(const struct sm_series *s, double *out)
{
    double *v = sm_xalloc((s->n + 1) * sizeof *v);
    for (size_t i = 0; i < s->n; i++)
        v[i] = s->points[i].value;
    size_t n = sm_run_thin(v, s->n, out);
    sm_free(v);
    return n;
}

/* The points that a glance keeps, for the trend; the numbers are of all. */
size_t sm_run_metric_glance(const struct sm_session *session, const struct sm_glance *g,
                            const char *name, struct sm_run_row *row, double *out)
{
    const struct sm_glance_series *x = sm_glance_find(g, name);
    struct sm_point points[SM_GLANCE_POINTS + 1];
    struct sm_series s = {.points = points};
    if (!x)
        return 0;
    for (; s.n < x->n_points; s.n++)
        points[s.n] = (struct sm_point){
            .step = {x->points[s.n].step}, .known = true, .value = x->points[s.n].value};
    if (s.n && points[s.n - 1].step.n < x->last_step)
        points[s.n++] =
            (struct sm_point){.step = {x->last_step}, .known = true, .value = x->newest};
    bool part = session->range.set &&
                (session->range.lo > g->first_step || session->range.hi < g->last_step);
    sm_step_range_cut(session, &s);
    sm_run_metric_numbers(&s, name, row);
    row->about = part && s.n;
    if (part)
        return sm_run_metric_points(&s, out);
    bool falls = sm_run_metric_falls(name), finite = x->bad < x->n;
    row->best = falls ? x->min : x->max;
    row->best_step = !finite ? -1 : falls ? x->min_step : x->max_step;
    return sm_run_metric_points(&s, out);
}
