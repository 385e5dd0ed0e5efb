/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors as images: which dimensions are rows, columns and planes, and how many images fit side by
 * side. */
#ifndef SM_IMAGE_GRID_H
#define SM_IMAGE_GRID_H

#include "commands/pictures/downsample.h"
#include "plot/raster.h"

enum sm_image_grid_layout {
    SM_IMAGE_GRID_AUTO,
    SM_IMAGE_GRID_NCHW,
    SM_IMAGE_GRID_NHWC,
    SM_IMAGE_GRID_GREY
};
extern const char *const sm_image_grid_layouts[]; /* their names, NULL-terminated */

/* The last dimensions are an image, the dimensions before them count images. If *layout is AUTO, it
 * is set to the layout that matches the shape. Returns NULL, or the reason why the shape is not an
 * image: "an image needs rows and columns ...". */
const char *sm_image_grid_spec(unsigned n_dims, const uint64_t *dims, const struct sm_slice *slice,
                               enum sm_image_grid_layout *layout, struct sm_downsample_spec *out);

/* The largest size at which all images fit side by side and below each other, one cell apart; else
 * as many as possible in their original size. */
struct sm_image_grid_tiles {
    struct sm_bitmap_size size; /* of one image, with the pixels to which it is shrunk */
    int across, down;
    uint64_t shown; /* 0: not even one image fits */
};
struct sm_image_grid_tiles sm_image_grid_lay_out(const struct sm_downsample_spec *p, int w, int h,
                                                 const struct sm_glyphs *glyphs);
/* Draws the t->shown images of `pixels` from (x, y). */
void sm_image_grid_show(struct sm_grid *g, int x, int y, const struct sm_image_grid_tiles *t,
                        const struct sm_downsample_spec *p, const struct sm_downsample *pixels,
                        enum sm_heat_map map, const struct sm_glyphs *glyphs);

/* The layout in pixels, one pixel apart. A pixel of the layout is zoom x zoom screen pixels. */
struct sm_image_grid_raster {
    struct sm_image_grid_tiles tiles;
    int zoom;
};
struct sm_image_grid_raster sm_image_grid_lay_out_pixels(const struct sm_downsample_spec *p, int w,
                                                         int h);
void sm_image_grid_paint(struct sm_raster *r, const struct sm_image_grid_raster *t,
                         const struct sm_downsample_spec *p, const struct sm_downsample *pixels,
                         enum sm_heat_map map); /* inits r */

#endif
