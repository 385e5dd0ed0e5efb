/* image: tensors as pictures. */
#include "commands/cmd_list.h"
#include "commands/picture.h"
#include "commands/subject.h"
#include "plot/chart.h"
#include "plot/pixel.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { LAYOUT_AUTO, LAYOUT_NCHW, LAYOUT_NHWC, LAYOUT_GREY };
static const char *const layouts[] = {"auto", "nchw", "nhwc", "grey", NULL};

static bool are_planes(uint64_t n)
{
    return n == 1 || n == 3 || n == 4;
}

/* Planes in front are looked for first, as PyTorch has them; there 4 are features more often than alpha. */
static int guess_layout(const uint64_t *dims, unsigned n)
{
    if (n < 3)
        return LAYOUT_GREY;
    if ((dims[n - 3] == 1 || dims[n - 3] == 3) && !(are_planes(dims[n - 1]) && dims[n - 2] > 4))
        return LAYOUT_NCHW;
    return are_planes(dims[n - 1]) ? LAYOUT_NHWC : LAYOUT_GREY;
}

static bool layout_of(struct sm_call *c, const struct sm_subject *s, int *out, struct sm_err *err)
{
    const struct sm_word *w = sm_call_option(c, "layout");
    int i = LAYOUT_AUTO;
    while (w && layouts[i] && (!w->text.n || strncmp(layouts[i], w->text.p, w->text.n) != 0))
        i++;
    if (!layouts[i])
        return sm_err_set(err, SM_ERR_USAGE, "Undefined layout: \"%s\". Try auto, nchw, nhwc or grey.", w->text.p);
    *out = i == LAYOUT_AUTO ? guess_layout(s->dims, s->n_dims) : i;
    if (s->n_dims < 2 || (*out != LAYOUT_GREY && s->n_dims < 3))
        return sm_subject_wrong_shape(s, "an image has rows and columns, and in colour planes.", err);
    uint64_t planes = *out == LAYOUT_NCHW ? s->dims[s->n_dims - 3] : *out == LAYOUT_NHWC ? s->dims[s->n_dims - 1] : 1;
    return are_planes(planes) || sm_subject_wrong_shape(s, "an image has 1 plane of grey, or 3 or 4 of red, green, blue and alpha.", err);
}

/* Alpha is left out. What stands before rows, columns and planes counts images. */
static void image_spec(const struct sm_subject *s, int layout, struct sm_picture_spec *p)
{
    const uint64_t *last = s->dims + s->n_dims;
    bool grey = layout == LAYOUT_GREY, inside = layout == LAYOUT_NHWC;
    uint64_t planes = grey ? 1 : inside ? last[-1] : last[-3];
    *p = (struct sm_picture_spec){.slice = s->target.slice, .images = 1, .planes = planes > 3 ? 3 : planes,
                                  .rows = last[inside ? -3 : -2], .cols = last[inside ? -2 : -1]};
    p->col_step = inside ? planes : 1;
    p->row_step = p->cols * p->col_step;
    p->plane_step = inside ? 1 : p->rows * p->cols;
    p->image_step = planes * p->rows * p->cols;
    for (unsigned i = 0; i + (grey ? 2 : 3) < s->n_dims; i++)
        p->images *= s->dims[i];
}

/* As many as there is room for, beside and below each other, one cell apart. */
struct tiles {
    struct sm_bitmap_size size;           /* of one */
    int across, down;
    uint64_t shown;
};

static struct tiles lay_tiles(const struct sm_subject *s, const struct sm_picture_spec *p)
{
    struct tiles t = {.size = sm_bitmap_fit(p->rows, p->cols, s->w, s->h, s->print.glyphs)};
    if (!t.size.w)
        return t;
    t.across = (s->w + 1) / (t.size.w + 1);
    t.down = (s->h + 1) / (t.size.h + 1);
    if (p->images < (uint64_t)t.across)
        t.across = (int)p->images;
    uint64_t most = (uint64_t)t.across * (uint64_t)t.down;
    t.shown = p->images < most ? p->images : most;
    t.down = (int)((t.shown + (uint64_t)t.across - 1) / (uint64_t)t.across);
    return t;
}

static void image_text(struct sm_result *out, const struct sm_subject *s, const struct sm_picture_spec *p, const struct sm_picture *pic,
                       const struct tiles *t, uint64_t images)
{
    sm_subject_heading(out, s);
    struct sm_grid *g = sm_result_grid(out, t->across * (t->size.w + 1) - 1, t->down * (t->size.h + 1) - 1);
    struct sm_bitmap image = {.planes = p->planes, .rows = p->out_rows, .cols = p->out_cols, .lo = pic->lo, .hi = pic->hi};
    for (uint64_t i = 0; i < t->shown; i++) {
        int x = (int)(i % (uint64_t)t->across) * (t->size.w + 1), y = (int)(i / (uint64_t)t->across) * (t->size.h + 1);
        image.v = pic->v + i * p->planes * p->out_rows * p->out_cols;
        sm_bitmap_draw(g, (struct sm_rect){x, y, t->size.w, t->size.h}, &image, s->print.glyphs);
    }
    if (pic->lo <= pic->hi)
        sm_result_text(out, "black %.4g  white %.4g", pic->lo, pic->hi);
    sm_picture_marked(out, pic);
    if (t->shown < images)
        sm_result_dim(out, "%llu of %llu images; -h or a slice shows others", (unsigned long long)t->shown, (unsigned long long)images);
    if (p->out_rows < p->rows)
        sm_result_dim(out, "%llu x %llu elements in %zu x %zu pixels: each is a mean", (unsigned long long)p->rows,
                      (unsigned long long)p->cols, p->out_rows, p->out_cols);
}

static const struct sm_column image_columns[] = {
    {.key = "image", .header = "IMAGE", .format = SM_COL_NUMBER},
    {.key = "plane", .header = "PLANE", .format = SM_COL_NUMBER},
    {.key = "row", .header = "ROW", .format = SM_COL_NUMBER},
    {.key = "column", .header = "COLUMN", .format = SM_COL_NUMBER},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

static void image_rows(struct sm_result *out, const struct sm_picture_spec *p, const double *v)
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
static void image_nodes(struct sm_result *out, struct sm_node *map, const struct sm_picture_spec *p, const double *v)
{
    size_t area = p->out_rows * p->out_cols;
    struct sm_node *images = sm_node_list(out, map, "images");
    for (uint64_t i = 0; i < p->images; i++) {
        struct sm_node *planes = sm_node_list(out, images, NULL);
        for (uint64_t k = 0; k < p->planes; k++)
            sm_picture_plane(out, planes, NULL, v + (i * p->planes + k) * area, p->out_rows, p->out_cols);
    }
}

static bool draw_image(struct sm_call *c, struct sm_result *out, const struct sm_subject *s, struct sm_err *err)
{
    struct sm_picture_spec p;
    struct sm_picture pic;
    int layout = LAYOUT_AUTO;
    if (!layout_of(c, s, &layout, err))
        return false;
    image_spec(s, layout, &p);
    uint64_t images = p.images;
    struct tiles t = lay_tiles(s, &p);
    if (!t.shown)
        return sm_err_set(err, SM_ERR_USAGE, "There is no room for an image in %d columns.", s->w);
    p.images = t.shown;
    p.out_rows = t.size.rows;
    p.out_cols = t.size.cols;
    if (!sm_picture_read(c, s->tensor, &p, &pic, err))
        return false;
    struct sm_node *map = sm_subject_node(out, s);
    sm_node_text(out, map, "layout", layouts[layout]);
    sm_picture_scale(out, map, &pic);
    image_nodes(out, map, &p, pic.v);
    image_rows(out, &p, pic.v);
    image_text(out, s, &p, &pic, &t, images);
    return true;
}

static bool run_image(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_subject s;
    if (!sm_subject_read(c, &s, err))
        return false;
    bool ok = draw_image(c, out, &s, err);
    sm_tensor_unref(s.tensor);
    return ok;
}

static const struct sm_option image_options[] = {
    {.name = "w", .kind = SM_ARG_NUMBER, .value = "COLUMNS", .help = "width (the terminal's, else 80)"},
    {.name = "h", .kind = SM_ARG_NUMBER, .value = "ROWS", .help = "most rows (18)"},
    {.name = "layout", .kind = SM_ARG_WORD, .value = "LAYOUT", .help = "nchw, nhwc, grey, or auto: by the shape", .words = layouts},
    {0},
};
const struct sm_cmd sm_cmd_image = {
    .name = "image",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show a tensor as images, grey or in colour",
    .help = "The last dimensions are an image: planes, rows, columns (nchw) or rows, columns, planes (nhwc), or rows and columns\n"
            "alone (grey). Those before them count images. The smallest pixel is black and the largest is white. Where there are\n"
            "more elements than pixels, a pixel is the mean of its elements. One with a NaN or Inf among them is marked as such.",
    .example = "image conv0_input_0[0] step 10",
    .see_also = "heatmap tensor",
    .args = sm_place_args,
    .options = image_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_image,
};
