/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/checkpoints/ckpt_state.h"

#include "reader/base/json.h"

#include <string.h>

bool sm_ckpt_read_state(const struct sm_ckpt_tensor *t, struct sm_text *prefix, int64_t *id,
                        const char **rest)
{
    const char *p = t->name;
    if (strncmp(p, "optimizer.", 10) != 0)
        return false;
    size_t n = strspn(p += 10, "0123456789");
    *prefix = (struct sm_text){p, n && p[n] == '.' ? n + 1 : 0};
    p += prefix->n;
    if (strncmp(p, "state.", 6) != 0)
        return false;
    n = strspn(p += 6, "0123456789");
    *rest = p + n;
    return n && p[n] == '.' && sm_json_int(p, n, id);
}

/* The parts of a second moment: of Adafactor in transformers and in torch. */
void sm_ckpt_state_shape_add(struct sm_ckpt_state_shape *s, const struct sm_ckpt_tensor *t,
                             const char *rest)
{
    if (strcmp(rest, ".exp_avg_sq_row") == 0 || strcmp(rest, ".row_var") == 0)
        s->row = t;
    else if (strcmp(rest, ".exp_avg_sq_col") == 0 || strcmp(rest, ".col_var") == 0)
        s->col = t;
    else if (strcmp(rest, ".step") != 0 && (!s->like || (!s->like->n_dims && t->n_dims)))
        s->like = t;
}

/* torch's parts have an axis of size 1 for the one that is missing, those of transformers lack it.
 * Both begin with the other axes of the parameter. */
static const struct sm_ckpt_tensor *join_parts(const struct sm_ckpt_tensor *row,
                                               const struct sm_ckpt_tensor *col,
                                               struct sm_arena *arena)
{
    bool kept = strcmp(row->name + row->name_n - 4, "_var") == 0;
    unsigned n = row->n_dims, n_dims = kept ? n : n + 1;
    if (!n || n != col->n_dims || n_dims < 2 || n_dims > SM_CKPT_DIMS_MAX)
        return NULL;
    struct sm_ckpt_tensor *t = sm_arena_alloc(arena, sizeof *t);
    uint64_t *dims = sm_arena_alloc(arena, n_dims * sizeof *dims);
    if (!t || !dims)
        return NULL;
    memcpy(dims, row->dims, n * sizeof *dims);
    dims[n_dims - 1] = col->dims[n - 1];
    *t = (struct sm_ckpt_tensor){.name = "", .n_dims = n_dims, .dims = dims};
    return t;
}

const struct sm_ckpt_tensor *sm_ckpt_state_shape_of(const struct sm_ckpt_state_shape *s,
                                                    struct sm_arena *arena)
{
    if (s->row && s->col && (!s->like || !s->like->n_dims))
        return join_parts(s->row, s->col, arena);
    return s->like;
}
