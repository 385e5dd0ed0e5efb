/* SPDX-License-Identifier: Apache-2.0 */
/* Converts --steps, --mode and --worker for the reader. */
#include "tui/app/option_list.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>

/* Parses an optional number and advances *text. Returns false if it is too large or negative. */
static bool parse_step(const char **text, int64_t missing, int64_t *out)
{
    char *end;
    errno = 0;
    long long v = strtoll(*text, &end, 10);
    *out = end == *text ? missing : v;
    *text = end;
    return errno == 0 && *out >= 0;
}

/* "A:B:S" as in numpy: without B. */
static bool parse_steps(const char *text, struct sm_trial_options *out)
{
    const char *p = text;
    out->stride = 1;
    bool ok =
        parse_step(&p, 0, &out->first.n) && *p++ == ':' && parse_step(&p, INT64_MAX, &out->last.n);
    if (ok && *p == ':')
        ok = p++ && parse_step(&p, 1, &out->stride);
    if (!ok || *p || out->stride < 1 || out->last.n <= out->first.n)
        return false;
    out->last.n -= out->last.n != INT64_MAX;
    return true;
}

static bool parse_mode(const char *text, enum sm_mode *out)
{
    static const char *const names[SM_MODES] = {NULL, "train", "eval", "predict", "global"};
    for (int m = 1; m < SM_MODES; m++)
        if (strcasecmp(text, names[m]) == 0) {
            *out = (enum sm_mode)m;
            return true;
        }
    return false;
}

bool sm_options_restrict(const struct sm_options *o, struct sm_trial_options *out,
                         struct sm_err *err)
{
    if (o->steps && !parse_steps(o->steps, out))
        return sm_option_bad_value(err, OPTION_STEPS, o->steps);
    if (o->mode && !parse_mode(o->mode, &out->mode))
        return sm_err_set(err, SM_ERR_USAGE,
                          "--mode requires train, eval, predict or global, not \"%s\"", o->mode);
    out->worker = o->worker;
    out->waits_for_end = o->follow == SM_YES;
    out->follow = o->follow == SM_YES || (o->follow == SM_AUTO && !(o->rules && o->batch));
    return true;
}
