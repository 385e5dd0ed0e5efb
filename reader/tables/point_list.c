/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/point_list.h"

#include "reader/base/crc32c.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <math.h>

bool sm_point_list_add(struct sm_point_list *l, uint32_t key, int64_t step, double value)
{
    if (!SM_VEC_ROOM(l->items, l->n, l->cap))
        return false;
    l->items[l->n++] = (struct sm_listed_point){step, value, key};
    return true;
}

void sm_point_list_clear(struct sm_point_list *l)
{
    sm_free(l->items);
    *l = (struct sm_point_list){0};
}

static uint32_t crc_of(const struct sm_point_list *l, size_t n)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < n; i++) {
        const struct sm_listed_point *x = &l->items[i];
        crc = sm_crc32c_more(crc, &x->step, sizeof x->step);
        crc = sm_crc32c_more(crc, &x->value, sizeof x->value);
        crc = sm_crc32c_more(crc, &x->key, sizeof x->key);
    }
    return crc;
}

bool sm_point_list_begins(const struct sm_point_list *a, const struct sm_point_list *b)
{
    return b->n <= a->n && crc_of(a, b->n) == crc_of(b, b->n);
}

bool sm_points_go_on(const struct sm_points_told *told, const struct sm_point_list *l)
{
    return told->n <= l->n && crc_of(l, told->n) == told->crc;
}

void sm_points_note(struct sm_points_told *told, const struct sm_point_list *l)
{
    told->n = l->n;
    told->crc = crc_of(l, l->n);
}

void sm_points_tell(struct sm_points_told *told, const struct sm_point_list *l,
                    struct sm_json_row *row, struct sm_log_sink *sink)
{
    for (size_t i = told->n; i < l->n; i++) {
        const struct sm_listed_point *x = &l->items[i];
        struct sm_json_key *k = &row->keys[x->key];
        if (!k->listed)
            k->series = sm_log_series(sink, sm_names_text(row->names, x->key),
                                      sm_names_length(row->names, x->key));
        k->listed = true;
        sm_log_point(sink, k->series, x->step, NAN, x->value);
    }
    sm_points_note(told, l);
}
