/* SPDX-License-Identifier: Apache-2.0 */
/* What define_metric says: over which other metric the values of a name go. */
#ifndef SM_WANDB_METRICS_H
#define SM_WANDB_METRICS_H

#include "reader/wandb/wandb_keys.h"

struct sm_wandb_glob {
    char *prefix; /* matches all names that begin so */
    size_t n;
    uint32_t axis;
};
enum { SM_WANDB_GLOBS_MAX = 256 };
/* Zero-initialised it is empty. */
struct sm_wandb_metrics {
    uint32_t version; /* of the definitions: counts changes */
    struct sm_names *names;
    uint32_t *axes; /* by id in names: a key, or SM_NAME_NONE */
    size_t cap;
    struct sm_wandb_glob *globs;
    size_t n_globs, cap_globs;
};
/* Takes a MetricRecord: 1 name, 2 glob_name, 4 step_metric, 9 control {1 overwrite}. False: no
 * memory. */
bool sm_wandb_metrics_define(struct sm_wandb_metrics *m, struct sm_wandb_keys *keys,
                             struct sm_bytes record);
/* The key over which a key goes; SM_NAME_NONE: the step. An exact name comes before globs, and the
 * longest of these counts. */
uint32_t sm_wandb_metrics_axis(const struct sm_wandb_metrics *m, const struct sm_wandb_keys *keys,
                               uint32_t key);
void sm_wandb_metrics_clear(struct sm_wandb_metrics *m);

#endif
