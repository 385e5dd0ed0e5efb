/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of other programs: one JSON object per line (doc/json-protocol.md). A request with "cmd"
 * is converted to a command line:
 *
 *   {"id":7,"cmd":"tensor","args":{"name":"conv0_weight","step":100,"a":true}}
 *       tensor conv0_weight step 100 -a
 *
 * Other requests:
 *
 *   {"id":8,"cli":"info rules"}                a command line
 *   {"id":9,"more":"1:262144"}                 more of a long output
 *   {"id":10,"cancel":true}                    cancel all requests
 *   {"id":11,"cancel":7}                       cancel one request
 *   {"id":12,"cmd":"info trial","now":true}    run while another command runs
 *
 * The names of arguments are those of sm_cmd_parameters (parameter.h). An unknown name, a name
 * given twice and a value of the wrong type are errors. Unknown fields of the request itself are
 * ignored.
 *
 * A request with cmd or cli may carry its place, in the fields trial, step, mode and worker. */
#ifndef SM_REQUEST_H
#define SM_REQUEST_H

#include "commands/language/user.h"

enum { SM_REQUEST_MAX = 1 << 20 }; /* bytes; longer requests are refused */

enum {
    SM_REQUEST_KEYS_MAX = 256 /* names of arguments in one request */
};

enum sm_request_type { SM_REQUEST_TEXT, SM_REQUEST_NUMBER, SM_REQUEST_TRUE, SM_REQUEST_FALSE };
struct sm_request_arg {
    const char *key; /* NULL if the arguments are an array */
    enum sm_request_type type;
    struct sm_text value; /* NUMBER: the digits as in the JSON text */
};
struct sm_request {
    struct sm_arena arena;
    const char *id;               /* as JSON text: a number, a string, or "null" */
    const char *cmd, *cli, *more; /* exactly one of these and cancel is set */
    bool cancel;
    const char *target; /* of cancel: an id as JSON text; NULL: all requests */
    bool now;           /* run while another command runs */
    /* The place of the request, as texts (numbers as in the JSON text); NULL: not given. */
    const char *trial, *step, *mode, *worker;
    struct sm_request_arg *args;
    size_t n_args, cap_args;
};
/* The caller must clear *out, also on error. On error out->id is the id if it was read, else
 * "null". */
bool sm_request_parse(const char *text, size_t n, struct sm_request *out, struct sm_err *err);
void sm_request_clear(struct sm_request *r);
bool sm_request_has_place(const struct sm_request *r);
/* Appends the command line of a request with cmd. SM_ERR_IS_NO_ARGUMENT: the message names the
 * unknown argument, a close one, and all that the command has. */
bool sm_request_line(const struct sm_cmd_set *set, const struct sm_request *r, struct sm_str *line,
                     struct sm_err *err);

#endif
