/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/distinct.h"

#include "reader/base/mem.h"

#include <math.h>
#include <string.h>

enum { LEVEL_MAX = 48 };

static uint64_t mix(uint64_t h)
{
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

uint64_t sm_distinct_hash(const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    uint64_t h = n, word = 0;
    for (; n >= sizeof word; n -= sizeof word, p += sizeof word) {
        memcpy(&word, p, sizeof word);
        h = mix(h + UINT64_C(0x9e3779b97f4a7c15) + word);
    }
    word = 0;
    memcpy(&word, p, n);
    return mix(mix(h + UINT64_C(0x9e3779b97f4a7c15) + word));
}

void sm_distinct_init(struct sm_distinct *d, size_t features)
{
    size_t cap = features ? SM_DISTINCT_VALUES / features : SM_DISTINCT_MAX;
    cap = cap < SM_DISTINCT_MIN ? SM_DISTINCT_MIN : cap;
    *d = (struct sm_distinct){.features = features,
                              .cap = cap > SM_DISTINCT_MAX ? SM_DISTINCT_MAX : cap};
}

void sm_distinct_clear(struct sm_distinct *d)
{
    sm_free(d->hashes);
    sm_free(d->counts);
    sm_free(d->values);
    sm_map_clear(&d->rows);
    *d = (struct sm_distinct){0};
}

bool sm_distinct_takes(const struct sm_distinct *d, uint64_t hash)
{
    return !(hash & ((UINT64_C(1) << d->level) - 1));
}

double sm_distinct_total(const struct sm_distinct *d)
{
    return ldexp((double)d->n, (int)d->level);
}

bool sm_distinct_raise(struct sm_distinct *d, unsigned level)
{
    size_t n = 0, f = d->features;
    if (level <= d->level)
        return true;
    d->level = level;
    sm_map_clear(&d->rows);
    for (size_t i = 0; i < d->n; i++) {
        if (!sm_distinct_takes(d, d->hashes[i]))
            continue;
        d->hashes[n] = d->hashes[i];
        d->counts[n] = d->counts[i];
        memmove(d->values + n * f, d->values + i * f, f * sizeof *d->values);
        if (!sm_map_put(&d->rows, d->hashes[n], n))
            break;
        n++;
    }
    bool ok = d->n == 0 || d->rows.count == n;
    d->n = n;
    return ok;
}

static bool make_room(struct sm_distinct *d)
{
    while (d->n == d->cap && d->level < LEVEL_MAX)
        if (!sm_distinct_raise(d, d->level + 1))
            return false;
    if (d->n < d->room)
        return true;
    size_t room = d->room ? 2 * d->room : 64;
    uint64_t *hashes = sm_realloc(d->hashes, room, sizeof *hashes);
    d->hashes = hashes ? hashes : d->hashes;
    double *counts = hashes ? sm_realloc(d->counts, room, sizeof *counts) : NULL;
    d->counts = counts ? counts : d->counts;
    double *values = counts ? sm_realloc(d->values, room * d->features, sizeof *values) : NULL;
    d->values = values ? values : d->values;
    d->room = values ? room : d->room;
    return values;
}

bool sm_distinct_add(struct sm_distinct *d, uint64_t hash, double count, const double *values)
{
    uint64_t at;
    if (!sm_distinct_takes(d, hash))
        return true;
    if (sm_map_get(&d->rows, hash, &at)) {
        d->counts[at] += count;
        return true;
    }
    if (!make_room(d))
        return false;
    if (!sm_distinct_takes(d, hash))
        return true;
    if (!sm_map_put(&d->rows, hash, d->n))
        return false;
    d->hashes[d->n] = hash;
    d->counts[d->n] = count;
    memcpy(d->values + d->n++ * d->features, values, d->features * sizeof *values);
    return true;
}
