/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/tfrecord.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The input is an event file: parses its frames up to the first error. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_bytes rest = {data, n}, payload;
    enum sm_crc crc;
    struct sm_err err;
    while (sm_frame_parse(rest, true, &payload, &crc, &err)) {
        rest.p += payload.n + SM_FRAME_OVERHEAD;
        rest.n -= payload.n + SM_FRAME_OVERHEAD;
    }
    return 0;
}
