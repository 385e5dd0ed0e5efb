/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/mem.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, HUGE_PAGE = 2 << 20 };
static atomic_ulong allocations, fail_at;

/* Whether count * size is a possible size. Checked first, as sanitizers abort on an absurd
 * malloc. */
static bool size_fits(size_t count, size_t size)
{
    return size == 0 || count <= PTRDIFF_MAX / size;
}

/* Counts the allocation; false if the size is impossible or a test wants this one to fail. */
static bool may_allocate(size_t count, size_t size)
{
    unsigned long n = atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed) + 1;
    return size_fits(count, size) && n != atomic_load_explicit(&fail_at, memory_order_relaxed);
}

void sm_mem_fail_at(unsigned long n)
{
    atomic_store(&fail_at, n ? atomic_load(&allocations) + n : 0);
}

unsigned long sm_mem_count(void)
{
    return atomic_load(&allocations);
}

void *sm_alloc(size_t size)
{
    return may_allocate(size, 1) ? malloc(size ? size : 1) : NULL;
}

/* Page-aligned, as the page cache is: some processors copy five times slower to an address a few
 * bytes further within a page, which is where malloc puts large blocks. Huge pages are cleared at
 * once, not in 4 KB steps. */
void *sm_alloc_pages(size_t size)
{
    size_t page = size < HUGE_PAGE ? PAGE : HUGE_PAGE,
           pages = size <= PTRDIFF_MAX - page ? size / page + 1 : 0;
    void *p = may_allocate(size, 1) && pages ? aligned_alloc(page, pages * page) : NULL;
    if (p && page == HUGE_PAGE)
        madvise(p, pages * page, MADV_HUGEPAGE); /* only a hint: failure is harmless */
    return p;
}

void *sm_alloc_zero(size_t count, size_t size)
{
    return may_allocate(count, size) ? calloc(count ? count : 1, size ? size : 1) : NULL;
}

void *sm_realloc(void *p, size_t count, size_t size)
{
    if (!may_allocate(count, size))
        return NULL;
    return realloc(p, count && size ? count * size : 1);
}

void sm_free(void *p)
{
    free(p);
}

char *sm_strndup(const char *s, size_t n)
{
    char *copy = n < SIZE_MAX ? sm_alloc(n + 1) : NULL;
    if (!copy)
        return NULL;
    if (n)
        memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

char *sm_strdup(const char *s)
{
    return sm_strndup(s, strlen(s));
}

/* ---- above the reader ---- */

static void (*on_exhausted)(void);

void sm_mem_on_exhausted(void (*restore)(void))
{
    on_exhausted = restore;
}

static void *require_memory(void *p)
{
    if (!p) {
        if (on_exhausted)
            on_exhausted();
        fputs("smdbg: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

void *sm_xalloc(size_t size)
{
    return require_memory(size_fits(size, 1) ? malloc(size ? size : 1) : NULL);
}

void *sm_xalloc_zero(size_t count, size_t size)
{
    return require_memory(size_fits(count, size) ? calloc(count ? count : 1, size ? size : 1)
                                                 : NULL);
}

void *sm_xrealloc(void *p, size_t count, size_t size)
{
    return require_memory(size_fits(count, size) ? realloc(p, count && size ? count * size : 1)
                                                 : NULL);
}

char *sm_xstrndup(const char *s, size_t n)
{
    char *copy = sm_xalloc(n < SIZE_MAX ? n + 1 : n);
    if (n)
        memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

char *sm_xstrdup(const char *s)
{
    return sm_xstrndup(s, strlen(s));
}

/* ---- arenas ---- */

/* Blocks grow with the arena: small arenas stay small, and large ones need few system calls. */
enum { BLOCK_MIN = 2 * 1024, BLOCK_MAX = 1024 * 1024 };

struct sm_arena_block {
    struct sm_arena_block *next;
    size_t size;
    alignas(max_align_t) unsigned char data[];
};

static bool add_block(struct sm_arena *a, size_t at_least)
{
    size_t size = a->total_bytes / 2;
    size = size < BLOCK_MIN ? BLOCK_MIN : size > BLOCK_MAX ? BLOCK_MAX : size;
    if (size < at_least)
        size = at_least;
    if (size > SIZE_MAX - sizeof(struct sm_arena_block))
        return false;
    struct sm_arena_block *b = sm_alloc(sizeof *b + size);
    if (!b)
        return false;
    b->next = a->blocks;
    b->size = size;
    a->blocks = b;
    a->used_bytes = 0;
    a->total_bytes += size;
    return true;
}

void *sm_arena_alloc(struct sm_arena *a, size_t size)
{
    size_t align = alignof(max_align_t);
    if (size > SIZE_MAX - align)
        return NULL;
    size = size ? (size + align - 1) / align * align : align;
    if ((!a->blocks || a->blocks->size - a->used_bytes < size) && !add_block(a, size))
        return NULL;
    void *p = a->blocks->data + a->used_bytes;
    a->used_bytes += size;
    return memset(p, 0, size);
}

void *sm_arena_xalloc(struct sm_arena *a, size_t size)
{
    return require_memory(sm_arena_alloc(a, size));
}

char *sm_arena_strndup(struct sm_arena *a, const char *s, size_t n)
{
    char *copy = n < SIZE_MAX ? sm_arena_alloc(a, n + 1) : NULL;
    if (copy && n)
        memcpy(copy, s, n);
    return copy;
}

char *sm_arena_xstrndup(struct sm_arena *a, const char *s, size_t n)
{
    return require_memory(sm_arena_strndup(a, s, n));
}

char *sm_arena_xprintf(struct sm_arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *text = sm_arena_xalloc(a, (size_t)(n < 0 ? 0 : n) + 1);
    va_start(ap, fmt);
    vsnprintf(text, (size_t)(n < 0 ? 0 : n) + 1, fmt, ap);
    va_end(ap);
    return text;
}

static void free_blocks(struct sm_arena_block *b)
{
    while (b) {
        struct sm_arena_block *next = b->next;
        sm_free(b);
        b = next;
    }
}

/* Keeps the newest block: unless one giant was allocated, it is the largest. */
void sm_arena_reset(struct sm_arena *a)
{
    if (!a->blocks || a->blocks->size > BLOCK_MAX) {
        sm_arena_clear(a);
        return;
    }
    free_blocks(a->blocks->next);
    a->blocks->next = NULL;
    a->total_bytes = a->blocks->size;
    a->used_bytes = 0;
}

void sm_arena_clear(struct sm_arena *a)
{
    free_blocks(a->blocks);
    *a = (struct sm_arena){0};
}
