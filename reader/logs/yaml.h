/* SPDX-License-Identifier: Apache-2.0 */
/* YAML as programs write the settings of a run: PyYAML, ruamel, OmegaConf (hydra), and people.
 * libyaml reads it.
 *
 * Tags and anchors are skipped: nothing is ever made of a tag. An alias is a text, so that nothing
 * is written twice. Of several documents the first is read. */
#ifndef SM_YAML_H
#define SM_YAML_H

#include "reader/base/err.h"
#include "reader/base/str.h"

/* Appends the document as JSON, with bare NaN and Infinity; keys are texts. An empty one is {}.
 * What is no YAML or not UTF-8, nesting deeper than SM_YAML_DEPTH_MAX and a key that is a map or a
 * list are SM_ERR_DATA with the line, or the offset, in the message. */
enum { SM_YAML_DEPTH_MAX = 32 };
bool sm_yaml_to_json(const char *p, size_t n, struct sm_str *out, struct sm_err *err);

#endif
