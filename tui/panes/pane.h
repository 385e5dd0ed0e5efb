/* A pane is a constant record of operations and a state of its own (as a view in tig). Adding one:
 * a file pane_x.c with its record, a line in pane_list.h and one in the table of panes.c.
 * Nothing else knows which panes there are.
 *
 * Drawing reads the session and the view and changes neither; what is not known yet is asked of
 * sm_fetch and drawn as a quiet "..." until it is there. Actions change the pane's state or the
 * view. */
#ifndef SM_PANE_H
#define SM_PANE_H

#include "commands/session/session.h"
#include "plot/chart.h"
#include "tui/terminal/key_action.h"

/* What all panes share: the one current point lives in session->at; this is the rest of what is
 * shown. */
struct sm_view {
    struct sm_session *session;
    const struct sm_glyphs *glyphs;
    int64_t now_us; /* wall clock of the frame */
    bool timeless;  /* the screen is to be the same each time: ages and times of day are left out */
    bool paused;
    char *search;  /* last search, or NULL */
    char *command; /* a line that a pane wants to be run; the dashboard takes it */
    char *asked;   /* a line that the person is to finish at the prompt; the dashboard takes it */
    struct sm_str console; /* what was typed and answered */
    const char *notice;    /* one line for the person, shown until the next key */
};

enum { SM_PANE_HINTS = 5 };

struct sm_pane;
struct sm_pane_ops {
    const char *name; /* "tensors": in layouts, `focus`, tests */
    const char *title;
    const char *help; /* a paragraph for key help */
    enum sm_context context;
    /* of the keys of its context those that it has, up to SM_ACT_NONE; NULL: all */
    const enum sm_key_action *own;
    /* its most useful keys, for the key line; NULL-terminated */
    const char *hints[SM_PANE_HINTS + 1];
    size_t state_size;
    int min_w, min_h; /* of the inside; below it the layout drops the pane */
    int max_w;        /* with frame, beside others: more would be empty; 0: the more the better */
    /* has it something to say? NULL: always */
    bool (*wanted)(const struct sm_pane *p, const struct sm_view *v);
    void (*init)(struct sm_pane *p, struct sm_view *v);
    void (*clear)(struct sm_pane *p);
    /* The inside of the frame; the caller draws border, title and `note` (what is hidden: "24 of
     * 61"). */
    void (*draw)(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g, struct sm_rect r,
                 bool focused, struct sm_str *note);
    bool (*act)(struct sm_pane *p, struct sm_view *v, enum sm_key_action a); /* false: not mine */
    /* A click at this line of the inside; it was focused before. NULL: nothing to point at. */
    void (*click)(struct sm_pane *p, struct sm_view *v, int y);
    /* `pane NAME set ATTRIBUTE VALUE`; NULL: there is nothing to set. */
    bool (*set)(struct sm_pane *p, struct sm_view *v, const char *attribute, const char *value,
                struct sm_err *err);
    /* Search and filter text as it is typed; NULL where the pane has none. filter "" clears. */
    void (*filter)(struct sm_pane *p, struct sm_view *v, const char *text);
    bool (*search)(struct sm_pane *p, struct sm_view *v, const char *text, int direction);
};
/* Whether the key is one of the pane's. */
bool sm_pane_has(const struct sm_pane_ops *ops, enum sm_key_action a);
struct sm_pane {
    const struct sm_pane_ops *ops;
    void *state;     /* ops->state_size bytes, zeroed before init */
    bool hidden;     /* has nothing to say now */
    bool unfinished; /* set by draw: it has more to compute, and wants to be drawn again soon */
    struct sm_rect frame; /* set by the layout; w == 0: not shown */
};

#endif
