/* Where a bad number began.
 *
 * From a bad spot back: to the first of its unbroken run of bad ones, then to the earliest bad spot
 * that was written between its last good value and that, whatever its tensor; from there on in the
 * same way, until nothing bad came before. What is followed are troubles of one family
 * (sm_fault_family). Only what was saved can be seen. */
#ifndef SM_FIND_ORIGIN_H
#define SM_FIND_ORIGIN_H

#include "commands/origin/write_order.h"

struct sm_stack_frame {
    uint32_t tensor; /* name id */
    struct sm_step step;
    struct sm_mode_step mode_step;
    enum sm_mode mode;
    uint16_t worker;
    enum sm_fault ill;
    struct sm_value_health vitals;
    bool begins;   /* the first of its run of this ill */
    bool has_good; /* the last good value before the run */
    struct sm_step good_step;
    struct sm_value_health good;
    double z; /* against its healthy past; NaN: too short a past, or no number */
    struct sm_step past_first, past_last;
    uint64_t past_n; /* so many of them; 0: all */
};

struct sm_origin { /* in the call's arena; zero at first */
    bool begun;
    struct sm_saved_values spots;
    struct sm_order order;
    bool all;       /* every bad spot on the way becomes a frame */
    size_t row, at; /* where the search stands */
    unsigned family;
    struct sm_stack_frame *frames;
    size_t n, cap;
    bool done;
    bool scanning;                  /* a window is being looked through: */
    size_t scanned;                 /* steps of it that are done */
    struct sm_ordered_value *found; /* the bad spots in it, in order */
    size_t n_found, cap_found;
};

/* What is wrong with the spot, beside its own past. False: SM_ERR_WAIT. */
bool sm_origin_judge(struct sm_origin *o, struct sm_saved_value_row *row, size_t at,
                     enum sm_fault *ill, struct sm_err *err);
/* Follows from the spot at o->row, o->at. No frames: nothing is wrong there. False: SM_ERR_WAIT; to
 * be called again. */
bool sm_origin_follow(struct sm_origin *o, struct sm_err *err);
/* The worst of the newest spots of all rows becomes o->row, o->at: losses before others, what was
 * written last. *found false: all are well. False: SM_ERR_WAIT. */
bool sm_origin_worst(struct sm_origin *o, bool *found, struct sm_err *err);

#endif
