/* SPDX-License-Identifier: Apache-2.0 */
/* strip: images of a matrix at several steps, side by side. */
#include "commands/answer/shape.h"
#include "commands/pictures/downsample.h"
#include "commands/pictures/pictures.h"
#include "commands/pictures/plot_input.h"
#include "plot/chart.h"
#include "plot/grid/pixel.h"
#include "plot/scalebar.h"

#include <math.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { MIN_W = 4, MAX_ZOOM = 4, MIN_ACROSS = 3 }; /* MIN_W: for the step number */

/* The image of one step; read if the value has the shape of the newest value. */
struct strip_image {
    struct sm_plot_input input;
    struct sm_downsample pixels;
    bool read, different_shape, unread;
};

struct strip {
    struct strip_image *images;
    size_t n, all_steps;            /* shown, existing */
    struct sm_downsample_spec spec; /* of the newest value */
    struct sm_bitmap_size size;     /* of one image */
    int across, down, pitch;        /* columns from one image to the next */
    double lo, hi;
    enum sm_heat_map map;
};

/* Selects the largest size at which all images fit; else the original size, with as many images as
 * fit; else three smaller images in a row. */
static void lay_out_strip(struct strip *strip, const struct sm_plot_input *in)
{
    const struct sm_glyphs *glyphs = in->print.glyphs;
    int pixel_rows = sm_pixel_rows(glyphs), pixel_columns = pixel_rows == 2 ? 1 : 2,
        h = in->h > 2 ? in->h - 1 : in->h;
    for (int zoom = MAX_ZOOM; zoom; zoom /= 2) {
        double w = (double)strip->spec.cols * zoom * pixel_columns,
               rows = ceil((double)strip->spec.rows * zoom / pixel_rows);
        bool fits = w <= in->w && rows + 1 <= h;
        int max_w = strip->all_steps < MIN_ACROSS ? in->w : in->w / MIN_ACROSS;
        strip->size = sm_bitmap_fit(strip->spec.rows, strip->spec.cols, fits ? (int)w : max_w,
                                    fits ? (int)rows : h - 1, glyphs);
        strip->pitch = (strip->size.w > MIN_W ? strip->size.w : MIN_W) + 1;
        strip->across = (in->w + 1) / strip->pitch;
        strip->down = h / (strip->size.h + 1);
        if (fits && (size_t)strip->across * (size_t)strip->down >= strip->all_steps)
            break;
    }
    size_t max_images = (size_t)strip->across * (size_t)strip->down;
    strip->n = !strip->size.w ? 0 : max_images < strip->all_steps ? max_images : strip->all_steps;
    strip->spec.out_rows = strip->size.rows;
    strip->spec.out_cols = strip->size.cols;
}

static bool same_shape(const struct sm_plot_input *a, const struct sm_plot_input *b)
{
    return a->n_dims == b->n_dims && memcmp(a->dims, b->dims, a->n_dims * sizeof *a->dims) == 0;
}

/* Returns false with SM_ERR_WAIT, or if the request is invalid. */
static bool read_image(struct sm_call *c, struct strip *strip, struct strip_image *x,
                       const struct sm_plot_input *newest, const struct sm_place *p,
                       struct sm_err *err)
{
    struct sm_downsample_spec spec = strip->spec;
    *x = (struct strip_image){0};
    if (!sm_plot_input_at(c, p, &x->input, err)) {
        x->unread = err->code != SM_ERR_WAIT;
        return x->unread;
    }
    x->different_shape = !same_shape(&x->input, newest);
    spec.slice = p->slice;
    x->read = !x->different_shape && sm_downsample_read(c, x->input.tensor, &spec, &x->pixels, err);
    sm_tensor_unref(x->input.tensor);
    return x->read || x->different_shape;
}

static bool read_images(struct sm_call *c, struct strip *strip, const struct sm_plot_input *newest,
                        const struct sm_places *places, struct sm_err *err)
{
    bool waiting = false;
    strip->lo = HUGE_VAL;
    strip->hi = -HUGE_VAL;
    strip->images = sm_arena_xalloc(&c->arena, strip->n * sizeof *strip->images);
    for (size_t i = 0; i < strip->n; i++) {
        const struct sm_place *p = &places->items[sm_part(strip->all_steps, strip->n, i + 1) - 1];
        if (read_image(c, strip, &strip->images[i], newest, p, err)) {
            strip->lo =
                strip->images[i].read ? fmin(strip->lo, strip->images[i].pixels.lo) : strip->lo;
            strip->hi =
                strip->images[i].read ? fmax(strip->hi, strip->images[i].pixels.hi) : strip->hi;
        } else if (err->code == SM_ERR_WAIT) {
            waiting = true;
        } else {
            return false;
        }
    }
    return !waiting || sm_err_set(err, SM_ERR_WAIT, "reading %zu steps", strip->n);
}

/* ---- output ---- */

static const struct sm_column columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "row", .header = "ROW", .format = SM_COL_NUMBER},
    {.key = "column", .header = "COLUMN", .format = SM_COL_NUMBER},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

static void add_strip_nodes(struct sm_result *out, const struct strip *strip,
                            const struct sm_places *places)
{
    const struct sm_downsample_spec *p = &strip->spec;
    struct sm_node *root = sm_node_list(out, NULL, NULL), *rows = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < strip->n; i++) {
        int64_t step = places->items[sm_part(strip->all_steps, strip->n, i + 1) - 1].step.n;
        if (!strip->images[i].read)
            continue;
        struct sm_node *map = sm_node_map(out, root, NULL);
        sm_node_int(out, map, "step", step);
        sm_downsample_scale(out, map, &strip->images[i].pixels);
        sm_downsample_plane(out, map, "values", strip->images[i].pixels.v, p->out_rows,
                            p->out_cols);
        for (size_t k = 0; k < p->out_rows * p->out_cols; k++) {
            struct sm_node *row = sm_node_map(out, rows, NULL);
            sm_node_int(out, row, "step", step);
            sm_node_uint(out, row, "row", sm_part(p->rows, p->out_rows, k / p->out_cols));
            sm_node_uint(out, row, "column", sm_part(p->cols, p->out_cols, k % p->out_cols));
            sm_node_double(out, row, "value", strip->images[i].pixels.v[k], false);
        }
    }
    out->root = root;
    out->rows = rows;
    out->columns = columns;
    out->n_columns = COUNT(columns);
}

/* All images have the same scale, so that they can be compared. */
static void draw_strip(struct sm_result *out, const struct strip *strip,
                       const struct sm_plot_input *in, const struct sm_places *places)
{
    int down = (int)((strip->n + (size_t)strip->across - 1) / (size_t)strip->across),
        across = strip->n < (size_t)strip->across ? (int)strip->n : strip->across;
    int w = across * strip->pitch - 1;
    struct sm_grid *g = sm_result_grid(out, w > in->w ? w : in->w, down * (strip->size.h + 1) + 1);
    struct sm_scalebar bar = {.lo = strip->lo, .hi = strip->hi, .map = strip->map};
    for (size_t i = 0; i < strip->n; i++) {
        int x = (int)i % strip->across * strip->pitch,
            y = (int)i / strip->across * (strip->size.h + 1);
        const struct strip_image *image = &strip->images[i];
        struct sm_heat heat = {.v = image->pixels.v,
                               .rows = strip->spec.out_rows,
                               .cols = strip->spec.out_cols,
                               .lo = strip->lo,
                               .hi = strip->hi,
                               .map = strip->map};
        if (image->read) {
            sm_heat_draw(g, (struct sm_rect){x, y, strip->size.w, strip->size.h}, &heat,
                         in->print.glyphs);
            sm_scalebar_add_marks(&bar, image->pixels.v, heat.rows * heat.cols);
        }
        sm_grid_printf(
            g, x, y + strip->size.h, strip->pitch - 1, SM_ROLE_DIM, 0, "%lld",
            (long long)places->items[sm_part(strip->all_steps, strip->n, i + 1) - 1].step.n);
    }
    sm_scalebar_draw(&bar, g, 0, g->h - 1, g->w, in->print.glyphs);
}

static void add_strip_notes(struct sm_result *out, const struct strip *strip)
{
    size_t different = 0, unread = 0;
    for (size_t i = 0; i < strip->n; i++) {
        different += strip->images[i].different_shape;
        unread += strip->images[i].unread;
    }
    if (strip->n < strip->all_steps)
        sm_result_dim(out, "%zu of %zu steps, evenly spaced; use -h to show more", strip->n,
                      strip->all_steps);
    if (strip->spec.out_rows < strip->spec.rows || strip->spec.out_cols < strip->spec.cols)
        sm_result_dim(out, "%llu x %llu elements in %zu x %zu pixels; each pixel is a mean",
                      (unsigned long long)strip->spec.rows, (unsigned long long)strip->spec.cols,
                      strip->spec.out_rows, strip->spec.out_cols);
    if (different)
        sm_result_dim(out, "empty: %zu with a different shape", different);
    if (unread)
        sm_result_dim(out, "empty: %zu that could not be read. See \"info errors\".", unread);
}

/* Selects all steps if none are given. */
static void default_to_all_steps(struct sm_call *c)
{
    static const struct sm_word all = {.text = {"all", 3}};
    for (size_t i = 0; c->cmd->args[i].name; i++)
        if (c->cmd->args[i].keyword && strcmp(c->cmd->args[i].keyword, "step") == 0 &&
            !c->keyword_values[i] && c->n_words < 2)
            c->keyword_values[i] = &all;
}

static bool run_strip(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_places places;
    struct sm_plot_input newest = {0};
    struct strip strip = {0};
    default_to_all_steps(c);
    if (!sm_places_read(c, &places, err) || !sm_downsample_map(c, &strip.map, err) ||
        !sm_plot_input_at(c, &places.items[places.n - 1], &newest, err))
        return false;
    strip.all_steps = places.n;
    bool ok = sm_plot_size_option(c, "w", SM_PLOT_MAX_W, &newest.w, err) &&
              sm_plot_size_option(c, "h", SM_PLOT_MAX_H, &newest.h, err) &&
              sm_plot_input_matrix(&newest, &strip.spec, err);
    if (ok)
        lay_out_strip(&strip, &newest);
    ok = ok && (strip.n ||
                sm_err_set(err, SM_ERR_USAGE, "An image does not fit in %d columns and %d rows.",
                           newest.w, newest.h));
    ok = ok && read_images(c, &strip, &newest, &places, err);
    if (ok) {
        add_strip_nodes(out, &strip, &places);
        sm_plot_input_heading(out, &newest);
        draw_strip(out, &strip, &newest, &places);
        add_strip_notes(out, &strip);
    }
    sm_tensor_unref(newest.tensor);
    return ok;
}

static const struct sm_option strip_options[] = {
    SM_PLOT_WIDTH_OPTION,
    SM_PLOT_HEIGHT_OPTION("maximum number of rows"),
    SM_DOWNSAMPLE_MAP_OPTION,
    {0},
};
const struct sm_cmd sm_cmd_strip = {
    .name = "strip",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Draw a matrix at several steps, as images side by side",
    .help =
        "STEP may be a range such as 0:100:10; the default is all steps. All images have the same "
        "scale. If not all steps fit,\n"
        "evenly spaced steps are shown.",
    .example = "strip CNN_conv0.weight[0,0] step 0:100",
    .see_also = "heatmap, image, hist",
    .args = sm_place_args,
    .options = strip_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{step:int," SM_SHAPE_RANGE ",values:[[num]]}]",
    .run = run_strip,
};
