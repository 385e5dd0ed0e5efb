/* A request of another program, one JSON object a line (doc/json-protocol.md), and the command line
 * it stands for:
 *
 *   {"id":7,"cmd":"tensor","args":{"name":"conv0_weight","step":100,"a":true}}   tensor
 * conv0_weight step 100 -a
 *   {"id":8,"cli":"info rules"}
 *   {"id":9,"more":"1:262144"}   {"id":10,"cancel":true}   {"id":11,"cancel":7}
 *   {"id":12,"cmd":"info trial","now":true}   beside what runs
 *
 * Arguments have the names that help shows, in lower case; what no command knows is ignored. */
#ifndef SM_REQUEST_H
#define SM_REQUEST_H

#include "commands/language/user.h"

enum { SM_REQUEST_MAX = 1 << 20 }; /* bytes; longer requests are refused */

enum sm_request_type { SM_REQUEST_TEXT, SM_REQUEST_NUMBER, SM_REQUEST_TRUE };
struct sm_request_arg {
    const char *key; /* NULL: of an array of arguments */
    enum sm_request_type type;
    struct sm_text value; /* NUMBER: as written */
};
struct sm_request {
    struct sm_arena arena;
    const char *id;               /* as JSON: a number, a string, or "null" */
    const char *cmd, *cli, *more; /* one of them, or */
    bool cancel;
    const char *target; /* of cancel: one id as JSON; NULL: all */
    bool now;
    struct sm_request_arg *args;
    size_t n_args, cap_args;
};
/* out is to be cleared in any case; its id is what could be read of it. */
bool sm_request_parse(const char *text, size_t n, struct sm_request *out, struct sm_err *err);
void sm_request_clear(struct sm_request *r);
/* Appends the line that a request with cmd stands for. */
bool sm_request_line(const struct sm_cmd_set *set, const struct sm_request *r, struct sm_str *line,
                     struct sm_err *err);

#endif
