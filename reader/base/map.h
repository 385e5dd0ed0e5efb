/* SPDX-License-Identifier: Apache-2.0 */
/* Interned names (each distinct byte string gets a small permanent number), and a hash map from
 * 64-bit keys. */
#ifndef SM_MAP_H
#define SM_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SM_NAME_NONE UINT32_MAX

struct sm_names;                     /* opaque; names live until free */
struct sm_names *sm_names_new(void); /* NULL: no memory */
void sm_names_free(struct sm_names *t);
/* The id, new or existing; SM_NAME_NONE if there is no memory. */
uint32_t sm_names_add(struct sm_names *t, const char *p, size_t n);
uint32_t sm_names_find(const struct sm_names *t, const char *p, size_t n); /* NONE: not found */
/* 0-terminated, valid until sm_names_free. */
const char *sm_names_text(const struct sm_names *t, uint32_t id);
size_t sm_names_length(const struct sm_names *t, uint32_t id); /* bytes: a name may contain 0 */
uint32_t sm_names_count(const struct sm_names *t);
size_t sm_names_bytes(const struct sm_names *t); /* memory held */

/* u64 -> u64, open addressing. Zero-initialised is empty. */
struct sm_map {
    uint64_t *keys, *values;
    uint8_t *used;
    size_t count, capacity;
};
bool sm_map_put(struct sm_map *m, uint64_t key, uint64_t value); /* false: no memory */
bool sm_map_get(const struct sm_map *m, uint64_t key, uint64_t *value);
bool sm_map_remove(struct sm_map *m, uint64_t key);
void sm_map_clear(struct sm_map *m);

#endif
