/* SPDX-License-Identifier: Apache-2.0 */
/* One tensor at several steps: the chosen steps and the values read so far, which stay from frame
 * to frame. */
#ifndef SM_STEP_WINDOW_H
#define SM_STEP_WINDOW_H

#include "commands/session/session.h"
#include "reader/tensor/slice.h"

struct sm_step_window_step {
    int64_t step;
    struct sm_entry entry;
    bool has_histogram, has_stats, failed;
    struct sm_histogram histogram;
    struct sm_stats stats;
};
struct sm_step_window {
    struct sm_step_window_step *items; /* ascending */
    size_t n, all;                     /* chosen steps, existing steps */
    size_t stride;                     /* every so many steps one is chosen; 1: all are */
    int64_t *steps;                    /* the existing ones, of the entries [0, listed) */
    size_t cap, listed;
    uint64_t opened;       /* the trial of those: another may have its address */
    enum sm_mode mode;     /* of those */
    size_t sessions, late; /* of the trial, when they were listed */
    uint64_t looked_at;    /* entries, for tests */
    size_t unread;         /* chosen steps that are not known yet */
    const struct sm_trial *trial;
    uint32_t of;           /* name id of the tensor */
    struct sm_slice slice; /* n is 0 for the complete tensor */
};
/* Chooses at most `most` (>= 2) of the steps of this mode (ANY: all) that have a value: the newest
 * and every second, fourth, ... step, so that most of the choice stays the same while steps arrive.
 * Keeps the values that were read. slice NULL: the complete tensor. */
void sm_step_window_choose(struct sm_step_window *o, const struct sm_session *s,
                           const struct sm_trial_tensor *x, enum sm_mode mode,
                           const struct sm_slice *slice, size_t most);
/* Requests the unknown histograms or statistics and stores those that are available, for about the
 * time of a frame. Returns true if more can be read at once. */
bool sm_step_window_read(struct sm_step_window *o, struct sm_session *s, bool histograms);
void sm_step_window_clear(struct sm_step_window *o);

#endif
