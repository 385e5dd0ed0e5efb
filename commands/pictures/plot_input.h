/* SPDX-License-Identifier: Apache-2.0 */
/* The input of a plot: one value, the shape of its slice, and the size of the plot. */
#ifndef SM_PLOT_INPUT_H
#define SM_PLOT_INPUT_H

#include "commands/pictures/downsample.h"
#include "commands/place/place.h"

enum { SM_PLOT_MAX_W = 1000, SM_PLOT_MAX_H = 500 }; /* cells */
struct sm_plot_input {
    struct sm_place place;
    struct sm_entry entry;
    /* The complete tensor, or the slice if only that was read; a reference: the caller unrefs it.
     */
    struct sm_tensor *tensor;
    const struct sm_slice *slice; /* to apply to it, or NULL */
    bool sample;                  /* the slice is a sample of a value larger than memory-limit */
    unsigned n_dims;              /* of the slice, which is not empty; its elements are numbers */
    uint64_t dims[SM_DIMS_MAX];
    struct sm_print_options print;
    int w, h; /* cells: -w and -h, else the terminal's width and 18 */
};
/* Reads the place and the options -w and -h of the call. */
bool sm_plot_input_read(struct sm_call *c, struct sm_plot_input *in, struct sm_err *err);
/* The same, of a sample if the value is larger than memory-limit (sm_place_sample). */
bool sm_plot_input_view(struct sm_call *c, struct sm_plot_input *in, struct sm_err *err);
/* The value at p, with the default size. */
bool sm_plot_input_at(struct sm_call *c, const struct sm_place *p, struct sm_plot_input *in,
                      struct sm_err *err);
/* The complete tensor given with a keyword, at the step of in; the caller unrefs it, too. */
bool sm_plot_input_keyword(struct sm_call *c, const struct sm_plot_input *in, const char *keyword,
                           struct sm_plot_input *out, struct sm_err *err);
/* The value as one plane of rows and columns. Returns false if it has more than two dimensions,
 * not counting those of size 1. */
bool sm_plot_input_matrix(const struct sm_plot_input *in, struct sm_downsample_spec *spec,
                          struct sm_err *err);
/* The width of a plot unless -w says another: that of the output, 80 if it has none; at most
 * SM_PLOT_MAX_W. */
int sm_plot_width(const struct sm_print_options *o);
#define SM_PLOT_WIDTH_OPTION                                                                       \
    {                                                                                              \
        .name = "w", .kind = SM_ARG_NUMBER, .value = "COLUMNS",                                    \
        .help = "width (the terminal's, else 80)", .unit = "columns"                               \
    }
#define SM_PLOT_HEIGHT_OPTION(what)                                                                \
    {                                                                                              \
        .name = "h", .kind = SM_ARG_NUMBER, .value = "ROWS", .help = what " (18)",                 \
        .initial = "18", .unit = "rows"                                                            \
    }
/* An option with a number from 1 to `max`; *v is unchanged if it is not given. */
bool sm_plot_size_option(struct sm_call *c, const char *name, int64_t max, int *v,
                         struct sm_err *err);
/* Prints the line with place, type and shape (sm_place_heading). */
void sm_plot_input_heading(struct sm_result *out, const struct sm_plot_input *in);
/* The root of JSON, with name, place, type and shape. */
struct sm_node *sm_plot_input_node(struct sm_result *out, const struct sm_plot_input *in);
/* Sets err to "NAME has shape (...); " and `expected`. Always returns false. */
bool sm_plot_input_wrong_shape(const struct sm_plot_input *in, const char *expected,
                               struct sm_err *err);

#endif
