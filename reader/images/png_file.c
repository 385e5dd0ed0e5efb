/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/images/png_file.h"

#include <png.h>

static bool decode(png_image *image, struct sm_arena *arena, struct sm_pixels *out)
{
    static const png_color white = {255, 255, 255};
    bool colour = image->format & PNG_FORMAT_FLAG_COLOR;
    *out =
        (struct sm_pixels){.rows = image->height, .cols = image->width, .planes = colour ? 3 : 1};
    uint64_t n = out->planes * out->rows; /* both below 2^31 */
    if (!n || !out->cols || out->cols > SM_PNG_ELEMENTS_MAX / n)
        return false;
    image->flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    image->format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    out->bytes = sm_arena_alloc(arena, n * out->cols);
    return out->bytes && png_image_finish_read(image, &white, out->bytes, 0, NULL);
}

bool sm_png_decode(struct sm_bytes file, struct sm_arena *arena, struct sm_pixels *out)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    bool ok = file.n && png_image_begin_read_from_memory(&image, file.p, file.n) &&
              decode(&image, arena, out);
    png_image_free(&image);
    return ok;
}
