/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of several runs as one: their mean, with their range as a band. */
#ifndef SM_SCALAR_GROUP_H
#define SM_SCALAR_GROUP_H

#include "plot/chart.h"
#include "reader/base/mem.h"

/* Merges those of n lines that have the same group, into out (room for n), in the order of their
 * groups: at each x of any of them the mean, lo and hi of all that have values around it, linearly
 * between two. Values that are not finite do not count; where there are no others, NaN. groups[i]
 * becomes the group of out[i], and counts[i], if not NULL, the lines in it. Returns how many lines
 * there are. Numbers are in the arena; x of each line ascends. */
size_t sm_scalar_group(const struct sm_line_series *lines, size_t n, size_t *groups, size_t *counts,
                       struct sm_arena *arena, struct sm_line_series *out);

#endif
