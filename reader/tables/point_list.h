/* SPDX-License-Identifier: Apache-2.0 */
/* Points of a log that is a whole document: each version of it repeats those before. */
#ifndef SM_POINT_LIST_H
#define SM_POINT_LIST_H

#include "reader/tables/json_row.h"

struct sm_listed_point {
    int64_t step;
    double value;
    uint32_t key; /* in the rows: the name */
};
/* Begin with {0}. */
struct sm_point_list {
    struct sm_listed_point *items;
    size_t n, cap;
};
bool sm_point_list_add(struct sm_point_list *l, uint32_t key, int64_t step, double value);
void sm_point_list_clear(struct sm_point_list *l);
/* Whether a begins with all of b. */
bool sm_point_list_begins(const struct sm_point_list *a, const struct sm_point_list *b);

/* What of a document was handed on. Zero-initialised: nothing. */
struct sm_points_told {
    size_t n;
    uint32_t crc;
};
/* Whether the list goes on where told has ended; if not, the sink must be restarted. */
bool sm_points_go_on(const struct sm_points_told *told, const struct sm_point_list *l);
/* Notes that all of the list was handed on. */
void sm_points_note(struct sm_points_told *told, const struct sm_point_list *l);
/* Hands on what was not yet. */
void sm_points_tell(struct sm_points_told *told, const struct sm_point_list *l,
                    struct sm_json_row *row, struct sm_log_sink *sink);

#endif
