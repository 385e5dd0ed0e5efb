/* One tensor at several steps: which steps are chosen, and what has been read of them, kept from
 * frame to frame. */
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
    size_t n, all;                     /* chosen, and there */
    size_t unread;                     /* chosen, and not known yet */
    const struct sm_trial *trial;
    uint32_t of;           /* name of the tensor */
    struct sm_slice slice; /* n 0: the whole */
};
/* At most `most` >= 2 of the steps of this mode (ANY: all) that have a value: the newest and every
 * second, fourth, ... so that most stay the same while more come. What is known of them is kept.
 * slice NULL: the whole. */
void sm_step_window_choose(struct sm_step_window *o, const struct sm_session *s,
                           const struct sm_trial_tensor *x, enum sm_mode mode,
                           const struct sm_slice *slice, size_t most);
/* Asks for what is not known, histograms or statistics, and takes what is there, for about a
 * frame's time. True: there is more to take at once. */
bool sm_step_window_read(struct sm_step_window *o, struct sm_session *s, bool histograms);
void sm_step_window_clear(struct sm_step_window *o);

#endif
