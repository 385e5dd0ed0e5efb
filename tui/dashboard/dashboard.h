/* The dashboard's parts: what they share. dashboard.c is the loop's side (turns, signals, answers),
 * dashboard_keys.c turns keys into actions, dashboard_draw.c makes a frame, dashboard_status.c its
 * first line, dashboard_notice.c the line for the person, dashboard_mouse.c is the mouse,
 * dashboard_front.c what commands can ask of it, dashboard_session.c what it takes of the session.
 * For these alone. */
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

struct sm_dashboard {
    struct sm_loop *loop;
    struct sm_session *session;
    struct sm_exec *exec;
    struct sm_screen *screen;
    struct sm_view view;
    struct sm_panes panes;
    struct sm_layouts layouts;
    struct sm_keymap keymap;  /* of `key` */
    struct sm_key_help *keys; /* what `info keys` says */
    size_t n_keys;
    struct sm_overlay overlay;
    struct sm_settings_form setup;
    enum sm_dashboard_mode mode;
    struct sm_str input;      /* of FILTER and SEARCH */
    uint32_t before;          /* the current tensor when FILTER began: Esc returns to it */
    struct sm_str notice;     /* one line for the person, until the next key or for some seconds */
    enum sm_role notice_role; /* WARN where something is wrong */
    int64_t notice_until_us, notice_kept_us; /* kept: what happens is told after that */
    struct sm_str happened;                  /* the last that waits to be told */
    struct sm_problem_place problem;         /* gone to last */
    struct sm_workers workers;               /* the status line counts the lost */
    struct sm_paste paste;
    struct sm_pane *dragged; /* its lower (right) border is being moved; NULL: none is */
    bool drags_columns;
    int drag_x, drag_y; /* from here */
    bool asked_quit;
    enum sm_key_action letter_of; /* the next key is a letter for it; NONE: it is not */
    struct sm_grid grid;          /* the last frame */
    struct sm_title title;
    bool dirty, urgent; /* there is something to draw; a person waits for it */
    bool held;          /* the frame waits for values */
    bool sending;       /* the rest of a frame waits for the terminal */
    int64_t last_frame_us, frame_us;
    int64_t awaited_us;         /* since when values have been on their way; 0: none are */
    int ended_by;               /* the signal that ended it; 0: none */
    struct sm_keyscript script; /* text NULL: a person has the keys */
};

/* What a key or a command of the person has brought about; it stays for some seconds. */
void sm_dashboard_say(struct sm_dashboard *d, const char *text);
void sm_dashboard_complain(struct sm_dashboard *d, const char *text);
/* what happened by itself; waits for those */
void sm_dashboard_note(struct sm_dashboard *d, const char *text);
/* monotonic: when the line changes by itself */
int64_t sm_dashboard_notice_due(const struct sm_dashboard *d);
void sm_dashboard_age_notice(struct sm_dashboard *d, int64_t now);
void sm_dashboard_run_line(struct sm_dashboard *d, const char *line); /* remembered, and run */
void sm_dashboard_key(struct sm_dashboard *d, int key);
/* What the key of the action does, PANE excepted. */
void sm_dashboard_act(struct sm_dashboard *d, enum sm_key_action a);
/* copy, print, settings; false: none of these */
bool sm_dashboard_hand_out(struct sm_dashboard *d, enum sm_key_action a);
void sm_dashboard_setup_key(struct sm_dashboard *d, int key); /* while the settings are shown */
void sm_dashboard_mouse(struct sm_dashboard *d, const struct sm_mouse *m);

/* dashboard_front.c: what commands ask of the dashboard. False: err. */
struct sm_dashboard_window {
    const char *name;
    int lines, columns; /* with the frame */
    bool focused;
};
bool sm_dashboard_show_layout(struct sm_dashboard *d, const char *name,
                              struct sm_err *err); /* by
                                                      its
                                                      name,
                                                      or
                                                      next
                                                      and
                                                      prev
                                                    */
bool sm_dashboard_new_layout(struct sm_dashboard *d, const char *name, const char *spec,
                             struct sm_err *err); /* spec: see tui/dashboard/layout.h */
bool sm_dashboard_focus(struct sm_dashboard *d, const char *pane, struct sm_err *err); /* by its
                                                                                          name, or
                                                                                          next and
                                                                                          prev; a
                                                                                          hidden
                                                                                          pane is
                                                                                          shown */
bool sm_dashboard_set(struct sm_dashboard *d, const char *pane, const char *attribute,
                      const char *value, struct sm_err *err); /* an attribute of a pane */
bool sm_dashboard_hide(struct sm_dashboard *d, const char *pane, bool hide,
                       struct sm_err *err);                                 /* or show again */
bool sm_dashboard_reset_layout(struct sm_dashboard *d, struct sm_err *err); /* the current one, as
                                                                               it was built in */
bool sm_dashboard_act_by_name(struct sm_dashboard *d, const char *action,
                              struct sm_err *err); /* what
                                                      a
                                                      key
                                                      does,
                                                      by
                                                      the
                                                      name
                                                      of
                                                      the
                                                      action
                                                    */
bool sm_dashboard_bind(struct sm_dashboard *d, const char *context, const char *key,
                       const char *line, struct sm_err *err); /* line "": as it was */
bool sm_dashboard_save(struct sm_dashboard *d, const char *path, struct sm_err *err); /* the screen
                                                                                         as it is */
bool sm_dashboard_window(const struct sm_dashboard *d, size_t i,
                         struct sm_dashboard_window *out); /* the
                                                          i-th
                                                          pane
                                                          that
                                                          is
                                                          visible;
                                                          false:
                                                          there
                                                          are
                                                          fewer
                                                        */

/* dashboard_session.c: what of the session is another's otherwise. */
struct sm_dashboard_before {
    const struct sm_key_help *keys; /* what `info keys` says */
    size_t n_keys;
};
struct sm_options;
void sm_dashboard_take_session(struct sm_dashboard *d, const struct sm_options *o,
                               struct sm_dashboard_before *before);
void sm_dashboard_give_session_back(struct sm_dashboard *d,
                                    const struct sm_dashboard_before *before);
void sm_dashboard_clear(struct sm_dashboard *d); /* its own memory, once the exec has gone */

bool sm_dashboard_set_layout(struct sm_dashboard *d, size_t i, struct sm_err *err);
bool sm_dashboard_resize(struct sm_dashboard *d, const char *pane, bool columns, const char *by,
                         struct sm_err *err);
void sm_dashboard_suspend(struct sm_dashboard *d);
/* Makes a frame and shows it, unless values are about to come (held) or the terminal cannot take it
 * (stays dirty). */
void sm_dashboard_draw(struct sm_dashboard *d);
void sm_dashboard_draw_status(struct sm_dashboard *d, int w);
void sm_dashboard_measure(struct sm_dashboard *d); /* tells the session how large answers may be */
int64_t sm_dashboard_hold_until(const struct sm_dashboard *d); /* monotonic; while held */
const struct sm_glyphs *sm_dashboard_glyphs(const struct sm_session *s);

#endif
