/* SPDX-License-Identifier: Apache-2.0 */
/* The names and values of a line: "name: value", "name=value", "name value |". */
#ifndef SM_TEXTLOG_PAIRS_H
#define SM_TEXTLOG_PAIRS_H

#include "reader/textlog/textlog_head.h"

struct sm_textlog_pair {
    struct sm_text name; /* in the line */
    double value;
    bool torn; /* nothing behind the value says that it has ended */
};
enum { SM_TEXTLOG_PAIRS = 128, SM_TEXTLOG_NAME_MAX = 100 };
/* strict: "name:3" without a blank, and names without a sign, are left out; so it always is before
 * the first head. Heads are not pairs. Returns how many there are; further ones are left out. */
size_t sm_textlog_find_pairs(struct sm_text line, const struct sm_textlog_head *heads,
                             size_t n_heads, bool strict,
                             struct sm_textlog_pair out[SM_TEXTLOG_PAIRS]);
/* Whether a name is one that trainings have: of a loss, an accuracy or the like. */
bool sm_textlog_is_metric(struct sm_text name);
/* The dictionary of Python or JSON in a line: from its '{' on. Quoted numbers are numbers; nested
 * names are joined by '/' in `names`, which the pairs point into. False: it is none, or has no end.
 */
struct sm_textlog_dict {
    struct sm_textlog_pair pairs[SM_TEXTLOG_PAIRS];
    size_t n;
    int64_t step; /* of a key that says it; -1: none */
    enum sm_textlog_unit unit;
    bool plural; /* the key is "steps" or the like: perhaps a setting */
    struct sm_str names;
};
bool sm_textlog_read_dict(struct sm_text text, struct sm_textlog_dict *d);

#endif
