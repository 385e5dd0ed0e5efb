/* SPDX-License-Identifier: Apache-2.0 */
/* Names of configurations as different loggers and files spell them. One setting has one name in
 * the table of runs: "lr" is also "args.lr", "hparams/lr" and what the files of an optimizer have
 * as "optimizer.param_groups.0.lr". What only files of checkpoints and libraries need, such as
 * versions of formats, paths, counters and defaults of optimizers, is internal. */
#ifndef SM_CONFIG_KEY_H
#define SM_CONFIG_KEY_H

#include "reader/base/str.h"
#include "reader/kind/run_info.h"

/* Whether no person has chosen its value for the training. */
bool sm_config_key_is_internal(const char *key);
/* The part of the name that says which setting it is: the end of key. */
const char *sm_config_key_plain(const char *key);
/* Appends the spelling that all names of one setting share. */
void sm_config_key_fold(const char *key, struct sm_str *out);
/* The value of the setting in a configuration, by this name or by another spelling of it; NULL:
 * there is none. */
const char *sm_config_get(const struct sm_run_fields *config, const char *key);
/* Whether two values, which are JSON, are the same: numbers by their values. */
bool sm_config_same(const char *a, const char *b);

#endif
