/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/input_samples.h"

#include <math.h>

/* The numbers of the measure: these, then for each sample the two halves of its hash, how often it
 * came, and its features. */
enum { FEATURES, CHANNELS, SPREAD, BY_CHANNEL, LEVEL, ROWS, HEAD };
enum { HASH_HIGH, HASH_LOW, COUNT, VALUES };

/* The elements of a sample are [outer][channels][inner]. */
struct layout {
    size_t outer, channels, inner, elements, element_bytes;
    enum sm_dtype dtype;
    struct sm_input_samples s;
};

static unsigned channel_axis(const struct sm_tensor *t, double axis)
{
    unsigned n = t->n_dims;
    if (axis < 0)
        axis += n;
    if (axis >= 1 && axis < n)
        return (unsigned)axis;
    return n == 3 || (n > 3 && t->dims[n - 1] <= 4 && t->dims[1] > 4) ? n - 1 : 1;
}

static size_t features_of(bool spread, size_t channels)
{
    size_t most = spread ? SM_INPUT_FEATURES_MAX / 2 : SM_INPUT_FEATURES_MAX,
           taken = channels < most ? channels : most;
    return spread ? 2 * taken : taken;
}

static bool has_real_numbers(enum sm_dtype d)
{
    enum sm_dtype_kind kind = sm_dtype_info(d)->kind;
    return kind == SM_KIND_FLOAT || kind == SM_KIND_INT || kind == SM_KIND_UINT ||
           kind == SM_KIND_BOOL;
}

/* False: it has no samples of numbers. */
static bool layout_of(const struct sm_tensor *t, double axis, struct layout *out)
{
    unsigned channel = channel_axis(t, axis);
    *out = (struct layout){.outer = 1, .channels = 1, .inner = 1, .dtype = t->dtype};
    if (!t->n || !has_real_numbers(t->dtype))
        return false;
    for (unsigned d = 1; d < t->n_dims; d++)
        *(d < channel    ? &out->outer
          : d == channel ? &out->channels
                         : &out->inner) *= (size_t)t->dims[d];
    out->elements = out->outer * out->channels * out->inner;
    out->element_bytes = sm_dtype_info(t->dtype)->size_bytes;
    out->s.channels = out->channels;
    out->s.spread = out->outer * out->inner > 1;
    out->s.by_channel = t->n_dims > 2;
    out->s.features = features_of(out->s.spread, out->channels);
    return true;
}

size_t sm_input_channel(const struct sm_input_samples *s, size_t feature)
{
    size_t taken = s->spread ? s->features / 2 : s->features, k = s->spread ? feature / 2 : feature;
    return taken < s->channels ? (size_t)((double)k * (double)s->channels / (double)taken) : k;
}

/* Mean and standard deviation of the finite elements of a channel; NaN if there are none. */
static void summarize_channel(const struct layout *l, const double *x, size_t channel, double *out)
{
    double n = 0, mean = 0, squares = 0;
    for (size_t o = 0; o < l->outer; o++) {
        const double *at = x + (o * l->channels + channel) * l->inner;
        for (size_t i = 0; i < l->inner; i++) {
            if (!isfinite(at[i]))
                continue;
            double from = at[i] - mean;
            mean += from / ++n;
            squares += from * (at[i] - mean);
        }
    }
    out[0] = n > 0 ? mean : (double)NAN;
    out[1] = n > 0 ? sqrt(squares / n) : (double)NAN;
}

static void compute_features(const struct layout *l, const double *x, double *out)
{
    for (size_t f = 0; f < l->s.features; f += l->s.spread ? 2 : 1) {
        size_t channel = sm_input_channel(&l->s, f);
        if (l->s.spread)
            summarize_channel(l, x, channel, out + f);
        else
            out[f] = x[channel];
    }
}

static bool choose_samples(const struct sm_tensor *t, const struct layout *l, struct sm_distinct *d)
{
    size_t bytes = l->elements * l->element_bytes, n = (size_t)t->n / l->elements;
    double *row = sm_alloc(l->elements * sizeof *row), *features = NULL;
    bool ok = row && (features = sm_alloc(l->s.features * sizeof *features));
    for (size_t i = 0; ok && i < n; i++) {
        const uint8_t *at = t->data + i * bytes;
        uint64_t hash = sm_distinct_hash(at, bytes);
        if (!sm_distinct_takes(d, hash))
            continue;
        sm_dtype_widen(l->dtype, at, l->elements, row);
        compute_features(l, row, features);
        ok = sm_distinct_add(d, hash, 1, features);
    }
    sm_free(row);
    sm_free(features);
    return ok;
}

static void pack(const struct layout *l, const struct sm_distinct *d, struct sm_numbers *out)
{
    size_t f = l->s.features;
    if (!sm_numbers_alloc(out, HEAD + d->n * (VALUES + f)))
        return;
    out->v[FEATURES] = (double)f;
    out->v[CHANNELS] = (double)l->channels;
    out->v[SPREAD] = l->s.spread;
    out->v[BY_CHANNEL] = l->s.by_channel;
    out->v[LEVEL] = d->level;
    out->v[ROWS] = (double)d->n;
    double *row = out->v + HEAD;
    for (size_t i = 0; i < d->n; i++, row += VALUES + f) {
        row[HASH_HIGH] = (double)(d->hashes[i] >> 32);
        row[HASH_LOW] = (double)(uint32_t)d->hashes[i];
        row[COUNT] = d->counts[i];
        for (size_t k = 0; k < f; k++)
            row[VALUES + k] = d->values[i * f + k];
    }
}

void sm_measure_input_samples(const struct sm_tensor *const *t, const double *args,
                              struct sm_numbers *out)
{
    struct layout l;
    struct sm_distinct d;
    if (!layout_of(t[0], args[0], &l)) {
        sm_numbers_alloc(out, HEAD);
        return;
    }
    sm_distinct_init(&d, l.s.features);
    sm_distinct_raise(&d, (unsigned)args[1]);
    if (choose_samples(t[0], &l, &d))
        pack(&l, &d, out);
    sm_distinct_clear(&d);
}

struct sm_input_samples sm_input_samples_of(const struct sm_numbers *r)
{
    return (struct sm_input_samples){.features = (size_t)r->v[FEATURES],
                                     .channels = (size_t)r->v[CHANNELS],
                                     .spread = r->v[SPREAD] != 0,
                                     .by_channel = r->v[BY_CHANNEL] != 0,
                                     .level = (unsigned)r->v[LEVEL],
                                     .n = (size_t)r->v[ROWS],
                                     .rows = r->v + HEAD};
}

bool sm_input_samples_add(const struct sm_input_samples *s, struct sm_distinct *d)
{
    bool ok = sm_distinct_raise(d, s->level);
    const double *row = s->rows;
    for (size_t i = 0; ok && i < s->n; i++, row += VALUES + s->features)
        ok = sm_distinct_add(d, (uint64_t)row[HASH_HIGH] << 32 | (uint64_t)row[HASH_LOW],
                             row[COUNT], row + VALUES);
    return ok;
}
