/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions as items of the queue: those that save.c computes, and those that the caller has
 * computed, for example on the device that holds the tensor. */
#include "reader/hook/hook_private.h"

#include "reader/base/clock.h"

#include "reader/tensor/statistic_list.h"

#include <string.h>

/* Removes ":0" and the like from the name, as the original does: "head:0.weight" becomes
 * "head.weight". */
static void reduction_name(struct sm_str *out, int code, const char *tensor)
{
    sm_str_printf(out, "smdebug/reductions/%s/", sm_reduction_name(code));
    for (const char *p = tensor; *p; p++) {
        size_t digits = *p == ':' ? strspn(p + 1, "0123456789") : 0;
        if (digits)
            p += digits;
        else
            sm_str_addc(out, *p);
    }
}

struct hook_item *hook_reduction_item(struct smdbg_hook *h, const char *tensor, int code,
                                      const struct hook_reduced *r)
{
    struct sm_str name = {0};
    size_t size = sm_dtype_info(r->dtype)->size_bytes;
    reduction_name(&name, code, tensor);
    struct hook_item *item =
        name.failed ? NULL : hook_queue_item(&h->queue, HOOK_TENSOR, sm_str_text(&name), size);
    sm_str_clear(&name);
    if (!item)
        return NULL;
    item->dtype = r->dtype;
    item->n = 1;
    item->wall_time = sm_clock_wall_s();
    memcpy(item->data, r->bytes, size);
    return item;
}

static bool has_code(const struct hook_params *p, int code)
{
    size_t i = 0;
    while (i < p->n_codes && p->codes[i] != code)
        i++;
    return i < p->n_codes;
}

/* Whether one of the collections in the mask asks for the reduction. */
static bool is_requested(const struct smdbg_hook *h, uint64_t mask, int code)
{
    for (size_t i = 0; i < h->plan.n; i++) {
        const struct hook_collection *c = &h->plan.items[i];
        bool own = hook_params_has_reductions(&c->params);
        if ((mask >> i & 1) && !hook_plan_is_raw(c) &&
            has_code(own ? &c->params : &h->params, code))
            return true;
    }
    return false;
}

/* The type that a reduction of a tensor of this type is saved in; NONE: it cannot be saved so. */
static enum sm_dtype saved_type(smdbg_dtype dtype)
{
    if (dtype == SMDBG_FLOAT16 || dtype == SMDBG_FLOAT32)
        return (enum sm_dtype)dtype;
    if (dtype == SMDBG_BFLOAT16)
        return SM_DTYPE_FLOAT32;
    return dtype == SMDBG_COMPLEX64 || dtype == SMDBG_COMPLEX128 ? SM_DTYPE_NONE : SM_DTYPE_FLOAT64;
}

static bool save_reduction(struct smdbg_hook *h, const char *tensor, const char *reduction,
                           smdbg_dtype dtype, double value, struct sm_err *err)
{
    struct hook_reduced number;
    uint64_t mask;
    int code = reduction ? sm_reduction_of_name(reduction, strlen(reduction)) : -1;
    if (code < 0)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" is not a reduction",
                          reduction ? reduction : "NULL");
    if (dtype < SMDBG_FLOAT16 || dtype > SMDBG_COMPLEX128 || !saved_type(dtype))
        return sm_err_set(err, SM_ERR_USAGE, "a reduction of type %d cannot be saved", (int)dtype);
    if (!hook_collections_saving(h, tensor, &mask, err))
        return false;
    if (!is_requested(h, mask, code))
        return true;
    hook_reduced_set(&number, saved_type(dtype), value, 0);
    if (!h->in_step)
        hook_push_step(h);
    hook_push(h, hook_reduction_item(h, tensor, code, &number));
    return true;
}

int smdbg_hook_save_reduction(smdbg_hook *h, const char *tensor, const char *reduction,
                              smdbg_dtype dtype, double value)
{
    struct sm_err err = {0};
    if (!hook_enter(h))
        return -1;
    pthread_mutex_lock(&h->lock);
    bool ok = save_reduction(h, tensor, reduction, dtype, value, &err);
    pthread_mutex_unlock(&h->lock);
    int result = ok ? hook_result(h) : hook_fail_now(h, &err);
    hook_leave();
    return result;
}
