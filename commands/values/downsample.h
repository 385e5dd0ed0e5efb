/* A tensor as planes of pixels, shrunk by a worker to what can be shown: pixels are means of their
 * elements, or NaN or infinite where one of those is. */
#ifndef SM_DOWNSAMPLE_H
#define SM_DOWNSAMPLE_H

#include "commands/language/cmd.h"
#include "plot/chart.h"

/* How elements (of the slice) become pixels: steps from one to the next, in elements. */
struct sm_downsample_spec {
    const struct sm_slice *slice;        /* NULL: the whole */
    uint64_t first;                      /* images before those wanted */
    uint64_t images, planes, rows, cols; /* of what is there; every plane is of rows x cols */
    uint64_t image_step, plane_step, row_step, col_step;
    size_t out_rows, out_cols; /* what is wanted, at most rows and cols */
};
struct sm_downsample {
    const double *v; /* images x planes x out_rows x out_cols; stays as long as the call */
    double lo, hi;   /* of the finite pixels; lo > hi: there are none */
    uint64_t nan, pos_inf, neg_inf; /* elements */
};
/* Of t, whole. One picture a call and tensor. False with SM_ERR_WAIT until it is made. */
bool sm_downsample_read(struct sm_call *c, struct sm_tensor *t,
                        const struct sm_downsample_spec *spec, struct sm_downsample *out,
                        struct sm_err *err);

/* The same for who keeps works of its own: `what` is an address that stays, out->v stays as long as
 * the work. */
bool sm_downsample_make(struct sm_works *works, const void *what, struct sm_tensor *t,
                        const struct sm_downsample_spec *spec, struct sm_downsample *out,
                        struct sm_err *err);

extern const char *const sm_downsample_maps[]; /* the words of -map, by enum sm_heat_map */
/* *out stays where -map is not given. */
bool sm_downsample_map(struct sm_call *c, enum sm_heat_map *out, struct sm_err *err);

/* What all pictures say: the scale and what is marked, and a plane's rows as lists. */
void sm_downsample_scale(struct sm_result *out, struct sm_node *map, const struct sm_downsample *p);
void sm_downsample_plane(struct sm_result *out, struct sm_node *parent, const char *key,
                         const double *v, size_t rows, size_t cols);
/* a line, if there is any */
void sm_downsample_marked(struct sm_result *out, const struct sm_downsample *p);

#endif
