/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of the pictures room. */
#include "commands/pictures/pictures.h"

#include "commands/pictures/pixel_output.h"
#include "commands/session/session.h"

static const char *const x_axes[] = {"step", "relative", "wall", NULL};
static const char *const x_scales[] = {"linear", "log", NULL};
static const char *const y_axes[] = {"linear", "log", "symlog", NULL};

#define AT(field) offsetof(struct sm_pictures_settings, field)

const struct sm_setting sm_pictures_setting_rows[] = {
    {.name = "images",
     .type = SM_SETTING_ENUM,
     .words = sm_pixel_output_words,
     .initial = "blocks",
     .help = "Format of images on the terminal; always blocks in tmux and screen",
     .offset = AT(images)},
    {.name = "smoothing",
     .type = SM_SETTING_REAL,
     .max = 0.999,
     .initial = "0",
     .help = "Weight of the moving average in charts (TensorBoard: 0.6); 0 is off",
     .offset = AT(smoothing)},
    {.name = "x-axis",
     .type = SM_SETTING_ENUM,
     .words = x_axes,
     .initial = "step",
     .help = "X axis of charts: step, seconds since the start, or wall time",
     .offset = AT(x_axis)},
    {.name = "x-scale",
     .type = SM_SETTING_ENUM,
     .words = x_scales,
     .initial = "linear",
     .help = "Scale of the x axis of charts; wall time is always linear",
     .offset = AT(x_scale)},
    {.name = "y-axis",
     .type = SM_SETTING_ENUM,
     .words = y_axes,
     .initial = "linear",
     .help = "Scale of the y axis of charts",
     .offset = AT(y_axis)},
    {0},
};

const struct sm_pictures_settings *sm_pictures_settings(const struct sm_session *s)
{
    return sm_settings_of(&s->settings, sm_pictures_setting_rows);
}
