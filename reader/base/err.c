#include "reader/base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Control bytes in a message could move somebody's cursor. */
static void make_harmless(char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s < 32 || *s == 127)
            *s = '?';
}

static void format(struct sm_err *err, enum sm_err_code code, const char *fmt, va_list ap)
{
    err->code = code;
    vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    make_harmless(err->msg);
}

bool sm_err_set(struct sm_err *err, enum sm_err_code code, const char *fmt, ...)
{
    if (!err)
        return false;
    va_list ap;
    va_start(ap, fmt);
    format(err, code, fmt, ap);
    va_end(ap);
    return false;
}

bool sm_err_prefix(struct sm_err *err, const char *fmt, ...)
{
    if (!err)
        return false;
    struct sm_err before = *err;
    va_list ap;
    va_start(ap, fmt);
    format(err, before.code, fmt, ap);
    va_end(ap);
    size_t n = strlen(err->msg);
    snprintf(err->msg + n, sizeof err->msg - n, ": %s", before.msg);
    return false;
}

bool sm_err_errno(struct sm_err *err, const char *fmt, ...)
{
    int saved = errno;
    if (!err)
        return false;
    va_list ap;
    va_start(ap, fmt);
    format(err, saved == ENOMEM ? SM_ERR_MEMORY : SM_ERR_IO, fmt, ap);
    va_end(ap);
    size_t n = strlen(err->msg);
    snprintf(err->msg + n, sizeof err->msg - n, ": %s", strerror(saved));
    return false;
}

void sm_err_clear(struct sm_err *err)
{
    if (err)
        *err = (struct sm_err){0};
}
