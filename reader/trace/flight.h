/* SPDX-License-Identifier: Apache-2.0 */
/* A dump of the flight recorder of torch.distributed: the last collective operations of a rank, as
 * a pickle or as JSON. The pickle is read as a tree of values; nothing of it is executed. */
#ifndef SM_FLIGHT_H
#define SM_FLIGHT_H

#include "reader/base/map.h"
#include "reader/source/source.h"

enum sm_flight_state { SM_FLIGHT_SCHEDULED, SM_FLIGHT_STARTED, SM_FLIGHT_COMPLETED };
/* Texts are ids of names; NONE: not given. */
struct sm_flight_op {
    int64_t seq;        /* of the collective operations of its group, from 1 */
    int64_t created_ns; /* since 1970 */
    uint32_t group;     /* "0 default_pg" */
    uint32_t op;        /* "nccl:all_reduce" */
    uint32_t shape;     /* sizes and types of input and output */
    uint32_t stack;     /* first frame that is neither C++ nor of a package */
    uint8_t state;      /* enum sm_flight_state */
    bool retired;       /* it is over, whatever the state says */
    bool p2p;           /* send or recv: no collective operation */
};
struct sm_flight_group {
    uint32_t name;  /* as sm_flight_op.group */
    uint32_t ranks; /* "[0, 1]" */
};
struct sm_flight {
    struct sm_names *names;
    struct sm_flight_op *ops; /* in the order of the file */
    size_t n, cap;
    struct sm_flight_group *groups; /* of pg_config */
    size_t n_groups, cap_groups;
};
enum { SM_FLIGHT_TREE_MAX = 0x10000000, SM_FLIGHT_TEXT_MAX = 0x10000000 };
/* False: err says why; what was read stays. */
bool sm_flight_read(struct sm_source *source, const char *path, struct sm_flight *out,
                    struct sm_err *err);
void sm_flight_clear(struct sm_flight *f);
/* Whether the first bytes of a file look like those of a dump. */
bool sm_flight_looks_like(const char *p, size_t n);
static inline bool sm_flight_is_over(const struct sm_flight_op *o)
{
    return o->retired || o->state == SM_FLIGHT_COMPLETED;
}

#endif
