/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C (Castagnoli, reflected polynomial 0x82F63B78) and the TFRecord mask of it. Uses the
 * SSE4.2 instruction where the CPU has it, a table otherwise; both give the same result. */
#ifndef SM_CRC32C_H
#define SM_CRC32C_H

#include <stddef.h>
#include <stdint.h>

uint32_t sm_crc32c(const void *p, size_t n);
/* Continues `crc`, the checksum of the preceding bytes; 0 if there are none. */
uint32_t sm_crc32c_more(uint32_t crc, const void *p, size_t n);
uint32_t sm_crc32c_table(const void *p, size_t n); /* reference implementation, for tests */
/* Uses the table where the CPU lacks the instruction. */
uint32_t sm_crc32c_hardware(const void *p, size_t n);
uint32_t sm_crc32c_mask(uint32_t crc); /* ((crc >> 15) | (crc << 17)) + 0xa282ead8 */

#endif
