/* SPDX-License-Identifier: Apache-2.0 */
/* image: draw a tensor as images. */
#include "commands/answer/shape.h"
#include "commands/pictures/image_grid.h"
#include "commands/pictures/pictures.h"
#include "commands/pictures/pixel_output.h"
#include "commands/pictures/plot_input.h"
#include "plot/grid/pixel.h"
#include "plot/scalebar.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool read_layout(struct sm_call *c, enum sm_image_grid_layout *out, struct sm_err *err)
{
    const struct sm_word *w = sm_call_option(c, "layout");
    int i = SM_IMAGE_GRID_AUTO;
    while (w && sm_image_grid_layouts[i] &&
           (!w->text.n || strncmp(sm_image_grid_layouts[i], w->text.p, w->text.n) != 0))
        i++;
    *out = (enum sm_image_grid_layout)i;
    return sm_image_grid_layouts[i] ||
           sm_err_set(err, SM_ERR_USAGE, "Undefined layout: \"%s\". Try auto, nchw, nhwc or grey.",
                      w->text.p);
}

/* Prints the values of the darkest and the lightest pixel. */
static void image_scale(struct sm_result *out, const struct sm_plot_input *in,
                        const struct sm_downsample_spec *p, const struct sm_downsample *pixels,
                        enum sm_heat_map map)
{
    if (map == SM_HEAT_GREY || p->planes > 1) {
        sm_result_text(out, "black %.4g  white %.4g", pixels->lo, pixels->hi);
        return;
    }
    struct sm_scalebar bar = {.lo = pixels->lo, .hi = pixels->hi, .map = map};
    sm_scalebar_draw(&bar, sm_result_grid(out, in->w, 1), 0, 0, in->w, in->print.glyphs);
}

/* How to draw the images: as blocks, or as pixels. */
struct image_output {
    enum sm_pixel_output format;
    struct sm_image_grid_raster raster; /* its tiles are used for blocks, too */
};

static void draw_images(struct sm_result *out, const struct sm_plot_input *in,
                        const struct sm_downsample_spec *p, const struct sm_downsample *pixels,
                        const struct image_output *output, enum sm_heat_map map)
{
    const struct sm_image_grid_tiles *t = &output->raster.tiles;
    if (output->format == SM_PIXEL_OUTPUT_BLOCKS) {
        struct sm_grid *g =
            sm_result_grid(out, t->across * (t->size.w + 1) - 1, t->down * (t->size.h + 1) - 1);
        sm_image_grid_show(g, 0, 0, t, p, pixels, map, in->print.glyphs);
        return;
    }
    struct sm_raster r;
    sm_image_grid_paint(&r, &output->raster, p, pixels, map);
    sm_pixel_output_add(out, &r, output->format);
    sm_raster_clear(&r);
    if (pixels->nan || pixels->pos_inf || pixels->neg_inf)
        sm_result_dim(out, "NaN has the colour of problems, Inf the colour of warnings");
}

static void image_text(struct sm_result *out, const struct sm_plot_input *in,
                       const struct sm_downsample_spec *p, const struct sm_downsample *pixels,
                       const struct image_output *output, enum sm_heat_map map, uint64_t images)
{
    const struct sm_image_grid_tiles *t = &output->raster.tiles;
    sm_plot_input_heading(out, in);
    draw_images(out, in, p, pixels, output, map);
    if (pixels->lo <= pixels->hi)
        image_scale(out, in, p, pixels, map);
    sm_downsample_marked(out, pixels);
    if (t->shown < images)
        sm_result_dim(out, "%llu of %llu images; use -h or a slice to show others",
                      (unsigned long long)t->shown, (unsigned long long)images);
    if (p->out_rows < p->rows)
        sm_result_dim(out, "%llu x %llu elements in %zu x %zu pixels; each pixel is a mean",
                      (unsigned long long)p->rows, (unsigned long long)p->cols, p->out_rows,
                      p->out_cols);
}

static const struct sm_column image_columns[] = {
    {.key = "image", .header = "IMAGE", .format = SM_COL_NUMBER},
    {.key = "plane", .header = "PLANE", .format = SM_COL_NUMBER},
    {.key = "row", .header = "ROW", .format = SM_COL_NUMBER},
    {.key = "column", .header = "COLUMN", .format = SM_COL_NUMBER},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

static void image_rows(struct sm_result *out, const struct sm_downsample_spec *p, const double *v)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    uint64_t area = (uint64_t)p->out_rows * p->out_cols;
    for (uint64_t i = 0; i < p->images * p->planes * area; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_uint(out, row, "image", i / area / p->planes);
        sm_node_uint(out, row, "plane", i / area % p->planes);
        sm_node_uint(out, row, "row", sm_part(p->rows, p->out_rows, i % area / p->out_cols));
        sm_node_uint(out, row, "column", sm_part(p->cols, p->out_cols, i % p->out_cols));
        sm_node_double(out, row, "value", v[i], false);
    }
    out->rows = list;
    out->columns = image_columns;
    out->n_columns = COUNT(image_columns);
}

/* images[image][plane][row][column] */
static void image_nodes(struct sm_result *out, struct sm_node *map,
                        const struct sm_downsample_spec *p, const double *v)
{
    size_t area = p->out_rows * p->out_cols;
    struct sm_node *images = sm_node_list(out, map, "images");
    for (uint64_t i = 0; i < p->images; i++) {
        struct sm_node *planes = sm_node_list(out, images, NULL);
        for (uint64_t k = 0; k < p->planes; k++)
            sm_downsample_plane(out, planes, NULL, v + (i * p->planes + k) * area, p->out_rows,
                                p->out_cols);
    }
}

static bool lay_out_images(struct sm_call *c, const struct sm_plot_input *in,
                           const struct sm_downsample_spec *p, struct image_output *out,
                           struct sm_err *err)
{
    int w, h;
    *out = (struct image_output){0};
    if (!sm_pixel_output_choose(c, &out->format, err))
        return false;
    sm_pixel_output_size(c->session, in->w, in->h, &w, &h);
    if (out->format == SM_PIXEL_OUTPUT_BLOCKS)
        out->raster.tiles = sm_image_grid_lay_out(p, in->w, in->h, in->print.glyphs);
    else
        out->raster = sm_image_grid_lay_out_pixels(p, w, h);
    return true;
}

static bool draw_image(struct sm_call *c, struct sm_result *out, const struct sm_plot_input *in,
                       struct sm_err *err)
{
    struct sm_downsample_spec p;
    struct sm_downsample pixels;
    enum sm_image_grid_layout layout;
    enum sm_heat_map map = SM_HEAT_GREY;
    if (!read_layout(c, &layout, err) || !sm_downsample_map(c, &map, err))
        return false;
    const char *reason = sm_image_grid_spec(in->n_dims, in->dims, in->slice, &layout, &p);
    if (reason)
        return sm_plot_input_wrong_shape(in, reason, err);
    uint64_t images = p.images;
    struct image_output output;
    if (!lay_out_images(c, in, &p, &output, err))
        return false;
    const struct sm_image_grid_tiles t = output.raster.tiles;
    if (!t.shown)
        return sm_err_set(err, SM_ERR_USAGE, "An image does not fit in %d columns.", in->w);
    p.images = t.shown;
    p.out_rows = t.size.rows;
    p.out_cols = t.size.cols;
    if (!sm_downsample_read(c, in->tensor, &p, &pixels, err))
        return false;
    struct sm_node *root = sm_plot_input_node(out, in);
    sm_node_text(out, root, "layout", sm_image_grid_layouts[layout]);
    sm_downsample_scale(out, root, &pixels);
    image_nodes(out, root, &p, pixels.v);
    image_rows(out, &p, pixels.v);
    image_text(out, in, &p, &pixels, &output, map, images);
    return true;
}

static bool run_image(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_plot_input in;
    if (!sm_plot_input_view(c, &in, err))
        return false;
    bool ok = draw_image(c, out, &in, err);
    sm_tensor_unref(in.tensor);
    return ok;
}

static const struct sm_option image_options[] = {
    SM_PLOT_WIDTH_OPTION,
    SM_PLOT_HEIGHT_OPTION("maximum number of rows"),
    {.name = "layout",
     .kind = SM_ARG_WORD,
     .value = "LAYOUT",
     .help = "nchw, nhwc, grey, or auto (chosen by the shape)",
     .words = sm_image_grid_layouts},
    {.name = "map",
     .kind = SM_ARG_WORD,
     .value = "MAP",
     .help = "colours of images with one plane: viridis, cividis or grey (grey)",
     .words = sm_downsample_maps,
     .initial = "grey"},
    {.name = "as",
     .kind = SM_ARG_WORD,
     .value = "FORMAT",
     .help = "blocks, or pixels in a terminal with sixel or kitty graphics (see \"set images\")",
     .words = sm_pixel_output_words},
    {0},
};
const struct sm_cmd sm_cmd_image = {
    .name = "image",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show a tensor as images, grey or in colour",
    .help = "The last dimensions are an image: planes, rows, columns (nchw) or rows, columns, "
            "planes (nhwc), or rows and columns\n"
            "only (grey). The dimensions before them count images. The smallest pixel is black, "
            "the largest is white. If there are\n"
            "more elements than pixels, a pixel is the mean of its elements; a pixel with a NaN or "
            "Inf element is marked.",
    .example = "image conv0_input_0[0] step 10",
    .see_also = "heatmap, tensor",
    .args = sm_place_args,
    .options = image_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer =
        "{" SM_SHAPE_DTYPED ",layout:text," SM_SHAPE_RANGE ",images:[[[[num]]]],sample?:text}",
    .run = run_image,
};
