/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts of the records of a zip file. Internal to zip_directory.c and zip_cut.c.
 *
 * The number after a record's name is its length without what varies.
 *   local header 30:    signature 4, 6: flags 2, method 2, 14: crc 4, packed 4, size 4, name 2,
 *                       extra 2
 *   data descriptor 16: signature 4, crc 4, packed 4, size 4; 24 where both sizes have 8 bytes
 *   central header 46:  signature 4, 8: flags 2, method 2, 16: crc 4, packed 4, size 4, name 2,
 *                       extra 2, comment 2, 42: offset of the local header 4
 *   end 22:             signature 4, 10: members 2, size of the directory 4, its offset 4, comment
 * 2 zip64 locator 20:   signature 4, 8: offset of the zip64 end 8 zip64 end 56:       signature 4,
 * 32: members 8, size of the directory 8, its offset 8 */
#ifndef SM_ZIP_RECORDS_H
#define SM_ZIP_RECORDS_H

#include "reader/pickle/zip_directory.h"

enum {
    SM_ZIP_LOCAL_SIGN = 0x04034b50,
    SM_ZIP_DESCRIPTOR_SIGN = 0x08074b50,
    SM_ZIP_LOCAL_BYTES = 30,
    SM_ZIP_DESCRIPTOR_BYTES = 16,
    SM_ZIP_DESCRIPTOR64_BYTES = 24,
    SM_ZIP_FLAG_ENCRYPTED = 1,
    SM_ZIP_FLAG_DESCRIPTOR = 8,
};

static inline uint16_t sm_zip_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

/* Takes what is 0xffffffff in a header from its extra fields. */
void sm_zip_take_extra(struct sm_zip_member *m, const uint8_t *p, size_t n);
/* Puts the members in the order of their names, for sm_zip_find. */
bool sm_zip_index(struct sm_zip *z, struct sm_err *err);

#endif
