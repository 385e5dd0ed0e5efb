/* SPDX-License-Identifier: Apache-2.0 */
/* Configurations and summaries (reader/kind/run_info.h) as nodes and texts. */
#ifndef SM_RUN_FIELDS_H
#define SM_RUN_FIELDS_H

#include "commands/answer/result.h"
#include "reader/kind/run_info.h"

/* Adds the value of one field; a bare NaN or Infinity becomes the text that JSON answers have. */
void sm_run_field_node(struct sm_result *out, struct sm_node *parent, const char *key,
                       const char *json);
/* Adds a map of all fields. */
struct sm_node *sm_run_fields_node(struct sm_result *out, struct sm_node *parent, const char *key,
                                   const struct sm_run_fields *f);
/* The value as a person reads it: a text without quotes. In the arena; not escaped. */
const char *sm_run_field_text(struct sm_arena *arena, const char *json);

#endif
