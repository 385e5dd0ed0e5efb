/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), for signatures of requests. */
#ifndef SM_SHA256_H
#define SM_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SM_SHA256_BYTES = 32 };

void sm_sha256(const void *bytes, size_t n, uint8_t out[SM_SHA256_BYTES]);
/* Any length of key. */
void sm_hmac_sha256(const void *key, size_t n_key, const void *bytes, size_t n,
                    uint8_t out[SM_SHA256_BYTES]);
/* 64 small hexadecimal digits and a 0. */
void sm_sha256_hex(const uint8_t digest[SM_SHA256_BYTES], char out[2 * SM_SHA256_BYTES + 1]);

#endif
