/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/class_totals.h"

#include <math.h>
#include <string.h>

/* Along one axis, whole numbers: not the letters of a text, not many labels of a sample. */
static bool are_classes(struct sm_rule_at *x, const struct sm_rule_item *it)
{
    const struct sm_facts *f;
    if (!sm_entry_exists(&it->value) || !sm_rule_facts(x, it, &f) || !f->has_stats)
        return false;
    enum sm_dtype_kind kind = sm_dtype_info(f->dtype)->kind;
    bool column = f->n_dims == 1 || (f->n_dims == 2 && f->dims[1] == 1);
    return column && f->n > 1 && (kind == SM_KIND_INT || kind == SM_KIND_UINT);
}

void sm_class_step_read(struct sm_rule_at *x, const struct sm_rule_item *labels,
                        const struct sm_rule_item *predicted, struct sm_class_step *out)
{
    struct sm_step_classes k;
    if ((x->ahead || are_classes(x, labels)) &&
        sm_step_classes_read(x, labels, predicted, false, SM_CLASSES_LIMIT, &k))
        *out = (struct sm_class_step){labels, k.cells, k.n_cells, k.n, k.predicted};
}

/* ---- counting ---- */

static size_t class_of(struct sm_class_totals *c, double label)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->labels[i] == label)
            return i;
    c->many = c->many || c->n == SM_CLASSES_MOST;
    if (c->many)
        return 0;
    c->labels[c->n] = label;
    return c->n++;
}

/* Joins each two spans. */
static void halve_spans(struct sm_class_totals *c)
{
    for (size_t i = 0; i < c->n_spans / 2; i++) {
        struct sm_class_span *to = &c->spans[i], *a = &c->spans[2 * i], *b = a + 1;
        struct sm_class_span joined = *a;
        joined.steps += b->steps;
        for (size_t k = 0; k < c->n; k++)
            for (size_t j = 0; j < SM_CLASS_COUNTS; j++)
                joined.counts[k][j] += b->counts[k][j];
        *to = joined;
    }
    c->n_spans /= 2;
    c->length *= 2;
}

static struct sm_class_span *span_at(struct sm_class_totals *c, int64_t step)
{
    if (!c->spans) {
        c->spans = sm_xalloc_zero(SM_CLASS_SPANS, sizeof *c->spans);
        c->length = 1;
    }
    if (!c->n_spans || c->spans[c->n_spans - 1].steps == c->length) {
        if (c->n_spans == SM_CLASS_SPANS)
            halve_spans(c);
        memset(&c->spans[c->n_spans], 0, sizeof *c->spans);
        c->spans[c->n_spans++].first = step;
    }
    struct sm_class_span *s = &c->spans[c->n_spans - 1];
    s->steps++;
    return s;
}

static double entropy_of(const uint32_t *seen, size_t n, size_t total)
{
    double h = 0;
    for (size_t i = 0; i < n; i++) {
        double p = (double)seen[i] / (double)total;
        h -= seen[i] ? p * log(p) : 0;
    }
    return h;
}

void sm_class_step_keep(struct sm_class_totals *c, const struct sm_class_step *k,
                        struct sm_track_point *labels)
{
    uint32_t seen[SM_CLASSES_MOST] = {0};
    size_t hits = 0;
    if (c->many)
        return;
    struct sm_class_span *s = span_at(c, labels->step);
    for (size_t i = 0; i < k->n_cells && !c->many; i++) {
        uint32_t n = (uint32_t)k->cells[i].count;
        size_t label = class_of(c, k->cells[i].label);
        seen[label] += n;
        s->counts[label][SM_CLASS_SEEN] += n;
        if (!k->predicted)
            continue;
        size_t guess = class_of(c, k->cells[i].predicted);
        s->counts[guess][SM_CLASS_PREDICTED] += n;
        s->counts[label][SM_CLASS_HIT] += guess == label ? n : 0;
        hits += guess == label ? n : 0;
    }
    c->predicted = c->predicted || k->predicted;
    labels->own[SM_OWN_ENTROPY] = (float)entropy_of(seen, c->n, k->n);
    if (k->predicted)
        labels->own[SM_OWN_ACCURACY] = (float)hits / (float)k->n;
}
