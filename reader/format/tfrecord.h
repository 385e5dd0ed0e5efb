/* SPDX-License-Identifier: Apache-2.0 */
/* TFRecord framing (doc/formats.md): u64 length, masked crc of those 8 bytes, payload, footer
 * (masked crc of the payload); little endian. */
#ifndef SM_TFRECORD_H
#define SM_TFRECORD_H

#include "reader/base/bytes.h"
#include "reader/base/err.h"
#include "reader/base/str.h"

enum { SM_FRAME_HEADER = 12, SM_FRAME_FOOTER = 4, SM_FRAME_OVERHEAD = 16 };
#define SM_FOOTER_UNWRITTEN 0x062dc0b3u /* smdebug writes this instead of the payload's crc */

enum sm_crc { SM_CRC_UNCHECKED, SM_CRC_OK, SM_CRC_UNWRITTEN, SM_CRC_BAD };
const char *sm_crc_name(enum sm_crc c); /* "unchecked" "ok" "unwritten" "bad" */

/* Reads the header at p. SM_ERR_WAIT: fewer than 12 bytes, or all of them 0 (a block NFS has not
 * delivered yet). SM_ERR_DATA: the length's crc is wrong. */
bool sm_frame_header(struct sm_bytes p, uint64_t *payload_bytes, struct sm_err *err);

/* Reads a whole record at p: *payload points into p. SM_ERR_WAIT if p ends before the record does.
 * check: verify the payload's crc if one was written; otherwise *crc is SM_CRC_UNCHECKED (UNWRITTEN
 * for the constant either way). A wrong payload crc is no error here: see *crc. */
bool sm_frame_parse(struct sm_bytes p, bool check, struct sm_bytes *payload, enum sm_crc *crc,
                    struct sm_err *err);

/* Appends a record. real_crc false: the footer is SM_FOOTER_UNWRITTEN, as smdebug writes it in
 * events/. */
void sm_frame_write(struct sm_str *out, struct sm_bytes payload, bool real_crc);
/* The 12 bytes before a payload. */
void sm_frame_head(uint8_t out[SM_FRAME_HEADER], uint64_t payload_bytes);

#endif
