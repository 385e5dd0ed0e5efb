/* SPDX-License-Identifier: Apache-2.0 */
/* How `rule auto` judges VanishingGradient and AllZero: gradients of weights, against those of the
 * other layers, over several values. What is small or zero by construction stays quiet: the bias
 * before a normalisation, the key bias of attention, whatever lies behind a layer that starts at
 * zero. */
#include "rules/builtin/net_layers.h"
#include "rules/builtin/rule_list.h"

#include <math.h>

enum { IN_A_ROW = 5, NEWEST = 8 };

struct row {
    uint64_t n;      /* values in a row */
    unsigned recent; /* a bit for each of the newest values, the newest one lowest */
};
struct rows {
    struct sm_rule_records tensors;
};

static void clear_rows(void *state)
{
    sm_memory_clear(&((struct rows *)state)->tensors);
}

/* Counts the values of the tensor in a row for which `is` holds. */
static uint64_t count_row(struct sm_rule_at *x, const struct sm_rule_item *it, bool is)
{
    struct rows *s = x->state;
    struct row *r = sm_rule_record_of(&s->tensors, it, sizeof *r);
    r->recent = (r->recent << 1 | is) & ((1U << NEWEST) - 1);
    return r->n = is ? r->n + 1 : 0;
}

static unsigned count_recent(const struct row *r)
{
    unsigned n = 0;
    for (unsigned bits = r->recent; bits; bits &= bits - 1)
        n++;
    return n;
}

/* ---- VanishingGradient ---- */

static const double ratio_limit = 1e-4;

static void judge_ratios(struct sm_rule_at *x, const struct sm_net_layer *l, size_t n)
{
    const struct sm_net_layer *largest = NULL;
    double most = 0;
    for (size_t i = 0; i < n; i++)
        if (sm_net_layer_size(&l[i]) > most)
            largest = &l[i], most = sm_net_layer_size(largest);
    for (size_t i = 0; i < n; i++)
        count_row(x, l[i].it, sm_net_layer_size(&l[i]) < ratio_limit * most);
    for (size_t i = 0; i < n; i++) {
        struct rows *s = x->state;
        const struct row *r = sm_rule_record_of(&s->tensors, l[i].it, sizeof *r);
        double ratio = most > 0 ? sm_net_layer_size(&l[i]) / most : 1;
        unsigned small = count_recent(r);
        sm_rule_note(x, l[i].it, ratio, ratio_limit, small >= IN_A_ROW,
                     "size %.4g is %.3g times that of %s, limit %g; below it in %u saved steps of "
                     "the last %d",
                     sm_net_layer_size(&l[i]), ratio, largest ? largest->it->name : "none",
                     ratio_limit, small, NEWEST);
    }
}

static void judge_vanishing(struct sm_rule_at *x)
{
    struct sm_net_layer *l;
    size_t n = sm_net_layers(x, 0, true, &l);
    for (size_t at = 0, of; at < n && !x->waiting; at += of) {
        of = sm_net_layers_of_worker(l, n, at);
        judge_ratios(x, l + at, of);
    }
    sm_free(l);
}

const struct sm_rule_auto sm_auto_vanishing_gradient = {
    .differs = "gradients of two or more axes are judged by their size (root of the mean square) "
               "against the largest one of the step: it fires if one is below 1e-4 of that in 5 "
               "of 8 saved steps. Gradients that shrink together, as at the end of training, "
               "are no finding, nor are those of biases, which a normalisation or attention makes "
               "zero",
    .picks = {{.collection = "gradients"}},
    .state_size = sizeof(struct rows),
    .judge = judge_vanishing,
    .clear = clear_rows,
};

/* ---- AllZero ---- */

static void judge_zero_layers(struct sm_rule_at *x, const struct sm_net_layer *l, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool is = l[i].facts->stats.zero == l[i].facts->n;
        uint64_t row = count_row(x, l[i].it, is);
        if (row >= IN_A_ROW && l[i].facts->n_dims < 2)
            sm_rule_remark(x, l[i].it, 0, "stays zero; harmless for a bias before a normalisation");
        if (l[i].facts->n_dims > 1)
            sm_rule_note(x, l[i].it, (double)row, IN_A_ROW, row >= IN_A_ROW,
                         "%s in %llu saved steps in a row, limit %d",
                         is ? "all zero" : "not all zero", (unsigned long long)row, IN_A_ROW);
    }
}

static void judge_zero(struct sm_rule_at *x)
{
    for (size_t pick = 0; pick < 2; pick++) {
        struct sm_net_layer *l;
        size_t n = sm_net_layers(x, pick, false, &l), kept = 0;
        for (size_t i = 0; i < n; i++) /* a loss of 0 is no fault */
            if (l[i].facts->n > 1)
                l[kept++] = l[i];
        if (!x->waiting)
            judge_zero_layers(x, l, kept);
        sm_free(l);
    }
}

const struct sm_rule_auto sm_auto_all_zero = {
    .differs = "gradients and outputs of two or more axes are judged: it fires if one is zero in 5 "
               "saved steps in a row. Zero biases are a remark",
    .picks = {{.collection = "gradients", .optional = true},
              {.names = "^(?!.*[Ll]oss).*_output", .optional = true}},
    .state_size = sizeof(struct rows),
    .judge = judge_zero,
    .clear = clear_rows,
};
