/* SPDX-License-Identifier: Apache-2.0 */
/* The time below charts, in one row: its ends, the part of the current step, and the moment that
 * was chosen. The same columns of the charts above are marked. */
#ifndef SM_TIME_RULER_H
#define SM_TIME_RULER_H

#include "tui/profile_panes/profile_view.h"

struct sm_time_ruler {
    struct sm_buckets buckets; /* one a column */
    bool has_step, has_moment;
    size_t step_from, step_to; /* columns, both in it */
    size_t moment;
};
/* For at most w columns of the time that is shown. False: the profile is empty. */
bool sm_time_ruler_make(struct sm_time_ruler *t, const struct sm_view *v,
                        const struct sm_profile *p, int w);
/* Marks the columns in what was drawn at r, whose columns are those of the ruler. */
void sm_time_ruler_mark(const struct sm_time_ruler *t, struct sm_grid *g, struct sm_rect r);
/* Draws the row at y; labels stand in label_w columns to the left of x, and inside. */
void sm_time_ruler_draw(const struct sm_time_ruler *t, const struct sm_view *v,
                        const struct sm_profile *p, struct sm_grid *g, int x, int y, int label_w);
/* The moment of a column. */
int64_t sm_time_ruler_ns(const struct sm_time_ruler *t, int column);
/* Adds what the title says of the time: a part of it, the moment and its steps. */
void sm_time_ruler_note(const struct sm_time_ruler *t, const struct sm_view *v,
                        const struct sm_profile *p, struct sm_str *note);

#endif
