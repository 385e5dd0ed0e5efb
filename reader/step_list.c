/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/step_list.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <string.h>

struct block {
    struct sm_trial_step *items;
    size_t n, cap, start; /* start: the index of the first */
};

/* Invariants: no block is empty; blocks[0 .. counted] know their start; a block has room for
 * SM_STEP_LIST_BLOCK steps, but an only one may have less. */
struct sm_step_list {
    struct block *blocks;
    size_t n_blocks, cap_blocks, n;
    size_t counted;
    size_t found;       /* the block looked at last */
    size_t place;       /* where in a block the last step was that was looked for */
    struct block spare; /* the next block; without items: there is none */
    uint64_t moved;
};

struct sm_step_list *sm_step_list_new(void)
{
    return sm_alloc_zero(1, sizeof(struct sm_step_list));
}

static void free_from(struct sm_step_list *l, size_t k)
{
    for (size_t i = k; i < l->n_blocks; i++)
        sm_free(l->blocks[i].items);
    l->n_blocks = k;
}

void sm_step_list_clear(struct sm_step_list *l)
{
    free_from(l, 0);
    l->n = l->counted = l->found = 0;
}

void sm_step_list_free(struct sm_step_list *l)
{
    if (!l)
        return;
    free_from(l, 0);
    sm_free(l->blocks);
    sm_free(l->spare.items);
    sm_free(l);
}

size_t sm_step_list_count(const struct sm_step_list *l)
{
    return l->n;
}

size_t sm_step_list_memory(const struct sm_step_list *l)
{
    size_t steps = l->spare.cap;
    for (size_t k = 0; k < l->n_blocks; k++)
        steps += l->blocks[k].cap;
    return sizeof *l + l->cap_blocks * sizeof *l->blocks + steps * sizeof(struct sm_trial_step);
}

uint64_t sm_step_list_moved(const struct sm_step_list *l)
{
    return l->moved;
}

/* ---- by index ---- */

static bool has_index(const struct sm_step_list *l, size_t k, size_t i)
{
    return k < l->n_blocks && i >= l->blocks[k].start && i - l->blocks[k].start < l->blocks[k].n;
}

static void count_blocks(struct sm_step_list *l)
{
    for (size_t k = l->counted; k + 1 < l->n_blocks; k++)
        l->blocks[k + 1].start = l->blocks[k].start + l->blocks[k].n;
    l->counted = l->n_blocks ? l->n_blocks - 1 : 0;
}

/* The block of index i < n: the one found last, the next, or, of steps that were appended, number
 * i / SM_STEP_LIST_BLOCK. */
static size_t block_at(struct sm_step_list *l, size_t i)
{
    size_t lo = 0, hi = l->n_blocks, appended = i / SM_STEP_LIST_BLOCK;
    if (l->counted + 1 < l->n_blocks)
        count_blocks(l);
    if (has_index(l, l->found, i))
        return l->found;
    if (has_index(l, l->found + 1, i))
        return ++l->found;
    if (has_index(l, appended, i))
        return l->found = appended;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (l->blocks[mid].start <= i)
            lo = mid;
        else
            hi = mid;
    }
    return l->found = lo;
}

struct sm_trial_step *sm_step_list_at(struct sm_step_list *l, size_t i)
{
    const struct block *b = &l->blocks[block_at(l, i)];
    return &b->items[i - b->start];
}

struct sm_trial_step *sm_step_list_last(struct sm_step_list *l)
{
    const struct block *b = l->n_blocks ? &l->blocks[l->n_blocks - 1] : NULL;
    return b ? &b->items[b->n - 1] : NULL;
}

/* ---- by number ---- */

/* The last block that begins at or below the step; the first if none does. */
static size_t block_of(struct sm_step_list *l, int64_t step)
{
    size_t lo = 0, hi = l->n_blocks;
    if (hi && l->blocks[hi - 1].items[0].step.n <= step)
        return hi - 1;
    if (l->found + 1 < hi && l->blocks[l->found].items[0].step.n <= step &&
        step < l->blocks[l->found + 1].items[0].step.n)
        return l->found;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (l->blocks[mid].items[0].step.n <= step)
            lo = mid;
        else
            hi = mid;
    }
    return l->found = lo;
}

/* The first place in the block whose step is not below; n: all are. */
static size_t place_in(const struct block *b, int64_t step)
{
    size_t lo = 0, hi = b->n;
    if (hi && b->items[hi - 1].step.n <= step)
        return b->items[hi - 1].step.n == step ? hi - 1 : hi;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (b->items[mid].step.n < step)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

size_t sm_step_list_place(struct sm_step_list *l, int64_t step)
{
    if (!l->n)
        return 0;
    if (l->counted + 1 < l->n_blocks)
        count_blocks(l);
    const struct block *b = &l->blocks[block_of(l, step)];
    for (size_t at = l->place; at < l->place + 2 && at < b->n; at++) /* it again, or the next */
        if (b->items[at].step.n == step)
            return b->start + (l->place = at);
    return b->start + (l->place = place_in(b, step));
}

/* ---- adding ---- */

static bool grow(struct block *b, size_t n)
{
    return sm_vec_reserve((void **)&b->items, &b->cap, n, sizeof *b->items);
}

bool sm_step_list_open(struct sm_step_list *l)
{
    if (!SM_VEC_ROOM(l->blocks, l->n_blocks, l->cap_blocks))
        return false;
    if (l->n_blocks == 1 && l->n < SM_STEP_LIST_BLOCK)
        return grow(&l->blocks[0], l->n + 1);
    return l->spare.cap || grow(&l->spare, l->n_blocks ? SM_STEP_LIST_BLOCK : 1);
}

static void add_block(struct sm_step_list *l, size_t k)
{
    memmove(&l->blocks[k + 1], &l->blocks[k], (l->n_blocks - k) * sizeof *l->blocks);
    l->blocks[k] = l->spare;
    l->n_blocks++;
    l->spare = (struct block){0};
}

/* Moves the second half of a full block to a new one behind it. */
static void split_block(struct sm_step_list *l, size_t k)
{
    add_block(l, k + 1);
    struct block *a = &l->blocks[k], *b = a + 1;
    b->n = a->n / 2;
    a->n -= b->n;
    memcpy(b->items, a->items + a->n, b->n * sizeof *b->items);
    l->moved += b->n;
    l->counted = k < l->counted ? k : l->counted;
}

/* An empty block behind all others. */
static void append_block(struct sm_step_list *l)
{
    l->counted += l->n_blocks && l->counted + 1 == l->n_blocks;
    add_block(l, l->n_blocks);
    l->blocks[l->n_blocks - 1].start = l->n;
}

/* Makes a hole at place *at of block *k, both of which may become others. */
static void make_room(struct sm_step_list *l, size_t *k, size_t *at)
{
    bool last = *k + 1 >= l->n_blocks, full = l->n_blocks && l->blocks[*k].n == SM_STEP_LIST_BLOCK;
    if (!l->n_blocks || (full && last && *at == l->blocks[*k].n)) {
        append_block(l);
        *k = l->n_blocks - 1;
        *at = 0;
    } else if (full) {
        split_block(l, *k);
        if (*at > l->blocks[*k].n) {
            *at -= l->blocks[*k].n;
            ++*k;
        }
    }
    struct block *b = &l->blocks[*k];
    memmove(&b->items[*at + 1], &b->items[*at], (b->n - *at) * sizeof *b->items);
    l->moved += b->n - *at;
    b->n++;
    l->n++;
    l->counted = *k < l->counted ? *k : l->counted;
}

static const struct sm_trial_step *behind(const struct sm_step_list *l, size_t k, size_t at)
{
    if (at + 1 < l->blocks[k].n)
        return &l->blocks[k].items[at + 1];
    return k + 1 < l->n_blocks ? l->blocks[k + 1].items : NULL;
}

struct sm_trial_step *sm_step_list_put(struct sm_step_list *l, int64_t step, bool *added,
                                       const struct sm_trial_step **next)
{
    size_t k = l->n ? block_of(l, step) : 0, at = l->n ? place_in(&l->blocks[k], step) : 0;
    *added = !l->n || at == l->blocks[k].n || l->blocks[k].items[at].step.n != step;
    if (*added) {
        make_room(l, &k, &at);
        l->blocks[k].items[at] = (struct sm_trial_step){.step = {step}};
    }
    *next = behind(l, k, at);
    return &l->blocks[k].items[at];
}

/* ---- removing ---- */

/* Keeps of a block what is wanted from place `from` on. */
static void filter_block(struct sm_step_list *l, struct block *b, size_t from,
                         bool (*keep)(struct sm_trial_step *s, void *user), void *user)
{
    size_t kept = from;
    for (size_t i = from; i < b->n; i++)
        if (keep(&b->items[i], user))
            b->items[kept++] = b->items[i];
    l->n -= b->n - kept;
    b->n = kept;
}

void sm_step_list_filter(struct sm_step_list *l, size_t from,
                         bool (*keep)(struct sm_trial_step *s, void *user), void *user)
{
    if (from >= l->n)
        return;
    size_t first = block_at(l, from), kept = first;
    for (size_t k = first; k < l->n_blocks; k++) {
        struct block *b = &l->blocks[k];
        filter_block(l, b, k == first ? from - b->start : 0, keep, user);
        if (b->n)
            l->blocks[kept++] = *b;
        else
            sm_free(b->items);
    }
    l->n_blocks = kept;
    l->counted = l->found = 0;
    if (kept)
        l->blocks[0].start = 0;
}
