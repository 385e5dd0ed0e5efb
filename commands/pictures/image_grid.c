/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/pictures/image_grid.h"

#include "plot/grid/pixel.h"

#include <math.h>

const char *const sm_image_grid_layouts[] = {"auto", "nchw", "nhwc", "grey", NULL};

enum { MAX_ZOOM = 4 };
enum { MIN_SIDE = 5 }; /* 3 x 3 and 4 x 4 are kernels of convolutions, not rows of pixels */

static bool are_planes(uint64_t n)
{
    return n == 1 || n == 3 || n == 4;
}

/* Checks for planes before rows and columns first, as in PyTorch. There, 4 planes are features more
 * often than colours with alpha. */
static enum sm_image_grid_layout guess_layout(unsigned n, const uint64_t *dims)
{
    if (n < 3)
        return SM_IMAGE_GRID_GREY;
    bool inside = are_planes(dims[n - 1]) && dims[n - 2] >= MIN_SIDE;
    if ((dims[n - 3] == 1 || dims[n - 3] == 3) && !inside)
        return SM_IMAGE_GRID_NCHW;
    return inside ? SM_IMAGE_GRID_NHWC : SM_IMAGE_GRID_GREY;
}

/* The alpha plane is omitted. */
static void fill_spec(unsigned n, const uint64_t *dims, enum sm_image_grid_layout layout,
                      struct sm_downsample_spec *p)
{
    const uint64_t *last = dims + n;
    bool grey = layout == SM_IMAGE_GRID_GREY, inside = layout == SM_IMAGE_GRID_NHWC;
    uint64_t planes = grey ? 1 : inside ? last[-1] : last[-3];
    p->images = 1;
    p->planes = planes > 3 ? 3 : planes;
    p->rows = last[inside ? -3 : -2];
    p->cols = last[inside ? -2 : -1];
    p->col_step = inside ? planes : 1;
    p->row_step = p->cols * p->col_step;
    p->plane_step = inside ? 1 : p->rows * p->cols;
    p->image_step = planes * p->rows * p->cols;
    for (unsigned i = 0; i + (grey ? 2 : 3) < n; i++)
        p->images *= dims[i];
}

const char *sm_image_grid_spec(unsigned n_dims, const uint64_t *dims, const struct sm_slice *slice,
                               enum sm_image_grid_layout *layout, struct sm_downsample_spec *out)
{
    *out = (struct sm_downsample_spec){.slice = slice};
    *layout = *layout == SM_IMAGE_GRID_AUTO ? guess_layout(n_dims, dims) : *layout;
    if (n_dims < 2 || (*layout != SM_IMAGE_GRID_GREY && n_dims < 3))
        return "an image needs rows and columns, and in colour also planes.";
    uint64_t planes = *layout == SM_IMAGE_GRID_NCHW   ? dims[n_dims - 3]
                      : *layout == SM_IMAGE_GRID_NHWC ? dims[n_dims - 1]
                                                      : 1;
    if (!are_planes(planes))
        return "an image has 1 plane (grey), or 3 or 4 (red, green, blue, alpha).";
    fill_spec(n_dims, dims, *layout, out);
    return NULL;
}

/* A pixel of the image is `zoom` pixels of the screen; smaller if not even one image fits. */
static struct sm_image_grid_tiles lay_out_at(const struct sm_downsample_spec *p, int zoom, int w,
                                             int h, const struct sm_glyphs *glyphs)
{
    int pixel_rows = sm_pixel_rows(glyphs);
    double wide = (double)p->cols * zoom * (pixel_rows == 2 ? 1 : 2),
           high = ceil((double)p->rows * zoom / pixel_rows);
    struct sm_image_grid_tiles t = {.size =
                                        sm_bitmap_fit(p->rows, p->cols, wide < w ? (int)wide : w,
                                                      high < h ? (int)high : h, glyphs)};
    if (!t.size.w)
        return t;
    t.across = (w + 1) / (t.size.w + 1);
    t.down = (h + 1) / (t.size.h + 1);
    if (p->images < (uint64_t)t.across)
        t.across = (int)p->images;
    uint64_t max_images = (uint64_t)t.across * (uint64_t)t.down;
    t.shown = p->images < max_images ? p->images : max_images;
    if (t.across)
        t.down = (int)((t.shown + (uint64_t)t.across - 1) / (uint64_t)t.across);
    return t;
}

struct sm_image_grid_tiles sm_image_grid_lay_out(const struct sm_downsample_spec *p, int w, int h,
                                                 const struct sm_glyphs *glyphs)
{
    struct sm_image_grid_tiles t = {0};
    for (int zoom = MAX_ZOOM; zoom && (!t.shown || t.shown < p->images); zoom /= 2)
        t = lay_out_at(p, zoom, w, h, glyphs);
    return t;
}

static struct sm_bitmap spec_bitmap(const struct sm_downsample_spec *p,
                                    const struct sm_downsample *pixels, enum sm_heat_map map)
{
    return (struct sm_bitmap){.planes = p->planes,
                              .rows = p->out_rows,
                              .cols = p->out_cols,
                              .lo = pixels->lo,
                              .hi = pixels->hi,
                              .map = map};
}

void sm_image_grid_show(struct sm_grid *g, int x, int y, const struct sm_image_grid_tiles *t,
                        const struct sm_downsample_spec *p, const struct sm_downsample *pixels,
                        enum sm_heat_map map, const struct sm_glyphs *glyphs)
{
    struct sm_bitmap image = spec_bitmap(p, pixels, map);
    for (uint64_t i = 0; i < t->shown; i++) {
        int column = (int)(i % (uint64_t)t->across), row = (int)(i / (uint64_t)t->across);
        image.v = pixels->v + i * p->planes * p->out_rows * p->out_cols;
        sm_bitmap_draw(g,
                       (struct sm_rect){x + column * (t->size.w + 1), y + row * (t->size.h + 1),
                                        t->size.w, t->size.h},
                       &image, glyphs);
    }
}

/* ---- pixels ---- */

/* A half block is a cell of one pixel by two. */
static int tiles_width(const struct sm_image_grid_tiles *t)
{
    return t->across * (t->size.w + 1) - 1;
}

static int tiles_height(const struct sm_image_grid_tiles *t)
{
    return 2 * (t->down * (t->size.h + 1) - 1);
}

struct sm_image_grid_raster sm_image_grid_lay_out_pixels(const struct sm_downsample_spec *p, int w,
                                                         int h)
{
    enum { ZOOM_MAX = 8 };
    struct sm_image_grid_raster r = {
        .tiles = sm_image_grid_lay_out(p, w, h / 2, sm_glyphs(SM_SYMBOLS_BLOCK)), .zoom = 1};
    while (r.tiles.shown && r.zoom < ZOOM_MAX && tiles_width(&r.tiles) * (r.zoom + 1) <= w &&
           tiles_height(&r.tiles) * (r.zoom + 1) <= h)
        r.zoom++;
    return r;
}

void sm_image_grid_paint(struct sm_raster *r, const struct sm_image_grid_raster *x,
                         const struct sm_downsample_spec *p, const struct sm_downsample *pixels,
                         enum sm_heat_map map)
{
    const struct sm_image_grid_tiles *t = &x->tiles;
    struct sm_bitmap image = spec_bitmap(p, pixels, map);
    int times = t->size.cols ? t->size.w / (int)t->size.cols : 1;
    sm_raster_init(r, tiles_width(t) * x->zoom, tiles_height(t) * x->zoom);
    for (uint64_t i = 0; i < t->shown; i++) {
        int column = (int)(i % (uint64_t)t->across), row = (int)(i / (uint64_t)t->across);
        image.v = pixels->v + i * p->planes * p->out_rows * p->out_cols;
        sm_raster_bitmap(r, column * (t->size.w + 1) * x->zoom, 2 * row * (t->size.h + 1) * x->zoom,
                         times * x->zoom, &image);
    }
}
