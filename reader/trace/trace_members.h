/* SPDX-License-Identifier: Apache-2.0 */
/* The members of one event, and of its arguments, that are kept. Internal to the room. */
#ifndef SM_TRACE_MEMBERS_H
#define SM_TRACE_MEMBERS_H

#include "reader/format/json_scan.h"
#include "reader/trace/trace_data.h"

enum sm_trace_member {
    /* of an event */
    SM_MEMBER_NAME,
    SM_MEMBER_CAT,
    SM_MEMBER_PH,
    SM_MEMBER_PID,
    SM_MEMBER_TID,
    SM_MEMBER_TS,
    SM_MEMBER_DUR,
    /* of its arguments */
    SM_MEMBER_CORRELATION,
    SM_MEMBER_EXTERNAL,
    SM_MEMBER_STREAM,
    SM_MEMBER_COLLECTIVE,
    SM_MEMBER_IN_ELEMS,
    SM_MEMBER_OUT_ELEMS,
    SM_MEMBER_GROUP_SIZE,
    SM_MEMBER_DTYPE,
    SM_MEMBER_GROUP,
    SM_MEMBER_GROUP_DESCRIPTION,
    SM_MEMBER_GROUP_RANKS,
    SM_MEMBER_SEQ,
    SM_MEMBER_BYTES,
    SM_MEMBER_ALLOCATED,
    SM_MEMBER_RESERVED,
    SM_MEMBER_DEVICE_TYPE,
    SM_MEMBER_DEVICE_ID,
    SM_MEMBERS
};
struct sm_trace_members {
    struct sm_scan_value value[SM_MEMBERS];
    uint32_t seen; /* bits */
};
static inline bool sm_members_have(const struct sm_trace_members *m, enum sm_trace_member i)
{
    return m->seen >> i & 1;
}
/* Reads an event from its "{" on. DONE: m is filled. */
enum sm_scan_result sm_members_read(struct sm_scan *s, struct sm_trace_members *m);
/* Whole numbers; the other value if it is not there, or none. */
int64_t sm_members_int(const struct sm_trace_members *m, enum sm_trace_member i, int64_t other);
/* An id of 32 bits; NONE: not there. */
uint32_t sm_members_id(const struct sm_trace_members *m, enum sm_trace_member i);
enum sm_trace_cat sm_members_cat(const struct sm_trace_members *m);

#endif
