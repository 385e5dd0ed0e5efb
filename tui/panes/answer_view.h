/* SPDX-License-Identifier: Apache-2.0 */
/* A table that shows the answer of a command, made in the background
 * (commands/run/answer_live.h). Until a line has an answer, the rows of the line before stay. */
#ifndef SM_ANSWER_VIEW_H
#define SM_ANSWER_VIEW_H

#include "commands/run/answer_live.h"
#include "tui/panes/node_rows.h"

struct sm_answer_view {
    struct sm_node_rows table;
    char *shown;          /* the line that has the rows; NULL: none */
    uint64_t made;        /* of the answer that has the rows; 0: none */
    bool offered, agreed; /* to read more than survey-limit; the user wants that */
    uint32_t seen;        /* the current tensor at the last read, if: */
    bool looked;
    bool chosen; /* the user has chosen a tensor since the rows are shown */
};
struct sm_answer_view_look {
    const char *line; /* the command */
    struct sm_node_columns columns;
    const char *bar;       /* as in sm_node_rows_draw */
    const char *last_pair; /* the last two columns are left out if no row has this key; or NULL */
    bool reads_values;     /* all bytes, as opposed to shapes */
    const char *nothing;   /* said if the answer has no rows */
};
void sm_answer_view_clear(struct sm_answer_view *x);
/* Brings the rows up to date; to be called before each use of them. line NULL: that of the rows. */
void sm_answer_view_read(struct sm_answer_view *x, const struct sm_view *v, const char *line);
/* Reads and draws. Of a trial that is larger than survey-limit no values are read before the user
 * has pressed Enter, which is said. Returns whether the rows are those of the line. */
bool sm_answer_view_draw(struct sm_answer_view *x, const struct sm_view *v,
                         const struct sm_answer_view_look *look, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note);
/* Moves the cursor or sorts; the row under the cursor becomes the current tensor, if it is the name
 * of one or, of a module, the beginning of one. */
bool sm_answer_view_act(struct sm_answer_view *x, struct sm_view *v, enum sm_key_action a);
/* y: line of the drawn rectangle. */
void sm_answer_view_click(struct sm_answer_view *x, struct sm_view *v, int y);
/* Moves the cursor to the next row whose name has the text. */
bool sm_answer_view_search(struct sm_answer_view *x, struct sm_view *v, const char *text,
                           int direction);

#endif
