/* SPDX-License-Identifier: Apache-2.0 */
/* What the panes of a profile share: the part of the time that is shown, a moment in it, and how
 * both are joined with the steps of the run.
 *
 * The room tui/profile_panes has the panes of the layouts `system` and `profile`. Its parts: this
 * header, the time below charts (time_ruler.h), metrics over time (strips.h), and tables whose rows
 * are those of the commands `profile ...` (answer_rows.h).
 *
 * A moment and a step go together: the current step of the session has a time, which charts mark; a
 * moment that the user chooses makes the steps of that time current. Times are nanoseconds since
 * 1970. */
#ifndef SM_PROFILE_VIEW_H
#define SM_PROFILE_VIEW_H

#include "reader/profile/buckets.h"
#include "reader/profile/profile.h"
#include "tui/panes/pane.h"

struct sm_feature;
extern const struct sm_feature sm_profile_panes_feature; /* the state, of each trial */

struct sm_time_range {
    int64_t from_ns, to_ns;
};
/* The profile of the current trial, which begins to be read. NULL: *why says why there is none. */
const struct sm_profile *sm_profile_shown(const struct sm_view *v, const char **why);
/* Draws why a pane has nothing to show. */
/* Of a pane: not beside what a logger measured of the machine, if there is no profile. */
bool sm_profile_wanted(const struct sm_pane *p, const struct sm_view *v);
void sm_profile_say(const struct sm_view *v, struct sm_grid *g, struct sm_rect r, const char *text);
/* Adds "reading 43 %" while the profile is being read. */
void sm_profile_note(const struct sm_profile *p, struct sm_str *note);

/* The time that charts show. False: the profile is empty. */
bool sm_profile_window_shown(const struct sm_view *v, const struct sm_profile *p,
                             struct sm_time_range *out);
/* When the current step ran. False: that is not known. */
bool sm_profile_step_range(const struct sm_view *v, const struct sm_profile *p,
                           struct sm_time_range *out);
/* The moment that the user has chosen, until the current step changes. False: none. */
bool sm_profile_moment(const struct sm_view *v, int64_t *ns);
/* Chooses a moment, and goes to the first step of the run in [ns, ns + width_ns), or the one before
 * it (reader/analysis/step_moments.h). */
void sm_profile_go_to(struct sm_view *v, const struct sm_profile *p, int64_t ns, int64_t width_ns);
/* Goes to the step of the run that a step of the profile is, or the nearest that was saved. False:
 * the run has no steps. */
bool sm_profile_go_to_step(struct sm_view *v, const struct sm_profile *p, enum sm_mode mode,
                           int32_t step);
/* Keys of charts over time: left and right move the moment by width_ns; zoom; all. */
bool sm_profile_chart_act(struct sm_view *v, const struct sm_profile *p, int64_t width_ns,
                          enum sm_key_action a);
/* Shows the last part of the time, of this length, which goes along as the profile grows; 0: all.
 */
void sm_profile_show_last(struct sm_view *v, int64_t ns);
/* Adds what ran in [ns, ns + width_ns): "12.3 s TRAIN 120..123". */
void sm_profile_moment_text(const struct sm_profile *p, int64_t ns, int64_t width_ns,
                            struct sm_str *out);

#endif
