/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of --interpreter=json: results and their parts. No line is longer than SM_MACHINE_LINE
 * bytes; longer answers are stored, and requested piece by piece. */
#ifndef SM_MACHINE_OUT_H
#define SM_MACHINE_OUT_H

#include "commands/run/exec.h"

enum { SM_MACHINE_LINE = 1 << 20, SM_MACHINE_PART = 1 << 18, SM_MACHINE_KEPT = 4 };

/* The answers of one request. Zero-initialise it. */
struct sm_reply {
    struct sm_str answers; /* {"data":...,"cmd":...} or {"text":...}, with commas */
    size_t n_answers;
    struct sm_str warnings; /* JSON strings, separated by commas */
    bool failed;
    struct sm_err err; /* the first failure */
    struct sm_str message;
};
/* x: the exec that answers; its command and its -field become "cmd" and "fields". NULL: neither. */
void sm_reply_data(struct sm_reply *r, const struct sm_exec *x, const char *json, size_t n);
void sm_reply_text(struct sm_reply *r, const struct sm_exec *x, const char *text, size_t n);
void sm_reply_fail(struct sm_reply *r, const struct sm_err *err, const char *message,
                   bool as_warning);
void sm_reply_clear(struct sm_reply *r);

/* The last answers that were too long for one line. */
struct sm_kept {
    struct sm_str text[SM_MACHINE_KEPT];
    unsigned count; /* of all stored answers since the start */
};
void sm_kept_clear(struct sm_kept *k);

/* Appends the result line of the request with this id. */
void sm_reply_write(struct sm_reply *r, const char *id, struct sm_kept *kept, struct sm_str *out);
/* Appends the piece at a cursor. Returns false if the cursor is invalid. */
bool sm_kept_write(const struct sm_kept *k, const char *id, const char *cursor, struct sm_str *out);

/* Appends a JSON string. */
void sm_machine_text(struct sm_str *out, const char *text, size_t n);

#endif
