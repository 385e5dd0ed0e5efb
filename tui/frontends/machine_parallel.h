/* SPDX-License-Identifier: Apache-2.0 */
/* Requests with "now" of --interpreter=json. Each has its own exec and runs in parallel with the
 * requests that are answered in order. They are read-only: commands of the classes data and status,
 * and commands with SM_CMD_READ_ONLY. */
#ifndef SM_MACHINE_PARALLEL_H
#define SM_MACHINE_PARALLEL_H

#include "commands/language/request.h"
#include "tui/frontends/machine_out.h"

enum { SM_PARALLEL_MAX = 16 };

struct sm_parallel {
    struct sm_session *session;
    struct sm_parallel_request {
        struct sm_request request;
        struct sm_exec *exec;
        struct sm_reply reply;
    } * items[SM_PARALLEL_MAX];
    size_t n;
    bool trials_changed; /* running requests may use a closed trial: they are cancelled */
};
/* Gives the exec the place of the request, if the request has one. */
void sm_request_set_place(const struct sm_request *r, struct sm_exec *x);
/* Takes ownership of the request. Returns false if it cannot run in parallel; then the caller keeps
 * it. */
bool sm_parallel_begin(struct sm_parallel *b, struct sm_request *r, struct sm_err *err);
bool sm_parallel_holds(const struct sm_parallel *b, const char *id);
size_t sm_parallel_cancel(struct sm_parallel *b, const char *id); /* id NULL: all; returns their
                                                                     number */
/* Runs the requests for a while and appends the results of ended requests. Call it again after an
 * event, or at the time that it returns. */
int64_t sm_parallel_run(struct sm_parallel *b, struct sm_kept *kept, struct sm_str *out);
void sm_parallel_clear(struct sm_parallel *b);

#endif
