/* SPDX-License-Identifier: Apache-2.0 */
/* Tells a file that was written again from one that was only copied or touched: times and inodes
 * change with both. */
#include "reader/base/crc32c.h"
#include "reader/format/event.h"
#include "reader/format/tfrecord.h"
#include "reader/smdebug/smdebug.h"

#include <math.h>

enum { PART_BYTES = 8192 }; /* read at the beginning and at the end of an event file */

/* The time in a record, from its first bytes; 0 if there is none. */
static int64_t time_of_record(struct sm_bytes head)
{
    struct sm_event_value value;
    double wall_time = 0;
    if (head.n <= SM_FRAME_HEADER)
        return 0;
    sm_event_head((struct sm_bytes){head.p + SM_FRAME_HEADER, head.n - SM_FRAME_HEADER}, &value,
                  &wall_time);
    return wall_time > 0 && wall_time < 9e12 ? (int64_t)(wall_time * 1e6) : 0;
}

static bool print_events(const struct sm_file *f, uint64_t size, uint64_t first,
                         struct sm_smdebug_print *out)
{
    uint8_t bytes[PART_BYTES];
    struct sm_err err;
    size_t n, rest = 0;
    uint64_t tail = size > (uint64_t)2 * PART_BYTES ? size - PART_BYTES : PART_BYTES;
    if (!sm_file_read(f, 0, bytes, sizeof bytes, &n, &err))
        return false;
    uint32_t crc = sm_crc32c_more(sm_crc32c(&size, sizeof size), bytes, n);
    if (first < n)
        out->written_us = time_of_record((struct sm_bytes){bytes + first, n - (size_t)first});
    if (size > PART_BYTES && !sm_file_read(f, tail, bytes, sizeof bytes, &rest, &err))
        return false;
    out->print ^= sm_crc32c_more(crc, bytes, rest);
    return true;
}

struct sm_smdebug_print sm_smdebug_print(struct sm_source *s, struct sm_bytes index,
                                         const char *events, uint64_t first)
{
    struct sm_smdebug_print out = {.print = (uint64_t)sm_crc32c(index.p, index.n) << 32};
    struct sm_file f = {0};
    struct sm_stat st;
    struct sm_err err;
    bool known = !events;
    if (events && sm_source_stat(s, events, &st, &err) && st.compressed) {
        out.print ^= st.size_bytes; /* its content is not read only to compare it */
        known = true;
    } else if (events && sm_file_open(&f, s, events, &err)) {
        known = print_events(&f, st.size_bytes, first, &out);
    }
    sm_file_close(&f);
    out.print = known ? out.print | 1 : 0;
    return out;
}
