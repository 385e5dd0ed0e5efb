/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/crc32.h"

#include "reader/base/bytes.h"

#include <pthread.h>

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

uint32_t sm_crc32_more(uint32_t crc, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    uint32_t c = ~crc;
    pthread_once(&tables_once, make_tables);
    for (; n >= SLICES; p += SLICES, n -= SLICES)
        c = slice(c ^ sm_get_u32(p), 12) ^ slice(sm_get_u32(p + 4), 8) ^
            slice(sm_get_u32(p + 8), 4) ^ slice(sm_get_u32(p + 12), 0);
    for (; n; p++, n--)
        c = c >> 8 ^ tables[0][(c ^ *p) & 255];
    return ~c;
}

uint32_t sm_crc32(const void *p, size_t n)
{
    return sm_crc32_more(0, p, n);
}
