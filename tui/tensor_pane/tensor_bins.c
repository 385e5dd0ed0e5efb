/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of a histogram that was saved as such: of the values in its bins, not of the numbers
 * in the table. */
#include "tui/tensor_pane/tensor_pane.h"

#include <math.h>

struct bins {
    double n, mean, m2, lo, hi; /* values; of the middles of their bins; edges of those with any */
};

static double number_at(const struct sm_tensor *t, uint64_t row, unsigned column)
{
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    return sm_dtype_load(t->dtype, t->data + (row * 3 + column) * size);
}

static struct bins read_bins(const struct sm_tensor *t)
{
    struct bins b = {.lo = (double)INFINITY, .hi = -(double)INFINITY};
    for (uint64_t i = 0; i < t->dims[0]; i++) {
        double left = number_at(t, i, 0), right = number_at(t, i, 1), count = number_at(t, i, 2);
        if (!(count > 0))
            continue;
        double middle = left / 2 + right / 2, from = middle - b.mean;
        b.n += count;
        b.mean += from * count / b.n;
        b.m2 += count * from * (middle - b.mean);
        b.lo = fmin(b.lo, left);
        b.hi = fmax(b.hi, right);
    }
    return b;
}

int sm_tensor_pane_draw_bins(const struct sm_tensor *t, struct sm_grid *g, struct sm_rect r)
{
    struct bins b = read_bins(t);
    struct sm_str text = {0};
    sm_str_printf(&text, "%.17g values in %llu bins", b.n, (unsigned long long)t->dims[0]);
    int y = sm_tensor_pane_line(g, r, 0, SM_ROLE_TEXT, sm_str_text(&text));
    sm_str_truncate(&text, 0);
    sm_str_printf(&text, "by bins: mean %.4g  std %.4g", b.mean, sqrt(b.m2 / b.n));
    if (b.n > 0)
        y = sm_tensor_pane_line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
    sm_str_truncate(&text, 0);
    sm_str_printf(&text, "between %.4g and %.4g", b.lo, b.hi);
    if (b.n > 0)
        y = sm_tensor_pane_line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
    sm_str_clear(&text);
    return y;
}
