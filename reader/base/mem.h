/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: checked allocation that tests can make fail, and arenas.
 *
 * Everything in reader/ allocates through sm_alloc and friends and reports NULL as SM_ERR_MEMORY;
 * above reader/ the sm_xalloc family may stop the program. */
#ifndef SM_MEM_H
#define SM_MEM_H

#include <stdbool.h>
#include <stddef.h>

void *sm_alloc(size_t size);                          /* uninitialised; size 0 is valid */
void *sm_alloc_pages(size_t size);                    /* page-aligned, for large reads: see mem.c */
void *sm_alloc_zero(size_t count, size_t size);       /* NULL also when count * size overflows */
void *sm_realloc(void *p, size_t count, size_t size); /* p stays valid if NULL is returned */
void sm_free(void *p);
char *sm_strdup(const char *s);
char *sm_strndup(const char *s, size_t n);

void *sm_xalloc(size_t size);                    /* these never return NULL: the program */
void *sm_xalloc_zero(size_t count, size_t size); /* stops with "out of memory" and status 1 */
void *sm_xrealloc(void *p, size_t count, size_t size);
/* Called before the program stops in this way: the terminal is restored before the message. */
void sm_mem_on_exhausted(void (*restore)(void));
char *sm_xstrdup(const char *s);
char *sm_xstrndup(const char *s, size_t n);

/* For tests/faults.c: the n-th allocation from now (1 = next) fails once; 0: none. Thread-safe. */
void sm_mem_fail_at(unsigned long n);
unsigned long sm_mem_count(void); /* allocations so far */

/* An arena: many small allocations freed together. Zero-initialised is empty and ready. */
struct sm_arena_block;
struct sm_arena {
    struct sm_arena_block *blocks;
    size_t used_bytes, total_bytes; /* of the newest block; of all blocks */
};
/* Zeroed and aligned for any type; NULL if there is no memory. */
void *sm_arena_alloc(struct sm_arena *a, size_t size);
void *sm_arena_xalloc(struct sm_arena *a, size_t size);
char *sm_arena_strndup(struct sm_arena *a, const char *s, size_t n);
char *sm_arena_xstrndup(struct sm_arena *a, const char *s, size_t n);
char *sm_arena_xprintf(struct sm_arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void sm_arena_reset(struct sm_arena *a); /* frees all objects, keeps at most one block */
void sm_arena_clear(struct sm_arena *a); /* frees everything */

#endif
