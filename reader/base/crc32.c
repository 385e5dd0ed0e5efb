/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/crc32.h"

#include "reader/base/bytes.h"

#include <pthread.h>
#include <stdbool.h>

/* tables[k][b]: the crc of byte b followed by k zero bytes (slicing by 16). */
enum { SLICES = 16 };
static uint32_t tables[SLICES][256];
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void make_tables(void)
{
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t c = b;
        for (int i = 0; i < 8; i++)
            c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
        tables[0][b] = c;
    }
    for (uint32_t b = 0; b < 256; b++)
        for (int k = 1; k < SLICES; k++)
            tables[k][b] = tables[k - 1][b] >> 8 ^ tables[0][tables[k - 1][b] & 255];
}

/* Four bytes, followed by `after` more in the slice. */
static uint32_t slice(uint32_t word, int after)
{
    return tables[after + 3][word & 255] ^ tables[after + 2][word >> 8 & 255] ^
           tables[after + 1][word >> 16 & 255] ^ tables[after][word >> 24];
}

/* Of the register, which is the complement of a checksum. */
static uint32_t advance(uint32_t c, const uint8_t *p, size_t n)
{
    pthread_once(&tables_once, make_tables);
    for (; n >= SLICES; p += SLICES, n -= SLICES)
        c = slice(c ^ sm_get_u32(p), 12) ^ slice(sm_get_u32(p + 4), 8) ^
            slice(sm_get_u32(p + 8), 4) ^ slice(sm_get_u32(p + 12), 0);
    for (; n; p++, n--)
        c = c >> 8 ^ tables[0][(c ^ *p) & 255];
    return c;
}

uint32_t sm_crc32_table(const void *p, size_t n)
{
    return ~advance(~0u, p, n);
}

#if defined(__x86_64__)
#include <wmmintrin.h>

/* Folding (Gopal and others, Intel 2009): 16 bytes x, d bits before other 16 bytes y, have the same
 * checksum as x.low * (2^(d + 32) mod P) + x.high * (2^(d - 32) mod P) + y without carries. Four
 * such sums run in parallel; the last 16 bytes go through the tables. */
#define FOLDED __attribute__((target("sse4.1,pclmul")))
static const uint64_t fold_512[2] = {0x154442bd4, 0x1c6e41596},
                      fold_128[2] = {0x1751997d0, 0x0ccaa009e};

FOLDED static __m128i load_16(const void *p)
{
    return _mm_loadu_si128(p);
}

FOLDED static __m128i fold(__m128i x, __m128i by, __m128i y)
{
    return _mm_xor_si128(
        _mm_xor_si128(_mm_clmulepi64_si128(x, by, 0x00), _mm_clmulepi64_si128(x, by, 0x11)), y);
}

/* n: at least 64. */
FOLDED static uint32_t advance_folded(uint32_t c, const uint8_t *p, size_t n)
{
    __m128i x[4], by = load_16(fold_512);
    uint8_t last[16];
    for (size_t i = 0; i < 4; i++)
        x[i] = load_16(p + 16 * i);
    x[0] = _mm_xor_si128(x[0], _mm_cvtsi32_si128((int)c));
    for (p += 64, n -= 64; n >= 64; p += 64, n -= 64)
        for (size_t i = 0; i < 4; i++)
            x[i] = fold(x[i], by, load_16(p + 16 * i));
    by = load_16(fold_128);
    for (int i = 1; i < 4; i++)
        x[0] = fold(x[0], by, x[i]);
    for (; n >= 16; p += 16, n -= 16)
        x[0] = fold(x[0], by, load_16(p));
    _mm_storeu_si128((void *)last, x[0]);
    return advance(advance(0, last, sizeof last), p, n);
}

static bool folds(size_t n)
{
    return n >= 64 && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
}
#else
static uint32_t advance_folded(uint32_t c, const uint8_t *p, size_t n)
{
    return advance(c, p, n);
}

static bool folds(size_t n)
{
    (void)n;
    return false;
}
#endif

uint32_t sm_crc32_more(uint32_t crc, const void *p, size_t n)
{
    return ~(folds(n) ? advance_folded : advance)(~crc, p, n);
}

uint32_t sm_crc32(const void *p, size_t n)
{
    return sm_crc32_more(0, p, n);
}
