/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/crc32c.h"

#include "reader/base/bytes.h"

#include <pthread.h>
#include <stdbool.h>

/* tables[k][b]: the crc of byte b followed by k zero bytes (slicing by 8). */
static uint32_t tables[8][256];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void make_tables(void)
{
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t c = b;
        for (int i = 0; i < 8; i++)
            c = c >> 1 ^ (c & 1 ? 0x82f63b78u : 0);
        tables[0][b] = c;
    }
    for (uint32_t b = 0; b < 256; b++)
        for (int k = 1; k < 8; k++)
            tables[k][b] = tables[k - 1][b] >> 8 ^ tables[0][tables[k - 1][b] & 255];
}

static uint32_t crc_table(uint32_t crc, const uint8_t *p, size_t n)
{
    pthread_once(&tables_once, make_tables);
    uint32_t c = ~crc;
    for (; n >= 8; p += 8, n -= 8) {
        uint32_t lo = c ^ sm_get_u32(p), hi = sm_get_u32(p + 4);
        c = tables[7][lo & 255] ^ tables[6][lo >> 8 & 255] ^ tables[5][lo >> 16 & 255] ^
            tables[4][lo >> 24] ^ tables[3][hi & 255] ^ tables[2][hi >> 8 & 255] ^
            tables[1][hi >> 16 & 255] ^ tables[0][hi >> 24];
    }
    for (; n; p++, n--)
        c = c >> 8 ^ tables[0][(c ^ *p) & 255];
    return ~c;
}

#if defined(__x86_64__)
#include <nmmintrin.h>

/* The instruction has a latency of three cycles and can start every cycle, so three streams run in
 * parallel; shifts[b] advances a crc over STREAM zero bytes so that the streams can be joined. */
static const size_t STREAM = 4096;
static uint32_t shifts[4][256];
static pthread_once_t shifts_once = PTHREAD_ONCE_INIT;

/* Advances crc register c over n zero bytes, bytewise. */
static uint32_t advance_zeros(uint32_t c, size_t n)
{
    while (n--)
        c = c >> 8 ^ tables[0][c & 255];
    return c;
}

static void make_shifts(void)
{
    pthread_once(&tables_once, make_tables);
    uint32_t bits[32];
    for (int i = 0; i < 32; i++)
        bits[i] = advance_zeros(1u << i, STREAM);
    for (int k = 0; k < 4; k++)
        for (uint32_t b = 0; b < 256; b++)
            for (int i = 0; i < 8; i++)
                if (b >> i & 1)
                    shifts[k][b] ^= bits[8 * k + i];
}

static uint32_t shift_crc(uint32_t c)
{
    return shifts[0][c & 255] ^ shifts[1][c >> 8 & 255] ^ shifts[2][c >> 16 & 255] ^
           shifts[3][c >> 24];
}

static uint64_t load_word(const uint8_t *p)
{
    uint64_t w;
    memcpy(&w, p, 8);
    return w;
}

__attribute__((target("sse4.2,crc32"))) static uint32_t crc_sse42(uint32_t crc, const uint8_t *p,
                                                                  size_t n)
{
    uint64_t c = ~crc;
    for (; n >= 3 * STREAM; p += 3 * STREAM, n -= 3 * STREAM) {
        uint64_t c1 = 0, c2 = 0;
        for (size_t i = 0; i < STREAM; i += 8) {
            c = _mm_crc32_u64(c, load_word(p + i));
            c1 = _mm_crc32_u64(c1, load_word(p + STREAM + i));
            c2 = _mm_crc32_u64(c2, load_word(p + 2 * STREAM + i));
        }
        c = shift_crc(shift_crc((uint32_t)c) ^ (uint32_t)c1) ^ (uint32_t)c2;
    }
    for (; n >= 8; p += 8, n -= 8)
        c = _mm_crc32_u64(c, load_word(p));
    uint32_t tail = (uint32_t)c;
    for (; n; p++, n--)
        tail = _mm_crc32_u8(tail, *p);
    return ~tail;
}

uint32_t sm_crc32c_more(uint32_t crc, const void *p, size_t n)
{
    if (!__builtin_cpu_supports("sse4.2"))
        return crc_table(crc, p, n);
    if (n >= 3 * STREAM)
        pthread_once(&shifts_once, make_shifts);
    return crc_sse42(crc, p, n);
}
#else
uint32_t sm_crc32c_more(uint32_t crc, const void *p, size_t n)
{
    return crc_table(crc, p, n);
}
#endif

uint32_t sm_crc32c(const void *p, size_t n)
{
    return sm_crc32c_more(0, p, n);
}

uint32_t sm_crc32c_table(const void *p, size_t n)
{
    return crc_table(0, p, n);
}

uint32_t sm_crc32c_hardware(const void *p, size_t n)
{
    return sm_crc32c_more(0, p, n);
}

uint32_t sm_crc32c_mask(uint32_t crc)
{
    return (crc >> 15 | crc << 17) + 0xa282ead8u;
}
