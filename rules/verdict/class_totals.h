/* SPDX-License-Identifier: Apache-2.0 */
/* Labels and predictions of the steps, counted by class. */
#ifndef SM_CLASS_TOTALS_H
#define SM_CLASS_TOTALS_H

#include "rules/builtin/classes.h"
#include "rules/rule.h"
#include "rules/verdict/track.h"

struct sm_class_step {
    const struct sm_rule_item *labels; /* NULL: none at this step */
    const struct sm_class_cell *cells; /* how often a label was predicted as what */
    size_t n_cells, n;                 /* n: labels */
    bool predicted;
};
/* Leaves *out empty unless the labels are integers along one axis. predicted: classes or scores, or
 * NULL. */
void sm_class_step_read(struct sm_rule_at *x, const struct sm_rule_item *labels,
                        const struct sm_rule_item *predicted, struct sm_class_step *out);
/* Counts them, and sets entropy and accuracy of the point of the labels. */
void sm_class_step_keep(struct sm_class_totals *c, const struct sm_class_step *k,
                        struct sm_track_point *labels);

#endif
