/* SPDX-License-Identifier: Apache-2.0 */
/* Errors as values: the return value says whether a call failed, the sm_err says why.
 *
 * Four outcomes are kept apart: not yet (SM_ERR_WAIT: a growing file ends within a record, or the
 * value is being fetched), end (SM_ERR_END), bad data (SM_ERR_DATA) and our own bug (assert).
 *
 * The room reader/base is the ground floor of the program: errors (err.h), memory and arenas
 * (mem.h), growing arrays (vec.h, grow.h), strings, numbers as text and globs (str.h), UTF-8
 * (utf8.h), interned names and a hash map (map.h), byte order, checksums and base64 (bytes.h,
 * crc32c.h, base64.h), JSON (json.h), clocks (clock.h), the worker pool (pool.h) and atomic file
 * replacement (replace.h). It includes nothing but libc and yajl and knows nothing of tensors or
 * files of a trial. */
#ifndef SM_ERR_H
#define SM_ERR_H

#include <stdbool.h>

enum sm_err_code {
    SM_OK = 0,
    SM_ERR_WAIT,    /* not yet: retry after the next change */
    SM_ERR_END,     /* nothing more will come */
    SM_ERR_USAGE,   /* wrong request: unknown word, bad syntax, wrong type */
    SM_ERR_MISSING, /* the object does not exist or was not saved (exit status 4) */
    SM_ERR_DATA,    /* bytes that violate the format (exit status 5 if nothing could be read) */
    SM_ERR_IO,      /* a system call failed: errno text is in msg */
    SM_ERR_MEMORY,
    SM_ERR_LIMIT,   /* valid, but beyond one of our limits */
    SM_ERR_REFUSED, /* path leaves the trial, forbidden by --readonly or a setting, no trust */
    SM_ERR_CANCELLED,
    SM_ERR_TIMEOUT, /* exit status 6 */
    SM_ERR_VERDICT, /* all was read, and the checked claim is false (exit status 3) */
};

/* Details within a code, for programs (doc/json-protocol.md); users read the message. */
enum sm_err_kind {
    SM_ERR_IS_PLAIN,
    SM_ERR_IS_NO_TENSOR,
    SM_ERR_IS_NO_COMMAND,
    SM_ERR_IS_AMBIGUOUS,
    SM_ERR_IS_NO_TRIAL, /* none is open */
    SM_ERR_IS_BAD_REQUEST,
    SM_ERR_IS_NO_ARGUMENT, /* of a request: the command has no argument of this name */
};

struct sm_err {
    enum sm_err_code code;
    enum sm_err_kind kind;
    /* one line; escaped, 0-terminated. Below commands/ it starts in lower case and has no full
     * stop, because it may get a prefix; where it is shown it becomes a sentence */
    char msg[240];
};

/* Sets *err (may be NULL) and returns false, so that a function can end with "return
 * sm_err_set(err, SM_ERR_DATA, ...)". Bytes that could disturb a terminal are escaped. kind becomes
 * SM_ERR_IS_PLAIN. */
bool sm_err_set(struct sm_err *err, enum sm_err_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets the kind; call it after sm_err_set, which resets it. Returns false. */
bool sm_err_kind(struct sm_err *err, enum sm_err_kind kind);

/* Puts context and ": " in front of the message: "events/…/x: " + msg. Keeps code and kind. If both
 * are too long, the context is cut first. Returns false. */
bool sm_err_prefix(struct sm_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Sets "WHAT: strerror(errno)" with SM_ERR_IO (SM_ERR_MEMORY for ENOMEM). Returns false. */
bool sm_err_errno(struct sm_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Removes "WHERE: " from the start of the message, if present, for messages shown next to WHERE. */
void sm_err_strip(struct sm_err *err, const char *where);

void sm_err_clear(struct sm_err *err);

#endif
