/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/ranks.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/tensor/stats.h"

#include <math.h>
#include <string.h>

enum {
    FEW = 32,
    DIGIT_BITS = 11,
    DIGITS = 3,
    DIGIT_VALUES = 1 << DIGIT_BITS,
    UPPER_BIT = 64 - DIGITS * DIGIT_BITS,
    MOVES_MOST = 4 * SM_RANKS_BLOCK
};

void sm_ranks_clear(struct sm_ranks *r)
{
    sm_free(r->order);
    *r = (struct sm_ranks){0};
}

void sm_ranks_truncate(struct sm_ranks *r, size_t n)
{
    n -= n % SM_RANKS_BLOCK;
    r->n = n < r->n ? n : r->n;
}

/* ---- blocks ---- */

/* A stable sort by three digits of the keys from a bit on, radix with the least significant digit
 * first. Their number is odd: the result is in order, room is where it began. */
static void sort_digits(const uint64_t *keys, int bit, uint16_t *order, uint16_t *room)
{
    memcpy(room, order, SM_RANKS_BLOCK * sizeof *room);
    for (int d = 0; d < DIGITS; d++, bit += DIGIT_BITS) {
        size_t place[DIGIT_VALUES] = {0}, before = 0;
        const uint16_t *from = d % 2 ? order : room;
        uint16_t *to = d % 2 ? room : order;
        for (size_t i = 0; i < SM_RANKS_BLOCK; i++)
            place[keys[i] >> bit & (DIGIT_VALUES - 1)]++;
        for (size_t i = 0; i < DIGIT_VALUES; i++) {
            size_t here = place[i];
            place[i] = before;
            before += here;
        }
        for (size_t i = 0; i < SM_RANKS_BLOCK; i++)
            to[place[keys[from[i]] >> bit & (DIGIT_VALUES - 1)]++] = from[i];
    }
}

/* Sorts what is nearly in order. False: it was not, and was given up. */
static bool sort_rest(const uint64_t *keys, uint16_t *order)
{
    size_t moves = 0;
    for (size_t i = 1; i < SM_RANKS_BLOCK && moves <= MOVES_MOST; i++) {
        uint16_t x = order[i];
        size_t k = i;
        for (; k && keys[order[k - 1]] > keys[x]; k--, moves++)
            order[k] = order[k - 1];
        order[k] = x;
    }
    return moves <= MOVES_MOST;
}

/* Mostly the upper halves of the keys tell them apart. */
static void sort_block(const struct sm_ranked *x, size_t from, uint16_t *order)
{
    uint64_t keys[SM_RANKS_BLOCK];
    uint16_t room[SM_RANKS_BLOCK];
    for (size_t i = 0; i < SM_RANKS_BLOCK; i++) {
        keys[i] = sm_double_key(x->value(x->of, from + i));
        order[i] = (uint16_t)i;
    }
    sort_digits(keys, UPPER_BIT, order, room);
    if (sort_rest(keys, order))
        return;
    sort_digits(keys, 0, order, room);
    sort_digits(keys, UPPER_BIT, order, room);
}

bool sm_ranks_add(struct sm_ranks *r, const struct sm_ranked *x, size_t n)
{
    size_t whole = n - n % SM_RANKS_BLOCK;
    if (whole <= r->n)
        return true;
    if (!sm_vec_reserve((void **)&r->order, &r->cap, whole, sizeof *r->order))
        return false;
    for (; r->n < whole; r->n += SM_RANKS_BLOCK)
        sort_block(x, r->n, r->order + r->n);
    return true;
}

/* ---- selection ---- */

/* Sorted values, of which [lo, hi) may still be the one that is looked for. */
struct run {
    const uint16_t *order; /* of the block at base; NULL: sorted has them */
    const double *sorted;
    size_t base, n, lo, hi, at;
};
struct runs {
    const struct sm_ranked *x;
    struct run *items;
    size_t n;
};

static double value_of(const struct runs *s, const struct run *r, size_t i)
{
    return r->order ? s->x->value(s->x->of, r->base + r->order[i]) : r->sorted[i];
}

/* The number of values in [lo, hi) with keys up to this. */
static size_t count_up_to(const struct runs *s, struct run *r, uint64_t key)
{
    size_t from = r->lo, to = r->hi;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        if (sm_double_key(value_of(s, r, mid)) <= key)
            from = mid + 1;
        else
            to = mid;
    }
    r->at = from;
    return from - r->lo;
}

static double least_after(const struct runs *s, size_t k)
{
    double few[FEW];
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = s->items[i].lo; j < s->items[i].hi; j++) {
            double v = value_of(s, &s->items[i], j);
            size_t at = n++;
            for (; at && few[at - 1] > v; at--)
                few[at] = few[at - 1];
            few[at] = v;
        }
    return few[k];
}

/* The k-th least of all: halves the range of keys until few values, or equal ones, are left. */
static double select_one(struct runs *s, size_t k)
{
    uint64_t low = 0, high = UINT64_MAX;
    size_t left = 0;
    for (size_t i = 0; i < s->n; i++) {
        s->items[i].lo = 0;
        left += s->items[i].hi = s->items[i].n;
    }
    while (left > FEW && low < high) {
        uint64_t mid = low + (high - low) / 2;
        size_t below = 0;
        for (size_t i = 0; i < s->n; i++)
            below += count_up_to(s, &s->items[i], mid);
        bool down = below > k;
        for (size_t i = 0; i < s->n; i++)
            *(down ? &s->items[i].hi : &s->items[i].lo) = s->items[i].at;
        k -= down ? 0 : below;
        left = down ? below : left - below;
        low = down ? low : mid + 1;
        high = down ? mid : high;
    }
    if (left <= FEW)
        return least_after(s, k);
    size_t i = 0;
    while (s->items[i].lo == s->items[i].hi)
        i++;
    return value_of(s, &s->items[i], s->items[i].lo);
}

/* ---- quantiles ---- */

/* The values [from, to) that are in no whole block of the range, sorted; room has twice their
 * number. */
static struct run ends_of(const struct sm_ranked *x, size_t from, size_t first, size_t last,
                          size_t to, double *room)
{
    size_t n = 0;
    for (size_t i = from; i < first; i++)
        room[n++] = x->value(x->of, i);
    for (size_t i = last; i < to; i++)
        room[n++] = x->value(x->of, i);
    return (struct run){.sorted = n ? sm_doubles_sort(room, room + n, n) : room, .n = n};
}

static double quantile_of(struct runs *s, size_t n, double q)
{
    double place = q * (double)(n - 1), below = floor(place);
    size_t k = (size_t)below;
    double a = select_one(s, k), b = k + 1 < n && place > below ? select_one(s, k + 1) : a;
    return sm_quantile_between(a, b - a, b, place - below);
}

bool sm_ranks_quantiles(const struct sm_ranks *r, const struct sm_ranked *x, size_t from, size_t to,
                        const double *q, size_t n_q, double *out)
{
    size_t n = to > from ? to - from : 0, last = to - to % SM_RANKS_BLOCK;
    size_t first = (from + SM_RANKS_BLOCK - 1) / SM_RANKS_BLOCK * SM_RANKS_BLOCK;
    last = last < r->n ? last : r->n;
    if (first >= last)
        first = last = to;
    size_t ends = n - (last - first), blocks = (last - first) / SM_RANKS_BLOCK;
    struct run *items = sm_alloc((blocks + 1) * sizeof *items);
    double *room = ends < SIZE_MAX / 32 ? sm_alloc((2 * ends + 1) * sizeof *room) : NULL;
    bool ok = items && room;
    if (ok && n) {
        for (size_t i = 0; i < blocks; i++) {
            size_t base = first + i * SM_RANKS_BLOCK;
            items[i] = (struct run){.order = r->order + base, .base = base, .n = SM_RANKS_BLOCK};
        }
        items[blocks] = ends_of(x, from, first, last, to, room);
    }
    for (size_t i = 0; ok && i < n_q; i++)
        out[i] = n ? quantile_of(&(struct runs){x, items, blocks + 1}, n, q[i]) : (double)NAN;
    sm_free(items);
    sm_free(room);
    return ok;
}
