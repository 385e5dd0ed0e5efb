/* SPDX-License-Identifier: Apache-2.0 */
/* Files of a cache on disk, by name, with a limit of bytes for all of them; several processes may
 * use it at once. Errors are no errors: what cannot be kept, or is damaged, is fetched again. */
#ifndef SM_DISK_CACHE_H
#define SM_DISK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_disk_cache;

/* The cache of S3; see blocks.h for its place and limit. The files that were longest unused go when
 * there are too many. NULL: there is none; all functions take that. */
struct sm_disk_cache *sm_disk_cache_new(void);
void sm_disk_cache_free(struct sm_disk_cache *c);
/* *bytes, freed by the caller, if these n bytes were put and are whole. */
bool sm_disk_cache_get(struct sm_disk_cache *c, const char *name, size_t n, uint8_t **bytes);
bool sm_disk_cache_has(const struct sm_disk_cache *c, const char *name);
void sm_disk_cache_put(struct sm_disk_cache *c, const char *name, const uint8_t *bytes, size_t n);
uint64_t sm_disk_cache_bytes_read(void); /* since the start of the process */
/* Nothing is read or written from now on, in the whole process: --readonly. */
void sm_disk_cache_forbid(void);

#endif
