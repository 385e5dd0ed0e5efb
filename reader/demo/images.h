/* SPDX-License-Identifier: Apache-2.0 */
/* Draws small grey images of ten shapes at a random place, size and angle on a noisy background. */
#ifndef SM_IMAGES_H
#define SM_IMAGES_H

#include "reader/demo/random.h"

enum { SM_IMAGE_SIDE = 16, SM_IMAGE_PIXELS = SM_IMAGE_SIDE * SM_IMAGE_SIDE, SM_IMAGE_CLASSES = 10 };

const char *sm_image_name(unsigned shape); /* "disc" ... */
/* Row-major; background near 0, shape near 1; `noise` is the standard deviation of the noise added
 * to each pixel. */
void sm_image_draw(unsigned shape, float noise, struct sm_random *r, float out[SM_IMAGE_PIXELS]);
/* To mean 0 and variance 1 over all shapes, approximately. */
void sm_image_normalize(float image[SM_IMAGE_PIXELS]);

#endif
