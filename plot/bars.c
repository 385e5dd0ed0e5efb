/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/chart.h"

#include "reader/base/str.h"

#include <math.h>
#include <string.h>

/* In half cells, for finer lengths. */
void sm_bar_draw(struct sm_grid *g, int x, int y, int halves, const struct sm_glyphs *glyphs)
{
    bool ascii = glyphs->set == SM_SYMBOLS_ASCII;
    for (int i = 0; i < halves / 2; i++)
        sm_grid_put(g, x + i, y, ascii ? '#' : glyphs->bar[8], SM_ROLE_SERIES_0, 0);
    if (halves % 2)
        sm_grid_put(g, x + halves / 2, y, ascii ? ':' : 0x258c, SM_ROLE_SERIES_0, 0);
}

static int widest_text_of(const struct sm_bar *bars, size_t n, bool numbers)
{
    size_t w = 0;
    for (size_t i = 0; i < n; i++) {
        const char *text = numbers ? bars[i].number : bars[i].label;
        size_t here = sm_text_width(text, strlen(text));
        w = here > w ? here : w;
    }
    return (int)w;
}

void sm_bar_rows(struct sm_grid *g, const struct sm_bar *bars, size_t n, int bar_w,
                 const struct sm_glyphs *glyphs)
{
    int label_w = widest_text_of(bars, n, false), number_w = widest_text_of(bars, n, true),
        bar_x = label_w + 2 + number_w + 1;
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = bars[i].v > most && isfinite(bars[i].v) ? bars[i].v : most;
    bar_w = bar_w > 0 ? bar_w : 0;
    sm_grid_resize(g, bar_x + bar_w, (int)n);
    for (size_t i = 0; i < n; i++) {
        int y = (int)i, w = (int)sm_text_width(bars[i].number, strlen(bars[i].number));
        sm_grid_text(g, 0, y, label_w, SM_ROLE_TEXT, 0, bars[i].label);
        sm_grid_text(g, bar_x - 1 - w, y, w, SM_ROLE_TEXT, 0, bars[i].number);
        double part = most > 0 && bars[i].v > 0 ? fmin(bars[i].v / most, 1) : 0;
        int halves = (int)lround(part * 2 * bar_w);
        sm_bar_draw(g, bar_x, y, part > 0 && !halves && bar_w ? 1 : halves, glyphs);
    }
}
