/* SPDX-License-Identifier: Apache-2.0 */
/* Guards of the public functions: against NULL, forked children, calls from signal handlers, and
 * texts that no file can hold. */
#include "reader/hook/hook_private.h"

#include "reader/base/str.h"

#include <signal.h>
#include <string.h>

static atomic_uint forks;
static _Thread_local volatile sig_atomic_t inside; /* this thread is in a public function */

static void count_fork(void)
{
    atomic_fetch_add(&forks, 1);
    inside = 0;
    hook_lock_forked();
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, count_fork);
}

unsigned hook_forks(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    return atomic_load(&forks);
}

const char *hook_refusal(const struct smdbg_hook *h)
{
    if (!h)
        return "no hook";
    if (h->forks != atomic_load_explicit(&forks, memory_order_relaxed))
        return "the hook belongs to the parent process";
    return inside ? "called by a signal handler during another call of the hook" : NULL;
}

bool hook_enter(const struct smdbg_hook *h)
{
    if (hook_refusal(h))
        return false;
    inside = 1;
    return true;
}

void hook_leave(void)
{
    inside = 0;
}

bool hook_check_text(const char *text, const char *what, struct sm_err *err)
{
    size_t n = text ? strlen(text) : 0, used;
    uint32_t rune;
    if (!text)
        return sm_err_set(err, SM_ERR_USAGE, "the %s is NULL", what);
    for (size_t i = 0; i < n; i += used)
        if (!(used = sm_utf8_decode(text + i, n - i, &rune)))
            return sm_err_set(err, SM_ERR_USAGE, "the %s is not UTF-8: byte %zu of %zu", what,
                              i + 1, n);
    return true;
}

bool hook_check_name(const char *name, const char *what, struct sm_err *err)
{
    return hook_check_text(name, what, err) &&
           (*name || sm_err_set(err, SM_ERR_USAGE, "the %s is empty", what));
}
