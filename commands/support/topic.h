/* Help on what is no command: how steps, tensors, elements and expressions are written. */
#ifndef SM_TOPIC_H
#define SM_TOPIC_H

#include "reader/base/str.h"

#include <stdbool.h>

struct sm_topic {
    const char *name, *summary, *text;
    bool functions; /* the functions of expressions are listed behind it */
};
extern const struct sm_topic sm_topics[];                  /* ends with name NULL */
const struct sm_topic *sm_topic_find(struct sm_text name); /* NULL: none */

#endif
