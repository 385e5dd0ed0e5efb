/* SPDX-License-Identifier: Apache-2.0 */
/* A measure that gives a random choice of the distinct samples of a tensor, with the features of
 * each. */
#ifndef SM_INPUT_SAMPLES_H
#define SM_INPUT_SAMPLES_H

#include "rules/builtin/distinct.h"
#include "rules/rule.h"

enum { SM_INPUT_FEATURES_MAX = 1024, SM_INPUT_CHANNEL_AUTO = 0 };
/* Axis 0 of the tensor is the samples. A feature is an index of the channel's axis; if a sample has
 * several elements with that index (images, sequences), there are two: the mean of its finite
 * elements and their standard deviation. Of more than SM_INPUT_FEATURES_MAX features evenly spaced
 * ones are taken. Without numbers, or of complex ones, `features` is 0.
 *
 * args: the axis of the channels, from 1, or negative from the end; SM_INPUT_CHANNEL_AUTO: the last
 * of three axes, the last of more if it has at most 4 indices and axis 1 has more, else axis 1. And
 * the level (distinct.h) below which samples are not needed. */
void sm_measure_input_samples(const struct sm_tensor *const *t, const double *args,
                              struct sm_numbers *out);

struct sm_input_samples { /* the numbers of the measure, unpacked */
    size_t features, channels;
    bool spread;     /* features 2 c and 2 c + 1 are mean and standard deviation of a channel */
    bool by_channel; /* "channel", not "feature" */
    unsigned level;
    size_t n;
    const double *rows;
};
struct sm_input_samples sm_input_samples_of(const struct sm_numbers *r);
/* Adds them. False: no memory. */
bool sm_input_samples_add(const struct sm_input_samples *s, struct sm_distinct *d);
/* The channel of a feature, as an index of the tensor's axis. */
size_t sm_input_channel(const struct sm_input_samples *s, size_t feature);

#endif
