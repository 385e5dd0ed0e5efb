/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/pictures/pixel_output.h"
#include "commands/pictures/pictures.h"

#include <stdlib.h>
#include <string.h>

enum { CELL_W = 8, CELL_H = 16 };

const char *const sm_pixel_output_words[] = {"blocks", "sixel", "kitty", NULL};

static bool in_multiplexer(void)
{
    const char *tmux = getenv("TMUX"), *screen = getenv("STY"), *term = getenv("TERM");
    return (tmux && *tmux) || (screen && *screen) ||
           (term && (strncmp(term, "screen", 6) == 0 || strncmp(term, "tmux", 4) == 0));
}

bool sm_pixel_output_choose(const struct sm_call *c, enum sm_pixel_output *out, struct sm_err *err)
{
    const struct sm_session *s = c->session;
    const struct sm_word *w = sm_call_option(c, "as");
    *out = SM_PIXEL_OUTPUT_BLOCKS;
    if (c->output != SM_OUTPUT_TEXT)
        return true;
    for (size_t i = 0; w && sm_pixel_output_words[i]; i++)
        if (sm_text_is(w->text, sm_pixel_output_words[i]))
            *out = (enum sm_pixel_output)i;
    if (w && *out != SM_PIXEL_OUTPUT_BLOCKS && s->term.full_screen)
        return sm_err_set(err, SM_ERR_REFUSED, "The dashboard shows images as blocks only.");
    if (!w && s->term.on_tty && !s->term.full_screen && !c->redirected && !in_multiplexer())
        *out = (enum sm_pixel_output)sm_pictures_settings(s)->images;
    return true;
}

static int cells_to_pixels(int cells, int pixels_per_cell)
{
    return cells > SM_RASTER_MAX / pixels_per_cell ? SM_RASTER_MAX : cells * pixels_per_cell;
}

void sm_pixel_output_size(const struct sm_session *s, int w, int h, int *px_w, int *px_h)
{
    *px_w = cells_to_pixels(w, s->term.cell_w > 0 ? s->term.cell_w : CELL_W);
    *px_h = cells_to_pixels(h, s->term.cell_h > 0 ? s->term.cell_h : CELL_H);
}

void sm_pixel_output_add(struct sm_result *out, const struct sm_raster *r,
                         enum sm_pixel_output format)
{
    struct sm_str bytes = {0};
    if (format == SM_PIXEL_OUTPUT_SIXEL)
        sm_raster_sixel(r, &bytes);
    else
        sm_raster_kitty(r, &bytes);
    sm_result_graphic(out, sm_str_text(&bytes));
    sm_str_clear(&bytes);
}
