/* SPDX-License-Identifier: Apache-2.0 */
/* What a profiling report is made of, written as text or as one HTML file with inline SVG. */
#ifndef SM_SHEET_H
#define SM_SHEET_H

#include "commands/answer/result.h"

#include <stdio.h>

struct sm_sheet_bar {
    const char *name;
    double value; /* percent */
};
struct sm_sheet_box {
    const char *name;
    double lower, p25, p50, p75, upper; /* percent */
};
/* Where it goes. Texts are not escaped yet. */
struct sm_sheet {
    struct sm_result *text; /* text and arena; html NULL */
    struct sm_str *html;    /* or NULL */
};
void sm_sheet_begin(struct sm_sheet *o, const char *title);
void sm_sheet_end(struct sm_sheet *o);
/* level: 1 or 2 */
void sm_sheet_heading(struct sm_sheet *o, int level, const char *text);
void sm_sheet_say(struct sm_sheet *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* What is between them is set apart: the verdict. good: nothing is wrong. */
void sm_sheet_panel(struct sm_sheet *o, bool good);
void sm_sheet_panel_end(struct sm_sheet *o);
/* rows: n_rows * n_columns texts; the first n_marked are shown as those that matter. */
void sm_sheet_table(struct sm_sheet *o, const char *const *headers, size_t n_columns,
                    const char *const *cells, size_t n_rows, size_t n_marked);
void sm_sheet_bars(struct sm_sheet *o, const char *caption, const struct sm_sheet_bar *bars,
                   size_t n);
void sm_sheet_boxes(struct sm_sheet *o, const char *caption, const struct sm_sheet_box *boxes,
                    size_t n);
/* counts of n bins of equal width from `from` to `to`. */
void sm_sheet_histogram(struct sm_sheet *o, const char *caption, const double *counts, size_t n,
                        double from, double to);
/* The same of one of several. */
struct sm_sheet_counts {
    const char *name;
    const double *counts;
    size_t n;
    double from, to;
};
/* The character for a part of a histogram, by its share of the greatest one, which may be infinite.
 */
char sm_sheet_level(double part, double most);
/* Several on one axis, each as shares of its own sum: in HTML one drawing with all of them over
 * each other, as text a line each. One alone is drawn as above. */
void sm_sheet_histograms(struct sm_sheet *o, const char *caption,
                         const struct sm_sheet_counts *items, size_t n);

#endif
