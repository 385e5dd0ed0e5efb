/* SPDX-License-Identifier: Apache-2.0 */
/* A confusion matrix: true classes as rows, predicted ones as columns, a number and a colour for
 * each pair. */
#ifndef SM_CONFUSION_H
#define SM_CONFUSION_H

#include "plot/chart.h"

struct sm_confusion_map {
    const char *const *labels; /* n, already escaped */
    const uint64_t *cells;     /* true class t, predicted as p: [t * n + p] */
    size_t n;
    enum sm_heat_map map;
};
/* The colour is the share of the true class. Correct predictions are bold, wrong ones coloured.
 * Classes that do not fit are counted. */
void sm_confusion_draw(struct sm_grid *g, struct sm_rect r, const struct sm_confusion_map *m,
                       const struct sm_glyphs *glyphs);
/* The cells needed to show all classes. */
void sm_confusion_size(const struct sm_confusion_map *m, int *w, int *h);

#endif
