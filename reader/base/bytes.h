/* SPDX-License-Identifier: Apache-2.0 */
/* Borrowed byte ranges, and little-endian loads and stores at any alignment. */
#ifndef SM_BYTES_H
#define SM_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct sm_bytes {
    const uint8_t *p;
    size_t n;
};

static inline uint32_t sm_get_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t sm_get_u64(const uint8_t *p)
{
    return (uint64_t)sm_get_u32(p) | (uint64_t)sm_get_u32(p + 4) << 32;
}

static inline void sm_put_u32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> 8 * i);
}

static inline void sm_put_u64(uint8_t *p, uint64_t v)
{
    sm_put_u32(p, (uint32_t)v);
    sm_put_u32(p + 4, (uint32_t)(v >> 32));
}

#endif
