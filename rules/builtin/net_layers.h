/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of a network at a step, in the order in which they were written, which is that of
 * the layers: for rules that judge a tensor by its place among the others. */
#ifndef SM_NET_LAYERS_H
#define SM_NET_LAYERS_H

#include "rules/rule.h"

struct sm_net_layer {
    const struct sm_rule_item *it;
    const struct sm_facts *facts;
};
/* The items of the pick that have a value, by worker, then in write order. Those with fewer than
 * two axes (biases, scales of normalisation) are left out if `matrices` is set. The caller frees
 * *out. Returns how many; some may be missing while x->waiting. */
size_t sm_net_layers(struct sm_rule_at *x, size_t pick, bool matrices, struct sm_net_layer **out);
/* How many of them, from `at` on, are of the worker of the first. */
size_t sm_net_layers_of_worker(const struct sm_net_layer *layers, size_t n, size_t at);
/* Of which a step uses some rows only, and whose scale is chosen freely. By its name. */
bool sm_is_embedding(const char *name);
/* The second matrix of a low-rank adapter starts at zero, so that the adapter changes nothing at
 * first (LoRA; Hu et al. 2021, section 4.1; names as peft gives them). */
bool sm_starts_at_zero(const char *name);
/* Whether the value is what training began with: of step 0, or after one update, and not of a file
 * of tensors of which nobody knows the step. The first checkpoint of a run mostly is not. */
bool sm_is_first_value(const struct sm_rule_at *x, const struct sm_rule_item *it, int64_t step);
/* Whether n values are spread evenly around 0, as the usual initialisations leave them: then the
 * largest is sqrt(3) times the standard deviation; after any training it is 2 to 4 times that. */
bool sm_is_spread_evenly(uint64_t n, double abs_max, double std);
/* The square root of the mean of x^2. */
double sm_net_layer_size(const struct sm_net_layer *l);

#endif
