/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/tfrecord.h"

#include "reader/base/crc32c.h"

const char *sm_crc_name(enum sm_crc c)
{
    static const char *const names[] = {"unchecked", "ok", "unwritten", "bad"};
    return names[c];
}

bool sm_frame_header(struct sm_bytes p, uint64_t *payload_bytes, struct sm_err *err)
{
    static const uint8_t zeros[SM_FRAME_HEADER];
    if (p.n < SM_FRAME_HEADER)
        return sm_err_set(err, SM_ERR_WAIT, "incomplete record header (%zu of %d bytes)", p.n,
                          SM_FRAME_HEADER);
    if (memcmp(p.p, zeros, SM_FRAME_HEADER) == 0)
        return sm_err_set(err, SM_ERR_WAIT, "zeros instead of a record: not written yet");
    uint32_t want = sm_get_u32(p.p + 8), have = sm_crc32c_mask(sm_crc32c(p.p, 8));
    if (want != have)
        return sm_err_set(err, SM_ERR_DATA, "the length's checksum is 0x%08x, expected 0x%08x",
                          want, have);
    *payload_bytes = sm_get_u64(p.p);
    return true;
}

static enum sm_crc crc_of_footer(uint32_t footer, struct sm_bytes payload, bool check)
{
    if (footer == SM_FOOTER_UNWRITTEN)
        return SM_CRC_UNWRITTEN;
    if (!check)
        return SM_CRC_UNCHECKED;
    return footer == sm_crc32c_mask(sm_crc32c(payload.p, payload.n)) ? SM_CRC_OK : SM_CRC_BAD;
}

bool sm_frame_parse(struct sm_bytes p, bool check, struct sm_bytes *payload, enum sm_crc *crc,
                    struct sm_err *err)
{
    uint64_t n;
    if (!sm_frame_header(p, &n, err))
        return false;
    if (n > p.n - SM_FRAME_HEADER || p.n - SM_FRAME_HEADER - n < SM_FRAME_FOOTER)
        return sm_err_set(err, SM_ERR_WAIT, "incomplete record (%zu of %llu bytes)", p.n,
                          (unsigned long long)n + SM_FRAME_OVERHEAD);
    *payload = (struct sm_bytes){p.p + SM_FRAME_HEADER, (size_t)n};
    *crc = crc_of_footer(sm_get_u32(p.p + SM_FRAME_HEADER + n), *payload, check);
    return true;
}

void sm_frame_head(uint8_t out[SM_FRAME_HEADER], uint64_t payload_bytes)
{
    sm_put_u64(out, payload_bytes);
    sm_put_u32(out + 8, sm_crc32c_mask(sm_crc32c(out, 8)));
}

void sm_frame_write(struct sm_str *out, struct sm_bytes payload, bool real_crc)
{
    uint8_t header[SM_FRAME_HEADER], footer[SM_FRAME_FOOTER];
    sm_frame_head(header, payload.n);
    sm_put_u32(footer,
               real_crc ? sm_crc32c_mask(sm_crc32c(payload.p, payload.n)) : SM_FOOTER_UNWRITTEN);
    sm_str_addn(out, header, sizeof header);
    sm_str_addn(out, payload.p, payload.n);
    sm_str_addn(out, footer, sizeof footer);
}
