/* SPDX-License-Identifier: Apache-2.0 */
/* Moving along the steps and stopping: breakpoints, the search for the next hit, displays.
 *
 * Exports breakpoints (breakpoint.h), the search on recorded and live runs (break_search.h,
 * break_live.h), the report of a stop (arrival.h, display.h) and the steps that charts mark
 * (chart_marks.h); the commands break, watch, continue, step, until, wait, display and related
 * ones. */
#ifndef SM_STOPS_H
#define SM_STOPS_H

#include "commands/language/cmd.h"
#include "commands/stops/breakpoint_list.h"

/* Every command of the room. */
#define SM_STOPS_COMMANDS(X)                                                                       \
    X(bookmark)                                                                                    \
    X(break)                                                                                       \
    X(tbreak)                                                                                      \
    X(delete)                                                                                      \
    X(disable)                                                                                     \
    X(enable)                                                                                      \
    X(condition)                                                                                   \
    X(ignore)                                                                                      \
    X(commands)                                                                                    \
    X(silent)                                                                                      \
    X(dprintf)                                                                                     \
    X(continue)                                                                                    \
    X(reverse_continue)                                                                            \
    X(run)                                                                                         \
    X(display)                                                                                     \
    X(undisplay)                                                                                   \
    X(info_display)                                                                                \
    X(info_breakpoints)                                                                            \
    X(info_watchpoints)                                                                            \
    X(until)                                                                                       \
    X(bisect)                                                                                      \
    X(step)                                                                                        \
    X(next)                                                                                        \
    X(reverse_step)                                                                                \
    X(reverse_next)                                                                                \
    X(goto)                                                                                        \
    X(wait)                                                                                        \
    X(watch)

SM_STOPS_COMMANDS(SM_CMD_DECLARE)

/* An expression shown at each stop. */
struct sm_display {
    unsigned number; /* never used again */
    char *expr;
    char letter; /* of its format; 0 if none */
    int precision;
};
struct sm_break_live;
/* The state of the room in a session. */
struct sm_stops {
    struct sm_breakpoints breakpoints;
    bool live, live_busy; /* live: the front end notes hits in new steps (break_live.h) */
    struct sm_break_live *live_search; /* NULL while no search runs */
    struct sm_display *displays;
    size_t n_displays, cap_displays;
    unsigned last_display;        /* the newest number */
    struct sm_expr_memory memory; /* of conditions that are tested at one step after another */
    const struct sm_trial *memory_of;
};
/* The settings of the room, in the order of their names. */
struct sm_stops_settings {
    bool batch_exit;
};
extern const struct sm_setting sm_stops_setting_rows[]; /* ends with name NULL */
const struct sm_stops_settings *sm_stops_settings(const struct sm_session *s);
extern const struct sm_state_kind sm_stops_state_kind;
extern const struct sm_feature sm_stops_feature;
struct sm_stops *sm_stops(const struct sm_session *s);
/* The memory for conditions on the selected trial. */
struct sm_expr_memory *sm_stops_memory(struct sm_session *s);

#endif
