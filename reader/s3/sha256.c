/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/sha256.h"

#include <string.h>

enum { BLOCK = 64 };

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

struct hash {
    uint32_t h[8];
    uint64_t n; /* bytes so far */
    uint8_t rest[BLOCK];
};

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void expand(const uint8_t *block, uint32_t w[64])
{
    for (size_t i = 0; i < 16; i++, block += 4)
        w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
               block[3];
    for (size_t i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
}

static void add_block(struct hash *s, const uint8_t *block)
{
    uint32_t w[64], v[8];
    expand(block, w);
    memcpy(v, s->h, sizeof v);
    for (size_t i = 0; i < 64; i++) {
        uint32_t e = v[4], a = v[0];
        uint32_t t1 = v[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                      ((e & v[5]) ^ (~e & v[6])) + constants[i] + w[i];
        uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                      ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (size_t i = 0; i < 8; i++)
        s->h[i] += v[i];
}

static void begin(struct hash *s)
{
    *s = (struct hash){.h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                             0x1f83d9ab, 0x5be0cd19}};
}

static void add(struct hash *s, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    while (n > 0) {
        size_t at = s->n % BLOCK, part = n < BLOCK - at ? n : BLOCK - at;
        memcpy(s->rest + at, p, part);
        s->n += part;
        p += part;
        n -= part;
        if (s->n % BLOCK == 0)
            add_block(s, s->rest);
    }
}

static void end(struct hash *s, uint8_t out[SM_SHA256_BYTES])
{
    uint64_t bits = s->n * 8;
    uint8_t length[8];
    for (size_t i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    add(s, "\x80", 1);
    while (s->n % BLOCK != BLOCK - 8)
        add(s, "", 1);
    add(s, length, sizeof length);
    for (size_t i = 0; i < SM_SHA256_BYTES; i++)
        out[i] = (uint8_t)(s->h[i / 4] >> (24 - i % 4 * 8));
}

void sm_sha256(const void *bytes, size_t n, uint8_t out[SM_SHA256_BYTES])
{
    struct hash s;
    begin(&s);
    add(&s, bytes, n);
    end(&s, out);
}

void sm_hmac_sha256(const void *key, size_t n_key, const void *bytes, size_t n,
                    uint8_t out[SM_SHA256_BYTES])
{
    uint8_t pad[BLOCK] = {0}, inner[SM_SHA256_BYTES];
    if (n_key > BLOCK)
        sm_sha256(key, n_key, pad);
    else
        memcpy(pad, key, n_key);
    for (size_t i = 0; i < BLOCK; i++)
        pad[i] ^= 0x36;
    struct hash s;
    begin(&s);
    add(&s, pad, BLOCK);
    add(&s, bytes, n);
    end(&s, inner);
    for (size_t i = 0; i < BLOCK; i++)
        pad[i] ^= 0x36 ^ 0x5c;
    begin(&s);
    add(&s, pad, BLOCK);
    add(&s, inner, sizeof inner);
    end(&s, out);
}

void sm_sha256_hex(const uint8_t digest[SM_SHA256_BYTES], char out[2 * SM_SHA256_BYTES + 1])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < SM_SHA256_BYTES; i++) {
        out[2 * i] = digits[digest[i] >> 4];
        out[2 * i + 1] = digits[digest[i] & 15];
    }
    out[(size_t)2 * SM_SHA256_BYTES] = '\0';
}
