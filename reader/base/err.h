/* Errors as values: the result of a call says whether, the sm_err says why.
 *
 * Four things are kept apart: not yet (SM_ERR_WAIT, a growing file ends in mid record, or the
 * value is being fetched), end (SM_ERR_END), bad data (SM_ERR_DATA) and our own bug (assert). */
#ifndef SM_ERR_H
#define SM_ERR_H

#include <stdbool.h>

enum sm_err_code {
    SM_OK = 0,
    SM_ERR_WAIT,    /* not yet: ask again when there is news */
    SM_ERR_END,     /* nothing more will come */
    SM_ERR_USAGE,   /* the person asked wrongly: unknown word, bad syntax, wrong type */
    SM_ERR_MISSING, /* what was asked for does not exist or was not saved (exit status 4) */
    SM_ERR_DATA,    /* bytes that break the format (exit status 5 if nothing could be read) */
    SM_ERR_IO,      /* the system refused: errno text is in msg */
    SM_ERR_MEMORY,
    SM_ERR_LIMIT,   /* within the format but beyond a bound of ours */
    SM_ERR_REFUSED, /* leaves the trial, or forbidden by --readonly or a setting */
    SM_ERR_CANCELLED,
    SM_ERR_TIMEOUT, /* exit status 6 */
    SM_ERR_VERDICT, /* all was read, and it is not as it was claimed to be (exit status 3) */
};

/* What programs tell apart within a code (doc/json-protocol.md); people read the message. */
enum sm_err_kind {
    SM_ERR_IS_PLAIN,
    SM_ERR_IS_NO_TENSOR,
    SM_ERR_IS_NO_COMMAND,
    SM_ERR_IS_AMBIGUOUS,
    SM_ERR_IS_NO_TRIAL, /* none is open */
    SM_ERR_IS_BAD_REQUEST,
};

struct sm_err {
    enum sm_err_code code;
    enum sm_err_kind kind;
    char msg[240]; /* one line, lower-case start, no full stop needed; escaped, always ends in 0 */
};

/* Sets *err (NULL: nobody wants it) and returns false, so that a function can end with
 * "return sm_err_set(err, SM_ERR_DATA, ...)". Bytes that would disturb a terminal are replaced. */
bool sm_err_set(struct sm_err *err, enum sm_err_code code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Says more of what sm_err_set said, which makes an error plain. Returns false. */
bool sm_err_kind(struct sm_err *err, enum sm_err_kind kind);

/* Puts context and ": " before the message that is there: "events/…/x: " + msg. Keeps code and
 * kind. Returns false. A long context loses its end before the message does. */
bool sm_err_prefix(struct sm_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The message "WHAT: strerror(errno)" with SM_ERR_IO (ENOMEM: SM_ERR_MEMORY). Returns false. */
bool sm_err_errno(struct sm_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Takes "WHERE: " from the beginning of the message, if that is how it begins: where is shown
 * beside it. */
void sm_err_strip(struct sm_err *err, const char *where);

void sm_err_clear(struct sm_err *err);

#endif
