/* SPDX-License-Identifier: Apache-2.0 */
/* How far one tensor moved between two values, in a worker. */
#ifndef SM_UPDATE_MEASURE_H
#define SM_UPDATE_MEASURE_H

#include "commands/language/cmd.h"

enum sm_update_fate {
    SM_UPDATE_MOVED,
    SM_UPDATE_UNCHANGED, /* all bytes are the same */
    SM_UPDATE_ZERO,      /* and all are zero */
    SM_UPDATE_NOT_FINITE,
    SM_UPDATE_OTHER_SHAPE,
    SM_UPDATE_NO_NUMBERS, /* texts */
    SM_UPDATE_UNREAD,
    SM_UPDATE_FATES
};
const char *sm_update_fate_name(enum sm_update_fate f);

struct sm_update {
    double before, after, change; /* l2 of the elements, and of the difference */
    double sum;                   /* of the newer elements; of complex ones, of their parts */
    uint64_t n;
    uint32_t crc; /* of all bytes of both */
    enum sm_update_fate fate;
};

/* Large values, in pieces. False with SM_ERR_WAIT; *handled is false if these are not for that. The
 * call is known by out, which must stay where it is. */
bool sm_update_in_pieces(struct sm_call *c, struct sm_trial *t, const struct sm_entry *from,
                         const struct sm_entry *to, struct sm_update *out, bool *handled,
                         struct sm_err *err);
/* Of two tensors, which it takes over. False with SM_ERR_WAIT. */
bool sm_update_whole(struct sm_call *c, struct sm_tensor *a, struct sm_tensor *b,
                     struct sm_update *out, struct sm_err *err);

#endif
