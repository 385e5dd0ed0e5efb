#include "reader/fetch_answer.h"

/* In a file that may still grow, missing bytes are no problem yet. The requesting command gets the
 * reason in any case. */
static void note_failure(struct sm_cache *c, struct sm_cache_node *x, const struct sm_read *r)
{
    struct sm_err err = r->err;
    bool may_come = err.code == SM_ERR_WAIT || err.code == SM_ERR_MISSING;
    if (may_come)
        err.code = SM_ERR_DATA;
    bool ours = err.code == SM_ERR_MEMORY || err.code == SM_ERR_LIMIT;
    if (!ours && (!may_come || sm_trial_part_is_final(x->trial, sm_trial_part(x->trial, x->part))))
        sm_trial_report(x->trial, r->path, (int64_t)x->offset,
                        r->err.code == SM_ERR_MISSING ? &r->err : &err);
    sm_err_strip(&err, r->path);
    sm_err_prefix(&err, "%s at offset %llu", r->path, (unsigned long long)x->offset);
    sm_cache_fail(c, x, &err, ours ? c->command : sm_trial_arrivals(x->trial));
}

void sm_fetch_answer(struct sm_cache *c, struct sm_read *r)
{
    struct sm_cache_node *x = r->node;
    x->jobs--;
    x->running &= (uint8_t)~r->want;
    r->facts.dims = r->dims;
    if (r->ok && !sm_cache_answer(c, x, &r->facts, r->counted, &r->tensor)) {
        r->ok = false;
        sm_err_set(&r->err, SM_ERR_MEMORY, "no memory for a value");
    }
    if (!r->ok && r->err.code)
        note_failure(c, x, r);
    else if (r->err.code)
        sm_trial_report(x->trial, r->path, (int64_t)x->offset, &r->err);
    if (!x->queued && !x->running)
        x->urgency = SM_URGENCY_BACKGROUND;
}
