#include "commands/values/picture_subject.h"

#include "commands/place/describe.h"
#include "reader/tensor/slice.h"

bool sm_subject_size(struct sm_call *c, const char *name, int64_t most, int *v, struct sm_err *err)
{
    const struct sm_word *w = sm_call_option(c, name);
    int64_t n = *v;
    if (w && !sm_call_int(w, 1, most, &n, err))
        return false;
    *v = (int)n;
    return true;
}

static bool check(const struct sm_subject *s, struct sm_err *err)
{
    const struct sm_tensor *t = s->tensor;
    if (!sm_dtype_info(t->dtype)->size_bytes)
        return sm_err_set(err, SM_ERR_USAGE, "%s has type %s, which cannot be drawn.",
                          sm_place_name(&s->place), sm_dtype_info(t->dtype)->name);
    for (unsigned i = 0; i < s->n_dims; i++)
        if (!s->dims[i])
            return sm_err_set(err, SM_ERR_MISSING, "%s has no elements.", sm_place_name(&s->place));
    return true;
}

bool sm_subject_read(struct sm_call *c, struct sm_subject *s, struct sm_err *err)
{
    struct sm_place place;
    int w = 0, h = 0;
    if (!sm_subject_size(c, "w", 1000, &w, err) || !sm_subject_size(c, "h", 500, &h, err) ||
        !sm_place_read(c, &place, err) || !sm_subject_of(c, &place, s, err))
        return false;
    s->w = w ? w : s->w;
    s->h = h ? h : s->h;
    return true;
}

bool sm_subject_of(struct sm_call *c, const struct sm_place *p, struct sm_subject *s,
                   struct sm_err *err)
{
    *s = (struct sm_subject){.h = 18, .place = *p};
    sm_session_print_options(c->session, &s->print);
    s->w = s->print.width > 0 ? s->print.width : 80;
    if (!sm_place_entry(&s->place, &s->entry, err) ||
        !sm_fetch_tensor(c->session->fetch, s->place.trial, s->entry, &s->tensor, err))
        return false;
    s->n_dims = s->tensor->n_dims;
    memcpy(s->dims, s->tensor->dims, sizeof s->dims);
    bool ok =
        !s->place.slice || sm_slice_dims(s->place.slice, &s->n_dims, s->dims) ||
        sm_err_set(err, SM_ERR_USAGE, "The slice is out of range of %s.", sm_place_name(&s->place));
    ok = ok && check(s, err);
    if (!ok)
        sm_tensor_unref(s->tensor);
    return ok;
}

bool sm_subject_beside(struct sm_call *c, const struct sm_subject *s, const char *keyword,
                       struct sm_subject *out, struct sm_err *err)
{
    const struct sm_word *name = sm_call_keyword(c, keyword);
    struct sm_place p = s->place;
    const struct sm_trial_tensor *x = sm_trial_find(p.trial, name->text.p, name->text.n);
    if (!x) {
        sm_err_set(err, SM_ERR_MISSING, "No tensor \"%.*s\".", (int)name->text.n, name->text.p);
        return sm_err_kind(err, SM_ERR_IS_NO_TENSOR);
    }
    p.tensor = x->name;
    p.slice = NULL;
    p.step = sm_trial_part(p.trial, s->entry->part)->step;
    return sm_subject_of(c, &p, out, err);
}

void sm_subject_heading(struct sm_result *out, const struct sm_subject *s)
{
    sm_place_heading(out, &s->place, s->entry, s->tensor->dtype, s->dims, s->n_dims);
}

bool sm_subject_wrong_shape(const struct sm_subject *s, const char *want, struct sm_err *err)
{
    struct sm_str shape = {0};
    sm_shape_text(&shape, s->dims, s->n_dims);
    sm_err_set(err, SM_ERR_USAGE, "%s has shape %s; %s", sm_place_name(&s->place),
               sm_str_text(&shape), want);
    sm_str_clear(&shape);
    return false;
}

struct sm_node *sm_subject_node(struct sm_result *out, const struct sm_subject *s)
{
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_place_node(out, map, &s->place, s->entry);
    sm_node_text(out, map, "dtype", sm_dtype_info(s->tensor->dtype)->name);
    sm_node_dims(out, map, "shape", s->dims, s->n_dims);
    out->root = map;
    return map;
}

bool sm_subject_matrix(const struct sm_subject *s, struct sm_downsample_spec *spec,
                       struct sm_err *err)
{
    uint64_t dims[2] = {1, 1};
    unsigned n = 0;
    for (unsigned i = 0; i < s->n_dims; i++)
        if (s->dims[i] != 1) {
            if (n == 2)
                return sm_subject_wrong_shape(
                    s, "a heat map has two dimensions: choose a slice, such as NAME[0,0].", err);
            dims[n++] = s->dims[i];
        }
    *spec = (struct sm_downsample_spec){.slice = s->place.slice,
                                        .images = 1,
                                        .planes = 1,
                                        .rows = n == 2 ? dims[0] : 1,
                                        .cols = n == 2 ? dims[1] : dims[0],
                                        .col_step = 1};
    spec->row_step = spec->cols;
    return true;
}
