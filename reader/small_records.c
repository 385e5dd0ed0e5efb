/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/small_records.h"

#include "reader/format/event.h"
#include "reader/format/tfrecord.h"

#include <string.h>

/* bytes: of a file; of one that is read for any number in it; of a record with a number, and of the
 * same less its name */
enum { FILE_MAX = 16 << 20, SMALL_FILE = 16 << 10, NUMBER_MAX = 512, NUMBER_REST_MAX = 128 };

static bool is_real(enum sm_dtype d)
{
    enum sm_dtype_kind k = sm_dtype_info(d)->kind;
    return k == SM_KIND_FLOAT || k == SM_KIND_INT || k == SM_KIND_UINT || k == SM_KIND_BOOL;
}

/* The number of a record; false if it holds something else, or is damaged. */
static bool read_number(struct sm_bytes record, struct sm_batch_scalar *out)
{
    struct sm_bytes payload;
    struct sm_event_value v;
    enum sm_crc crc;
    struct sm_err err;
    uint64_t at;
    double time = 0;
    if (!sm_frame_parse(record, true, &payload, &crc, &err) || crc == SM_CRC_BAD ||
        !sm_event_head(payload, &v, &time) || v.n_elements != 1 || v.n_dims > 1 ||
        !is_real(v.dtype) || !sm_event_content(payload, payload.n, &at))
        return false;
    size_t size = sm_dtype_info(v.dtype)->size_bytes;
    if (size > sizeof out->element || at > payload.n || payload.n - at < size)
        return false;
    *out = (struct sm_batch_scalar){.time = time, .dtype = (uint8_t)v.dtype};
    memcpy(out->element, payload.p + at, size);
    return true;
}

/* Bytes up to the end of the last record of a part. */
static uint64_t part_end(const struct sm_batch *b, const struct sm_batch_part *p)
{
    uint64_t end = 0;
    for (size_t i = 0; i < p->n_values; i++) {
        const struct sm_batch_value *v = &b->values[p->first_value + i];
        uint64_t after = v->offset + v->length;
        end = after > end ? after : end;
    }
    return end;
}

/* Whether a part's event file has numbers, and not much else: to read it whole costs little. */
static bool is_wanted(const struct sm_batch *b, const struct sm_batch_part *p)
{
    uint64_t end = part_end(b, p), numbers = 0;
    for (size_t i = 0; i < p->n_values; i++) {
        const struct sm_batch_value *v = &b->values[p->first_value + i];
        bool short_one = v->length <= NUMBER_MAX &&
                         v->length <= sm_names_length(b->names, v->name) + NUMBER_REST_MAX;
        numbers += short_one ? v->length : 0;
    }
    return p->event_file != SM_NAME_NONE && numbers && end <= FILE_MAX &&
           (end <= SMALL_FILE || numbers >= end / 2);
}

static void read_part(struct sm_batch *b, const struct sm_batch_part *p, const struct sm_str *file)
{
    for (size_t i = 0; i < p->n_values; i++) {
        const struct sm_batch_value *v = &b->values[p->first_value + i];
        struct sm_batch_scalar *known = &b->known[p->first_value + i];
        if (v->value || v->offset > file->len || v->length > file->len - v->offset)
            continue;
        const uint8_t *at = (const uint8_t *)file->data + v->offset;
        if (read_number((struct sm_bytes){at, (size_t)v->length}, known))
            known->name = v->name;
    }
}

static void announce(struct sm_source *source, const struct sm_batch *b)
{
    bool matters = true;
    for (size_t i = 0; i < b->n_parts && matters; i++)
        matters = !is_wanted(b, &b->parts[i]) ||
                  sm_source_ahead(source, sm_names_text(b->names, b->parts[i].event_file), 0,
                                  part_end(b, &b->parts[i]));
}

void sm_small_records_read(struct sm_source *source, struct sm_batch *b)
{
    struct sm_str file = {0};
    struct sm_stat st;
    struct sm_err err;
    if (source->ops->about || !b->n_values)
        return;
    b->known = sm_alloc_zero(b->n_values, sizeof *b->known);
    announce(source, b);
    for (size_t i = 0; b->known && i < b->n_parts; i++) {
        const struct sm_batch_part *p = &b->parts[i];
        sm_str_truncate(&file, 0);
        if (is_wanted(b, p) && sm_source_load(source, sm_names_text(b->names, p->event_file),
                                              part_end(b, p) + SMALL_FILE, &file, &st, &err))
            read_part(b, p, &file);
    }
    sm_str_clear(&file);
}
