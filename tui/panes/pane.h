/* SPDX-License-Identifier: Apache-2.0 */
/* A pane is a constant record of operations with its own state (like a view in tig). To add a
 * pane, write a file pane_x.c with its record, and add a line to pane_list.h. No other code knows
 * which panes exist.
 *
 * Drawing reads the session and the view and changes neither. Values that are not known yet are
 * requested from sm_fetch and drawn as a dim "..." until they arrive. Actions change the state of
 * the pane or the view.
 *
 * The room tui/panes hands out the records of all panes (pane_list.h) and the parts that panes
 * share: lists with a cursor (listing.h), rows of tensors and of rules (tensor_row.h, rule_rows.h)
 * and others. */
#ifndef SM_PANE_H
#define SM_PANE_H

#include "commands/session/session.h"
#include "plot/chart.h"
#include "tui/terminal/key_action.h"

/* The state that all panes share. The current step and tensor are in session->at. */
struct sm_view {
    struct sm_session *session;
    const struct sm_glyphs *glyphs;
    int64_t now_us; /* wall clock at the start of the frame */
    bool timeless;  /* reproducible screens: ages and times of day are omitted */
    bool paused;
    bool sweep;            /* the layout of several runs is shown, not that of one */
    char *search;          /* last search, or NULL */
    char *command;         /* a line for the dashboard to run; the dashboard frees it */
    char *prefill;         /* a line for the prompt, for the user to edit; the dashboard frees it */
    struct sm_str console; /* commands and their output */
    const char *notice;    /* one line for the user, shown until the next key */
    /* Steps that the mouse is about to select: .set while it is dragged in a chart. */
    struct sm_step_range drag;
};

/* The range that is marked: what the mouse is about to select, else what is selected. */
static inline const struct sm_step_range *sm_view_range(const struct sm_view *v)
{
    return v->drag.set ? &v->drag : &v->session->range;
}

enum { SM_PANE_HINTS = 5 };

struct sm_pane;
struct sm_pane_ops {
    const char *name; /* "tensors": used in layouts, `focus` and tests */
    const char *title;
    const char *help; /* a paragraph for key help */
    enum sm_context context;
    /* the keys of its context that it supports, ended by SM_ACT_NONE; NULL: all of them */
    const enum sm_key_action *own;
    /* its most useful keys, shown in the key line; NULL-terminated */
    const char *hints[SM_PANE_HINTS + 1];
    size_t state_size;
    int min_w, min_h; /* of the inside; the layout drops the pane if it gets less */
    int max_w; /* with the frame, next to other panes: more columns would be empty; 0: no limit */
    /* Whether the pane has something to show: without, its room is that of the others, unless it
     * has the focus. NULL: always. Asked of panes of the layout. */
    bool (*wanted)(const struct sm_pane *p, const struct sm_view *v);
    bool yields; /* while it is not wanted, it is not shown even with the focus */
    void (*init)(struct sm_pane *p, struct sm_view *v);
    void (*clear)(struct sm_pane *p);
    /* A trial is about to close: drops all that belongs to trials (pointers, name ids, values), and
     * keeps what the user has set. NULL: the pane keeps nothing of trials. */
    void (*forget)(struct sm_pane *p);
    /* Draws the inside of the frame. The caller draws border, title and `note` (which rows are
     * visible: "11-30 of 61"). */
    void (*draw)(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g, struct sm_rect r,
                 bool focused, struct sm_str *note);
    bool (*act)(struct sm_pane *p, struct sm_view *v, enum sm_key_action a); /* returns false if the
                                                                                pane does not handle
                                                                                the action */
    /* A digit was typed. False: the pane has no use for it now, so that it has its usual meaning.
     * NULL: it never has. */
    bool (*digit)(struct sm_pane *p, struct sm_view *v, int digit);
    /* A click at line y of the inside; the pane has the focus already. NULL: clicks do nothing. */
    void (*click)(struct sm_pane *p, struct sm_view *v, int y);
    /* A click at a cell of the screen, instead of `click`. */
    void (*click_cell)(struct sm_pane *p, struct sm_view *v, int x, int y);
    /* The mouse was pressed at one cell and is at another, or was released there: `done`. */
    void (*drag)(struct sm_pane *p, struct sm_view *v, int from_x, int from_y, int x, bool done);
    /* The wheel was turned at a cell. False: nothing there takes it; NULL: nowhere. */
    bool (*wheel)(struct sm_pane *p, struct sm_view *v, int x, int y, bool up);
    /* The wheel zooms by these actions instead of moving up and down; SM_ACT_NONE: it moves. */
    enum sm_key_action wheel_up, wheel_down;
    /* `pane NAME set ATTRIBUTE VALUE`; NULL: the pane has no attributes. */
    bool (*set)(struct sm_pane *p, struct sm_view *v, const char *attribute, const char *value,
                struct sm_err *err);
    /* Called with the text while the user types it; NULL if the pane has no filter or search. The
     * filter "" shows everything. */
    void (*filter)(struct sm_pane *p, struct sm_view *v, const char *text);
    const char *filter_hint; /* an example, if the filter is an expression; else NULL */
    /* The one tensor that the pane shows: the keys for steps go through those with a value of it.
     * NULL, or returns NULL: through all saved steps. Borrowed. */
    const struct sm_trial_tensor *(*values_of)(const struct sm_pane *p, const struct sm_view *v);
    bool (*search)(struct sm_pane *p, struct sm_view *v, const char *text, int direction);
};
/* True if the pane supports the action. */
bool sm_pane_has(const struct sm_pane_ops *ops, enum sm_key_action a);
struct sm_pane {
    const struct sm_pane_ops *ops;
    void *state;          /* ops->state_size bytes, zeroed before init */
    bool hidden;          /* has nothing to show now */
    bool unfinished;      /* set by draw: there is more to compute, so draw again soon */
    struct sm_rect frame; /* set by the layout; w is 0 if not shown */
};

#endif
