/* Pictures as pixels in place of blocks, where somebody asks for them: by an option, or by the
 * setting "images". */
#ifndef SM_PIXEL_OUTPUT_H
#define SM_PIXEL_OUTPUT_H

#include "commands/language/cmd.h"
#include "plot/raster.h"

enum sm_pixel_output { SM_PIXEL_OUTPUT_BLOCKS, SM_PIXEL_OUTPUT_SIXEL, SM_PIXEL_OUTPUT_KITTY };
extern const char *const sm_pixel_output_words[]; /* the words of -as, NULL-terminated */

/* As -as says. Without it as the setting says, but blocks where the answer goes to no terminal, or
 * to one within tmux or screen, which pass pictures on only where they are told to. */
bool sm_pixel_output_wanted(const struct sm_call *c, enum sm_pixel_output *out, struct sm_err *err);
/* The pixels that so many cells have; the size of a character is guessed where the terminal does
 * not tell it. */
void sm_pixel_output_room(const struct sm_session *s, int w, int h, int *px_w, int *px_h);
/* As a block of its own. */
void sm_pixel_output_add(struct sm_result *out, const struct sm_raster *r,
                         enum sm_pixel_output how);

#endif
