/* SPDX-License-Identifier: Apache-2.0 */
/* A regular expression that names are matched with, as users write it between slashes: /re/. */
#ifndef SM_NAME_REGEX_H
#define SM_NAME_REGEX_H

#include "reader/base/err.h"
#include "reader/base/str.h"

/* Zero-initialised it is none. */
struct sm_name_regex {
    void *code, *match, *limits; /* of pcre2; a pattern that backtracks too much matches nothing */
};
/* If the text is one between slashes, what is between; else p is NULL. */
struct sm_text sm_name_regex_text(struct sm_text text);
/* fold: ignores case. False: it is no regular expression, or no memory; sm_name_regex_clear in any
 * case. */
bool sm_name_regex_init(struct sm_name_regex *x, struct sm_text text, bool fold,
                        struct sm_err *err);
bool sm_name_regex_matches(const struct sm_name_regex *x, struct sm_text name);
void sm_name_regex_clear(struct sm_name_regex *x);

#endif
