/* SPDX-License-Identifier: Apache-2.0 */
/* /h, /b and /m of print and x: numbers drawn instead of printed. */
#ifndef SM_INLINE_PLOT_H
#define SM_INLINE_PLOT_H

#include "commands/language/cmd.h"

enum {
    SM_INLINE_PLOT_MAX = 4 << 20
}; /* elements, because they are drawn without a worker thread; hist and heatmap have no limit */
/* Draws n elements from `first`: a histogram, bars after `head` (escaped), or a heat map whose rows
 * are those of the last dimension. */
bool sm_inline_plot(const struct sm_session *s, const struct sm_format *f, const char *head,
                    const struct sm_tensor *t, uint64_t first, uint64_t n, struct sm_result *out,
                    struct sm_err *err);

#endif
