/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the causes of slowness: X(ID). A cause stands before those that follow from it: the
 * first one that holds is the verdict. Each has a function sm_speed_ID, which returns whether the
 * cause holds, and fills in evidence and onset. */
#ifndef SM_SPEED_CAUSES_H
#define SM_SPEED_CAUSES_H

#include "rules/speed/speed_case.h"

#define SM_SPEED_CAUSES(X)                                                                         \
    X(memory_pressure)                                                                             \
    X(throttled)                                                                                   \
    X(straggling_worker)                                                                           \
    X(io_bound)                                                                                    \
    X(input_bound)                                                                                 \
    X(communication)                                                                               \
    X(between_steps)                                                                               \
    X(cpu_bound)                                                                                   \
    X(gpu_underused)

#define SM_SPEED_LOOK(id) bool sm_speed_##id(const struct sm_speed_case *c, struct sm_speed *out);
SM_SPEED_CAUSES(SM_SPEED_LOOK)

/* ---- for these functions and the choice ---- */

/* Adds evidence of the whole time of the case; ignored without room. */
void sm_speed_add(struct sm_speed *out, const struct sm_speed_case *c, const char *node,
                  const char *command, double value, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
/* What can be tried here, instead of what the table says of the cause; b: NULL for one only. */
void sm_speed_try(struct sm_speed *out, const char *a, const char *b);
/* The limits that several functions share. */
enum {
    SM_SPEED_WAIT_PERCENT = 20, /* of a cycle: the loader is waited for */
    SM_SPEED_GPU_LOW = 50,      /* % of a GPU, mean */
    SM_SPEED_GPU_WELL = 70,
    SM_SPEED_CROWDED = 95 /* % of all cores: other programs keep them busy */
};
/* Sets the onset: where the mean leaves the limit and stays out. */
void sm_speed_since_machine(const struct sm_speed_case *c, const struct sm_machine *x,
                            enum sm_machine_mean what, double limit, bool above,
                            struct sm_speed *out);
void sm_speed_since(const struct sm_speed_case *c, int64_t ns, struct sm_speed *out);
/* The same of a worker's n spans, whose values stay above the limit. */
void sm_speed_since_span(const struct sm_speed_case *c, const struct sm_speed_worker *w,
                         const double *values, size_t n, double limit, struct sm_speed *out);
/* Adds that the program's memory grows all the time, if it does: of any run, before it is full. */
void sm_speed_add_growth(const struct sm_speed_case *c, struct sm_speed *out);
/* Adds what the machine did: use of its cores, and of its GPUs. */
void sm_speed_add_machine(const struct sm_speed_case *c, const struct sm_machine *x,
                          struct sm_speed *out);
/* The machine of a worker, else the first one; NULL: none. */
const struct sm_machine *sm_speed_machine_of(const struct sm_speed_case *c, const char *worker);
/* Whether other programs keep the cores busy, and the run, whose steps take the time, gets less
 * than one of them, or than half of one for each worker. Only of machines without GPUs: a program
 * that was followed has those recorded. */
bool sm_speed_is_crowded(const struct sm_speed_case *c, const struct sm_machine *x);
const char *sm_speed_node_name(const struct sm_speed_case *c, const struct sm_machine *x);

#endif
