/* CRC-32C (Castagnoli, reflected polynomial 0x82F63B78) and TFRecord's mask of it.
 * The SSE4.2 instruction is used where the CPU has it, a table otherwise; both give the same. */
#ifndef SM_CRC32C_H
#define SM_CRC32C_H

#include <stddef.h>
#include <stdint.h>

uint32_t sm_crc32c(const void *p, size_t n);
/* crc: of what came before; 0: of nothing */
uint32_t sm_crc32c_more(uint32_t crc, const void *p, size_t n);
uint32_t sm_crc32c_table(const void *p, size_t n); /* the reference, for tests */
/* falls back to the table where there is none */
uint32_t sm_crc32c_hardware(const void *p, size_t n);
uint32_t sm_crc32c_mask(uint32_t crc); /* ((crc >> 15) | (crc << 17)) + 0xa282ead8 */

#endif
