/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which a module hands out its parameters, from their names.
 *
 * Files of torch keep that order; safetensors are written sorted by name. Of layers that are
 * numbered the number gives it. Of modules beside one another the names do, where they are those of
 * the usual classes of transformers; otherwise it is not known, and nothing is guessed. */
#ifndef SM_CKPT_PARAM_ORDER_H
#define SM_CKPT_PARAM_ORDER_H

#include <stdbool.h>

/* What else is known of the model that the names are of. */
struct sm_ckpt_family {
    bool decoder; /* layers are "model.layers.N", as those of Llama and its like */
};
/* Looks at one name of the model; begin with {0} and call it for each. */
void sm_ckpt_family_add(struct sm_ckpt_family *f, const char *name);
/* Below 0 if a comes before b, above 0 if behind it; a total order of all names. *known is set to
 * false if it is not that of the modules, which nobody can say. */
int sm_ckpt_param_order(const struct sm_ckpt_family *f, const char *a, const char *b, bool *known);

#endif
