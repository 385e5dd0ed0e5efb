/* SPDX-License-Identifier: Apache-2.0 */
/* YAML as programs write the settings of a run: PyYAML, ruamel, OmegaConf (hydra), and people.
 *
 * Read are maps and lists, in blocks and in flow style, plain and quoted scalars, literal and
 * folded texts, comments, tags and anchors (both are skipped), and the first document of several.
 * An alias, and a Python object that is not a map, a list or a scalar, is a text. Nothing is ever
 * made of a tag. */
#ifndef SM_YAML_H
#define SM_YAML_H

#include "reader/base/err.h"
#include "reader/base/str.h"

/* Appends the document as JSON, with bare NaN and Infinity; keys are texts. An empty one is {}.
 * Nesting deeper than SM_YAML_DEPTH_MAX and lines that are nothing of the above are SM_ERR_DATA
 * with the line in the message. Linear in n. */
enum { SM_YAML_DEPTH_MAX = 32 };
bool sm_yaml_to_json(const char *p, size_t n, struct sm_str *out, struct sm_err *err);
/* Appends a text as a JSON string. */
void sm_json_quote(struct sm_str *out, const char *p, size_t n);

#endif
