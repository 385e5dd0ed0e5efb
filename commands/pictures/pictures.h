/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that draw values: charts, histograms, heat maps and images.
 *
 * Interface: the commands (plot, spark, hist, heatmap, image, strip, scatter, confusion, health),
 * the settings of charts, and the parts of pictures that other commands and the panes share
 * (plot_input.h, downsample.h, image_grid.h, hist_over_time.h, inline_plot.h, special_values.h). */
#ifndef SM_PICTURES_H
#define SM_PICTURES_H

#include "commands/language/cmd.h"

/* All commands of the room. */
#define SM_PICTURES_COMMANDS(X)                                                                    \
    X(confusion)                                                                                   \
    X(health)                                                                                      \
    X(heatmap)                                                                                     \
    X(hist)                                                                                        \
    X(image)                                                                                       \
    X(plot)                                                                                        \
    X(scatter)                                                                                     \
    X(spark)                                                                                       \
    X(strip)

SM_PICTURES_COMMANDS(SM_CMD_DECLARE)

/* The settings of the room, in the order of their names. */
struct sm_pictures_settings {
    int64_t images; /* index of the word */
    double smoothing;
    int64_t x_axis;  /* index of the word */
    int64_t x_scale; /* 0 linear, 1 log */
    int64_t y_axis;  /* index of the word */
};
extern const struct sm_setting sm_pictures_setting_rows[]; /* ends with name NULL */
const struct sm_pictures_settings *sm_pictures_settings(const struct sm_session *s);
extern const struct sm_feature sm_pictures_feature;

#endif
