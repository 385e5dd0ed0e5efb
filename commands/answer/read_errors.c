/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/read_errors.h"

#include <string.h>

bool sm_read_errors_add(struct sm_read_errors *u, const struct sm_err *err)
{
    if (err->code != SM_ERR_DATA && err->code != SM_ERR_IO && err->code != SM_ERR_REFUSED)
        return false;
    if (!u->n++)
        u->first = *err;
    return true;
}

bool sm_read_errors_report(const struct sm_read_errors *u, size_t all, struct sm_result *out,
                           struct sm_err *err)
{
    if (!u->n)
        return true;
    if (u->n == all) {
        *err = u->first;
        return false;
    }
    sm_result_dim(out, "%zu of %zu could not be read; see \"info errors\".", u->n, all);
    return true;
}

bool sm_skipped_add(struct sm_skipped *k, const char *name, const struct sm_err *err)
{
    if (err->code != SM_ERR_USAGE && err->code != SM_ERR_LIMIT)
        return false;
    if (!k->n++) {
        k->first = *err;
        sm_err_prefix(&k->first, "%s", name);
    }
    return true;
}

bool sm_skipped_report(const struct sm_skipped *k, size_t all, struct sm_result *out,
                       struct sm_err *err)
{
    if (!k->n)
        return true;
    if (k->n == all) {
        *err = k->first;
        return false;
    }
    sm_result_dim(out, "%zu tensor%s skipped: %s", k->n, k->n == 1 ? " was" : "s were",
                  k->first.msg);
    return true;
}

void sm_read_errors_steps_add(struct sm_read_errors_steps *u, const char *name, size_t steps,
                              struct sm_step first)
{
    if (steps && !u->series++) {
        u->first = first;
        u->name = name;
    }
    u->steps += steps;
}

void sm_read_errors_steps_report(const struct sm_read_errors_steps *u, struct sm_result *out)
{
    struct sm_str what = {0};
    if (!u->steps)
        return;
    if (u->steps == 1)
        sm_str_printf(&what, "Step %lld", (long long)u->first.n);
    else
        sm_str_printf(&what, "%zu steps, the first is %lld", u->steps, (long long)u->first.n);
    if (u->name) {
        sm_str_add(&what, " of ");
        sm_str_add_escaped(&what, u->name, strlen(u->name));
    }
    sm_result_dim(out, "%s%s could not be read and %s omitted; see \"info errors\".",
                  sm_str_text(&what), u->steps > 1 ? "," : "", u->steps == 1 ? "is" : "are");
    sm_str_clear(&what);
}
