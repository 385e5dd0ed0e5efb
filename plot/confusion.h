/* A confusion matrix: true classes down, predicted ones to the right, a number and a colour for
 * each pair. */
#ifndef SM_CONFUSION_H
#define SM_CONFUSION_H

#include "plot/chart.h"

struct sm_confusion_map {
    const char *const *labels; /* n, escaped already */
    const uint64_t *cells;     /* true class t, predicted as p: [t * n + p] */
    size_t n;
    enum sm_heat_map map;
};
/* The colour is the share of the true class. What was right stands out by its weight, what was
 * wrong by its colour. Classes that do not fit are counted. */
void sm_confusion_draw(struct sm_grid *g, struct sm_rect r, const struct sm_confusion_map *m,
                       const struct sm_glyphs *glyphs);
/* The cells it wants for all of its classes. */
void sm_confusion_size(const struct sm_confusion_map *m, int *w, int *h);

#endif
