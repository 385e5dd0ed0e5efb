/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/points/points.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/points/points_block.h"

#include <math.h>
#include <string.h>

#define NO_BLOCK SIZE_MAX

/* Invariants: blocks are in order; at most one is open; only the last may be empty, while it is
 * open. */
struct sm_scalar_points {
    struct sm_points_block *blocks;
    size_t n_blocks, cap_blocks, n;
    size_t found; /* the block looked at last */
    size_t last;  /* the point read last; SIZE_MAX: none */
    struct sm_scalar_point last_point;
    /* the points from seen_from on, of the packed block that was read last more than once */
    struct sm_scalar_point *seen; /* NULL: not yet; room for SM_POINTS_BLOCK */
    size_t seen_from, seen_n;
    size_t once;  /* the block of which one point was read last; NO_BLOCK: none */
    size_t open;  /* NO_BLOCK: none */
    size_t shift; /* the blocks behind the open one begin so much later */
    uint64_t shifted;
    struct sm_scalar_point *raw; /* the points of the open block */
    size_t cap_raw;
};

struct sm_scalar_points *sm_points_new(void)
{
    struct sm_scalar_points *s = sm_alloc_zero(1, sizeof *s);
    if (s)
        s->open = s->last = s->once = SIZE_MAX;
    return s;
}

static void free_blocks(struct sm_scalar_points *s, size_t from)
{
    for (size_t k = from; k < s->n_blocks; k++)
        sm_free(s->blocks[k].data);
    s->n_blocks = from;
}

void sm_points_free(struct sm_scalar_points *s)
{
    if (!s)
        return;
    free_blocks(s, 0);
    sm_free(s->blocks);
    sm_free(s->raw);
    sm_free(s->seen);
    sm_free(s);
}

size_t sm_points_count(const struct sm_scalar_points *s)
{
    return s->n;
}

size_t sm_points_memory(const struct sm_scalar_points *s)
{
    size_t bytes = sizeof *s + s->cap_blocks * sizeof *s->blocks + s->cap_raw * sizeof *s->raw +
                   (s->seen ? SM_POINTS_BLOCK * sizeof *s->seen : 0);
    for (size_t k = 0; k < s->n_blocks; k++)
        bytes += s->blocks[k].data ? sm_points_packed_bytes(&s->blocks[k]) : 0;
    return bytes;
}

uint64_t sm_points_shifted(const struct sm_scalar_points *s)
{
    return s->shifted;
}

/* ---- reading ---- */

/* The index of the block's first point. */
static size_t start_of(const struct sm_scalar_points *s, size_t k)
{
    return s->blocks[k].start + (k > s->open ? s->shift : 0); /* NO_BLOCK is above all */
}

/* Before another block is open. */
static void shift_blocks(struct sm_scalar_points *s)
{
    for (size_t k = s->shift ? s->open + 1 : s->n_blocks; k < s->n_blocks; k++, s->shifted++)
        s->blocks[k].start += s->shift;
    s->shift = 0;
}

static bool is_in(const struct sm_scalar_points *s, size_t k, size_t i)
{
    return k < s->n_blocks && i >= start_of(s, k) && i - start_of(s, k) < s->blocks[k].n;
}

/* The block of point i < n: most often the one found last, or the next; of points that were
 * appended, blocks are full. */
static size_t find_block(struct sm_scalar_points *s, size_t i)
{
    if (is_in(s, s->found, i))
        return s->found;
    if (is_in(s, s->found + 1, i))
        return ++s->found;
    if (is_in(s, i / SM_POINTS_BLOCK, i))
        return s->found = i / SM_POINTS_BLOCK;
    size_t lo = 0, hi = s->n_blocks;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (start_of(s, mid) <= i)
            lo = mid;
        else
            hi = mid;
    }
    return s->found = lo;
}

static struct sm_scalar_point point_of(const struct sm_scalar_points *s, size_t k, size_t i)
{
    return k == s->open ? s->raw[i] : sm_points_unpack(&s->blocks[k], i);
}

/* Unpacks all of the block, unless nothing else was read of it: who reads two points reads more. */
static void see_block(struct sm_scalar_points *s, size_t k)
{
    bool again = k == s->once;
    s->once = k;
    if (!again || k == s->open)
        return;
    s->seen = s->seen ? s->seen : sm_alloc(SM_POINTS_BLOCK * sizeof *s->seen);
    if (!s->seen)
        return;
    sm_points_unpack_all(&s->blocks[k], s->seen);
    s->seen_from = start_of(s, k);
    s->seen_n = s->blocks[k].n;
}

/* Before the points from `from` on change. */
static void forget_seen(struct sm_scalar_points *s, size_t from)
{
    s->last = s->once = SIZE_MAX;
    if (from < s->seen_from + s->seen_n)
        s->seen_n = 0;
}

struct sm_scalar_point sm_points_get(struct sm_scalar_points *s, size_t i)
{
    if (i - s->seen_from < s->seen_n)
        return s->seen[i - s->seen_from];
    if (i == s->last) /* its time, number and place are asked for one after the other */
        return s->last_point;
    size_t k = find_block(s, i);
    see_block(s, k);
    s->last_point = point_of(s, k, i - start_of(s, k));
    s->last = i;
    return s->last_point;
}

uint32_t sm_points_part(struct sm_scalar_points *s, size_t i)
{
    if (i - s->seen_from < s->seen_n)
        return s->seen[i - s->seen_from].part;
    if (i == s->last)
        return s->last_point.part;
    size_t k = find_block(s, i), at = i - start_of(s, k);
    return k == s->open ? s->raw[at].part : sm_points_unpack_part(&s->blocks[k], at);
}

/* ---- opening ---- */

/* Packs the open block; without points it goes, and it is the last one then. */
static bool close_block(struct sm_scalar_points *s)
{
    size_t k = s->open;
    if (k == NO_BLOCK)
        return true;
    if (!s->blocks[k].n)
        s->n_blocks--;
    else if (!sm_points_pack(s->raw, s->blocks[k].n, &s->blocks[k]))
        return false;
    shift_blocks(s);
    s->open = NO_BLOCK;
    return true;
}

static bool need_raw(struct sm_scalar_points *s, size_t n)
{
    return sm_vec_reserve((void **)&s->raw, &s->cap_raw, n, sizeof *s->raw);
}

/* Adds an empty block behind the last one, and opens it. */
static bool append_block(struct sm_scalar_points *s, size_t room)
{
    if (!close_block(s) || !need_raw(s, room) ||
        !SM_VEC_ROOM(s->blocks, s->n_blocks, s->cap_blocks))
        return false;
    s->blocks[s->n_blocks] = (struct sm_points_block){.start = s->n};
    s->open = s->n_blocks++;
    return true;
}

static bool open_block(struct sm_scalar_points *s, size_t k, size_t room)
{
    if (k == s->open)
        return need_raw(s, s->blocks[k].n + room);
    struct sm_points_block *b = &s->blocks[k];
    if (!close_block(s) || !need_raw(s, b->n + room))
        return false;
    sm_points_unpack_all(b, s->raw);
    sm_free(b->data);
    b->data = NULL;
    s->open = k;
    return true;
}

/* Packs the half of the open block that does not hold `at`, as a block of its own. */
static bool split_block(struct sm_scalar_points *s, size_t at)
{
    if (!SM_VEC_ROOM(s->blocks, s->n_blocks, s->cap_blocks))
        return false;
    size_t k = s->open;
    struct sm_points_block *b = &s->blocks[k], half = {0};
    uint8_t first = b->n / 2, second = (uint8_t)(b->n - first);
    bool behind = at - b->start <= first; /* the second half is packed */
    if (!sm_points_pack(behind ? s->raw + first : s->raw, behind ? second : first, &half))
        return false;
    shift_blocks(s);
    memmove(b + 1, b, (s->n_blocks++ - k) * sizeof *b);
    if (behind) {
        b[1] = half;
        b->n = first;
    } else {
        memmove(s->raw, s->raw + first, second * sizeof *s->raw);
        b[0] = half;
        b[0].start = b[1].start;
        b[1].n = second;
        s->open++;
    }
    b[1].start = b[0].start + first;
    return true;
}

static bool open_holds(const struct sm_scalar_points *s, size_t at, size_t room)
{
    if (s->open == NO_BLOCK)
        return false;
    const struct sm_points_block *b = &s->blocks[s->open]; /* it is not shifted */
    return at >= b->start && at - b->start <= b->n && b->n + room <= SM_POINTS_BLOCK;
}

bool sm_points_open(struct sm_scalar_points *s, size_t at, size_t room)
{
    if (open_holds(s, at, room))
        return need_raw(s, s->blocks[s->open].n + room);
    size_t k = s->n ? find_block(s, at ? at - 1 : 0) : 0;
    bool full = !s->n || s->blocks[k].n + room > SM_POINTS_BLOCK;
    if (full && at == s->n)
        return append_block(s, room);
    return open_block(s, k, full ? 0 : room) &&
           (!full || (split_block(s, at) && need_raw(s, s->blocks[s->open].n + room)));
}

/* ---- writing ---- */

bool sm_points_insert(struct sm_scalar_points *s, size_t at, const struct sm_scalar_point *p)
{
    if (!open_holds(s, at, 1) || s->blocks[s->open].n == s->cap_raw)
        if (!sm_points_open(s, at, 1))
            return false;
    struct sm_points_block *b = &s->blocks[s->open];
    size_t i = at - b->start;
    forget_seen(s, at);
    memmove(&s->raw[i + 1], &s->raw[i], (b->n - i) * sizeof *s->raw);
    s->raw[i] = *p;
    b->n++;
    s->n++;
    s->shift++;
    return true;
}

/* Replaces the blocks from k on, of which the open one is among them or nowhere, by those of
 * `fresh`, and takes them. */
static bool replace_blocks(struct sm_scalar_points *s, size_t k, struct sm_scalar_points *fresh)
{
    size_t start = start_of(s, k);
    if (!close_block(fresh) || !sm_vec_reserve((void **)&s->blocks, &s->cap_blocks,
                                               k + fresh->n_blocks, sizeof *s->blocks))
        return false;
    free_blocks(s, k);
    for (size_t i = 0; i < fresh->n_blocks; i++) {
        s->blocks[k + i] = fresh->blocks[i];
        s->blocks[k + i].start += start;
    }
    s->n_blocks = k + fresh->n_blocks;
    s->n = start + fresh->n;
    s->open = NO_BLOCK;
    s->shift = 0;
    forget_seen(s, start);
    fresh->n_blocks = 0;
    return true;
}

bool sm_points_filter(struct sm_scalar_points *s, size_t from,
                      bool (*keep)(const struct sm_scalar_point *p, void *user), void *user)
{
    struct sm_scalar_points *fresh = from < s->n ? sm_points_new() : NULL;
    if (from >= s->n)
        return true;
    size_t k = find_block(s, from);
    bool ok = fresh && (s->open == NO_BLOCK || s->open >= k || close_block(s));
    for (size_t i = ok ? start_of(s, k) : s->n; ok && i < s->n; i++) {
        struct sm_scalar_point p = sm_points_get(s, i);
        if (i < from || keep(&p, user))
            ok = sm_points_insert(fresh, fresh->n, &p);
    }
    ok = ok && replace_blocks(s, k, fresh);
    sm_points_free(fresh);
    return ok;
}

/* ---- ranges ---- */

static void add_number(struct sm_points_range *r, size_t i, double v)
{
    if (r->low == SIZE_MAX || v < r->min) {
        r->min = v;
        r->low = i;
    }
    if (r->high == SIZE_MAX || v > r->max) {
        r->max = v;
        r->high = i;
    }
}

static void add_extreme(const struct sm_scalar_points *s, size_t k, size_t i,
                        struct sm_points_range *r)
{
    if (i == s->blocks[k].n)
        return;
    struct sm_scalar_point p = point_of(s, k, i);
    add_number(r, start_of(s, k) + i, sm_scalar_number(&p));
}

void sm_points_range_begin(struct sm_points_range *r)
{
    *r = (struct sm_points_range){.first_bad = SIZE_MAX,
                                  .low = SIZE_MAX,
                                  .high = SIZE_MAX,
                                  .min = (double)NAN,
                                  .max = (double)NAN};
}

void sm_points_range_add(struct sm_points_range *r, size_t i, double v)
{
    r->n++;
    if (isfinite(v))
        add_number(r, i, v);
    else
        r->first_bad = r->bad++ ? r->first_bad : i;
}

/* The points [from, to) of block k. */
static void add_points(const struct sm_scalar_points *s, size_t k, size_t from, size_t to,
                       struct sm_points_range *r)
{
    const struct sm_points_block *b = &s->blocks[k];
    if (to - from == b->n && k != s->open) {
        r->n += b->n;
        r->first_bad = r->bad || !b->bad ? r->first_bad : start_of(s, k) + b->first_bad;
        r->bad += b->bad;
        add_extreme(s, k, b->low, r);
        add_extreme(s, k, b->high, r);
        return;
    }
    for (size_t i = from; i < to; i++) {
        struct sm_scalar_point p = point_of(s, k, i);
        sm_points_range_add(r, start_of(s, k) + i, sm_scalar_number(&p));
    }
}

void sm_points_range(struct sm_scalar_points *s, size_t from, size_t to,
                     struct sm_points_range *out)
{
    sm_points_range_begin(out);
    for (size_t k = from < to ? find_block(s, from) : 0; from < to; k++) {
        const struct sm_points_block *b = &s->blocks[k];
        size_t start = start_of(s, k), end = start + b->n < to ? start + b->n : to;
        add_points(s, k, from - start, end - start, out);
        from = end;
    }
}

size_t sm_points_finite_to(struct sm_scalar_points *s, size_t from, size_t to)
{
    for (size_t k = from < to ? find_block(s, from) : 0; from < to; k++) {
        size_t start = start_of(s, k), end = start + s->blocks[k].n;
        bool look = k == s->open || s->blocks[k].bad;
        for (; from < end && from < to && look; from++) {
            struct sm_scalar_point p = point_of(s, k, from - start);
            if (!isfinite(sm_scalar_number(&p)))
                return from;
        }
        from = end;
    }
    return to;
}
