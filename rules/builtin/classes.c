/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/classes.h"

#include <math.h>
#include <string.h>

/* Index of the largest of the n elements that start at `at`. */
static double argmax(const struct sm_elements *e, uint64_t at, uint64_t n)
{
    size_t size = sm_dtype_info(e->dtype)->size_bytes;
    uint64_t best = 0;
    double most = -(double)INFINITY;
    for (uint64_t i = 0; i < n; i++) {
        double v = sm_dtype_load(e->dtype, e->data + (at + i) * size);
        if (v > most) {
            most = v;
            best = i;
        }
    }
    return (double)best;
}

/* group > 0: the argmax of each group of scores; 0: the rounded elements. */
static void decode_classes(const struct sm_tensor *t, uint64_t group, double *out)
{
    struct sm_elements e = sm_elements(t);
    size_t size = sm_dtype_info(e.dtype)->size_bytes;
    uint64_t n = group ? t->n / group : t->n;
    for (uint64_t i = 0; i < n; i++)
        out[i] =
            group ? argmax(&e, i * group, group) : rint(sm_dtype_load(e.dtype, e.data + i * size));
}

static uint64_t last_axis(const struct sm_tensor *t)
{
    return t->n_dims ? t->dims[t->n_dims - 1] : 1;
}

void sm_measure_classes(const struct sm_tensor *const *t, const double *args,
                        struct sm_numbers *out)
{
    const struct sm_tensor *labels = t[0], *predictions = t[1];
    bool given = args[1] != 0, one_hot = given && labels->n_dims > 1 && last_axis(labels) > 1 &&
                                         sm_same_shape(labels, predictions);
    uint64_t k = last_axis(predictions), n = one_hot ? labels->n / k : labels->n;
    bool scores = given && k > 1 && predictions->n == n * k;
    bool fits = given && (scores || (predictions->n == n && args[0] == 0));
    if (!sm_numbers_alloc(out, SM_CLASSES_HEAD + (size_t)n * 2))
        return;
    out->v[SM_CLASSES_LABELS] = (double)n;
    out->v[SM_CLASSES_PREDICTIONS] = fits ? (double)n : 0;
    out->v[SM_CLASSES_ARGMAX] = fits && scores && args[0] == 0;
    decode_classes(labels, one_hot ? k : 0, out->v + SM_CLASSES_HEAD);
    if (fits)
        decode_classes(predictions, scores ? k : 0, out->v + SM_CLASSES_HEAD + n);
}

/* ---- counting ---- */

/* A hash table of pairs. */
struct table {
    struct sm_class_cell *slots;
    size_t n, size; /* size: a power of 2 */
};

static uint64_t hash_of(double label, double predicted)
{
    uint64_t a, b;
    memcpy(&a, &label, sizeof a);
    memcpy(&b, &predicted, sizeof b);
    a = (a ^ (b << 21 | b >> 43)) * UINT64_C(0x9e3779b97f4a7c15);
    return (a ^ a >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 20;
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static struct sm_class_cell *slot_of(const struct table *t, double label, double predicted)
{
    size_t at = hash_of(label, predicted) & (t->size - 1);
    while (t->slots[at].count > 0 &&
           !(is_same(t->slots[at].label, label) && is_same(t->slots[at].predicted, predicted)))
        at = (at + 1) & (t->size - 1);
    return &t->slots[at];
}

static bool grow_table(struct table *t)
{
    struct table more = {NULL, t->n, t->size ? 2 * t->size : 64};
    more.slots = sm_alloc(more.size * sizeof *more.slots);
    if (!more.slots)
        return false;
    memset(more.slots, 0, more.size * sizeof *more.slots);
    for (size_t i = 0; i < t->size; i++)
        if (t->slots[i].count > 0)
            *slot_of(&more, t->slots[i].label, t->slots[i].predicted) = t->slots[i];
    sm_free(t->slots);
    *t = more;
    return true;
}

static bool count_pair(struct table *t, double label, double predicted)
{
    label += 0.0; /* one zero */
    predicted += 0.0;
    if (2 * t->n >= t->size && !grow_table(t))
        return false;
    struct sm_class_cell *cell = slot_of(t, label, predicted);
    t->n += cell->count <= 0;
    *cell = (struct sm_class_cell){label, predicted, cell->count + 1};
    return true;
}

/* Numbers of sm_measure_cells, then those of each cell. */
enum {
    CELLS_LABELS,
    CELLS_PREDICTED,
    CELLS_ARGMAX,
    CELLS_FRACTIONS,
    CELLS_SEQUENCES,
    CELLS_SCORES,
    CELLS_MANY,
    CELLS_HEAD,
    CELL_NUMBERS = 3
};
enum { CELLS_REQUESTED = 0, CELLS_GIVEN = 1, CELLS_MOST = 2, CELLS_ARGS = 3 };

static bool has_fractions(const struct sm_tensor *t)
{
    struct sm_elements e = sm_elements(t);
    double block[SM_BLOCK_ELEMENTS];
    uint64_t at = 0;
    for (size_t n; (n = sm_elements_read(&e, at, block)) > 0; at += n)
        for (size_t i = 0; i < n; i++)
            if (block[i] != rint(block[i]) && !isnan(block[i]))
                return true;
    return false;
}

/* Counts the pairs of v (SM_CLASSES_HEAD numbers, labels, predictions) unless there are more than
 * `most` classes. False: no memory. */
static bool count_pairs(const double *v, size_t most, struct table *pairs, bool *many)
{
    size_t n = (size_t)v[SM_CLASSES_LABELS];
    bool predicted = v[SM_CLASSES_PREDICTIONS] > 0, ok = true;
    struct table classes = {0};
    for (size_t i = 0; ok && i < n && !*many; i++) {
        double label = v[SM_CLASSES_HEAD + i],
               p = predicted ? v[SM_CLASSES_HEAD + n + i] : (double)NAN;
        ok = isnan(label) || (count_pair(pairs, label, p) && count_pair(&classes, label, 0) &&
                              (isnan(p) || count_pair(&classes, p, 0)));
        *many = classes.n > most;
    }
    sm_free(classes.slots);
    return ok;
}

static void put_cells(const struct table *pairs, double *to)
{
    for (size_t i = 0; i < pairs->size; i++)
        if (pairs->slots[i].count > 0) {
            memcpy(to, &pairs->slots[i], CELL_NUMBERS * sizeof *to);
            to += CELL_NUMBERS;
        }
}

/* args: argmax requested, predictions given, most classes. */
static void measure_cells(const struct sm_tensor *const *t, const double *args,
                          struct sm_numbers *out)
{
    struct sm_numbers all = {0};
    struct table pairs = {0};
    bool many = false;
    uint64_t last = last_axis(t[1]);
    sm_measure_classes(t, args, &all);
    if (all.v && count_pairs(all.v, (size_t)args[CELLS_MOST], &pairs, &many) &&
        sm_numbers_alloc(out, CELLS_HEAD + (many ? 0 : pairs.n) * CELL_NUMBERS)) {
        double n = all.v[SM_CLASSES_LABELS];
        bool one_hot = (double)t[0]->n > n;
        out->v[CELLS_LABELS] = n;
        out->v[CELLS_PREDICTED] = all.v[SM_CLASSES_PREDICTIONS];
        out->v[CELLS_ARGMAX] = all.v[SM_CLASSES_ARGMAX];
        out->v[CELLS_FRACTIONS] = !one_hot && has_fractions(t[0]);
        out->v[CELLS_SEQUENCES] = !one_hot && t[0]->n_dims > 1 && n > (double)t[0]->dims[0];
        out->v[CELLS_SCORES] = args[CELLS_GIVEN] != 0 && (double)t[1]->n > n ? (double)last : 0;
        out->v[CELLS_MANY] = many;
        if (!many)
            put_cells(&pairs, out->v + CELLS_HEAD);
    }
    sm_free(pairs.slots);
    sm_free(all.v);
}

bool sm_step_classes_read(struct sm_rule_at *x, const struct sm_rule_item *labels,
                          const struct sm_rule_item *predictions, bool argmax_requested,
                          size_t most, struct sm_step_classes *out)
{
    const struct sm_numbers *r;
    bool given = predictions && sm_entry_exists(&predictions->value);
    double args[CELLS_ARGS] = {argmax_requested, given, (double)most};
    if (!labels || !sm_entry_exists(&labels->value))
        return false;
    const struct sm_entry entries[] = {labels->value, given ? predictions->value : labels->value};
    if (!sm_rule_measure(x, measure_cells, args, CELLS_ARGS, entries, 2, &r) || !r->n)
        return false;
    *out = (struct sm_step_classes){
        .cells = (const struct sm_class_cell *)(const void *)(r->v + CELLS_HEAD),
        .n_cells = (r->n - CELLS_HEAD) / CELL_NUMBERS,
        .n = (uint64_t)r->v[CELLS_LABELS],
        .predicted = r->v[CELLS_PREDICTED] > 0,
        .argmax = r->v[CELLS_ARGMAX] != 0,
        .fractions = r->v[CELLS_FRACTIONS] != 0,
        .sequences = r->v[CELLS_SEQUENCES] != 0,
        .scores = (unsigned)r->v[CELLS_SCORES]};
    if (given && !out->predicted)
        sm_rule_skip(x, "predictions do not match the labels");
    if (r->v[CELLS_MANY] != 0)
        sm_rule_skip(x, "too many different labels: they are not classes");
    return out->n > 0 && r->v[CELLS_MANY] == 0;
}
