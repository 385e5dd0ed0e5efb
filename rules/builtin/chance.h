/* SPDX-License-Identifier: Apache-2.0 */
/* The loss of a network that knows how often each label occurs and nothing else. */
#ifndef SM_CHANCE_H
#define SM_CHANCE_H

#include "rules/builtin/classes.h"

/* The labels of all steps so far, if they are few classes; zeroed it is empty. */
struct sm_chance {
    double classes[SM_CLASSES_FEW], counts[SM_CLASSES_FEW], total;
    size_t n;
    bool none; /* these are no classes */
};
/* The names of labels, as a regular expression for the pick that is passed below. */
#define SM_CHANCE_LABELS "(?i)labels$|loss_input_1$"
/* The labels of the step. False: waiting, there are none, or they are no classes. */
bool sm_chance_read(struct sm_rule_at *x, const struct sm_chance *c, size_t pick,
                    struct sm_step_classes *out);
void sm_chance_add(struct sm_chance *c, const struct sm_step_classes *k);
/* Of a cross entropy, or of a binary one, whose labels are 0 and 1, in nats; NaN if that is not
 * known, also before there are 200 labels. */
double sm_chance_loss(const struct sm_chance *c, const char *loss_name);

#endif
