/* Requests with "now" of --interpreter=json: each has an exec of its own, beside the one that
 * answers the others in their order. They only look: commands of the classes data and status, and
 * those marked SM_CMD_LOOKS. */
#ifndef SM_MACHINE_BESIDE_H
#define SM_MACHINE_BESIDE_H

#include "commands/language/request.h"
#include "tui/frontends/machine_out.h"

enum { SM_BESIDE_MAX = 16 };

struct sm_beside {
    struct sm_session *session;
    struct sm_aside {
        struct sm_request request;
        struct sm_exec *exec;
        struct sm_reply reply;
    } * items[SM_BESIDE_MAX];
    size_t n;
    bool trials_changed; /* what runs may hold one that was closed: it is given up */
};
/* Takes the request over; false: it cannot run beside others, and is still the caller's. */
bool sm_beside_begin(struct sm_beside *b, struct sm_request *r, struct sm_err *err);
bool sm_beside_holds(const struct sm_beside *b, const char *id);
size_t sm_beside_cancel(struct sm_beside *b, const char *id); /* NULL: all; how many there were */
/* Runs them for a while and appends the results of those that have ended. Call again on news, or at
 * the time it returns. */
int64_t sm_beside_run(struct sm_beside *b, struct sm_kept *kept, struct sm_str *out);
void sm_beside_clear(struct sm_beside *b);

#endif
