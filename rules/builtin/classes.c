#include "rules/builtin/classes.h"

#include <math.h>

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

bool sm_step_classes_read(struct sm_rule_at *x, const struct sm_rule_item *labels,
                          const struct sm_rule_item *predictions, bool argmax_requested,
                          struct sm_step_classes *out)
{
    const struct sm_numbers *r;
    bool given = predictions && predictions->value;
    double args[] = {argmax_requested, given};
    if (!labels || !labels->value)
        return false;
    const struct sm_entry *entries[] = {labels->value, given ? predictions->value : labels->value};
    if (!sm_rule_measure(x, sm_measure_classes, args, 2, entries, 2, &r))
        return false;
    out->n = (size_t)r->v[SM_CLASSES_LABELS];
    out->labels = r->v + SM_CLASSES_HEAD;
    out->predictions = r->v[SM_CLASSES_PREDICTIONS] > 0 ? out->labels + out->n : NULL;
    out->argmax = r->v[SM_CLASSES_ARGMAX] != 0;
    if (given && !out->predictions)
        sm_rule_skip(x, "predictions do not match the labels");
    return out->n > 0;
}
