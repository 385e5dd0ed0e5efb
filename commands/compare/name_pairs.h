/* SPDX-License-Identifier: Apache-2.0 */
/* What the tensors of one model are called in another: a file of the user with two names in a line,
 * or two patterns. What stands for a * of the first goes into the * of the second, in their order.
 * A line that begins with # is a comment. Names with blanks are in double quotes. */
#ifndef SM_NAME_PAIRS_H
#define SM_NAME_PAIRS_H

#include "reader/base/err.h"
#include "reader/base/mem.h"

#include <stddef.h>

struct sm_name_pairs {
    struct sm_name_pair {
        const char *from, *to;
    } * items;
    size_t n;
};
/* All memory is in the arena. SM_ERR_USAGE, with the line: a line without two names, or with more *
 * in the second than in the first. */
bool sm_name_pairs_read(const char *file, struct sm_arena *arena, struct sm_name_pairs *out,
                        struct sm_err *err);
bool sm_name_pairs_parse(const char *text, struct sm_arena *arena, struct sm_name_pairs *out,
                         struct sm_err *err);
/* The other name, by the first line that matches; `name` itself if none does. In the arena, or
 * `name`. */
const char *sm_name_pairs_find(const struct sm_name_pairs *p, const char *name,
                               struct sm_arena *arena);

#endif
