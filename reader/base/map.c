/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/map.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <sys/types.h>

/* Interned names: texts in an arena, (text, length) by id, and an open-addressed table of ids. */
struct name {
    const char *text;
    size_t length;
    uint64_t hash;
};
struct sm_names {
    struct sm_arena arena;
    struct name *items;
    size_t count, capacity;
    uint32_t *slots; /* id + 1; 0: free. A power of two in size, at most 3/4 full */
    size_t n_slots;
};

__extension__ typedef unsigned __int128 u128;

/* Folds the 128-bit product: every bit of a and b affects every bit of the result. */
static uint64_t fold_product(uint64_t a, uint64_t b)
{
    u128 product = (u128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Differs between runs, so that no trial can be crafted whose names or keys all collide. No
 * visible order depends on it. */
static uint64_t seed;
static pthread_once_t seed_once = PTHREAD_ONCE_INIT;

static void make_seed(void)
{
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed)
        seed = (uintptr_t)&seed_once;
}

static uint64_t get_seed(void)
{
    pthread_once(&seed_once, make_seed);
    return seed;
}

/* wyhash: one multiplication per 16 bytes. */
static uint64_t hash_bytes(const char *p, size_t n)
{
    uint64_t words[2], secret = get_seed(), h = n ^ secret;
    for (; n > 16; p += 16, n -= 16) {
        memcpy(words, p, 16);
        h = fold_product(words[0] ^ secret ^ 0x2d358dccaa6c78a5u,
                         words[1] ^ h ^ 0x8bb84b93962eacc9u);
    }
    words[0] = words[1] = 0;
    if (n)
        memcpy(words, p, n);
    return fold_product(words[0] ^ secret ^ 0x2d358dccaa6c78a5u,
                        words[1] ^ h ^ 0x8bb84b93962eacc9u);
}

static uint64_t hash_key(uint64_t key)
{
    return fold_product(key ^ get_seed() ^ 0x2d358dccaa6c78a5u, 0x9e3779b97f4a7c15u);
}

struct sm_names *sm_names_new(void)
{
    return sm_alloc_zero(1, sizeof(struct sm_names));
}

void sm_names_free(struct sm_names *t)
{
    if (!t)
        return;
    sm_arena_clear(&t->arena);
    sm_free(t->items);
    sm_free(t->slots);
    sm_free(t);
}

static size_t find_slot(const struct sm_names *t, const char *p, size_t n, uint64_t hash)
{
    size_t mask = t->n_slots - 1, i = hash & mask;
    for (; t->slots[i]; i = (i + 1) & mask) {
        const struct name *x = &t->items[t->slots[i] - 1];
        if (x->hash == hash && x->length == n && (n == 0 || memcmp(x->text, p, n) == 0))
            break;
    }
    return i;
}

static bool grow_slots(struct sm_names *t)
{
    size_t want = t->n_slots ? t->n_slots * 2 : 64;
    uint32_t *slots = sm_alloc_zero(want, sizeof *slots);
    if (!slots)
        return false;
    for (size_t id = 0; id < t->count; id++) {
        size_t i = t->items[id].hash & (want - 1);
        while (slots[i])
            i = (i + 1) & (want - 1);
        slots[i] = (uint32_t)id + 1;
    }
    sm_free(t->slots);
    t->slots = slots;
    t->n_slots = want;
    return true;
}

uint32_t sm_names_find(const struct sm_names *t, const char *p, size_t n)
{
    if (!t->n_slots)
        return SM_NAME_NONE;
    uint32_t slot = t->slots[find_slot(t, p, n, hash_bytes(p, n))];
    return slot ? slot - 1 : SM_NAME_NONE;
}

uint32_t sm_names_add(struct sm_names *t, const char *p, size_t n)
{
    uint64_t hash = hash_bytes(p, n);
    if (t->n_slots) {
        uint32_t slot = t->slots[find_slot(t, p, n, hash)];
        if (slot)
            return slot - 1;
    }
    if ((t->count + 1) * 4 > t->n_slots * 3 && !grow_slots(t))
        return SM_NAME_NONE;
    if (t->count >= SM_NAME_NONE - 1 || !SM_VEC_ROOM(t->items, t->count, t->capacity))
        return SM_NAME_NONE;
    char *text = sm_arena_strndup(&t->arena, p, n);
    if (!text)
        return SM_NAME_NONE;
    t->items[t->count] = (struct name){text, n, hash};
    t->slots[find_slot(t, p, n, hash)] = (uint32_t)t->count + 1;
    return (uint32_t)t->count++;
}

const char *sm_names_text(const struct sm_names *t, uint32_t id)
{
    return t->items[id].text;
}

size_t sm_names_length(const struct sm_names *t, uint32_t id)
{
    return t->items[id].length;
}

uint32_t sm_names_count(const struct sm_names *t)
{
    return (uint32_t)t->count;
}

size_t sm_names_bytes(const struct sm_names *t)
{
    return sizeof *t + t->arena.total_bytes + t->capacity * sizeof *t->items +
           t->n_slots * sizeof *t->slots;
}

/* ---- u64 -> u64 ---- */

static size_t map_slot(const struct sm_map *m, uint64_t key)
{
    size_t mask = m->capacity - 1, i = hash_key(key) & mask;
    while (m->used[i] && m->keys[i] != key)
        i = (i + 1) & mask;
    return i;
}

static bool map_grow(struct sm_map *m)
{
    struct sm_map old = *m,
                  grown = {.capacity = old.capacity ? old.capacity * 2 : 64, .count = old.count};
    grown.keys = sm_alloc_zero(grown.capacity, sizeof *grown.keys);
    grown.values = sm_alloc_zero(grown.capacity, sizeof *grown.values);
    grown.used = sm_alloc_zero(grown.capacity, 1);
    if (!grown.keys || !grown.values || !grown.used) {
        sm_map_clear(&grown);
        return false;
    }
    for (size_t i = 0; i < old.capacity; i++) {
        if (!old.used[i])
            continue;
        size_t k = map_slot(&grown, old.keys[i]);
        grown.used[k] = 1;
        grown.keys[k] = old.keys[i];
        grown.values[k] = old.values[i];
    }
    sm_map_clear(&old);
    *m = grown;
    return true;
}

bool sm_map_put(struct sm_map *m, uint64_t key, uint64_t value)
{
    if ((m->count + 1) * 4 > m->capacity * 3 && !map_grow(m))
        return false;
    size_t i = map_slot(m, key);
    m->count += !m->used[i];
    m->used[i] = 1;
    m->keys[i] = key;
    m->values[i] = value;
    return true;
}

bool sm_map_get(const struct sm_map *m, uint64_t key, uint64_t *value)
{
    if (!m->capacity)
        return false;
    size_t i = map_slot(m, key);
    if (m->used[i] && value)
        *value = m->values[i];
    return m->used[i];
}

/* Moves later entries of the probe sequence up into the gap (linear probing without tombstones). */
bool sm_map_remove(struct sm_map *m, uint64_t key)
{
    if (!sm_map_get(m, key, NULL))
        return false;
    size_t mask = m->capacity - 1, hole = map_slot(m, key);
    m->used[hole] = 0;
    m->count--;
    for (size_t i = (hole + 1) & mask; m->used[i]; i = (i + 1) & mask) {
        uint64_t k = m->keys[i], v = m->values[i];
        m->used[i] = 0;
        size_t to = map_slot(m, k);
        m->used[to] = 1;
        m->keys[to] = k;
        m->values[to] = v;
    }
    return true;
}

void sm_map_clear(struct sm_map *m)
{
    sm_free(m->keys);
    sm_free(m->values);
    sm_free(m->used);
    *m = (struct sm_map){0};
}
