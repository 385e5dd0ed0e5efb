/* SPDX-License-Identifier: Apache-2.0 */
/* The table of runs as the dashboard shows it: what the user chose, in one place, so that the pane
 * of runs, the charts and the status line agree. */
#ifndef SM_RUN_VIEW_H
#define SM_RUN_VIEW_H

#include "commands/runs/run_extra.h"
#include "commands/runs/run_order.h"

struct sm_run_view {
    char *filter;      /* the last valid one; NULL: all runs */
    struct sm_err bad; /* of the filter that was typed last; code SM_OK if it is valid */
    char *unknown;     /* a name in the filter that no run has; NULL: none */
    char *group;       /* charts show one line for each value of this key; NULL: one for each run */
    char *sort;        /* a field or key; NULL: the order of the session */
    bool reverse;
    struct sm_run_extra extra;              /* columns that the user added */
    struct sm_arena names;                  /* of these */
    size_t best;                            /* only the best of them; 0: all */
    bool unlisted;                          /* runs that the user left out are shown, too */
    struct sm_run_table table;              /* what is shown */
    size_t n, live, stalled, ended, marked; /* of all runs */
    size_t sick, out;                       /* with rules that have fired; left out by the user */
    char *metric; /* the loss that was chosen by itself: it stays; NULL: none yet */
};
struct sm_run_view *sm_run_view(const struct sm_session *s);
/* Counts, and fills the table with the rows that are shown, with what is known. Valid until the
 * next pump of the session. False with SM_ERR_WAIT while something is being read. */
bool sm_run_view_read(struct sm_session *s, struct sm_run_view *v, struct sm_err *err);
/* Sets the filter, or `bad` and leaves it; "" shows all. */
void sm_run_view_filter(struct sm_run_view *v, const char *text);
/* key: of sm_run_sort_key; NULL: the order of the session. */
void sm_run_view_sort(struct sm_run_view *v, const char *key);
void sm_run_view_group(struct sm_run_view *v, const char *key); /* NULL: none */
/* Names as for sm_run_extra_read; "": none. False: the columns stay as they are. */
bool sm_run_view_columns(const struct sm_session *s, struct sm_run_view *v, const char *names,
                         struct sm_err *err);
void sm_run_view_clear(struct sm_run_view *v);

#endif
