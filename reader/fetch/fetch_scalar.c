/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/fetch_scalar.h"

#include <string.h>

static const uint64_t no_dims[1];

const struct sm_facts *sm_fetch_number_facts(struct sm_fetch_scalars *s, const struct sm_brief *b)
{
    enum sm_dtype d = (enum sm_dtype)b->dtype;
    const struct sm_dtype_info *type = sm_dtype_info(d);
    struct sm_facts *kept = &s->facts[s->next++ % SM_FETCH_SCALARS];
    *kept = (struct sm_facts){.dtype = d,
                              .proto_dtype = type->proto_code,
                              .n = 1,
                              .content_bytes = type->size_bytes,
                              .wall_time = b->time,
                              .dims = no_dims,
                              .whole = true,
                              .has_stats = true};
    memcpy(kept->first, b->first, sizeof b->first);
    if (type->kind == SM_KIND_FLOAT) {
        sm_stats_of_real(sm_dtype_load(d, b->first), &kept->stats);
        return kept;
    }
    const struct sm_tensor one = {.dtype = d, .n = 1, .data = b->first};
    kept->has_stats = sm_stats_of(&one, &kept->stats, NULL);
    return kept;
}

static bool scalar_brief(const struct sm_trial *t, const struct sm_entry *e, struct sm_brief *b,
                         struct sm_err *err)
{
    *b = sm_trial_brief(t, e);
    return (b->flags & SM_BRIEF_ONE) ||
           sm_err_set(err, SM_ERR_MISSING, "the value was removed in the meantime");
}

bool sm_fetch_scalar_facts(struct sm_fetch_scalars *s, const struct sm_trial *t,
                           const struct sm_entry *e, const struct sm_facts **out,
                           struct sm_err *err)
{
    struct sm_brief b;
    if (!scalar_brief(t, e, &b, err))
        return false;
    *out = sm_fetch_number_facts(s, &b);
    return true;
}

bool sm_fetch_scalar_tensor(const struct sm_trial *t, const struct sm_entry *e,
                            struct sm_tensor **out, struct sm_err *err)
{
    struct sm_brief b;
    if (!scalar_brief(t, e, &b, err) ||
        !sm_tensor_new((enum sm_dtype)b.dtype, 0, NULL, b.first, out, err))
        return false;
    (*out)->wall_time = b.time;
    return true;
}
