/* Which series of a run is its metric, and what it says. */
#include "commands/runs/run_metric.h"

#include "reader/analysis/trend.h"
#include "reader/base/grow.h"

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

static bool is_of_validation(const char *name)
{
    static const char *const words[] = {"val", "valid", "validation", "eval", "test", "dev"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(name, words[i]))
            return true;
    return false;
}

/* How good a series is as the metric: losses of validation, losses, accuracies of validation, any
 * other accuracy; 0: none. */
static unsigned rank_of(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    const char *name = sm_trial_tensor_name(t, x);
    bool loss = sm_trial_in_named(t, "losses", x->name), valid = is_of_validation(name);
    if (!x->has_value || !(x->forms >> SM_FORM_SCALAR & 1))
        return loss && x->has_value ? 4 : 0;
    if (loss)
        return valid ? 5 : 4;
    return sm_run_metric_falls(name) ? 1 : valid ? 3 : 2;
}

const char *sm_run_metric_of(const struct sm_trial *t, const char *wanted)
{
    const struct sm_trial_tensor *best = NULL;
    unsigned rank = 0;
    if (*wanted)
        best = sm_trial_find(t, wanted, strlen(wanted));
    for (size_t i = 0; !*wanted && i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        unsigned r = rank_of(t, x);
        if (r > rank) {
            rank = r;
            best = x;
        }
    }
    return best ? sm_trial_tensor_name(t, best) : NULL;
}

/* ---- numbers ---- */

enum { TREND_LEAST = 6 };

/* Significant by Mann and Kendall, of the second half: what it does now. */
static enum sm_run_trend trend_of(const struct sm_series *s)
{
    if (s->n && !isfinite(s->points[s->n - 1].value))
        return SM_RUN_DIVERGED;
    double *v = sm_xalloc((s->n + 1) * sizeof *v);
    size_t n = 0;
    for (size_t i = s->n / 2; i < s->n; i++)
        if (!isnan(s->points[i].value))
            v[n++] = s->points[i].value;
    double z = n >= TREND_LEAST ? sm_trend_z(v, n) : (double)NAN;
    sm_free(v);
    return isnan(z) ? SM_RUN_NO_TREND
           : z > 3  ? SM_RUN_RISING
           : z < -3 ? SM_RUN_FALLING
                    : SM_RUN_FLAT;
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
static double part_value(const struct sm_series *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (!isfinite(s->points[i].value))
            return s->points[i].value;
    return s->points[to - 1].value;
}

size_t sm_run_metric_points(const struct sm_series *s, double *out)
{
    size_t n = s->n < SM_RUN_POINTS ? s->n : SM_RUN_POINTS;
    for (size_t i = 0; i < n; i++)
        out[i] = part_value(s, i * s->n / n, (i + 1) * s->n / n);
    return n;
}
