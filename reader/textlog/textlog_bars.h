/* SPDX-License-Identifier: Apache-2.0 */
/* Bars of progress, as tqdm and Ultralytics draw them:
 *   Epoch 3:  10%|#         | 1/10 [00:01<00:09,  1.20it/s, loss=0.5]
 *   30it [00:01, 33.1it/s, loss=0.5]
 *   1/4  0G  0.8822  0.7512: 50% ------ 1/2 1.6it/s 0.6s<0.6s          (the line is of U+2501) */
#ifndef SM_TEXTLOG_BARS_H
#define SM_TEXTLOG_BARS_H

#include "reader/textlog/textlog_head.h"

struct sm_textlog_bar {
    struct sm_text what;   /* the description before it */
    struct sm_text values; /* what the program shows behind the rate */
    int64_t n, of;         /* -1: no whole number; 0: not said */
};
/* Takes the first bar off the beginning of a line, with what stands before it. False: there is
 * none. */
bool sm_textlog_next_bar(struct sm_text *line, struct sm_textlog_bar *out);
/* Whether a state of a line may be a bar; escape sequences may stand in it. */
bool sm_textlog_is_bar(struct sm_text state);

/* How often the bars of a log have begun anew: those of the same description and the same end. */
enum { SM_TEXTLOG_RUNS = 8 };
struct sm_textlog_runs {
    struct {
        uint32_t key;
        int64_t last, runs;
    } of[SM_TEXTLOG_RUNS];
};
/* Writes a bar as a line of names and values, and where it says its step. Without a number of the
 * epoch in it, a bar that begins anew after its end is of the next one; in_epoch: lines say the
 * epoch. Returns the number of heads; 0: it has no values. */
size_t sm_textlog_bar_line(const struct sm_textlog_bar *bar, struct sm_textlog_runs *runs,
                           bool in_epoch, struct sm_str *line,
                           struct sm_textlog_head heads[SM_TEXTLOG_HEADS]);

#endif
