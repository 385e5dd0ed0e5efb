/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/pictures/downsample.h"

#include "plot/grid/pixel.h"
#include "reader/tensor/slice.h"

#include <math.h>

struct shrink {
    struct sm_work work;
    struct sm_downsample_spec spec;
    struct sm_slice slice; /* if spec.slice is set */
    struct sm_tensor *t;   /* a reference */
    double *v;
    struct sm_downsample pixels;
    bool ok;
    struct sm_err err;
};

static void count_nonfinite(struct sm_downsample *p, double v)
{
    p->nan += isnan(v);
    p->pos_inf += isinf(v) && v > 0;
    p->neg_inf += isinf(v) && v < 0;
}

/* The mean of the elements of one pixel; `from` is the first element of its plane. */
static double shrink_pixel(struct shrink *s, const struct sm_tensor *t, uint64_t from, size_t i,
                           size_t k)
{
    const struct sm_downsample_spec *p = &s->spec;
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    size_t row = sm_part(p->rows, p->out_rows, i), row_end = sm_part(p->rows, p->out_rows, i + 1);
    size_t col = sm_part(p->cols, p->out_cols, k), col_end = sm_part(p->cols, p->out_cols, k + 1);
    double mean = 0, n = (double)(row_end - row) * (double)(col_end - col);
    for (size_t r = row; r < row_end; r++)
        for (size_t c = col; c < col_end; c++) {
            double v = sm_dtype_load(t->dtype,
                                     t->data + (from + r * p->row_step + c * p->col_step) * size);
            count_nonfinite(&s->pixels, v);
            mean += v / n;
        }
    return mean;
}

static void shrink_plane(struct shrink *s, const struct sm_tensor *t, uint64_t from, double *out)
{
    const struct sm_downsample_spec *p = &s->spec;
    for (size_t i = 0; i < p->out_rows && !atomic_load(&s->work.job.cancelled); i++)
        for (size_t k = 0; k < p->out_cols; k++) {
            double v = *out++ = shrink_pixel(s, t, from, i, k);
            if (isfinite(v)) {
                s->pixels.lo = fmin(s->pixels.lo, v);
                s->pixels.hi = fmax(s->pixels.hi, v);
            }
        }
}

static void run_shrink(struct sm_work *w)
{
    struct shrink *s = (struct shrink *)w;
    const struct sm_downsample_spec *p = &s->spec;
    struct sm_tensor *t = s->t;
    s->ok = !p->slice || sm_slice_apply(&s->slice, s->t, &t, &s->err);
    size_t area = p->out_rows * p->out_cols;
    for (size_t i = 0; s->ok && i < p->images * p->planes; i++)
        shrink_plane(s, t,
                     (p->first + i / p->planes) * p->image_step + i % p->planes * p->plane_step,
                     s->v + i * area);
    if (s->ok && p->slice)
        sm_tensor_unref(t);
}

static void free_shrink(struct sm_work *w)
{
    struct shrink *s = (struct shrink *)w;
    sm_tensor_unref(s->t);
    sm_free(s->v);
    sm_free(s);
}

static struct sm_work *new_shrink(const void *what, struct sm_tensor *t,
                                  const struct sm_downsample_spec *p)
{
    struct shrink *s = sm_xalloc_zero(1, sizeof *s);
    s->work = (struct sm_work){.run = run_shrink,
                               .free = free_shrink,
                               .what = what,
                               .of = sm_tensor_ref(t),
                               .elements = p->images * p->planes * p->rows * p->cols +
                                           (p->slice ? t->n : 0)};
    s->spec = *p;
    if (p->slice)
        s->slice = *p->slice;
    s->t = sm_tensor_ref(t);
    s->v = sm_xalloc_zero(p->images * p->planes, p->out_rows * p->out_cols * sizeof *s->v);
    s->pixels = (struct sm_downsample){.v = s->v, .lo = HUGE_VAL, .hi = -HUGE_VAL};
    return &s->work;
}

bool sm_downsample_make(struct sm_works *works, const void *what, struct sm_tensor *t,
                        const struct sm_downsample_spec *spec, struct sm_downsample *out,
                        struct sm_err *err)
{
    struct sm_work *w = sm_work_find(works, what, t);
    if (w ? !sm_work_check_done(w, err) : !sm_work_start(works, w = new_shrink(what, t, spec), err))
        return false;
    const struct shrink *s = (const struct shrink *)w;
    *out = s->pixels;
    if (!s->ok)
        *err = s->err;
    return s->ok;
}

bool sm_downsample_read(struct sm_call *c, struct sm_tensor *t,
                        const struct sm_downsample_spec *spec, struct sm_downsample *out,
                        struct sm_err *err)
{
    return sm_downsample_make(&c->works, c, t, spec, out, err);
}

/* ---- colours ---- */

const char *const sm_downsample_maps[] = {"viridis", "cividis", "grey", NULL};

bool sm_downsample_map(struct sm_call *c, enum sm_heat_map *out, struct sm_err *err)
{
    const struct sm_word *w = sm_call_option(c, "map");
    for (size_t i = 0; w && sm_downsample_maps[i]; i++)
        if (strncmp(sm_downsample_maps[i], w->text.p, w->text.n) == 0 && w->text.n) {
            *out = (enum sm_heat_map)i;
            return true;
        }
    return !w ||
           sm_err_set(err, SM_ERR_USAGE,
                      "Undefined colour map: \"%s\". Try viridis, cividis or grey.", w->text.p);
}

/* ---- output ---- */

void sm_downsample_scale(struct sm_result *out, struct sm_node *map, const struct sm_downsample *p)
{
    if (p->lo <= p->hi) {
        sm_node_double(out, map, "lo", p->lo, false);
        sm_node_double(out, map, "hi", p->hi, false);
    } else {
        sm_node_null(out, map, "lo");
        sm_node_null(out, map, "hi");
    }
    sm_node_uint(out, map, "nan", p->nan);
    sm_node_uint(out, map, "pos_inf", p->pos_inf);
    sm_node_uint(out, map, "neg_inf", p->neg_inf);
}

void sm_downsample_plane(struct sm_result *out, struct sm_node *parent, const char *key,
                         const double *v, size_t rows, size_t cols)
{
    struct sm_node *plane = sm_node_list(out, parent, key);
    for (size_t i = 0; i < rows; i++) {
        struct sm_node *row = sm_node_list(out, plane, NULL);
        for (size_t k = 0; k < cols; k++)
            sm_node_double(out, row, NULL, v[i * cols + k], false);
    }
}

void sm_downsample_marked(struct sm_result *out, const struct sm_downsample *p)
{
    if (p->nan || p->pos_inf || p->neg_inf)
        sm_result_text(out, "marked: %llu NaN, %llu +Inf, %llu -Inf", (unsigned long long)p->nan,
                       (unsigned long long)p->pos_inf, (unsigned long long)p->neg_inf);
}
