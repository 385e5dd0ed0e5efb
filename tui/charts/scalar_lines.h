/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a chart of one scalar: one for each visible run and mode, or for each group of runs,
 * as a picture of some width needs them. Of a single run there is one for each worker and mode; of
 * many workers their mean and range. */
#ifndef SM_SCALAR_LINES_H
#define SM_SCALAR_LINES_H

#include "commands/runs/run_group.h"
#include "reader/base/mem.h"
#include "tui/charts/scalar_chart.h"

enum { SM_SCALAR_MARKS = 64 };
/* More workers than these are one line; of those no more are read than these. */
enum { SM_SCALAR_WORKERS = 8, SM_SCALAR_WORKERS_READ = 64 };
struct sm_scalar_line {
    size_t trial;    /* of a group: any of its runs */
    size_t group;    /* SIZE_MAX: none */
    uint16_t worker; /* ANY: each is not drawn on its own */
    enum sm_mode mode;
    bool first; /* the line of the first mode of its trial, or worker */
};
struct sm_scalar_lines {
    const char *name;
    struct sm_line_series *lines; /* n, in the order of the legend; without labels */
    struct sm_line_series *raw;   /* n, those that were smoothed; NULL: none were */
    struct sm_scalar_line *of;
    size_t *runs; /* in each group; NULL without groups */
    size_t n;
    const struct sm_statistic *saved; /* of the curves, by the job: "mean"; NULL: computed */
    bool several, known;              /* several trials; some value of the tensor is known */
    size_t workers;              /* of the only trial that are drawn; 0: they are not told apart */
    bool banded;                 /* as one line: their mean, with their range */
    struct sm_run_group *groups; /* of the runs of the table; NULL: each has its own lines */
    double cursor;               /* the current step, on the x axis; NaN while following */
    double marks[SM_SCALAR_MARKS], sessions[SM_SCALAR_MARKS];
    size_t n_marks, n_sessions;
    struct sm_arena arena;
};
/* w: the columns of the picture. `out` is valid until the next pump; sm_scalar_lines_clear. */
void sm_scalar_lines_read(const struct sm_view *v, const char *name,
                          const struct sm_scalar_options *options, int w,
                          struct sm_scalar_lines *out);
void sm_scalar_lines_clear(struct sm_scalar_lines *l);
/* The name of the line's run, or worker, or what its group has in common; "" of the only run.
 * Escaped, in the arena. */
const char *sm_scalar_line_run(const struct sm_view *v, const struct sm_scalar_lines *l, size_t i,
                               struct sm_arena *arena);
/* Appends what the line is called, with that name, which may be shortened: the number of the run
 * before it, or after it how many runs the group has; and the mode, if it is not the first. */
void sm_scalar_line_name(const struct sm_scalar_lines *l, size_t i, const char *run,
                         struct sm_str *out);
extern const char *const sm_scalar_mode_names[SM_MODES];

#endif
