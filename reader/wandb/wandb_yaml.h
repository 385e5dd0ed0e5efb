/* The configuration in W&B's config.yaml: block mappings and sequences as PyYAML's safe_dump and
 * Go's yaml.v3 write them, flow values on one line, and scalars. No anchors, tags or documents. */
#ifndef SM_WANDB_YAML_H
#define SM_WANDB_YAML_H

#include "reader/base/str.h"

/* Calls each for every value below NAME.value of the top mapping: its path without that part, the
 * names joined by '.', and the value as JSON. Sequences become arrays; mappings in them are left
 * out. */
void sm_wandb_yaml_config(struct sm_text yaml,
                          void (*each)(void *ctx, struct sm_text name, struct sm_text json),
                          void *ctx);

#endif
