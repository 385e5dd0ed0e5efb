/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/pictures/plot_input.h"

#include "commands/place/describe.h"
#include "reader/tensor/slice.h"

int sm_plot_width(const struct sm_print_options *o)
{
    return o->width <= 0 ? 80 : o->width < SM_PLOT_MAX_W ? o->width : SM_PLOT_MAX_W;
}

bool sm_plot_size_option(struct sm_call *c, const char *name, int64_t max, int *v,
                         struct sm_err *err)
{
    const struct sm_word *w = sm_call_option(c, name);
    int64_t n = *v;
    if (w && !sm_call_int(w, 1, max, &n, err))
        return false;
    *v = (int)n;
    return true;
}

static bool check_drawable(const struct sm_plot_input *in, struct sm_err *err)
{
    const struct sm_tensor *t = in->tensor;
    const char *format = sm_tensor_image_format(t);
    if (format)
        return sm_err_set(err, SM_ERR_USAGE,
                          strcmp(format, "PNG") == 0
                              ? "%s is a %s image that cannot be decoded."
                              : "%s is an image in the format %s; only PNG is decoded.",
                          sm_place_name(&in->place), format);
    if (!sm_dtype_info(t->dtype)->size_bytes)
        return sm_err_set(err, SM_ERR_USAGE, "%s has type %s, which cannot be drawn.",
                          sm_place_name(&in->place), sm_dtype_info(t->dtype)->name);
    for (unsigned i = 0; i < in->n_dims; i++)
        if (!in->dims[i])
            return sm_err_set(err, SM_ERR_MISSING, "%s has no elements.",
                              sm_place_name(&in->place));
    return true;
}

/* sample: a value that is too large is read as a sample. */
static bool read_input(struct sm_call *c, const struct sm_place *p, bool sample,
                       struct sm_plot_input *in, struct sm_err *err)
{
    *in = (struct sm_plot_input){.h = 18, .place = *p};
    sm_session_print_options(c->session, &in->print);
    in->w = sm_plot_width(&in->print);
    if (!sm_place_entry(&in->place, &in->entry, err) ||
        (sample && !sm_place_sample(c, &in->place, &in->entry, err)))
        return false;
    in->sample = in->place.slice != p->slice;
    bool part = in->place.slice && sm_fetch_too_large(c->session->fetch, &in->entry);
    in->slice = part ? NULL : in->place.slice;
    if (!sm_fetch_slice(c->session->fetch, in->place.trial, &in->entry,
                        part ? in->place.slice : NULL, &in->tensor, err))
        return false;
    in->n_dims = in->tensor->n_dims;
    memcpy(in->dims, in->tensor->dims, sizeof in->dims);
    bool ok = !in->slice || sm_slice_dims(in->slice, &in->n_dims, in->dims) ||
              sm_err_set(err, SM_ERR_USAGE, "The slice is out of range of %s.",
                         sm_place_name(&in->place));
    ok = ok && check_drawable(in, err);
    if (!ok)
        sm_tensor_unref(in->tensor);
    return ok;
}

static bool read_call(struct sm_call *c, bool sample, struct sm_plot_input *in, struct sm_err *err)
{
    struct sm_place place;
    int w = 0, h = 0;
    if (!sm_plot_size_option(c, "w", SM_PLOT_MAX_W, &w, err) ||
        !sm_plot_size_option(c, "h", SM_PLOT_MAX_H, &h, err) || !sm_place_read(c, &place, err) ||
        !read_input(c, &place, sample, in, err))
        return false;
    in->w = w ? w : in->w;
    in->h = h ? h : in->h;
    return true;
}

bool sm_plot_input_read(struct sm_call *c, struct sm_plot_input *in, struct sm_err *err)
{
    return read_call(c, false, in, err);
}

bool sm_plot_input_view(struct sm_call *c, struct sm_plot_input *in, struct sm_err *err)
{
    return read_call(c, true, in, err);
}

bool sm_plot_input_at(struct sm_call *c, const struct sm_place *p, struct sm_plot_input *in,
                      struct sm_err *err)
{
    return read_input(c, p, false, in, err);
}

bool sm_plot_input_keyword(struct sm_call *c, const struct sm_plot_input *in, const char *keyword,
                           struct sm_plot_input *out, struct sm_err *err)
{
    const struct sm_word *name = sm_call_keyword(c, keyword);
    struct sm_place p = in->place;
    const struct sm_trial_tensor *x = sm_trial_find(p.trial, name->text.p, name->text.n);
    if (!x) {
        sm_err_set(err, SM_ERR_MISSING, "No tensor \"%.*s\".", (int)name->text.n, name->text.p);
        return sm_err_kind(err, SM_ERR_IS_NO_TENSOR);
    }
    p.tensor = x->name;
    p.slice = NULL;
    p.step = sm_trial_part(p.trial, in->entry.part)->step;
    return sm_plot_input_at(c, &p, out, err);
}

void sm_plot_input_heading(struct sm_result *out, const struct sm_plot_input *in)
{
    sm_place_heading(out, &in->place, &in->entry, in->tensor->dtype, in->dims, in->n_dims);
    if (in->sample)
        sm_place_note_sample(out, &in->entry);
}

bool sm_plot_input_wrong_shape(const struct sm_plot_input *in, const char *expected,
                               struct sm_err *err)
{
    struct sm_str shape = {0};
    sm_shape_text(&shape, in->dims, in->n_dims);
    sm_err_set(err, SM_ERR_USAGE, "%s has shape %s; %s", sm_place_name(&in->place),
               sm_str_text(&shape), expected);
    sm_str_clear(&shape);
    return false;
}

struct sm_node *sm_plot_input_node(struct sm_result *out, const struct sm_plot_input *in)
{
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_place_node(out, map, &in->place, &in->entry);
    sm_node_text(out, map, "dtype", sm_dtype_info(in->tensor->dtype)->name);
    sm_node_dims(out, map, "shape", in->dims, in->n_dims);
    if (in->sample)
        sm_place_sample_node(out, map, &in->place);
    out->root = map;
    return map;
}

bool sm_plot_input_matrix(const struct sm_plot_input *in, struct sm_downsample_spec *spec,
                          struct sm_err *err)
{
    uint64_t dims[2] = {1, 1};
    unsigned n = 0;
    for (unsigned i = 0; i < in->n_dims; i++)
        if (in->dims[i] != 1) {
            if (n == 2)
                return sm_plot_input_wrong_shape(
                    in, "a heat map has two dimensions: choose a slice, such as NAME[0,0].", err);
            dims[n++] = in->dims[i];
        }
    *spec = (struct sm_downsample_spec){.slice = in->slice,
                                        .images = 1,
                                        .planes = 1,
                                        .rows = n == 2 ? dims[0] : 1,
                                        .cols = n == 2 ? dims[1] : dims[0],
                                        .col_step = 1};
    spec->row_step = spec->cols;
    return true;
}
