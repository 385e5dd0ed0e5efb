/* SPDX-License-Identifier: Apache-2.0 */
/* The search for the origin of a bad value.
 *
 * It goes from a bad value back to the first value of its run of bad values, then to the earliest
 * bad value of any tensor that was written between the last good value before the run and the start
 * of the run; from there in the same way, until there is no earlier bad value. It follows faults of
 * one family (sm_fault_family). It can only read saved values. */
#ifndef SM_FIND_ORIGIN_H
#define SM_FIND_ORIGIN_H

#include "commands/origin/write_order.h"

struct sm_stack_frame {
    uint32_t tensor; /* name id */
    struct sm_step step;
    struct sm_mode_step mode_step;
    enum sm_mode mode;
    uint16_t worker;
    enum sm_fault fault;
    struct sm_value_health health;
    bool is_first; /* first of its run of this fault */
    bool has_good; /* the last good value before the run */
    struct sm_step good_step;
    struct sm_value_health good;
    double z; /* against the good values before; NaN if there are too few, or no number */
    struct sm_step past_first, past_last;
    uint64_t past_n; /* the number of them that were read; 0: all */
};

/* How much a search for the worst value has looked at. */
struct sm_looked_at {
    uint64_t tensors, steps, values;
    uint64_t unread; /* of the values: they could not be read */
    uint64_t empty;  /* of the values: they have no numbers */
};
enum { SM_ORIGIN_DENIED_MAX = 16 };

struct sm_origin { /* in the call's arena; zero at first */
    bool started;
    struct sm_saved_values saved;
    struct sm_order order;
    bool all;       /* every bad value found becomes a frame */
    size_t row, at; /* the current value of the search */
    unsigned family;
    struct sm_stack_frame *frames;
    size_t n, cap;
    bool done;
    bool scanning;                  /* a window is being searched: */
    size_t scanned;                 /* number of its steps that are done */
    struct sm_ordered_value *found; /* the bad values in it, in order */
    size_t n_found, cap_found;
    struct sm_looked_at looked; /* by sm_origin_worst */
    struct {
        size_t row, at;
    } denied[SM_ORIGIN_DENIED_MAX]; /* looked bad to sm_origin_worst, but are not */
    size_t n_denied;
};

/* The fault of a value, compared with the values before it. Returns false with SM_ERR_WAIT. */
bool sm_origin_judge(struct sm_origin *o, struct sm_saved_value_row *row, size_t at,
                     enum sm_fault *fault, struct sm_err *err);
/* Follows the value at o->row, o->at. Without frames nothing is wrong there. Returns false with
 * SM_ERR_WAIT; call it again. */
bool sm_origin_follow(struct sm_origin *o, struct sm_err *err);
/* Sets o->row, o->at to the worst value of all rows: NaN, then infinities, then explosions at any
 * step, then what is too small or zero at the end; of these losses first, then the value written
 * last. *found is false if all are good. Fills o->looked. Returns false with SM_ERR_WAIT until
 * every value has been read once. */
bool sm_origin_worst(struct sm_origin *o, bool *found, struct sm_err *err);

#endif
