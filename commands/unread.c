#include "commands/unread.h"

bool sm_unread_note(struct sm_unread *u, const struct sm_err *err)
{
    if (err->code != SM_ERR_DATA && err->code != SM_ERR_IO && err->code != SM_ERR_REFUSED)
        return false;
    if (!u->n++)
        u->first = *err;
    return true;
}

bool sm_unread_say(const struct sm_unread *u, size_t all, struct sm_result *out, struct sm_err *err)
{
    if (!u->n)
        return true;
    if (u->n == all) {
        *err = u->first;
        return false;
    }
    sm_result_dim(out, "%zu of %zu could not be read.  \"info errors\" says why.", u->n, all);
    return true;
}
