/* SPDX-License-Identifier: Apache-2.0 */
/* The image view of the tensor pane: as many images as fit, from the selected one on. */
#include "commands/pictures/image_grid.h"
#include "plot/scalebar.h"
#include "tui/tensor_pane/tensor_pane.h"

#include <string.h>

static bool is_same_spec(const struct sm_downsample_spec *a, const struct sm_downsample_spec *b)
{
    return a->slice == b->slice && a->first == b->first && a->images == b->images &&
           a->planes == b->planes && a->rows == b->rows && a->cols == b->cols &&
           a->image_step == b->image_step && a->plane_step == b->plane_step &&
           a->out_rows == b->out_rows && a->out_cols == b->out_cols;
}

void sm_tensor_pane_drop_image(struct sm_tensor_pane *s)
{
    sm_works_drop(&s->works);
    s->image_spec = (struct sm_downsample_spec){0};
}

/* Computes the picture. Only one is kept: that of the current tensor, slice and size. */
static bool read_picture(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                         const struct sm_downsample_spec *spec, struct sm_downsample *out,
                         struct sm_err *err)
{
    if (!sm_tensor_pane_tensor(s, frame, err))
        return false;
    if (!is_same_spec(&s->image_spec, spec) || (s->works.first && s->works.first->of != s->tensor))
        sm_tensor_pane_drop_image(s);
    s->image_spec = *spec;
    s->works.pool = frame->v->session->pool;
    s->works.news = &s->images_made;
    sm_works_begin(&s->works);
    if (sm_downsample_make(&s->works, s, s->tensor, spec, out, err))
        return true;
    s->unfinished = err->code == SM_ERR_WAIT;
    return false;
}

/* Draws "black -0.6  white 0.7      3-8 of 16", or the scale of a colour map. */
static void draw_scale(const struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                       const struct sm_downsample_spec *p, const struct sm_downsample *picture,
                       uint64_t images, struct sm_grid *g, struct sm_rect r)
{
    struct sm_str text = {0};
    if (p->planes == 1 && s->map != SM_HEAT_GREY) {
        struct sm_scalebar bar = {.lo = picture->lo, .hi = picture->hi, .map = s->map};
        sm_scalebar_draw(&bar, g, r.x + 1, r.y, r.w - 1, frame->v->glyphs);
    } else if (picture->lo <= picture->hi) {
        sm_grid_printf(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, "black %.3g  white %.3g",
                       picture->lo, picture->hi);
    }
    uint64_t odd = picture->nan + picture->pos_inf + picture->neg_inf;
    if (odd)
        sm_str_printf(&text, "  %llu NaN or Inf", (unsigned long long)odd);
    if (p->out_rows < p->rows && r.w > 60)
        sm_str_printf(&text, "  means of %.3g x %.3g", (double)p->rows / (double)p->out_rows,
                      (double)p->cols / (double)p->out_cols);
    if (p->images < images)
        sm_str_printf(&text, "  %llu-%llu of %llu", (unsigned long long)p->first,
                      (unsigned long long)(p->first + p->images - 1), (unsigned long long)images);
    int w = text.len < (size_t)r.w ? (int)text.len : r.w - 1;
    sm_grid_text(g, r.x + r.w - 1 - w, r.y, w, odd ? SM_ROLE_PROBLEM : SM_ROLE_DIM, 0,
                 sm_str_text(&text));
    sm_str_clear(&text);
}

static void draw_images(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                        struct sm_grid *g, struct sm_rect r)
{
    enum sm_image_grid_layout layout = SM_IMAGE_GRID_AUTO;
    struct sm_downsample_spec p;
    struct sm_downsample picture;
    struct sm_err err = {0};
    unsigned n;
    uint64_t dims[SM_DIMS_MAX];
    const struct sm_slice *slice = sm_tensor_pane_payload(frame, &n, dims);
    if (slice)
        sm_slice_dims(slice, &n, dims);
    const char *lacks = sm_tensor_axes_empty(&s->axes) ? "no elements"
                        : !frame->facts->has_stats
                            ? "values of this type cannot be shown as images"
                            : sm_image_grid_spec(n, dims, slice, &layout, &p);
    if (lacks) {
        sm_tensor_pane_text(g, r, SM_ROLE_DIM, lacks);
        return;
    }
    uint64_t images = p.images;
    p.first = s->image < images ? s->image : images - 1;
    s->image = p.first;
    p.images -= p.first;
    struct sm_image_grid_tiles t =
        sm_image_grid_lay_out(&p, r.w - 2, r.h - (r.h > 2), frame->v->glyphs);
    p.images = t.shown;
    p.out_rows = t.size.rows;
    p.out_cols = t.size.cols;
    s->images_shown = t.shown;
    if (!t.shown)
        sm_tensor_pane_line(g, r, 0, SM_ROLE_DIM, "too small");
    else if (!read_picture(s, frame, &p, &picture, &err))
        sm_tensor_pane_error(frame, &err, g, r);
    else {
        sm_image_grid_show(g, r.x + 1, r.y, &t, &p, &picture, s->map, frame->v->glyphs);
        if (r.h > 2)
            draw_scale(s, frame, &p, &picture, images, g,
                       (struct sm_rect){r.x, r.y + r.h - 1, r.w, 1});
    }
}

/* ---- actions ---- */

static void turn_images(struct sm_tensor_pane *s, int64_t by)
{
    s->image = by < 0 && s->image < (uint64_t)-by ? 0 : s->image + (uint64_t)by;
}

static bool act_on_images(struct sm_tensor_pane *s, struct sm_view *v, enum sm_key_action a)
{
    int64_t page = s->images_shown ? (int64_t)s->images_shown : 1;
    (void)v;
    if (a == SM_ACT_PLANE_NEXT || a == SM_ACT_RIGHT || a == SM_ACT_DOWN)
        turn_images(s, 1);
    else if (a == SM_ACT_PLANE_PREV || a == SM_ACT_LEFT || a == SM_ACT_UP)
        turn_images(s, -1);
    else if (a == SM_ACT_PAGE_DOWN || a == SM_ACT_PAGE_UP)
        turn_images(s, a == SM_ACT_PAGE_DOWN ? page : -page);
    else if (a == SM_ACT_FIRST || a == SM_ACT_LAST)
        s->image = a == SM_ACT_FIRST ? 0 : INT64_MAX;
    else
        return false;
    return true;
}

const struct sm_tensor_pane_view sm_tensor_pane_image = {
    .name = "image", .draw = draw_images, .act = act_on_images};
