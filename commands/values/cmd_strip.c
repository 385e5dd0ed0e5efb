/* strip: images of a matrix at several steps, side by side. */
#include "commands/values/downsample.h"
#include "commands/values/picture_subject.h"
#include "commands/values/values.h"
#include "plot/chart.h"
#include "plot/grid/pixel.h"
#include "plot/scalebar.h"

#include <math.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { LEAST_W = 4, LARGEST_ZOOM = 4, SEVERAL = 3 }; /* LEAST_W: for the step number */

/* The image of one step; read if the value has the shape of the newest value. */
struct frame {
    struct sm_subject subject;
    struct sm_downsample picture;
    bool read, other_shape, unread;
};

struct film {
    struct frame *frames;
    size_t n, all;                  /* shown, existing */
    struct sm_downsample_spec spec; /* of the newest value */
    struct sm_bitmap_size size;     /* of one image */
    int across, down, pitch;        /* columns from one image to the next */
    double lo, hi;
    enum sm_heat_map map;
};

/* Selects the largest size at which all images fit; else the original size, with as many images as
 * fit; else three smaller images in a row. */
static void lay_out(struct film *f, const struct sm_subject *s)
{
    const struct sm_glyphs *glyphs = s->print.glyphs;
    int pixel_rows = sm_pixel_rows(glyphs), a_column = pixel_rows == 2 ? 1 : 2,
        h = s->h > 2 ? s->h - 1 : s->h;
    for (int zoom = LARGEST_ZOOM; zoom; zoom /= 2) {
        double w = (double)f->spec.cols * zoom * a_column,
               rows = ceil((double)f->spec.rows * zoom / pixel_rows);
        bool fits = w <= s->w && rows + 1 <= h;
        int most = f->all < SEVERAL ? s->w : s->w / SEVERAL;
        f->size = sm_bitmap_fit(f->spec.rows, f->spec.cols, fits ? (int)w : most,
                                fits ? (int)rows : h - 1, glyphs);
        f->pitch = (f->size.w > LEAST_W ? f->size.w : LEAST_W) + 1;
        f->across = (s->w + 1) / f->pitch;
        f->down = h / (f->size.h + 1);
        if (fits && (size_t)f->across * (size_t)f->down >= f->all)
            break;
    }
    size_t room = (size_t)f->across * (size_t)f->down;
    f->n = !f->size.w ? 0 : room < f->all ? room : f->all;
    f->spec.out_rows = f->size.rows;
    f->spec.out_cols = f->size.cols;
}

static bool same_shape(const struct sm_subject *a, const struct sm_subject *b)
{
    return a->n_dims == b->n_dims && memcmp(a->dims, b->dims, a->n_dims * sizeof *a->dims) == 0;
}

/* Returns false with SM_ERR_WAIT, or if the request is invalid. */
static bool read_frame(struct sm_call *c, struct film *f, struct frame *x,
                       const struct sm_subject *newest, const struct sm_place *p,
                       struct sm_err *err)
{
    struct sm_downsample_spec spec = f->spec;
    *x = (struct frame){0};
    if (!sm_subject_of(c, p, &x->subject, err)) {
        x->unread = err->code != SM_ERR_WAIT;
        return x->unread;
    }
    x->other_shape = !same_shape(&x->subject, newest);
    spec.slice = p->slice;
    x->read = !x->other_shape && sm_downsample_read(c, x->subject.tensor, &spec, &x->picture, err);
    sm_tensor_unref(x->subject.tensor);
    return x->read || x->other_shape;
}

static bool read_frames(struct sm_call *c, struct film *f, const struct sm_subject *newest,
                        const struct sm_places *places, struct sm_err *err)
{
    bool waiting = false;
    f->lo = HUGE_VAL;
    f->hi = -HUGE_VAL;
    f->frames = sm_arena_xalloc(&c->arena, f->n * sizeof *f->frames);
    for (size_t i = 0; i < f->n; i++) {
        const struct sm_place *p = &places->items[sm_part(f->all, f->n, i + 1) - 1];
        if (read_frame(c, f, &f->frames[i], newest, p, err)) {
            f->lo = f->frames[i].read ? fmin(f->lo, f->frames[i].picture.lo) : f->lo;
            f->hi = f->frames[i].read ? fmax(f->hi, f->frames[i].picture.hi) : f->hi;
        } else if (err->code == SM_ERR_WAIT) {
            waiting = true;
        } else {
            return false;
        }
    }
    return !waiting || sm_err_set(err, SM_ERR_WAIT, "reading %zu steps", f->n);
}

/* ---- output ---- */

static const struct sm_column columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "row", .header = "ROW", .format = SM_COL_NUMBER},
    {.key = "column", .header = "COLUMN", .format = SM_COL_NUMBER},
    {.key = "value", .header = "VALUE", .format = SM_COL_NUMBER},
};

static void add_nodes(struct sm_result *out, const struct film *f, const struct sm_places *places)
{
    const struct sm_downsample_spec *p = &f->spec;
    struct sm_node *root = sm_node_list(out, NULL, NULL), *rows = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < f->n; i++) {
        int64_t step = places->items[sm_part(f->all, f->n, i + 1) - 1].step.n;
        if (!f->frames[i].read)
            continue;
        struct sm_node *map = sm_node_map(out, root, NULL);
        sm_node_int(out, map, "step", step);
        sm_downsample_scale(out, map, &f->frames[i].picture);
        sm_downsample_plane(out, map, "values", f->frames[i].picture.v, p->out_rows, p->out_cols);
        for (size_t k = 0; k < p->out_rows * p->out_cols; k++) {
            struct sm_node *row = sm_node_map(out, rows, NULL);
            sm_node_int(out, row, "step", step);
            sm_node_uint(out, row, "row", sm_part(p->rows, p->out_rows, k / p->out_cols));
            sm_node_uint(out, row, "column", sm_part(p->cols, p->out_cols, k % p->out_cols));
            sm_node_double(out, row, "value", f->frames[i].picture.v[k], false);
        }
    }
    out->root = root;
    out->rows = rows;
    out->columns = columns;
    out->n_columns = COUNT(columns);
}

/* All images have the same scale, so that they can be compared. */
static void draw(struct sm_result *out, const struct film *f, const struct sm_subject *s,
                 const struct sm_places *places)
{
    int down = (int)((f->n + (size_t)f->across - 1) / (size_t)f->across),
        across = f->n < (size_t)f->across ? (int)f->n : f->across;
    int w = across * f->pitch - 1;
    struct sm_grid *g = sm_result_grid(out, w > s->w ? w : s->w, down * (f->size.h + 1) + 1);
    struct sm_scalebar bar = {.lo = f->lo, .hi = f->hi, .map = f->map};
    for (size_t i = 0; i < f->n; i++) {
        int x = (int)i % f->across * f->pitch, y = (int)i / f->across * (f->size.h + 1);
        const struct frame *frame = &f->frames[i];
        struct sm_heat heat = {.v = frame->picture.v,
                               .rows = f->spec.out_rows,
                               .cols = f->spec.out_cols,
                               .lo = f->lo,
                               .hi = f->hi,
                               .map = f->map};
        if (frame->read) {
            sm_heat_draw(g, (struct sm_rect){x, y, f->size.w, f->size.h}, &heat, s->print.glyphs);
            sm_scalebar_add_marks(&bar, frame->picture.v, heat.rows * heat.cols);
        }
        sm_grid_printf(g, x, y + f->size.h, f->pitch - 1, SM_ROLE_DIM, 0, "%lld",
                       (long long)places->items[sm_part(f->all, f->n, i + 1) - 1].step.n);
    }
    sm_scalebar_draw(&bar, g, 0, g->h - 1, g->w, s->print.glyphs);
}

static void add_notes(struct sm_result *out, const struct film *f)
{
    size_t other = 0, unread = 0;
    for (size_t i = 0; i < f->n; i++) {
        other += f->frames[i].other_shape;
        unread += f->frames[i].unread;
    }
    if (f->n < f->all)
        sm_result_dim(out, "%zu of %zu steps, evenly spaced; use -h to show more", f->n, f->all);
    if (f->spec.out_rows < f->spec.rows || f->spec.out_cols < f->spec.cols)
        sm_result_dim(out, "%llu x %llu elements in %zu x %zu pixels; each pixel is a mean",
                      (unsigned long long)f->spec.rows, (unsigned long long)f->spec.cols,
                      f->spec.out_rows, f->spec.out_cols);
    if (other)
        sm_result_dim(out, "empty: %zu with a different shape", other);
    if (unread)
        sm_result_dim(out, "empty: %zu that could not be read. See \"info errors\".", unread);
}

/* Selects all steps if none are given. */
static void take_all_steps(struct sm_call *c)
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
    struct sm_subject newest = {0};
    struct film f = {0};
    take_all_steps(c);
    if (!sm_places_read(c, &places, err) || !sm_downsample_map(c, &f.map, err) ||
        !sm_subject_of(c, &places.items[places.n - 1], &newest, err))
        return false;
    f.all = places.n;
    bool ok = sm_subject_size(c, "w", 1000, &newest.w, err) &&
              sm_subject_size(c, "h", 500, &newest.h, err) &&
              sm_subject_matrix(&newest, &f.spec, err);
    if (ok)
        lay_out(&f, &newest);
    ok = ok &&
         (f.n || sm_err_set(err, SM_ERR_USAGE, "An image does not fit in %d columns and %d rows.",
                            newest.w, newest.h));
    ok = ok && read_frames(c, &f, &newest, &places, err);
    if (ok) {
        add_nodes(out, &f, &places);
        sm_subject_heading(out, &newest);
        draw(out, &f, &newest, &places);
        add_notes(out, &f);
    }
    sm_tensor_unref(newest.tensor);
    return ok;
}

static const struct sm_option strip_options[] = {
    {.name = "w",
     .kind = SM_ARG_NUMBER,
     .value = "COLUMNS",
     .help = "width (the terminal's, else 80)"},
    {.name = "h", .kind = SM_ARG_NUMBER, .value = "ROWS", .help = "maximum number of rows (18)"},
    {.name = "map",
     .kind = SM_ARG_WORD,
     .value = "MAP",
     .help = "colours: viridis, cividis or grey",
     .words = sm_downsample_maps},
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
    .see_also = "heatmap image hist",
    .args = sm_place_args,
    .options = strip_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_strip,
};
