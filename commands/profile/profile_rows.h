/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the commands of this room, one at a time, for those who show them otherwise: the
 * panes of the dashboard. A row is a map with the keys that the command answers with.
 *
 * Functions that return false with no error had no memory. */
#ifndef SM_PROFILE_ROWS_H
#define SM_PROFILE_ROWS_H

#include "commands/profile/profile_window.h"

/* The columns of a listing. */
struct sm_profile_columns {
    const struct sm_column *items;
    size_t n;
};

/* profile summary: the use of a node; adds no row if the node has no such metrics. */
struct sm_profile_columns sm_profile_usage_columns(void);
bool sm_profile_usage_row(struct sm_result *out, struct sm_node *list,
                          const struct sm_metric_store *m, uint32_t node, enum sm_usage u);

/* profile phases: those with most time first. wanted: which phases; NULL: all, and the time between
 * steps as "others". */
struct sm_profile_columns sm_profile_phase_columns(void);
bool sm_profile_phase_rows(struct sm_result *out, struct sm_node *list,
                           const struct sm_event_store *x, bool (*wanted)(const char *phase),
                           struct sm_err *err);

/* profile ops: operators of the devices, those with most time first. */
enum sm_profile_device { SM_PROFILE_CPU, SM_PROFILE_GPU, SM_PROFILE_OTHER, SM_PROFILE_DEVICES };
struct sm_profile_choice {
    bool devices[SM_PROFILE_DEVICES];
    const char *filter; /* a pattern, or a regular expression: /re/; NULL: all */
};
/* CPU and GPU, or all if there are no operators of these. */
struct sm_profile_choice sm_profile_all_operators(const struct sm_event_store *x);
struct sm_profile_columns sm_profile_op_columns(void);
/* Adds at most `most` rows; *n: how many match. False: the filter is no regular expression. */
bool sm_profile_op_rows(struct sm_result *out, struct sm_node *list, const struct sm_event_store *x,
                        const struct sm_profile_choice *w, size_t most, size_t *n,
                        struct sm_err *err);

/* profile steps: the steps of one mode on one node. */
struct sm_step_group {
    uint16_t node;
    uint8_t mode;
    const struct sm_profile_step **steps; /* in order of time; valid until the next pump */
    size_t n;
    struct sm_metric_stats stats;
    double std, limit;
};
/* All steps of the window by node and mode. Returns the number of groups, with empty ones. */
size_t sm_profile_step_groups(struct sm_result *out, const struct sm_profile *p,
                              const struct sm_profile_window *w, struct sm_step_group **groups);
/* Fills stats, std and limit. A step is an outlier if it takes longer than the mean and so many
 * standard deviations. ns: room for the durations; their order is lost. False: no memory. */
bool sm_profile_step_measure(struct sm_step_group *g, double stddev, double *ns);
/* One group alone, measured: for those who go on in parts. */
struct sm_step_one {
    struct sm_step_group group;
    const struct sm_profile_step **steps; /* of the group */
    double *ns;                           /* their durations, in no order */
};
/* Group nth of all time, which may be empty. False: there are no more, or no memory; else the
 * caller clears it, before the next pump. */
bool sm_profile_step_one(const struct sm_profile *p, size_t nth, double stddev,
                         struct sm_step_one *out);
void sm_profile_step_one_clear(struct sm_step_one *x);
struct sm_profile_columns sm_profile_group_columns(void), sm_profile_step_columns(void);
void sm_profile_group_row(struct sm_result *out, struct sm_node *list, const struct sm_profile *p,
                          const struct sm_step_group *g);
/* Adds the outliers of a group that was measured, or all its steps. */
void sm_profile_step_rows(struct sm_result *out, struct sm_node *list, const struct sm_profile *p,
                          const struct sm_step_group *g, bool all);

/* profile rules: one of them. */
struct sm_rule_instance;
struct sm_profile_columns sm_profile_rule_columns(void);
void sm_profile_rule_row(struct sm_result *out, struct sm_node *list,
                         const struct sm_rule_instance *i, const struct sm_profile *p);

#endif
