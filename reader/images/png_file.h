/* SPDX-License-Identifier: Apache-2.0 */
/* Files of images as elements.
 *
 * The room reader/images is what decodes them, with libpng; nothing else of the reader needs it.
 * Loggers store images as files (TensorBoard); with sm_tensor_decode_images
 * (reader/tensor/tensor.h) they are read as tensors of uint8. */
#ifndef SM_PNG_FILE_H
#define SM_PNG_FILE_H

#include "reader/tensor/tensor.h"

/* Decodes a PNG file to rows of grey (1 plane) or of red, green and blue (3); what is transparent
 * is laid on white, 16 bits become 8. False: it is no PNG file, it is damaged, has more than
 * SM_PNG_ELEMENTS_MAX elements, or there is no memory. */
#define SM_PNG_ELEMENTS_MAX ((uint64_t)1 << 26)
bool sm_png_decode(struct sm_bytes file, struct sm_arena *arena, struct sm_pixels *out);

#endif
