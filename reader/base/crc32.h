/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32 of zlib, PNG and zip (reflected polynomial 0xEDB88320). */
#ifndef SM_CRC32_H
#define SM_CRC32_H

#include <stddef.h>
#include <stdint.h>

uint32_t sm_crc32(const void *p, size_t n);
/* Continues `crc`, the checksum of the preceding bytes; 0 if there are none. */
uint32_t sm_crc32_more(uint32_t crc, const void *p, size_t n);
/* The plain version, the reference in tests: the others multiply without carries where the
 * processor can. */
uint32_t sm_crc32_table(const void *p, size_t n);

#endif
