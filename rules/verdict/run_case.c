/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/run_case.h"

#include "reader/analysis/trend.h"
#include "reader/base/mem.h"
#include "reader/kind/loss_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t sm_point_at(const struct sm_track *t, int64_t step)
{
    size_t from = 0, to = t->n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (t->points[middle].step < step)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

double sm_update_ratio(const struct sm_track *t, size_t i)
{
    if (i == 0 || i >= t->n)
        return (double)NAN;
    double gap = (double)(t->points[i].number - t->points[i - 1].number);
    return (double)t->points[i].own[SM_OWN_CHANGE] / (gap > 1 ? gap : 1);
}

double sm_point_scale(const struct sm_track *t, const struct sm_track_point *p)
{
    if (!isnan(p->std))
        return (double)p->std;
    return t->size ? (double)p->l2 / sqrt((double)t->size) : (double)NAN;
}

double sm_fan_in(const struct sm_track *t)
{
    return t->outputs ? (double)t->size / (double)t->outputs : (double)t->size;
}

const struct sm_track *sm_gradient_track(const struct sm_run_case *c, const struct sm_track *t)
{
    const struct sm_signals *g = c->signals;
    const char *name = sm_track_name(g, t);
    for (size_t i = 0; i < g->n; i++) {
        const struct sm_track *x = &g->tracks[i];
        const char *of = x->role == SM_GRADIENT ? sm_gradient_of(sm_track_name(g, x)) : NULL;
        if (of && x->worker == t->worker && x->mode == t->mode && strcmp(of, name) == 0)
            return x;
    }
    return NULL;
}

bool sm_had_chance(const struct sm_run_case *c)
{
    enum { CHANCE_STEPS = 150 };
    const struct sm_signals *g = c->signals;
    enum sm_trial_state state = sm_trial_state(g->trial);
    int64_t first = INT64_MAX, last = 0;
    for (size_t i = 0; i < g->n; i++)
        if (g->tracks[i].mode == c->mode) {
            const struct sm_track *t = &g->tracks[i];
            first = t->points[0].number < first ? t->points[0].number : first;
            last = t->points[t->n - 1].number > last ? t->points[t->n - 1].number : last;
        }
    return state == SM_TRIAL_ENDED || state == SM_TRIAL_STALLED || last - first >= CHANCE_STEPS;
}

bool sm_input_is_unknown(const struct sm_run_case *c)
{
    const struct sm_signals *g = c->signals;
    bool saved = false, at_step = false;
    for (size_t i = 0; c->bad.track && i < g->n; i++) {
        const struct sm_track *t = &g->tracks[i];
        if (t->role != SM_INPUT || t->worker != c->bad.track->worker)
            continue;
        size_t k = sm_point_at(t, c->bad.point->step);
        saved = true;
        at_step = at_step || (k < t->n && t->points[k].step == c->bad.point->step);
    }
    return saved && !at_step &&
           !sm_signal_role_is_activation((enum sm_signal_role)c->bad.track->role);
}

bool sm_has_numbers_alone(const struct sm_run_case *c)
{
    bool alone = true;
    for (size_t i = 0; i < c->signals->n; i++)
        alone =
            alone && (c->signals->tracks[i].size <= 1 || c->signals->tracks[i].role == SM_OTHER);
    return alone;
}

bool sm_rate_is_logged(const struct sm_run_case *c)
{
    for (size_t i = 0; i < c->signals->n; i++) {
        const struct sm_track *t = &c->signals->tracks[i];
        for (size_t k = 0; t->role == SM_RATE && k < t->n; k++)
            if (t->points[k].mean > 0)
                return true;
    }
    return false;
}

size_t sm_loss_jump(const struct sm_run_case *c)
{
    const struct sm_track *t = c->loss.track;
    static const double JUMP = 3;
    double most = 0, least = (double)INFINITY;
    for (size_t i = 0; t && i < t->n; i++) {
        double v = (double)t->points[i].mean;
        if (i > 0 && v > JUMP * most && v > 0 && (c->loss.end > JUMP * least || c->bad.track))
            return i;
        if (isnan(v))
            break;
        most = fmax(most, v);
        least = fmin(least, v);
    }
    return 0;
}

/* ---- losses ---- */

/* Of the differences about their median: a trend is no noise. */
static double noise_of(const double *v, size_t n)
{
    if (n < 4)
        return 0;
    double *d = sm_xalloc(n * sizeof *d);
    for (size_t i = 0; i + 1 < n; i++)
        d[i] = v[i + 1] - v[i];
    double middle = sm_median(d, n - 1);
    for (size_t i = 0; i + 1 < n; i++)
        d[i] = fabs(d[i] - middle);
    double mad = sm_median(d, n - 1);
    sm_free(d);
    return mad * 1.4826 / sqrt(2);
}

static void set_levels(struct sm_loss_level *l, const double *v, size_t n)
{
    size_t tenth = n / 10 < 3 ? 3 : n / 10 > 50 ? 50 : n / 10;
    size_t part = tenth < n ? tenth : n;
    l->n = n;
    if (!n)
        return;
    l->first = v[0];
    l->start = sm_median(v, part < 3 ? part : 3);
    l->end = sm_median(v + n - part, part);
    l->noise = noise_of(v, n);
}

static void read_loss(struct sm_loss_level *l, const struct sm_track *t)
{
    double *v = sm_xalloc((t->n + 1) * sizeof *v);
    size_t n = 0;
    l->track = t;
    l->best = (double)INFINITY;
    l->worst = -(double)INFINITY;
    for (size_t i = 0; i < t->n; i++) {
        double x = (double)t->points[i].mean;
        if (!isfinite(x))
            continue;
        if (x < l->best) {
            l->best = x;
            l->best_step = t->points[i].step;
        }
        l->worst = fmax(l->worst, x);
        v[n++] = x;
    }
    set_levels(l, v, n);
    sm_free(v);
}

/* The number of classes: width of the scores, or the labels that were seen, or the rows of the last
 * weight. 0: not known. */
static double classes_of(const struct sm_run_case *c)
{
    const struct sm_signals *g = c->signals;
    for (size_t i = 0; i < g->n; i++)
        if (g->tracks[i].role == SM_SCORES && g->tracks[i].dims[1] > 1)
            return (double)g->tracks[i].dims[1];
    if (!g->classes.many && g->classes.n > 1)
        return (double)g->classes.n;
    return c->n_weights ? (double)c->weights[c->n_weights - 1]->outputs : 0;
}

static bool is_named_one_of(const struct sm_signals *g, const struct sm_track *t,
                            const char *const *names)
{
    for (; *names; names++)
        if (strstr(sm_track_name(g, t), *names))
            return true;
    return false;
}

struct label_moments {
    double mean, variance; /* over the steps; NaN if the labels were not saved as numbers */
};

static struct label_moments label_moments(const struct sm_run_case *c)
{
    double sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < c->signals->n; i++) {
        const struct sm_track *t = &c->signals->tracks[i];
        for (size_t k = 0; t->role == SM_LABELS && t->mode == c->mode && k < t->n; k++) {
            const struct sm_track_point *p = &t->points[k];
            if (isnan(p->std))
                continue;
            sum += (double)p->mean;
            squares += (double)p->std * (double)p->std + (double)p->mean * (double)p->mean;
            n++;
        }
    }
    if (n == 0)
        return (struct label_moments){(double)NAN, (double)NAN};
    return (struct label_moments){sum / n, squares / n - sum / n * (sum / n)};
}

/* In nats, of labels that are 1 with probability p. log(2) if that is not known. */
static double binary_entropy(double p)
{
    return p > 0 && p < 1 ? -p * log(p) - (1 - p) * log(1 - p) : log(2);
}

/* Of the labels that were seen, at most log(classes). */
static double class_entropy(const struct sm_run_case *c, double classes)
{
    const struct sm_class_totals *k = &c->signals->classes;
    double total = 0, h = 0, seen[SM_CLASSES_MOST] = {0};
    for (size_t s = 0; !k->many && s < k->n_spans; s++)
        for (size_t i = 0; i < k->n; i++)
            seen[i] += k->spans[s].counts[i][SM_CLASS_SEEN];
    for (size_t i = 0; i < k->n; i++)
        total += seen[i];
    for (size_t i = 0; i < k->n; i++)
        h -= seen[i] > 0 ? seen[i] / total * log(seen[i] / total) : 0;
    return total >= 100 && h > 0 ? h : log(classes);
}

/* The loss of a network that ignores its input; NaN if it is not known. */
static double chance_of(const struct sm_run_case *c, const struct sm_track *t)
{
    static const char *const cross_entropy[] = {"CrossEntropy", "NLLLoss", "cross_entropy", NULL},
                             *const binary[] = {"BCE", "BinaryCrossEntropy", NULL},
                             *const squares[] = {"MSELoss", "mse", NULL};
    const struct sm_signals *g = c->signals;
    double classes = classes_of(c);
    if (is_named_one_of(g, t, binary))
        return binary_entropy(label_moments(c).mean);
    if (is_named_one_of(g, t, squares))
        return label_moments(c).variance;
    if ((is_named_one_of(g, t, cross_entropy) || g->classes.n > 1) && classes > 1)
        return class_entropy(c, classes);
    return (double)NAN;
}

static void judge_loss(struct sm_run_case *c, struct sm_loss_level *l)
{
    l->chance = l->track ? chance_of(c, l->track) : (double)NAN;
    l->learned = (double)NAN;
    if (!l->track || l->n < 3)
        return;
    l->reference = isnan(l->chance) || l->chance > l->start ? l->start : l->chance;
    l->learned = l->reference > 0 ? 1 - l->end / l->reference : l->start - l->end;
}

/* ---- the rest ---- */

static bool is_loss_number(const struct sm_track *t)
{
    return t->role == SM_LOSS && t->size <= 1;
}

/* The loss of EVAL: of those the one with the name of the loss of training, or with one that says
 * that it validates it, else the first. */
static const struct sm_track *find_eval_loss(const struct sm_run_case *c, const struct sm_track *of)
{
    const struct sm_signals *g = c->signals;
    const struct sm_track *best = NULL;
    int fitness = 0;
    for (size_t i = 0; i < g->n && c->mode != SM_MODE_EVAL; i++) {
        const struct sm_track *t = &g->tracks[i];
        if (!is_loss_number(t) || t->mode != SM_MODE_EVAL)
            continue;
        bool same = of && t->name == of->name,
             names_it = of && sm_name_validates(sm_track_name(g, t), sm_track_name(g, of));
        int fits = same ? 3 : names_it ? 2 : 1;
        if (fits > fitness)
            best = t;
        fitness = fits > fitness ? fits : fitness;
    }
    return best;
}

/* The loss of validation beside a loss of training, by its name: where modes do not tell. */
static const struct sm_track *validation_of(const struct sm_run_case *c, const struct sm_track *of)
{
    const struct sm_signals *g = c->signals;
    for (size_t i = 0; of && i < g->n; i++) {
        const struct sm_track *t = &g->tracks[i];
        if (is_loss_number(t) && t->mode == of->mode && t->worker == of->worker &&
            sm_name_validates(sm_track_name(g, t), sm_track_name(g, of)))
            return t;
    }
    return NULL;
}

/* How well it serves as the loss of the training: 3 one with a loss of validation beside it, 2 one
 * that is not of validation, 1 any loss, 0 none. */
static int fitness_of(const struct sm_run_case *c, const struct sm_track *t)
{
    if (!is_loss_number(t) || t->mode != c->mode)
        return 0;
    if (sm_name_is_of_validation(sm_track_name(c->signals, t)))
        return 1;
    return validation_of(c, t) ? 3 : 2;
}

/* The fittest; of those with a loss of validation the one with the most values, else the first. */
static const struct sm_track *find_training_loss(const struct sm_run_case *c)
{
    const struct sm_signals *g = c->signals;
    const struct sm_track *loss = NULL;
    int best = 0;
    for (size_t i = 0; i < g->n; i++) {
        const struct sm_track *t = &g->tracks[i];
        int fitness = best < 3 || t->n > loss->n ? fitness_of(c, t) : 0;
        if (fitness <= best && fitness < 3)
            continue;
        best = fitness;
        loss = t;
    }
    return loss;
}

static void find_losses(struct sm_run_case *c)
{
    const struct sm_track *loss = find_training_loss(c), *eval = find_eval_loss(c, loss);
    eval = eval ? eval : validation_of(c, loss);
    if (loss)
        read_loss(&c->loss, loss);
    if (eval)
        read_loss(&c->eval, eval);
    judge_loss(c, &c->loss);
    judge_loss(c, &c->eval);
}

/* Roles in the order of a step: what goes in, forward, loss, backward, the weights after it. */
static int rank_of(const struct sm_track *t)
{
    if (t->role == SM_INPUT || t->role == SM_LABELS)
        return 0;
    if (sm_signal_role_is_parameter((enum sm_signal_role)t->role))
        return 1;
    return t->role == SM_LOSS ? 3 : t->role == SM_GRADIENT || t->role == SM_OTHER ? 4 : 2;
}

static bool is_finite_point(const struct sm_track_point *p)
{
    return p->nan == 0 && p->infinite == 0;
}

/* NaN and infinities of it count. A norm of the gradient that is not finite now and then is what
 * mixed precision does; one that stays so is not. */
static bool is_watched(const struct sm_signals *g, const struct sm_track *t)
{
    if (t->role != SM_OTHER)
        return true;
    return t->n > 1 && t->size == 1 && sm_is_gradient_norm(sm_track_name(g, t)) &&
           !is_finite_point(&t->points[t->n - 1]) && !is_finite_point(&t->points[t->n - 2]);
}

/* For a norm of the gradient: where it becomes not finite for good. */
static size_t first_bad(const struct sm_track *t)
{
    size_t k = 0;
    if (t->role == SM_OTHER)
        for (k = t->n; k > 0 && !is_finite_point(&t->points[k - 1]);)
            k--;
    while (k < t->n && is_finite_point(&t->points[k]))
        k++;
    return k;
}

static bool comes_before(const struct sm_track *t, const struct sm_track_point *p,
                         const struct sm_bad_place *b)
{
    if (!b->track || p->step != b->point->step)
        return !b->track || p->step < b->point->step;
    if (rank_of(t) != rank_of(b->track))
        return rank_of(t) < rank_of(b->track);
    return p->seq < b->point->seq;
}

static void find_bad(struct sm_run_case *c)
{
    const struct sm_signals *g = c->signals;
    for (size_t i = 0; i < g->n; i++) {
        const struct sm_track *t = &g->tracks[i];
        size_t k = is_watched(g, t) ? first_bad(t) : t->n;
        const struct sm_track_point *p = &t->points[k];
        if (k < t->n && comes_before(t, p, &c->bad))
            c->bad = (struct sm_bad_place){t, p, k ? t->points[k - 1].step : -1};
    }
}

static int compare_weights(const void *a, const void *b)
{
    const struct sm_track *x = *(const struct sm_track *const *)a,
                          *y = *(const struct sm_track *const *)b;
    if (x->points[0].step != y->points[0].step)
        return x->points[0].step < y->points[0].step ? -1 : 1;
    return (x->points[0].seq > y->points[0].seq) - (x->points[0].seq < y->points[0].seq);
}

static void find_weights(struct sm_run_case *c)
{
    const struct sm_signals *g = c->signals;
    uint16_t worker = SM_WORKER_ANY;
    c->weights = sm_xalloc((g->n + 1) * sizeof(struct sm_track *));
    for (size_t i = 0; i < g->n; i++) {
        const struct sm_track *t = &g->tracks[i];
        if (t->role != SM_WEIGHT || t->mode != c->mode)
            continue;
        worker = worker == SM_WORKER_ANY ? t->worker : worker;
        if (t->worker == worker)
            c->weights[c->n_weights++] = t;
    }
    qsort(c->weights, c->n_weights, sizeof *c->weights, compare_weights);
}

void sm_run_case_init(struct sm_run_case *c, const struct sm_signals *g, int64_t now_us)
{
    *c = (struct sm_run_case){.signals = g, .mode = sm_signals_mode(g), .now_us = now_us};
    find_weights(c);
    find_losses(c);
    find_bad(c);
}

void sm_run_case_clear(struct sm_run_case *c)
{
    sm_free((void *)c->weights);
}
