/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/raster.h"

#include "plot/grid/color.h"
#include "reader/base/mem.h"

#include <string.h>

static int limit_size(int n)
{
    return n < 0 ? 0 : n > SM_RASTER_MAX ? SM_RASTER_MAX : n;
}

void sm_raster_init(struct sm_raster *r, int w, int h)
{
    *r = (struct sm_raster){.w = limit_size(w), .h = limit_size(h)};
    r->rgba = sm_xalloc_zero((size_t)r->w * (size_t)r->h + 1, 4);
}

void sm_raster_clear(struct sm_raster *r)
{
    sm_free(r->rgba);
    *r = (struct sm_raster){0};
}

static void fill_span(struct sm_raster *r, int x, int y, int n, uint32_t rgb)
{
    const uint8_t pixel[4] = {(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb, 255};
    for (int i = y < 0 ? 0 : y; i < y + n && i < r->h; i++)
        for (int k = x < 0 ? 0 : x; k < x + n && k < r->w; k++)
            memcpy(r->rgba + ((size_t)i * (size_t)r->w + (size_t)k) * 4, pixel, 4);
}

void sm_raster_bitmap(struct sm_raster *r, int x, int y, int zoom, const struct sm_bitmap *m)
{
    for (size_t i = 0; i < m->rows && i < SM_RASTER_MAX; i++)
        for (size_t k = 0; k < m->cols && k < SM_RASTER_MAX; k++)
            fill_span(r, x + (int)k * zoom, y + (int)i * zoom, zoom, sm_bitmap_rgb(m, i, k));
}
