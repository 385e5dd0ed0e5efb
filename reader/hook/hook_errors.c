/* SPDX-License-Identifier: Apache-2.0 */
/* Errors and counts: kept until somebody asks for them. */
#include "reader/hook/hook_private.h"

#include <stdio.h>

void hook_fail(struct smdbg_hook *h, const struct sm_err *err)
{
    pthread_mutex_lock(&h->queue.lock);
    sm_str_truncate(&h->error, 0);
    sm_str_add(&h->error, err->msg);
    h->unreported = true;
    h->counts.errors++;
    pthread_mutex_unlock(&h->queue.lock);
}

int hook_result(struct smdbg_hook *h)
{
    bool unreported = atomic_load_explicit(&h->unreported, memory_order_relaxed) &&
                      atomic_exchange(&h->unreported, false);
    return unreported ? -1 : 0;
}

int hook_fail_now(struct smdbg_hook *h, const struct sm_err *err)
{
    hook_fail(h, err);
    return hook_result(h);
}

const char *smdbg_hook_error(smdbg_hook *h)
{
    const char *refusal = hook_refusal(h);
    if (refusal)
        return refusal;
    /* per thread: other threads may fail, and call this, at the same time */
    static _Thread_local char shown[sizeof(((struct sm_err *)0)->msg)];
    hook_enter(h);
    pthread_mutex_lock(&h->queue.lock);
    snprintf(shown, sizeof shown, "%s", sm_str_text(&h->error));
    pthread_mutex_unlock(&h->queue.lock);
    hook_leave();
    return shown;
}

int smdbg_hook_report(smdbg_hook *h, const char *message)
{
    struct sm_err err = {0};
    if (!hook_enter(h))
        return -1;
    if (hook_check_text(message, "message", &err))
        sm_err_set(&err, SM_ERR_USAGE, "%s", message);
    int result = hook_fail_now(h, &err);
    hook_leave();
    return result;
}

smdbg_counts hook_counts_of(struct smdbg_hook *h)
{
    pthread_mutex_lock(&h->queue.lock);
    smdbg_counts counts = h->counts;
    pthread_mutex_unlock(&h->queue.lock);
    return counts;
}

void smdbg_hook_counts(smdbg_hook *h, smdbg_counts *out)
{
    if (!out)
        return;
    *out = (smdbg_counts){0};
    if (!hook_enter(h))
        return;
    *out = hook_counts_of(h);
    hook_leave();
}
