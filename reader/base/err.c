/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/err.h"

#include "reader/base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Escapes text into msg[at..end); never cuts a character or an escape. Allocates nothing, since the
 * error may be lack of memory. Returns the new end. */
static size_t put_escaped(struct sm_err *err, size_t at, size_t end, const char *text)
{
    size_t n = strlen(text);
    while (n) {
        char escaped[16];
        const char *out = text;
        size_t plain = sm_ascii_run(text, n), length = plain < end - at ? plain : end - at,
               used = length;
        if (!plain)
            used = sm_utf8_escape(text, n, escaped, &length), out = escaped;
        if (!used || at + length > end)
            break;
        memcpy(err->msg + at, out, length);
        at += length;
        text += used;
        n -= used;
    }
    err->msg[at] = 0;
    return at;
}

/* Puts text and ": " before the message. When both are too long, the message keeps up to two
 * thirds: a path can be guessed from its start, a reason cannot. */
static void put_before(struct sm_err *err, const char *text)
{
    enum { LAST = sizeof err->msg - 1, KEEP = LAST * 2 / 3 };
    char reason[sizeof err->msg];
    strcpy(reason, err->msg);
    size_t n = strlen(reason);
    size_t at = put_escaped(err, 0, LAST - 2 - (n < KEEP ? n : KEEP), text);
    err->msg[at++] = ':';
    err->msg[at++] = ' ';
    put_escaped(err, at, LAST, reason);
}

bool sm_err_set(struct sm_err *err, enum sm_err_code code, const char *fmt, ...)
{
    if (!err)
        return false;
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    err->code = code;
    err->kind = SM_ERR_IS_PLAIN;
    put_escaped(err, 0, sizeof err->msg - 1, text);
    return false;
}

bool sm_err_kind(struct sm_err *err, enum sm_err_kind kind)
{
    if (err)
        err->kind = kind;
    return false;
}

bool sm_err_prefix(struct sm_err *err, const char *fmt, ...)
{
    if (!err)
        return false;
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    put_before(err, text);
    return false;
}

/* glibc's strerror_r returns the text, POSIX's (musl) a status. */
static const char *text_of_text(const char *text, const char *buf)
{
    (void)buf;
    return text;
}
static const char *text_of_status(int status, const char *buf)
{
    return status == 0 ? buf : "unknown error";
}
static const char *reason_of(int number, char *buf, size_t n)
{
    return _Generic(strerror_r(number, buf, n), int: text_of_status, char *: text_of_text)(
        strerror_r(number, buf, n), buf);
}

bool sm_err_errno(struct sm_err *err, const char *fmt, ...)
{
    int number = errno;
    if (!err)
        return false;
    char text[1024], reason[128];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    sm_err_set(err, number == ENOMEM ? SM_ERR_MEMORY : SM_ERR_IO, "%s",
               reason_of(number, reason, sizeof reason));
    put_before(err, text);
    return false;
}

void sm_err_strip(struct sm_err *err, const char *where)
{
    struct sm_err prefix;
    size_t n = put_escaped(&prefix, 0, sizeof prefix.msg - 1, where);
    if (n && strncmp(err->msg, prefix.msg, n) == 0 && err->msg[n] == ':' && err->msg[n + 1] == ' ')
        memmove(err->msg, err->msg + n + 2, strlen(err->msg + n + 2) + 1);
}

void sm_err_clear(struct sm_err *err)
{
    if (err)
        *err = (struct sm_err){0};
}
