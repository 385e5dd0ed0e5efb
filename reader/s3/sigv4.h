/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures of requests to AWS, version 4.
 *
 * Definition: AWS General Reference, "Create a signed AWS API request". The path and the query of
 * the request must be sent exactly as sm_sigv4_path and sm_sigv4_query encode them. */
#ifndef SM_SIGV4_H
#define SM_SIGV4_H

#include "reader/base/str.h"

#include <stdint.h>

struct sm_sigv4_key {
    const char *access, *secret;
    const char *token; /* of a session, or NULL */
};
struct sm_sigv4_parameter {
    const char *name, *value;
};
struct sm_sigv4_request {
    const char *method; /* "GET", "HEAD" */
    const char *host;   /* with the port, if the Host header has it */
    const char *path;   /* encoded: "/bucket/a%20b" */
    const char *query;  /* encoded, "" for none */
    const char *region, *service;
    const char *body; /* NULL: none */
    int64_t time_s;   /* since 1970, UTC */
};

/* Appends text with all but A-Z a-z 0-9 - _ . ~ as %XX; with keep_slash '/' stays. */
void sm_sigv4_encode(struct sm_str *out, const char *text, bool keep_slash);
/* Appends the query of n parameters in the order in which they are signed; sorts them. */
void sm_sigv4_query(struct sm_str *out, struct sm_sigv4_parameter *p, size_t n);
/* Appends headers, each "Name: value" and a newline: x-amz-date, x-amz-content-sha256 of the
 * body, x-amz-security-token if there is one, and Authorization. */
void sm_sigv4_sign(struct sm_str *out, const struct sm_sigv4_request *r,
                   const struct sm_sigv4_key *key);

#endif
