/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/fetch_answer.h"

void sm_fetch_report(struct sm_trial *t, const struct sm_read *r)
{
    struct sm_err err = r->err;
    bool may_come = err.code == SM_ERR_WAIT || err.code == SM_ERR_MISSING;
    if (err.code == SM_ERR_WAIT)
        err.code = SM_ERR_DATA;
    bool ours = err.code == SM_ERR_MEMORY || err.code == SM_ERR_LIMIT;
    if (r->ok ||
        (!ours && (!may_come || sm_trial_part_is_final(t, sm_trial_part(t, r->entry.part)))))
        sm_fetch_report_at(t, r->path, r->offset, &err);
}

void sm_fetch_report_at(struct sm_trial *t, const char *path, uint64_t offset,
                        const struct sm_err *err)
{
    struct sm_str file = {0};
    struct sm_err said = *err;
    uint64_t at;
    sm_source_origin(sm_trial_source(t), path, offset, &file, &at);
    sm_err_strip(&said, sm_str_text(&file));
    sm_trial_report(t, file.failed ? path : sm_str_text(&file), (int64_t)at, &said);
    sm_str_clear(&file);
}

static void note_failure(struct sm_cache *c, struct sm_cache_node *x, const struct sm_read *r)
{
    struct sm_err err = r->err;
    if (err.code == SM_ERR_WAIT || err.code == SM_ERR_MISSING)
        err.code = SM_ERR_DATA;
    bool ours = err.code == SM_ERR_MEMORY || err.code == SM_ERR_LIMIT;
    struct sm_str file = {0};
    uint64_t at;
    sm_source_origin(sm_trial_source(x->trial), r->path, x->offset, &file, &at);
    sm_err_strip(&err, sm_str_text(&file));
    sm_err_prefix(&err, "%s at offset %llu", sm_str_text(&file), (unsigned long long)at);
    sm_str_clear(&file);
    sm_cache_fail(c, x, &err, ours ? c->command : sm_trial_arrivals(x->trial));
}

void sm_fetch_keep_brief(struct sm_trial *t, const struct sm_read *r)
{
    struct sm_brief brief;
    sm_brief_of(&r->facts, &brief);
    sm_trial_set_brief(t, &r->entry, &brief);
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
    if (r->err.code)
        sm_fetch_report(x->trial, r);
    if (!r->ok && r->err.code)
        note_failure(c, x, r);
    if (r->ok && r->counted)
        sm_fetch_keep_brief(x->trial, r);
    if (!x->queued && !x->running)
        x->urgency = SM_URGENCY_BACKGROUND;
}
