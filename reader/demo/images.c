/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/demo/images.h"

#include <math.h>
#include <stdbool.h>

/* Each shape is a set of points (u right, v down) within about [-1,1]. */

static bool in_disc(float u, float v)
{
    return u * u + v * v < 1;
}

static bool in_ring(float u, float v)
{
    return u * u + v * v < 1 && u * u + v * v > 0.36f;
}

static bool in_square(float u, float v)
{
    return fmaxf(fabsf(u), fabsf(v)) < 0.9f;
}

static bool in_frame(float u, float v)
{
    return in_square(u, v) && fmaxf(fabsf(u), fabsf(v)) > 0.5f;
}

static bool in_triangle(float u, float v)
{
    return v < 0.8f && 2 * fabsf(u) < v + 1.1f;
}

static bool in_plus(float u, float v)
{
    return fminf(fabsf(u), fabsf(v)) < 0.25f && fmaxf(fabsf(u), fabsf(v)) < 1.1f;
}

static bool in_cross(float u, float v)
{
    return in_plus((u + v) * 0.70710678f, (u - v) * 0.70710678f);
}

static bool in_bars(float u, float v)
{
    return fabsf(u) < 1 && fabsf(v) > 0.3f && fabsf(v) < 0.8f;
}

static bool in_columns(float u, float v)
{
    return in_bars(v, u);
}

static bool in_moon(float u, float v)
{
    return in_disc(u, v) && !in_disc(u - 0.6f, v);
}

static const struct {
    const char *name;
    bool (*holds)(float u, float v);
} shapes[SM_IMAGE_CLASSES] = {
    {"disc", in_disc},         {"ring", in_ring}, {"square", in_square}, {"frame", in_frame},
    {"triangle", in_triangle}, {"plus", in_plus}, {"cross", in_cross},   {"bars", in_bars},
    {"columns", in_columns},   {"moon", in_moon},
};

const char *sm_image_name(unsigned shape)
{
    return shapes[shape].name;
}

struct view {
    float x, y, scale, cosine, sine;
};

static struct view choose_view(struct sm_random *r)
{
    const float middle = SM_IMAGE_SIDE / 2.0f, angle = sm_random_between(r, -0.2f, 0.2f);
    struct view w = {.x = middle + sm_random_between(r, -1.5f, 1.5f),
                     .y = middle + sm_random_between(r, -1.5f, 1.5f)};
    w.scale = 1 / sm_random_between(r, 5, 6.5f);
    w.cosine = cosf(angle) * w.scale;
    w.sine = sinf(angle) * w.scale;
    return w;
}

/* The fraction of a pixel that the shape covers, sampled at 3 by 3 points. */
static float coverage(unsigned shape, const struct view *w, unsigned column, unsigned row)
{
    unsigned inside = 0;
    for (unsigned k = 0; k < 9; k++) {
        unsigned right = k % 3, down = k / 3;
        float x = (float)column + (float)(2 * right + 1) / 6 - w->x;
        float y = (float)row + (float)(2 * down + 1) / 6 - w->y;
        inside += shapes[shape].holds(x * w->cosine + y * w->sine, y * w->cosine - x * w->sine);
    }
    return (float)inside / 9;
}

void sm_image_draw(unsigned shape, float noise, struct sm_random *r, float out[SM_IMAGE_PIXELS])
{
    const struct view w = choose_view(r);
    float ground = sm_random_between(r, 0, 0.2f), ink = sm_random_between(r, 0.7f, 1);
    for (unsigned i = 0; i < SM_IMAGE_PIXELS; i++) {
        float share = coverage(shape, &w, i % SM_IMAGE_SIDE, i / SM_IMAGE_SIDE);
        out[i] = ground + (ink - ground) * share + noise * sm_random_normal(r);
    }
}

void sm_image_normalize(float image[SM_IMAGE_PIXELS])
{
    const float mean = 0.33f, deviation = 0.36f;
    for (unsigned i = 0; i < SM_IMAGE_PIXELS; i++)
        image[i] = (image[i] - mean) / deviation;
}
