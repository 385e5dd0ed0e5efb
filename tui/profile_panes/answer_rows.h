/* SPDX-License-Identifier: Apache-2.0 */
/* A table whose rows are those of a command `profile ...`, made piece by piece while frames are
 * drawn: no frame waits for all of them. The rows that were made last stay until the new ones are
 * complete. */
#ifndef SM_ANSWER_ROWS_H
#define SM_ANSWER_ROWS_H

#include "commands/profile/profile_rows.h"
#include "tui/panes/node_rows.h"
#include "tui/panes/pane.h"
#include "tui/profile_panes/profile_view.h"

struct sm_answer_making {
    struct sm_result result;
    struct sm_node *list;
    size_t part;        /* the next one */
    void *kept;         /* what parts share, in the arena of the result; NULL at first */
    const char *filter; /* that of the rows */
    const void *with;   /* that of the rows */
};
/* Adds the rows of the part; false: there are no more parts. */
typedef bool (*sm_answer_part)(struct sm_answer_making *m, const struct sm_profile *p);
struct sm_answer_rows {
    struct sm_node_rows table;
    struct sm_result result; /* has what is shown */
    bool made, making;
    int above;        /* lines that the pane has above the header */
    char *filter;     /* for parts; NULL: none */
    bool stale;       /* set by the pane: they are to be made again whatever the profile says */
    const void *with; /* for parts: what the pane has besides the profile; may be NULL */
    struct sm_answer_making next;
    const struct sm_profile *of;
    uint64_t version, amount; /* of the profile when it was made: version, samples and events */
};
void sm_answer_rows_clear(struct sm_answer_rows *x);
/* Drops all that belongs to a trial. */
void sm_answer_rows_forget(struct sm_answer_rows *x);
/* "" is none. */
void sm_answer_rows_filter(struct sm_answer_rows *x, const char *text);
/* Goes on with what is stale: it is made again when the profile has grown by a hundredth. Sets
 * *more if it is to be called again soon. whole: does not stop before the end. */
void sm_answer_rows_read(struct sm_answer_rows *x, const struct sm_profile *p, sm_answer_part part,
                         bool whole, bool *more);
/* As sm_node_rows_draw. */
void sm_answer_rows_draw(struct sm_answer_rows *x, struct sm_profile_columns columns,
                         const char *bar, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note);

struct sm_answer_look {
    sm_answer_part part;
    struct sm_profile_columns columns;
    const char *bar;       /* as in sm_node_rows_draw */
    const char *nothing;   /* said when all is read and there are no rows */
    const char *no_events; /* said instead when the profile has no events, and will have none; NULL:
                              `nothing` */
};
/* Reads the rows of a pane, or says why there are none. NULL: there is no profile, which is said.
 */
const struct sm_profile *sm_answer_rows_ask(struct sm_answer_rows *s, struct sm_pane *p,
                                            const struct sm_view *v,
                                            const struct sm_answer_look *look, struct sm_grid *g,
                                            struct sm_rect r);

/* ---- panes whose state is a struct sm_answer_rows ---- */

/* Asks for them and draws them. NULL as above. */
const struct sm_profile *sm_answer_pane_draw(struct sm_pane *p, const struct sm_view *v,
                                             const struct sm_answer_look *look, struct sm_grid *g,
                                             struct sm_rect r, bool focused, struct sm_str *note);
extern const enum sm_key_action sm_answer_pane_keys[]; /* of lists that are sorted */
bool sm_answer_pane_act(struct sm_pane *p, struct sm_view *v, enum sm_key_action a);
void sm_answer_pane_click(struct sm_pane *p, struct sm_view *v, int y);
void sm_answer_pane_clear(struct sm_pane *p);

#endif
