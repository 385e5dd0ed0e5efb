/* SPDX-License-Identifier: Apache-2.0 */
/* How `rule auto` judges ClassImbalance and Confusion: the newest labels, class by class, after the
 * network had a chance to learn, and only what a test confirms. */
#include "rules/builtin/classes.h"
#include "rules/builtin/rule_list.h"

#include <math.h>

/* Predictions are judged over the newest WINDOW labels or more, a quarter to a half of them, after
 * CHANCE steps with labels; a class with LEAST of them or more. */
enum { WINDOW = 500, CHANCE = 100, LEAST = 30, FEW = 3, K = SM_CLASSES_FEW };
static const double z_limit = 3.5, ratio_limit = 10, learned_limit = 2.0 / 3;

struct counts_of {
    double cells[K][K]; /* by label, by prediction */
    double n;
};
struct class_state {
    double classes[K];
    size_t n;
    bool many;
    double seen[K]; /* labels of all steps */
    double total;
    int64_t first, last; /* steps with labels */
    bool begun;
    struct counts_of older, newer;
};

/* K: too many. */
static size_t index_of(struct class_state *s, double class)
{
    size_t i = 0;
    while (i < s->n && s->classes[i] != class)
        i++;
    if (i == s->n && s->n < K)
        s->classes[s->n++] = class;
    s->many = s->many || i == K;
    return i;
}

static void add_cells(struct class_state *s, const struct sm_step_classes *k, int64_t step)
{
    if (s->newer.n >= fmax(WINDOW, s->total / 4)) {
        s->older = s->newer;
        s->newer = (struct counts_of){0};
    }
    for (size_t i = 0; i < k->n_cells && !s->many; i++) {
        const struct sm_class_cell *c = &k->cells[i];
        size_t label = index_of(s, c->label),
               predicted = isnan(c->predicted) || s->many ? label : index_of(s, c->predicted);
        if (s->many)
            return;
        s->seen[label] += c->count;
        s->total += c->count;
        if (k->predicted && !isnan(c->predicted)) {
            s->newer.cells[label][predicted] += c->count;
            s->newer.n += c->count;
        }
    }
    s->first = s->begun ? s->first : step;
    s->last = step;
    s->begun = true;
}

static double cell(const struct class_state *s, size_t label, size_t predicted)
{
    return s->newer.cells[label][predicted] + s->older.cells[label][predicted];
}

static double labels_of(const struct class_state *s, size_t label)
{
    double n = 0;
    for (size_t p = 0; p < s->n; p++)
        n += cell(s, label, p);
    return n;
}

/* Adds the classes of the step. False: waiting, or these are not classes. */
static bool read_classes(struct sm_rule_at *x, struct class_state *s,
                         const struct sm_rule_item **labels)
{
    struct sm_step_classes k;
    *labels = x->picks[0].n ? &x->picks[0].items[0] : NULL;
    if (s->many || !sm_step_classes_read(x, *labels, x->picks[1].n ? &x->picks[1].items[0] : NULL,
                                         false, SM_CLASSES_LIMIT, &k))
        return false;
    const char *why = k.fractions   ? "labels are not integers: they are not classes"
                      : k.sequences ? "several labels for a sample: they are not judged as classes"
                                    : NULL;
    if (!why)
        add_cells(s, &k, x->step.step.n);
    if (!why && s->many)
        why = "more than 50 different labels: they are not judged as classes";
    if (why)
        sm_rule_skip(x, why);
    return !why;
}

static bool is_early(const struct class_state *s)
{
    return s->last - s->first < CHANCE || s->newer.n + s->older.n < WINDOW;
}

static void note_early(struct sm_rule_at *x, const struct sm_rule_item *it,
                       const struct class_state *s)
{
    sm_rule_note(
        x, it, s->total, WINDOW, false,
        "%.0f labels over %lld steps; predictions are judged from %d labels and %d steps on",
        s->total, (long long)(s->last - s->first), WINDOW, CHANCE);
}

/* How many standard deviations a share of `hits` in n is below p. */
static double below(double hits, double n, double p)
{
    double spread = sqrt(p * (1 - p) / n);
    return n > 0 && spread > 0 ? (p - hits / n) / spread : 0;
}

/* ---- ClassImbalance ---- */

static double accuracy_without(const struct class_state *s, size_t but)
{
    double right = 0, n = 0;
    for (size_t l = 0; l < s->n; l++) {
        right += l == but ? 0 : cell(s, l, l);
        n += l == but ? 0 : labels_of(s, l);
    }
    return n > 0 ? right / n : 0;
}

static void remark_rare(struct sm_rule_at *x, const struct sm_rule_item *it,
                        const struct class_state *s, size_t c, double most)
{
    if (s->seen[c] > 0 && most / s->seen[c] > ratio_limit)
        sm_rule_remark(x, it, 0, "classes are imbalanced by more than 10 to 1");
}

/* Fires if a rare class is hardly recognised while the others are. most: labels of the largest. */
static void judge_class(struct sm_rule_at *x, const struct sm_rule_item *it,
                        const struct class_state *s, size_t c, double most)
{
    double n = labels_of(s, c), right = cell(s, c, c), others = accuracy_without(s, c),
           rarer = most / s->seen[c], z = below(right, n, others);
    bool rare = rarer > ratio_limit,
         poor = rare && n >= FEW && others > learned_limit && right < n * others / 2 && z > z_limit;
    if (!poor)
        remark_rare(x, it, s, c, most);
    sm_rule_note(
        x, it, rarer, ratio_limit, poor,
        "class %g is %.3g times as rare as the largest, limit %g; %.0f of %.0f recognised, "
        "of the others %.0f%% (at least half of that expected; z %.1f, limit %g)",
        s->classes[c], rarer, ratio_limit, right, n, 100 * others, z, z_limit);
}

static void judge_imbalance(struct sm_rule_at *x)
{
    struct class_state *s = x->state;
    const struct sm_rule_item *it;
    double most = 0;
    if (!read_classes(x, s, &it))
        return;
    for (size_t c = 0; c < s->n; c++)
        most = s->seen[c] > most ? s->seen[c] : most;
    if (is_early(s))
        for (size_t c = 0; c < s->n && s->total >= WINDOW; c++)
            remark_rare(x, it, s, c, most);
    for (size_t c = 0; c < s->n && !is_early(s); c++)
        if (s->seen[c] > 0)
            judge_class(x, it, s, c, most);
    if (!is_early(s))
        return;
    note_early(x, it, s);
}

const struct sm_rule_auto sm_auto_class_imbalance = {
    .differs =
        "only integer labels of at most 50 classes, one for each sample, are judged, after "
        "100 steps and 500 predictions, over the newest half of them: it fires if a class is "
        "more than 10 times as rare as the largest one and is recognised less than half as "
        "often as the others (3 or more labels, binomial test, z > 3.5), of which two thirds "
        "are. Imbalance alone is a remark",
    .state_size = sizeof(struct class_state),
    .judge = judge_imbalance,
};

/* ---- Confusion ---- */

static void judge_confused(struct sm_rule_at *x)
{
    struct class_state *s = x->state;
    const struct sm_rule_item *it;
    if (!read_classes(x, s, &it))
        return;
    if (is_early(s)) {
        note_early(x, it, s);
        return;
    }
    for (size_t p = 0; p < s->n; p++) {
        double n = 0;
        size_t worst = p;
        for (size_t l = 0; l < s->n; l++) {
            n += cell(s, l, p);
            if (l != p && (worst == p || cell(s, l, p) > cell(s, worst, p)))
                worst = l;
        }
        double right = cell(s, p, p), wrong = worst == p ? 0 : cell(s, worst, p),
               z = right + wrong > 0 ? (wrong - right) / sqrt(right + wrong) : 0;
        if (n < LEAST)
            continue;
        sm_rule_note(x, it, wrong / n, right / n, z > z_limit,
                     "predicted %g: %.0f of %.0f are right, %.0f are truly %g; z %.1f, limit %g",
                     s->classes[p], right, n, wrong, s->classes[worst], z, z_limit);
    }
}

const struct sm_rule_auto sm_auto_confusion = {
    .differs =
        "only integer labels of at most 50 classes, one for each sample, are judged, after "
        "100 steps and 500 predictions, over the newest half of them: it fires if 30 or more "
        "predictions of a class are truly another class more often than right (sign test, z "
        "> 3.5)",
    .state_size = sizeof(struct class_state),
    .judge = judge_confused,
};
