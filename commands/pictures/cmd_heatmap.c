/* SPDX-License-Identifier: Apache-2.0 */
/* heatmap: draw a matrix in colours. */
#include "commands/answer/shape.h"
#include "commands/pictures/downsample.h"
#include "commands/pictures/pictures.h"
#include "commands/pictures/plot_input.h"
#include "plot/chart.h"
#include "plot/grid/pixel.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column heat_columns[] = {
    {.key = "row", .header = "ROW", .format = SM_COL_NUMBER},
    {.key = "column", .header = "COLUMN", .format = SM_COL_NUMBER},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

/* Tables have one row per pixel, with the indices of its first element. */
static void heat_rows(struct sm_result *out, const struct sm_downsample_spec *p, const double *v)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < p->out_rows * p->out_cols; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_uint(out, row, "row", sm_part(p->rows, p->out_rows, i / p->out_cols));
        sm_node_uint(out, row, "column", sm_part(p->cols, p->out_cols, i % p->out_cols));
        sm_node_double(out, row, "value", v[i], false);
    }
    out->rows = list;
    out->columns = heat_columns;
    out->n_columns = COUNT(heat_columns);
}

static void heat_text(struct sm_result *out, const struct sm_plot_input *in,
                      const struct sm_downsample_spec *p, const struct sm_downsample *pixels,
                      enum sm_heat_map map)
{
    const struct sm_heat heat = {.v = pixels->v,
                                 .rows = p->out_rows,
                                 .cols = p->out_cols,
                                 .lo = pixels->lo,
                                 .hi = pixels->hi,
                                 .map = map,
                                 .legend = true};
    sm_plot_input_heading(out, in);
    struct sm_grid *g =
        sm_result_grid(out, in->w, sm_heat_height(&heat, in->w, in->h, in->print.glyphs));
    sm_heat_draw(g, (struct sm_rect){0, 0, g->w, g->h}, &heat, in->print.glyphs);
    sm_downsample_marked(out, pixels);
    if (p->out_rows < p->rows || p->out_cols < p->cols)
        sm_result_dim(out, "%llu x %llu elements in %zu x %zu pixels; each pixel is a mean",
                      (unsigned long long)p->rows, (unsigned long long)p->cols, p->out_rows,
                      p->out_cols);
}

static bool draw_heat(struct sm_call *c, struct sm_result *out, const struct sm_plot_input *in,
                      struct sm_err *err)
{
    struct sm_downsample_spec p;
    struct sm_downsample pixels;
    enum sm_heat_map map = SM_HEAT_VIRIDIS;
    size_t rows, cols;
    if (!sm_plot_input_matrix(in, &p, err) || !sm_downsample_map(c, &map, err))
        return false;
    sm_heat_room((struct sm_rect){0, 0, in->w, in->h}, true, in->print.glyphs, &rows, &cols);
    p.out_rows = p.rows < rows ? p.rows : rows;
    p.out_cols = p.cols < cols ? p.cols : cols;
    if (!sm_downsample_read(c, in->tensor, &p, &pixels, err))
        return false;
    struct sm_node *map_node = sm_plot_input_node(out, in);
    sm_downsample_scale(out, map_node, &pixels);
    sm_downsample_plane(out, map_node, "values", pixels.v, p.out_rows, p.out_cols);
    heat_rows(out, &p, pixels.v);
    heat_text(out, in, &p, &pixels, map);
    return true;
}

static bool run_heatmap(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_plot_input in;
    if (!sm_plot_input_view(c, &in, err))
        return false;
    bool ok = draw_heat(c, out, &in, err);
    sm_tensor_unref(in.tensor);
    return ok;
}

static const struct sm_option heatmap_options[] = {
    SM_PLOT_WIDTH_OPTION,
    SM_PLOT_HEIGHT_OPTION("maximum number of rows, including the legend"),
    SM_DOWNSAMPLE_MAP_OPTION,
    {0},
};
const struct sm_cmd sm_cmd_heatmap = {
    .name = "heatmap",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Draw a matrix, or a slice with two dimensions, in colours",
    .help = "The first dimension runs down, the second to the right; dimensions of size 1 are "
            "ignored. If there are more elements\n"
            "than pixels, a pixel is the mean of its elements; a pixel with a NaN or Inf element "
            "is marked.",
    .example = "heatmap CNN_fc1.weight step 10 -h 12",
    .see_also = "image, hist, tensor",
    .args = sm_place_args,
    .options = heatmap_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{" SM_SHAPE_DTYPED "," SM_SHAPE_RANGE ",values:[[num]],sample?:text}",
    .run = run_heatmap,
};
