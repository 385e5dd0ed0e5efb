/* SPDX-License-Identifier: Apache-2.0 */
/* Regular expressions that names are matched with again and again, as in filters that are drawn:
 * the last few stay compiled. Letters count alike in any case. For the loop's thread. */
#ifndef SM_KEPT_REGEX_H
#define SM_KEPT_REGEX_H

#include "commands/place/name_regex.h"

/* False: it is no regular expression. */
bool sm_kept_regex_check(struct sm_text regex, struct sm_err *err);
/* False, too, if it is no regular expression. */
bool sm_kept_regex_matches(struct sm_text regex, struct sm_text name);

#endif
