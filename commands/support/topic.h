/* SPDX-License-Identifier: Apache-2.0 */
/* Help topics: the syntax of steps, tensors, elements, expressions and scripts. */
#ifndef SM_TOPIC_H
#define SM_TOPIC_H

#include "reader/base/str.h"

#include <stdbool.h>

struct sm_topic {
    const char *name, *summary, *text;
    bool functions; /* followed by the list of functions of expressions */
};
extern const struct sm_topic sm_topics[];                  /* ends with name NULL */
const struct sm_topic *sm_topic_find(struct sm_text name); /* NULL if there is none */

#endif
