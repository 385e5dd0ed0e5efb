/* SPDX-License-Identifier: Apache-2.0 */
/* The table of runs: a row for each open trial, with its metric, configuration and findings. What
 * command, pane and filter show of a run comes from here. */
#ifndef SM_RUN_TABLE_H
#define SM_RUN_TABLE_H

#include "commands/language/cmd.h"

enum { SM_RUN_POINTS = 24 };
enum sm_run_trend { SM_RUN_NO_TREND, SM_RUN_FALLING, SM_RUN_RISING, SM_RUN_FLAT, SM_RUN_DIVERGED };
const char *sm_run_trend_name(enum sm_run_trend t); /* NULL, "falling" ... */

struct sm_run_row {
    size_t trial;        /* index in the session */
    const char *name;    /* borrowed from the trial */
    const char *path;    /* in the directory that was opened */
    const char *metric;  /* name of the series; NULL: the run has none */
    bool has_metric;     /* the numbers below are known; of the range of steps if there is one */
    bool about;          /* they are of a few points of the range only, since the run sleeps */
    double newest, best; /* best: of the finite ones; NaN without any */
    int64_t best_step;   /* -1 without */
    enum sm_run_trend trend;
    const double *points; /* n_points of the metric, at most SM_RUN_POINTS, for a sparkline: NaN
                             and infinities are kept */
    size_t n_points;
    size_t issues;          /* rules that have fired */
    const char *worst_rule; /* of them (sm_rules_worst), NULL if there is none */
    int64_t worst_step;     /* at which it fired first; -1 without */
    bool fatal;             /* the worst one is */
    bool has_rules, judged; /* rules are attached; all steps were judged once */
};
struct sm_run_table {
    struct sm_run_row *rows; /* one for each trial of the session, in its order */
    size_t n, cap;
    const char *metric;         /* that most runs have; NULL: none */
    const char *unknown_metric; /* the one that was set, if no run has it; else NULL */
};
/* Fills *out (begin with {0}); valid until the next pump of the session. False with SM_ERR_WAIT
 * until the index of each trial and the values of the metrics are read; the rows have what is
 * known. */
bool sm_run_table_read(struct sm_session *s, struct sm_run_table *out, struct sm_err *err);
void sm_run_table_clear(struct sm_run_table *t);
/* Adds a line that says that no run has the metric; nothing if it is NULL. */
void sm_run_unknown_metric_note(struct sm_result *out, const char *unknown);

/* A number of another metric than the table's has no place in its column. */
bool sm_run_row_comparable(const struct sm_run_table *t, const struct sm_run_row *row);

/* Whether its metric has left: the newest value is not finite, or, of a number that is to fall, a
 * hundred times what it was at first and at best. Such a run is not the best one, whatever its best
 * value was. False without a metric. */
bool sm_run_row_diverged(const struct sm_run_row *row);

/* Whether less is better, by the words of its name: all but accuracies, scores, rewards and the
 * like. */
bool sm_run_metric_falls(const char *name);

#endif
