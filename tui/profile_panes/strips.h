/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics over time, a row each: name, number at the moment or newest, mean, p95, and the values as
 * a strip of bars, or as cells of heat. Below them is the time.
 *
 * What a strip costs to draw depends on its width: values come from the pyramids of the series, and
 * p95 from the order of their samples (ranks.h). Of a use that is the sum of several series the sum
 * is made once, and again when they have grown. */
#ifndef SM_STRIPS_H
#define SM_STRIPS_H

#include "tui/panes/listing.h"
#include "tui/profile_panes/number_choice.h"
#include "tui/profile_panes/time_ruler.h"

struct sm_strip {
    uint32_t node;
    enum sm_usage usage;
    uint32_t series; /* of the store; NONE: the use of the node (sm_usage_read) */
    char *label;     /* escaped */
    double *values;  /* of the buckets, NaN: none */
    size_t n, cap;
    double newest, mean, p95;
    size_t samples, p95_samples; /* in the window; when p95 was computed, SIZE_MAX: never */
    bool known;                  /* values are of the strips' stamp */
    struct sm_usage_values sums; /* of several series, all of the time; empty until p95 is asked */
    struct sm_ranks ranks;       /* of their values */
    uint64_t sums_of;            /* version of the metrics that they were made from */
};
struct sm_strips {
    struct sm_rows rows;
    struct sm_strip *items;
    size_t n, cap;
    bool heat;    /* cells of heat instead of bars */
    char *filter; /* a part of a label; NULL: all */
    bool stale;   /* what is chosen has changed */
    size_t node;  /* only the node with this number, from 1; 0: all */
    size_t nodes; /* how many there are */
    /* the use whose single cores or GPUs stand below it */
    bool unfolded;
    uint32_t unfolded_node;
    enum sm_usage unfolded_usage;
    struct sm_number_choice choice; /* of these, by number; none: all are shown */
    /* what items were made from, and the values */
    const struct sm_profile *of;
    size_t n_series;
    uint64_t version;
    struct sm_time_ruler ruler;
    struct sm_rect plot; /* where the strips were drawn */
    int row_h;
};
void sm_strips_clear(struct sm_strips *s);
void sm_strips_forget(struct sm_strips *s); /* all that belongs to a trial */
void sm_strips_filter(struct sm_strips *s, const char *text);
/* Adds the uses of each node, or the single cores and GPUs of one use of each node. */
void sm_strips_add_uses(struct sm_strips *s, const struct sm_metric_store *m);
void sm_strips_add_members(struct sm_strips *s, const struct sm_metric_store *m, enum sm_usage u);
/* Calls `add` if the metrics have changed in number. Returns whether there are rows. */
typedef void (*sm_strips_fill)(struct sm_strips *s, const struct sm_metric_store *m);
bool sm_strips_read(struct sm_strips *s, const struct sm_profile *p, sm_strips_fill fill);
/* Reads what is stale of the first `shown` rows from rows.top on: values, and p95 of as many as a
 * frame has time for; *more: of some it is still to be read. */
void sm_strips_read_values(struct sm_strips *s, const struct sm_profile *p,
                           const struct sm_time_ruler *ruler, size_t shown);
void sm_strips_read_p95(struct sm_strips *s, const struct sm_profile *p, size_t shown, bool *more);
/* Draws the rows that were read; sets *more if numbers are missing, which the next frames have. */
void sm_strips_draw(struct sm_strips *s, const struct sm_view *v, const struct sm_profile *p,
                    struct sm_grid *g, struct sm_rect r, bool focused, struct sm_str *note,
                    bool *more);
/* Keys of charts and lists; n and N go to the next node, and all; Enter unfolds a use of several
 * cores or GPUs, or of what is received and sent, or folds it. */
bool sm_strips_act(struct sm_strips *s, struct sm_view *v, enum sm_key_action a);
/* Of the unfolded cores or GPUs shows only the one with the number that is typed, and others that
 * were chosen in the same way; again: not this one. False: there is none with this digit. */
bool sm_strips_digit(struct sm_strips *s, struct sm_view *v, int digit);
/* A click at a cell of the screen: chooses the moment, and the row. */
void sm_strips_click(struct sm_strips *s, struct sm_view *v, int x, int y);

#endif
