/* SPDX-License-Identifier: Apache-2.0 */
/* A tensor as planes of pixels, reduced by a worker thread to the size that can be shown. A pixel
 * is the mean of its elements, or NaN or infinite if an element is. */
#ifndef SM_DOWNSAMPLE_H
#define SM_DOWNSAMPLE_H

#include "commands/language/cmd.h"
#include "plot/chart.h"

/* How the elements (of the slice) map to pixels. The steps are in elements. */
struct sm_downsample_spec {
    const struct sm_slice *slice;        /* NULL: the complete tensor */
    uint64_t first;                      /* index of the first image */
    uint64_t images, planes, rows, cols; /* of the source; a plane is rows x cols */
    uint64_t image_step, plane_step, row_step, col_step;
    size_t out_rows, out_cols; /* of the result, at most rows and cols */
};
struct sm_downsample {
    const double *v; /* images x planes x out_rows x out_cols; valid until the call ends */
    double lo, hi;   /* of the finite pixels; lo > hi if there are none */
    uint64_t nan, pos_inf, neg_inf; /* number of elements */
};
/* Downsamples t, the complete tensor; one result per call and tensor. Returns false with
 * SM_ERR_WAIT until it is computed. */
bool sm_downsample_read(struct sm_call *c, struct sm_tensor *t,
                        const struct sm_downsample_spec *spec, struct sm_downsample *out,
                        struct sm_err *err);

/* For callers with their own works. `what` identifies the request: an address that stays valid.
 * out->v is valid as long as the work. */
bool sm_downsample_make(struct sm_works *works, const void *what, struct sm_tensor *t,
                        const struct sm_downsample_spec *spec, struct sm_downsample *out,
                        struct sm_err *err);

extern const char *const sm_downsample_maps[]; /* the words of -map, indexed by enum sm_heat_map */
#define SM_DOWNSAMPLE_MAP_OPTION                                                                   \
    {                                                                                              \
        .name = "map", .kind = SM_ARG_WORD, .value = "MAP",                                        \
        .help = "colours: viridis, cividis or grey", .words = sm_downsample_maps                   \
    }
/* Reads -map; *out is unchanged if it is not given. */
bool sm_downsample_map(struct sm_call *c, enum sm_heat_map *out, struct sm_err *err);

/* Output of all plots of pixels. JSON: the scale and the numbers of NaN and Inf, and a plane as a
 * list of rows. */
void sm_downsample_scale(struct sm_result *out, struct sm_node *map, const struct sm_downsample *p);
void sm_downsample_plane(struct sm_result *out, struct sm_node *parent, const char *key,
                         const double *v, size_t rows, size_t cols);
/* Text: a line with the numbers of NaN and Inf, if there are any. */
void sm_downsample_marked(struct sm_result *out, const struct sm_downsample *p);

#endif
