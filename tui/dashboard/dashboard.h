/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the dashboard, and only for them: dashboard.c (turns of the loop, signals,
 * answers), dashboard_keys.c (keys in each mode), dashboard_actions.c (actions of keys),
 * dashboard_draw.c (a frame), dashboard_status.c (the status line), dashboard_notice.c (the notice
 * line), dashboard_out.c (clipboard, init file), dashboard_mouse.c, dashboard_commands.c (functions
 * for commands), dashboard_session.c (state of the session while the dashboard runs). */
#ifndef SM_DASHBOARD_H
#define SM_DASHBOARD_H

#include "reader/analysis/workers.h"
#include "tui/app/loop.h"
#include "tui/dashboard/layouts.h"
#include "tui/dashboard/next_problem.h"
#include "tui/dashboard/overlay.h"
#include "tui/dashboard/panes.h"
#include "tui/dashboard/settings_form.h"
#include "tui/terminal/keymap.h"
#include "tui/terminal/keyscript.h"
#include "tui/terminal/paste.h"
#include "tui/terminal/screen.h"
#include "tui/terminal/title.h"

enum sm_dashboard_mode { SM_NORMAL, SM_COMMAND, SM_FILTER, SM_SEARCH };

/* The rows of the verdict on a screen of h lines. */
struct sm_verdict_space {
    const struct sm_trial *of;
    int h, rows;
};

struct sm_dashboard {
    struct sm_loop *loop;
    struct sm_session *session;
    struct sm_exec *exec;
    struct sm_screen *screen;
    struct sm_view view;
    struct sm_panes panes;
    struct sm_layouts layouts;
    struct sm_keymap keymap;  /* of `key` */
    struct sm_key_help *keys; /* for `info keys` */
    size_t n_keys;
    struct sm_overlay overlay;
    struct sm_settings_form settings_form;
    enum sm_dashboard_mode mode;
    struct sm_str input; /* of FILTER and SEARCH */
    /* of FILTER: a screen that becomes too small for the pane moves the focus */
    struct sm_pane *filtered;
    /* the current tensor when FILTER started, in this trial: Esc returns to it */
    uint32_t filter_tensor;
    const struct sm_trial *filter_trial;
    struct sm_str notice;     /* one line, shown until the next key or for some seconds */
    enum sm_role notice_role; /* WARN for errors and events */
    int64_t notice_until_us, event_after_us; /* events may replace the notice after event_after_us
                                              */
    struct sm_str event;                     /* the last event that waits to be shown */
    struct sm_problem_place problem;         /* the last problem gone to */
    bool seen;     /* the run was looked at once: what may still come to it is a profile */
    bool chosen;   /* the layout was chosen, or keys were typed: it is not changed any more */
    bool explains; /* Enter explains it: it was gone to by the last key */
    struct sm_verdict_space verdict;
    struct sm_workers workers; /* for the lost workers in the status line */
    struct sm_paste paste;
    struct sm_pane *dragged; /* its lower (right) border is being dragged; NULL if none */
    bool drags_columns;
    int drag_x, drag_y; /* the start of the drag */
    bool pressed;       /* a button is down since then */
    bool asked_quit;
    enum sm_key_action letter_action; /* the next key is a letter for this action, or SM_ACT_NONE */
    struct sm_grid grid;              /* the last frame */
    struct sm_title title;
    bool dirty, urgent; /* there are changes to draw; the user waits for them */
    bool held;          /* the frame waits for values */
    bool sending;       /* the rest of a frame waits for the terminal, */
    int sending_to;     /* this file descriptor */
    int64_t last_frame_us, frame_us;
    int64_t reading_since_us;   /* start of reading values; 0 if none are being read */
    int ended_by;               /* the signal that stopped it, or 0 */
    struct sm_keyscript script; /* text NULL: the keys come from the terminal */
};

/* Shows the result of a key or a command; events do not replace it for 4 seconds. */
void sm_dashboard_say(struct sm_dashboard *d, const char *text);
void sm_dashboard_warn(struct sm_dashboard *d, const char *text);
/* shows an event, after these results */
void sm_dashboard_report_event(struct sm_dashboard *d, const char *text);
/* the monotonic time at which the notice line changes */
int64_t sm_dashboard_notice_due(const struct sm_dashboard *d);
void sm_dashboard_age_notice(struct sm_dashboard *d, int64_t now);
void sm_dashboard_run_line(struct sm_dashboard *d, const char *line); /* runs a line and adds it to
                                                                         the history */
void sm_dashboard_key(struct sm_dashboard *d, int key);
/* Runs the action of a key, except SM_ACT_PANE. */
void sm_dashboard_act(struct sm_dashboard *d, enum sm_key_action a);
/* dashboard_out.c: actions that copy or write. */
void sm_dashboard_copy(struct sm_dashboard *d);                  /* to the clipboard */
void sm_dashboard_print_pane(struct sm_dashboard *d);            /* to the normal screen */
void sm_dashboard_write_settings(struct sm_dashboard *d);        /* to the init file */
void sm_dashboard_settings_key(struct sm_dashboard *d, int key); /* while the settings are shown */
void sm_dashboard_mouse(struct sm_dashboard *d, const struct sm_mouse *m);

/* dashboard_commands.c: functions for commands. They return false and set err on failure. */
struct sm_dashboard_window {
    const char *name;
    int lines, columns; /* including the frame */
    bool focused;
};
/* name: of a layout, "next" or "prev" */
bool sm_dashboard_show_layout(struct sm_dashboard *d, const char *name, struct sm_err *err);
/* spec: see tui/dashboard/layout.h */
bool sm_dashboard_new_layout(struct sm_dashboard *d, const char *name, const char *spec,
                             struct sm_err *err);
/* pane: its name, "next" or "prev"; shows a hidden pane */
bool sm_dashboard_focus(struct sm_dashboard *d, const char *pane, struct sm_err *err);
/* Sets an attribute of a pane. */
bool sm_dashboard_set(struct sm_dashboard *d, const char *pane, const char *attribute,
                      const char *value, struct sm_err *err);
/* Hides a pane, or shows it again. */
bool sm_dashboard_hide(struct sm_dashboard *d, const char *pane, bool hide, struct sm_err *err);
/* Resets the current layout; it must be built in. */
bool sm_dashboard_reset_layout(struct sm_dashboard *d, struct sm_err *err);
/* Runs an action by its name. */
bool sm_dashboard_act_by_name(struct sm_dashboard *d, const char *action, struct sm_err *err);
/* line "" removes the binding */
bool sm_dashboard_bind(struct sm_dashboard *d, const char *context, const char *key,
                       const char *line, struct sm_err *err);
/* Writes the screen to a file. */
bool sm_dashboard_save(struct sm_dashboard *d, const char *path, struct sm_err *err);
/* The i-th visible pane; false if there are fewer. */
bool sm_dashboard_window(const struct sm_dashboard *d, size_t i, struct sm_dashboard_window *out);

/* dashboard_session.c: takes over the session, and restores it. */
struct sm_dashboard_before {
    const struct sm_key_help *keys; /* for `info keys` */
    size_t n_keys;
};
struct sm_options;
void sm_dashboard_take_session(struct sm_dashboard *d, const struct sm_options *o,
                               struct sm_dashboard_before *before);
void sm_dashboard_give_session_back(struct sm_dashboard *d,
                                    const struct sm_dashboard_before *before);
void sm_dashboard_clear(struct sm_dashboard *d); /* frees its memory; after the exec was freed */

bool sm_dashboard_set_layout(struct sm_dashboard *d, size_t i, struct sm_err *err);
bool sm_dashboard_resize(struct sm_dashboard *d, const char *pane, bool columns, const char *by,
                         struct sm_err *err);
void sm_dashboard_suspend(struct sm_dashboard *d);
/* A trial is about to close: drops all that belongs to it. */
void sm_dashboard_forget(struct sm_dashboard *d);
/* Draws a frame and shows it, unless values will arrive soon (held) or the terminal is not ready
 * (stays dirty). */
void sm_dashboard_draw(struct sm_dashboard *d);
void sm_dashboard_draw_status(struct sm_dashboard *d, int w);
void sm_dashboard_measure(struct sm_dashboard *d); /* sets the size of answers in the session */
int64_t sm_dashboard_hold_until(const struct sm_dashboard *d); /* monotonic time; only while held */
const struct sm_glyphs *sm_dashboard_glyphs(const struct sm_session *s);

#endif
