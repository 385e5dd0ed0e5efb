/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor/quantile_pass.h"

#include "reader/base/bytes.h"
#include "reader/base/mem.h"
#include "reader/format/minifloat.h"
#include "reader/tensor/stats.h"

#include <math.h>
#include <string.h>

enum { DIGIT_BITS = 16, DIGITS_MAX = 4, COUNTERS = 1 << DIGIT_BITS, BLOCK = 1024 };

/* A wanted place in the sorted order. */
struct place {
    uint64_t left;   /* elements before it among those with the same digits so far */
    uint64_t key;    /* the digits so far, the highest first */
    unsigned branch; /* of its digits so far */
};
/* One query: keys of the same first digits are a branch. */
struct query {
    struct sm_quantile_query is;
    uint64_t n;                /* finite elements, after the first pass */
    struct place *places;      /* two for each q */
    uint64_t *counts;          /* of each branch, of each value of the digit */
    uint8_t *next[DIGITS_MAX]; /* of each branch and value: the branch after it, plus 1 */
    unsigned branches;
};
struct sm_quantile_pass {
    enum sm_dtype dtype;
    unsigned size, digits, level;
    size_t n_queries;
    struct query queries[SM_QUANTILE_QUERIES];
    uint16_t codes[256]; /* of types of 8 bits: the bits of their values as bfloat16 */
    uint64_t keys[BLOCK];
};

/* ---- keys ---- */

/* Types of 8 bits are looked at as bfloat16, which has all their values. */
static enum sm_dtype key_type(enum sm_dtype d)
{
    return sm_dtype_info(d)->size_bytes == 1 ? SM_DTYPE_BFLOAT16 : d;
}

static unsigned key_bits(enum sm_dtype d)
{
    return 8u * sm_dtype_info(key_type(d))->size_bytes;
}

static void make_codes(struct sm_quantile_pass *p)
{
    for (unsigned code = 0; code < 256; code++) {
        uint8_t byte = (uint8_t)code;
        float v = (float)sm_dtype_load(p->dtype, &byte);
        uint32_t bits;
        memcpy(&bits, &v, sizeof bits);
        p->codes[code] = (uint16_t)(bits >> 16);
    }
}

/* The bits of n elements, with the highest at bit 63. */
static void load_bits(const struct sm_quantile_pass *p, const uint8_t *x, size_t n, uint64_t *keys)
{
    switch (p->size) {
    case 1:
        for (size_t i = 0; i < n; i++)
            keys[i] = (uint64_t)p->codes[x[i]] << 48;
        break;
    case 2:
        for (size_t i = 0; i < n; i++)
            keys[i] = (uint64_t)(x[2 * i] | x[2 * i + 1] << 8) << 48;
        break;
    case 4:
        for (size_t i = 0; i < n; i++)
            keys[i] = (uint64_t)sm_get_u32(x + 4 * i) << 32;
        break;
    default:
        for (size_t i = 0; i < n; i++)
            keys[i] = sm_get_u64(x + 8 * i);
    }
}

/* From bits to a key in the order of the numbers, in place. */
static void order_keys(enum sm_dtype d, bool absolute, uint64_t *keys, size_t n)
{
    const uint64_t sign = (uint64_t)1 << 63;
    bool real = sm_dtype_info(key_type(d))->kind == SM_KIND_FLOAT,
         integer = sm_dtype_info(key_type(d))->kind == SM_KIND_INT;
    if (absolute && real)
        for (size_t i = 0; i < n; i++)
            keys[i] &= ~sign;
    else if (absolute && integer)
        for (size_t i = 0; i < n; i++)
            keys[i] = keys[i] & sign ? 0 - keys[i] : keys[i];
    else if (real)
        for (size_t i = 0; i < n; i++)
            keys[i] ^= (0 - (keys[i] >> 63)) | sign;
    else if (integer)
        for (size_t i = 0; i < n; i++)
            keys[i] ^= sign;
}

/* The number of a key. The magnitude of the least integer of a type is none of the type. */
static double value_of_key(enum sm_dtype d, bool absolute, uint64_t key)
{
    const uint64_t sign = (uint64_t)1 << 63;
    enum sm_dtype type = key_type(d);
    uint8_t bytes[8];
    if (sm_dtype_info(type)->kind == SM_KIND_FLOAT && !absolute)
        key = key & sign ? key & ~sign : ~key;
    else if (sm_dtype_info(type)->kind == SM_KIND_INT && absolute)
        return (double)(key >> (64 - key_bits(d)));
    else if (sm_dtype_info(type)->kind == SM_KIND_INT)
        key ^= sign;
    sm_put_u64(bytes, key >> (64 - key_bits(d)));
    return sm_dtype_load(type, bytes);
}

/* ---- counting ---- */

static unsigned digit_of(uint64_t key, unsigned level)
{
    return key >> (64 - DIGIT_BITS * (level + 1)) & (COUNTERS - 1);
}

static void count_keys(struct query *q, unsigned level, const uint64_t *keys, size_t n)
{
    if (!level) {
        for (size_t i = 0; i < n; i++)
            q->counts[keys[i] >> (64 - DIGIT_BITS)]++;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        size_t branch = 1;
        for (unsigned k = 0; k < level && branch; k++)
            branch = q->next[k][(branch - 1) * COUNTERS + digit_of(keys[i], k)];
        if (branch)
            q->counts[(branch - 1) * COUNTERS + digit_of(keys[i], level)]++;
    }
}

/* Whether the first digits of a query follow from those of the query before it: of |x| from those
 * of x, where the sign is a bit of its own. */
static bool follows(const struct sm_quantile_pass *p, size_t i)
{
    return i && p->queries[i].is.absolute && !p->queries[i - 1].is.absolute &&
           sm_dtype_info(key_type(p->dtype))->kind == SM_KIND_FLOAT;
}

/* Counts of |x| from counts of x: keys of negative numbers are inverted, others above them. */
static void fold_counts(const uint64_t *signs, uint64_t *out)
{
    for (unsigned digit = 0; digit < COUNTERS / 2; digit++)
        out[digit] = signs[COUNTERS / 2 + digit] + signs[COUNTERS / 2 - 1 - digit];
}

void sm_quantile_pass_add(struct sm_quantile_pass *p, const void *bytes, size_t n)
{
    const uint8_t *x = bytes;
    size_t left = n / p->size, m;
    for (; left; left -= m, x += m * p->size) {
        m = left < BLOCK ? left : BLOCK;
        for (size_t i = 0; i < p->n_queries; i++) {
            if (!p->level && follows(p, i))
                continue;
            load_bits(p, x, m, p->keys);
            order_keys(p->dtype, p->queries[i].is.absolute, p->keys, m);
            count_keys(&p->queries[i], p->level, p->keys, m);
        }
    }
}

/* ---- between passes ---- */

/* NaN and infinities have the largest exponent: all its bits are within the first digit. */
static void drop_special(enum sm_dtype d, struct query *q)
{
    enum sm_dtype type = key_type(d);
    if (sm_dtype_info(type)->kind != SM_KIND_FLOAT)
        return;
    for (unsigned digit = 0; digit < COUNTERS; digit++)
        if (!isfinite(value_of_key(d, q->is.absolute, (uint64_t)digit << 48)))
            q->counts[digit] = 0;
}

static void set_places(struct query *q)
{
    q->n = 0;
    for (unsigned digit = 0; digit < COUNTERS; digit++)
        q->n += q->counts[digit];
    for (size_t i = 0; i < q->is.n_q && q->n; i++) {
        size_t below, above;
        sm_quantile_places((size_t)q->n, q->is.q[i], &below, &above);
        q->places[2 * i] = (struct place){.left = below};
        q->places[2 * i + 1] = (struct place){.left = above};
    }
}

static void start_places(struct sm_quantile_pass *p)
{
    for (size_t i = 0; i < p->n_queries; i++) {
        struct query *q = &p->queries[i];
        if (follows(p, i))
            fold_counts(q[-1].counts, q->counts);
        drop_special(p->dtype, q);
        set_places(q);
    }
}

/* Finds the next digit of each place. */
static void find_digits(struct query *q, unsigned level)
{
    for (size_t i = 0; i < 2 * q->is.n_q; i++) {
        struct place *x = &q->places[i];
        const uint64_t *counts = q->counts + (size_t)x->branch * COUNTERS;
        unsigned digit = 0;
        for (; digit + 1 < COUNTERS && x->left >= counts[digit]; digit++)
            x->left -= counts[digit];
        x->key |= (uint64_t)digit << (64 - DIGIT_BITS * (level + 1));
    }
}

/* A branch for each set of places with the same digits. */
static bool make_branches(struct query *q, unsigned level)
{
    q->next[level] = sm_alloc_zero((size_t)q->branches * COUNTERS, 1);
    q->branches = 0;
    for (size_t i = 0; i < 2 * q->is.n_q && q->next[level]; i++) {
        struct place *x = &q->places[i];
        uint8_t *next = &q->next[level][(size_t)x->branch * COUNTERS + digit_of(x->key, level)];
        if (!*next)
            *next = (uint8_t)++q->branches;
        x->branch = *next - 1u;
    }
    sm_free(q->counts);
    q->counts =
        q->next[level] ? sm_alloc_zero((size_t)q->branches * COUNTERS, sizeof *q->counts) : NULL;
    return q->counts;
}

static void answer(const struct sm_quantile_pass *p, const struct query *q)
{
    for (size_t i = 0; i < q->is.n_q; i++) {
        double below = value_of_key(p->dtype, q->is.absolute, q->places[2 * i].key),
               above = value_of_key(p->dtype, q->is.absolute, q->places[2 * i + 1].key);
        q->is.out[i] =
            q->n ? sm_quantile_at((size_t)q->n, q->is.q[i], below, above, p->dtype) : (double)NAN;
    }
}

bool sm_quantile_pass_end(struct sm_quantile_pass *p, bool *more, struct sm_err *err)
{
    bool ok = true;
    *more = p->level + 1 < p->digits;
    if (!p->level)
        start_places(p);
    for (size_t i = 0; i < p->n_queries && ok; i++) {
        struct query *q = &p->queries[i];
        find_digits(q, p->level);
        if (*more)
            ok = make_branches(q, p->level);
        else
            answer(p, q);
    }
    p->level++;
    return ok || sm_err_set(err, SM_ERR_MEMORY, "no memory for quantiles");
}

/* ---- life ---- */

struct sm_quantile_pass *sm_quantile_pass_new(enum sm_dtype d,
                                              const struct sm_quantile_query *queries, size_t n,
                                              struct sm_err *err)
{
    if (!sm_quantile_type_ok(d, err))
        return NULL;
    struct sm_quantile_pass *p = sm_alloc_zero(1, sizeof *p);
    bool ok = p;
    for (size_t i = 0; i < n && ok; i++) {
        struct query *q = &p->queries[i];
        *q = (struct query){.is = queries[i], .branches = 1};
        q->places = sm_alloc_zero(2 * q->is.n_q + 1, sizeof *q->places);
        q->counts = sm_alloc_zero(COUNTERS, sizeof *q->counts);
        p->n_queries++;
        ok = q->places && q->counts;
    }
    if (!ok) {
        sm_quantile_pass_free(p);
        sm_err_set(err, SM_ERR_MEMORY, "no memory for quantiles");
        return NULL;
    }
    p->dtype = d;
    p->size = sm_dtype_info(d)->size_bytes;
    p->digits = key_bits(d) / DIGIT_BITS;
    if (p->size == 1)
        make_codes(p);
    return p;
}

void sm_quantile_pass_free(struct sm_quantile_pass *p)
{
    for (size_t i = 0; p && i < p->n_queries; i++) {
        struct query *q = &p->queries[i];
        for (unsigned k = 0; k < DIGITS_MAX; k++)
            sm_free(q->next[k]);
        sm_free(q->places);
        sm_free(q->counts);
    }
    sm_free(p);
}
