/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/chance.h"

#include <math.h>
#include <string.h>

bool sm_chance_read(struct sm_rule_at *x, const struct sm_chance *c, size_t pick,
                    struct sm_step_classes *out)
{
    return !c->none && x->picks[pick].n &&
           sm_step_classes_read(x, &x->picks[pick].items[0], NULL, false, SM_CLASSES_LIMIT, out);
}

static void add_label(struct sm_chance *c, double class, double count)
{
    size_t i = 0;
    while (i < c->n && c->classes[i] != class)
        i++;
    if (i == SM_CLASSES_FEW) {
        c->none = true;
        return;
    }
    c->n += i == c->n;
    c->classes[i] = class;
    c->counts[i] += count;
    c->total += count;
}

void sm_chance_add(struct sm_chance *c, const struct sm_step_classes *k)
{
    for (size_t i = 0; i < k->n_cells; i++)
        add_label(c, k->cells[i].label, k->cells[i].count);
    c->none = c->none || k->fractions;
}

/* Whether the loss is one of these labels. */
static bool suits(const struct sm_chance *c, const char *name)
{
    if (strstr(name, "BCE") || strstr(name, "BinaryCrossEntropy"))
        return c->n == 2 && fmin(c->classes[0], c->classes[1]) == 0 &&
               fmax(c->classes[0], c->classes[1]) == 1;
    return strstr(name, "CrossEntropy") != NULL;
}

double sm_chance_loss(const struct sm_chance *c, const char *loss_name)
{
    enum { LABELS = 200 };
    double entropy = 0;
    if (c->none || c->n < 2 || c->total < LABELS || !suits(c, loss_name))
        return (double)NAN;
    for (size_t i = 0; i < c->n; i++)
        entropy -= c->counts[i] / c->total * log(c->counts[i] / c->total);
    return entropy;
}
