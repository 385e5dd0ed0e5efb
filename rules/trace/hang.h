/* SPDX-License-Identifier: Apache-2.0 */
/* Why a job hangs: the dumps of the flight recorder of all ranks, compared operation by operation.
 *
 * In each process group the collective operations of its ranks are joined by their sequence number.
 * The first one in which ranks differ is the fault of the group; of several groups, the one whose
 * operation began first. */
#ifndef SM_HANG_H
#define SM_HANG_H

#include "reader/trace/trace_set.h"

enum sm_hang_fault {
    SM_HANG_NONE,
    SM_HANG_NEVER_ENTERED, /* some ranks never began the operation that others wait in */
    SM_HANG_TYPE,          /* ranks run different operations: the fewer ones differ */
    SM_HANG_SHAPE,         /* sizes or types differ, in an operation that needs the same */
    SM_HANG_UNFINISHED     /* all ranks entered it, and it is not over */
};
const char *sm_hang_fault_name(enum sm_hang_fault f); /* "never entered"; NULL: none */
enum sm_hang_role { SM_HANG_WAITS = 1, SM_HANG_AT_FAULT, SM_HANG_NO_DUMP };
struct sm_hang_rank {
    int64_t rank;
    enum sm_hang_role role;
    const struct sm_trace_item *item; /* NULL: there is no dump */
    const struct sm_flight_op *op;    /* of the fault; NULL: it has none */
    const struct sm_flight_op *last;  /* its last collective operation of any group, or NULL */
};
struct sm_hang {
    enum sm_hang_fault fault;
    const char *group, *op, *stack; /* of the ranks that wait; borrowed from the set */
    const char *other;              /* the operation of those at fault, of SM_HANG_TYPE */
    int64_t seq;
    struct sm_hang_rank *ranks; /* of the group, by rank; without a fault: of all dumps */
    size_t n;
};
void sm_hang_find(const struct sm_trace_set *set, struct sm_hang *out);
void sm_hang_clear(struct sm_hang *h);
/* "rank 5 never entered nccl:all_reduce #7 of group 0 default_pg, in which 7 ranks wait"; not
 * escaped. */
void sm_hang_describe(const struct sm_hang *h, struct sm_str *out);

#endif
