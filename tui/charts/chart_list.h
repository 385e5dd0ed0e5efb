/* SPDX-License-Identifier: Apache-2.0 */
/* Which charts of scalars there are, and in which order: those of the current run, then what other
 * runs that are drawn have besides. */
#ifndef SM_CHART_LIST_H
#define SM_CHART_LIST_H

#include "tui/panes/pane.h"

enum sm_chart_order {
    SM_CHARTS_BY_KIND,   /* the metric of the runs, losses, others */
    SM_CHARTS_BY_NAME,   /* natural order */
    SM_CHARTS_BY_NEWEST, /* those with the newest step first */
    SM_CHARTS_BY_HAND,   /* as they were moved */
    SM_CHART_ORDERS
};
extern const char *const sm_chart_order_words[]; /* "kind" "name" "newest" "hand"; NULL ends */

struct sm_chart_item {
    size_t trial;   /* the current trial, or else the first that has the tensor */
    uint32_t name;  /* name id in that trial */
    int64_t newest; /* step */
    bool pinned;
};
struct sm_chart_list { /* begin with {0} */
    struct sm_chart_item *items;
    size_t n, cap;
    enum sm_chart_order order;
    char *filter;          /* part of a name, a pattern with * and ?, or /re/; NULL: all */
    struct sm_names *hand; /* names as they were ordered by hand; NULL: never */
    uint64_t changes;      /* of filter and order */
    uint64_t stamp;        /* hash of what the list was made from */
};
/* Makes the list again if something has changed. Pinned charts come first in any order. */
void sm_chart_list_update(struct sm_chart_list *l, const struct sm_view *v);
const char *sm_chart_list_name(const struct sm_chart_list *l, const struct sm_session *s, size_t i);
/* The place of the chart of this name; l->n if there is none. */
size_t sm_chart_list_find(const struct sm_chart_list *l, const struct sm_session *s,
                          const char *name);
void sm_chart_list_filter(struct sm_chart_list *l, const char *text);
void sm_chart_list_sort(struct sm_chart_list *l, enum sm_chart_order order);
/* Moves chart i one place on (1) or back (-1); the order is by hand from then on. False: it is at
 * the end, or at the border of the pinned ones. */
bool sm_chart_list_move(struct sm_chart_list *l, const struct sm_session *s, size_t i, int by);
void sm_chart_list_forget(struct sm_chart_list *l); /* the charts; filter and order stay */
void sm_chart_list_clear(struct sm_chart_list *l);

#endif
