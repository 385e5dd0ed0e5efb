/* SPDX-License-Identifier: Apache-2.0 */
/* Saving numbers and strings. A number makes its step be written, whatever the intervals are. */
#include "reader/hook/hook_private.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"

#include <string.h>

enum { EARLY_MAX = 10000 }; /* numbers that wait for the first step */

/* ---- strings ---- */

/* The data is the strings one after another, each with its NUL. */
static struct hook_item *strings_item(struct smdbg_hook *h, const char *tensor, size_t n,
                                      const char *const *strings)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += strlen(strings[i]) + 1;
    struct hook_item *item = hook_queue_item(&h->queue, HOOK_TENSOR, tensor, bytes);
    if (!item)
        return NULL;
    item->dtype = SM_DTYPE_STRING;
    item->n_dims = 1;
    item->dims[0] = item->n = n;
    item->wall_time = sm_clock_wall_s();
    uint8_t *to = item->data;
    for (size_t i = 0; i < n; i++)
        to = (uint8_t *)stpcpy((char *)to, strings[i]) + 1;
    return item;
}

static bool check_strings(const char *tensor, size_t n, const char *const *strings,
                          struct sm_err *err)
{
    if (n && !strings)
        return sm_err_set(err, SM_ERR_USAGE, "%s: the strings are NULL", tensor);
    for (size_t i = 0; i < n; i++)
        if (!strings[i])
            return sm_err_set(err, SM_ERR_USAGE, "%s: string %zu is NULL", tensor, i);
    return true;
}

int smdbg_hook_save_strings(smdbg_hook *h, const char *tensor, size_t n, const char *const *strings)
{
    struct sm_err err = {0};
    uint64_t mask = 0;
    if (!hook_enter(h))
        return -1;
    pthread_mutex_lock(&h->lock);
    bool ok =
        hook_offer(h, tensor, &mask, &err) && (!mask || check_strings(tensor, n, strings, &err));
    if (ok && mask && n) {
        if (!h->in_step)
            hook_push_step(h);
        hook_push(h, strings_item(h, tensor, n, strings));
    }
    pthread_mutex_unlock(&h->lock);
    int result = ok ? hook_result(h) : hook_fail_now(h, &err);
    hook_leave();
    return result;
}

/* ---- scalars ---- */

static struct hook_item *scalar_item(struct smdbg_hook *h, const char *name, double value)
{
    struct hook_item *x = hook_queue_item(&h->queue, HOOK_TENSOR, name, sizeof value);
    if (!x)
        return NULL;
    x->dtype = SM_DTYPE_FLOAT64;
    x->n_dims = 1;
    x->dims[0] = x->n = 1;
    x->scalar = true;
    x->wall_time = sm_clock_wall_s();
    memcpy(x->data, &value, sizeof value);
    return x;
}

static bool keep_early(struct smdbg_hook *h, struct hook_item *x, struct sm_err *err)
{
    if (h->n_early == EARLY_MAX) {
        sm_err_set(err, SM_ERR_USAGE, "%s: %d numbers wait for the first step", x->name, EARLY_MAX);
        hook_queue_recycle(&h->queue, x);
        return false;
    }
    *(h->last_early ? &h->last_early->next : &h->early) = x;
    h->last_early = x;
    h->n_early++;
    return true;
}

/* Queues a number for the step, which it starts to write if nothing did so far. */
static void push_scalar(struct smdbg_hook *h, struct hook_item *x)
{
    x->mode = h->mode;
    x->mode_step = h->mode_step;
    if (!h->in_step)
        hook_push_step(h);
    hook_push(h, x);
}

void hook_early_push(struct smdbg_hook *h)
{
    for (struct hook_item *x = h->early, *next; x; x = next) {
        next = x->next;
        push_scalar(h, x);
    }
    h->early = h->last_early = NULL;
    h->n_early = 0;
}

void hook_early_free(struct smdbg_hook *h)
{
    for (struct hook_item *x = h->early, *next; x; x = next) {
        next = x->next;
        sm_free(x->name);
        sm_free(x->data);
        sm_free(x);
    }
    h->early = h->last_early = NULL;
}

static bool add_scalar(struct smdbg_hook *h, const struct sm_str *name, double value, bool metric,
                       struct sm_err *err)
{
    uint64_t ignored;
    if (!hook_plan_member(&h->plan, sm_str_text(name), &ignored, err))
        return false;
    struct hook_item *x = name->failed ? NULL : scalar_item(h, sm_str_text(name), value);
    if (!x)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for %s", sm_str_text(name));
    x->metric = metric && h->reports;
    if (!h->started)
        return keep_early(h, x, err);
    push_scalar(h, x);
    return true;
}

static int save_scalar(smdbg_hook *h, const char *name, double value, bool metric)
{
    struct sm_str full = {0};
    struct sm_err err = {0};
    if (!hook_enter(h))
        return -1;
    bool ok = hook_check_name(name, "name of a scalar", &err);
    sm_str_printf(&full, "scalar/%s", ok ? name : "");
    pthread_mutex_lock(&h->lock);
    ok = ok && (!hook_writes(h) || add_scalar(h, &full, value, metric, &err));
    pthread_mutex_unlock(&h->lock);
    sm_str_clear(&full);
    int result = ok ? hook_result(h) : hook_fail_now(h, &err);
    hook_leave();
    return result;
}

int smdbg_hook_scalar(smdbg_hook *h, const char *name, double value)
{
    return save_scalar(h, name, value, false);
}

int smdbg_hook_metric(smdbg_hook *h, const char *name, double value)
{
    return save_scalar(h, name, value, true);
}
