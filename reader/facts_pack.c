#include "reader/facts_pack.h"

#include "reader/format/wire.h"

#include <string.h>

enum { WHOLE = 1, STATS = 2, QUANTILES = 4, INEXACT = 8 };
enum { COUNTS = 8, NUMBERS = 13 };

/* flags, type, checksum, counts and dims as varints; the rest is 8 bytes each, the first
 * element 16. */

static void put_double(struct sm_str *out, double v)
{
    uint64_t bits;
    uint8_t p[8];
    memcpy(&bits, &v, sizeof bits);
    sm_put_u64(p, bits);
    sm_str_addn(out, p, sizeof p);
}

static bool get_double(struct sm_bytes b, size_t *at, double *v)
{
    if (b.n - *at < 8)
        return false;
    uint64_t bits = sm_get_u64(b.p + *at);
    memcpy(v, &bits, sizeof *v);
    *at += 8;
    return true;
}

static void list_counts(struct sm_stats *s, uint64_t *out[COUNTS])
{
    uint64_t *const all[COUNTS] = {&s->n,    &s->nan, &s->pos_inf, &s->neg_inf,
                                   &s->zero, &s->neg, &s->pos,     &s->finite};
    memcpy(out, all, sizeof all);
}

static void list_numbers(struct sm_stats *s, double *out[NUMBERS])
{
    double *const all[NUMBERS] = {
        &s->min, &s->max, &s->sum,     &s->sum_squares, &s->prod,         &s->mean,    &s->variance,
        &s->l1,  &s->l2,  &s->abs_min, &s->abs_max,     &s->abs_variance, &s->abs_prod};
    memcpy(out, all, sizeof all);
}

void sm_facts_pack(const struct sm_facts *facts, struct sm_str *out)
{
    struct sm_stats s = facts->stats;
    uint64_t *counts[COUNTS];
    double *numbers[NUMBERS];
    list_counts(&s, counts);
    list_numbers(&s, numbers);
    sm_wire_put(out, (facts->whole ? WHOLE : 0) | (facts->has_stats ? STATS : 0) |
                         (facts->quantiles ? QUANTILES : 0) | (s.inexact ? INEXACT : 0));
    sm_wire_put(out, (uint64_t)facts->proto_dtype);
    sm_wire_put(out, facts->crc);
    sm_wire_put(out, facts->n_dims);
    for (unsigned i = 0; i < facts->n_dims; i++)
        sm_wire_put(out, facts->dims[i]);
    sm_wire_put(out, facts->n);
    sm_wire_put(out, facts->content_bytes);
    put_double(out, facts->wall_time);
    sm_str_addn(out, facts->first, sizeof facts->first);
    for (int i = 0; facts->has_stats && i < COUNTS; i++)
        sm_wire_put(out, *counts[i]);
    for (int i = 0; facts->has_stats && i < NUMBERS; i++)
        put_double(out, *numbers[i]);
    for (int i = 0; facts->quantiles && i < SM_FACTS_QUANTILES; i++)
        put_double(out, facts->quantiles[i]);
}

static bool get_head(struct sm_bytes b, size_t *at, struct sm_facts *out,
                     uint64_t dims[SM_DIMS_MAX], unsigned *flags)
{
    uint64_t v[4];
    for (int i = 0; i < 4; i++)
        if (!sm_wire_get(b, at, &v[i]))
            return false;
    if (v[0] > (WHOLE | STATS | QUANTILES | INEXACT) || v[1] > INT32_MAX || v[2] > SM_CRC_BAD ||
        v[3] > SM_DIMS_MAX)
        return false;
    *flags = (unsigned)v[0];
    out->proto_dtype = (int)v[1];
    out->dtype = sm_dtype_of_proto((int)v[1]);
    out->crc = (enum sm_crc)v[2];
    out->n_dims = (unsigned)v[3];
    for (unsigned i = 0; i < out->n_dims; i++)
        if (!sm_wire_get(b, at, &dims[i]))
            return false;
    return sm_wire_get(b, at, &out->n) && sm_wire_get(b, at, &out->content_bytes) &&
           get_double(b, at, &out->wall_time);
}

static bool get_stats(struct sm_bytes b, size_t *at, struct sm_stats *out)
{
    uint64_t *counts[COUNTS];
    double *numbers[NUMBERS];
    list_counts(out, counts);
    list_numbers(out, numbers);
    for (int i = 0; i < COUNTS; i++)
        if (!sm_wire_get(b, at, counts[i]))
            return false;
    for (int i = 0; i < NUMBERS; i++)
        if (!get_double(b, at, numbers[i]))
            return false;
    return true;
}

static bool get_all(struct sm_bytes b, struct sm_facts *out, uint64_t dims[SM_DIMS_MAX],
                    double *quantiles)
{
    size_t at = 0;
    unsigned flags;
    if (!get_head(b, &at, out, dims, &flags) || b.n - at < sizeof out->first)
        return false;
    memcpy(out->first, b.p + at, sizeof out->first);
    at += sizeof out->first;
    out->whole = flags & WHOLE;
    out->has_stats = flags & STATS;
    out->stats.inexact = flags & INEXACT;
    if (out->has_stats && !get_stats(b, &at, &out->stats))
        return false;
    for (int i = 0; (flags & QUANTILES) && i < SM_FACTS_QUANTILES; i++)
        if (!get_double(b, &at, &quantiles[i]))
            return false;
    out->dims = dims;
    out->quantiles = flags & QUANTILES ? quantiles : NULL;
    return at == b.n;
}

bool sm_facts_unpack(struct sm_bytes b, struct sm_facts *out, uint64_t dims[SM_DIMS_MAX],
                     double *quantiles, struct sm_err *err)
{
    *out = (struct sm_facts){0};
    return get_all(b, out, dims, quantiles) || sm_err_set(err, SM_ERR_DATA, "broken statistics");
}
