/* SPDX-License-Identifier: Apache-2.0 */
/* Images as pixels instead of blocks, selected by an option or by the setting "images". */
#ifndef SM_PIXEL_OUTPUT_H
#define SM_PIXEL_OUTPUT_H

#include "commands/language/cmd.h"
#include "plot/raster.h"

enum sm_pixel_output { SM_PIXEL_OUTPUT_BLOCKS, SM_PIXEL_OUTPUT_SIXEL, SM_PIXEL_OUTPUT_KITTY };
extern const char *const sm_pixel_output_words[]; /* the words of -as, NULL-terminated */

/* The format given with -as, else the setting. The setting is ignored, and blocks are used, if the
 * output is not a terminal, and within tmux and screen, which do not pass images on by default.
 * SM_ERR_REFUSED if -as selects pixels in the dashboard. */
bool sm_pixel_output_choose(const struct sm_call *c, enum sm_pixel_output *out, struct sm_err *err);
/* The size of w x h cells in pixels, with a default size of a character if the terminal does not
 * report it. */
void sm_pixel_output_size(const struct sm_session *s, int w, int h, int *px_w, int *px_h);
/* Adds the image as a separate block. */
void sm_pixel_output_add(struct sm_result *out, const struct sm_raster *r,
                         enum sm_pixel_output format);

#endif
