/* One tensor at several steps: which steps are chosen, and what has been read of them, kept from frame to frame. */
#ifndef SM_OVER_H
#define SM_OVER_H

#include "commands/session/session.h"
#include "reader/tensor/slice.h"

struct sm_over_step {
    int64_t step;
    struct sm_entry entry;
    bool has_histogram, has_stats, failed;
    struct sm_histogram histogram;
    struct sm_stats stats;
};
struct sm_over {
    struct sm_over_step *items;          /* ascending */
    size_t n, all;                       /* chosen, and there */
    size_t unread;                       /* chosen, and not known yet */
    const struct sm_trial *trial;
    uint32_t of;                         /* name of the tensor */
    struct sm_slice slice;               /* n 0: the whole */
};
/* At most `most` >= 2 of the steps of this mode (ANY: all) that have a value: the newest and every second, fourth, ... so that most
 * stay the same while more come. What is known of them is kept. slice NULL: the whole. */
void sm_over_choose(struct sm_over *o, const struct sm_session *s, const struct sm_trial_tensor *x, enum sm_mode mode,
                    const struct sm_slice *slice, size_t most);
/* Asks for what is not known, histograms or statistics, and takes what is there, for about a frame's time. True: there is more to
 * take at once. */
bool sm_over_read(struct sm_over *o, struct sm_session *s, bool histograms);
void sm_over_clear(struct sm_over *o);

#endif
