/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of `snapshot`: the scalars, bad values, findings and damaged files near a step. */
#ifndef SM_SNAPSHOT_H
#define SM_SNAPSHOT_H
#include "commands/language/cmd.h"
#include "commands/origin/find_origin.h"

struct sm_bad_value {
    struct sm_bad_value *next;
    const struct sm_node *node;
    size_t row, at; /* index of its row in origin.saved, and of the value in the row */
    enum sm_fault fault;
};
struct sm_snapshot { /* in the call's arena */
    struct sm_step around, first, last;
    struct sm_origin origin;             /* finds the faults */
    struct sm_bad_value *bad, **bad_end; /* by step, then by row; in the result's arena */
};
/* The parts of the answer, each a list. */
struct sm_snapshot_lists {
    struct sm_node *scalars, *bad_values, *findings, *problems;
    bool stored; /* some of the findings were saved with the archive */
};

/* Prints the lists as tables and sets the rows and columns of the result. */
void sm_snapshot_print(struct sm_call *c, const struct sm_snapshot *x,
                       const struct sm_snapshot_lists *lists, struct sm_result *out);

#endif
