/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/points/points_block.h"

#include "reader/base/mem.h"
#include "reader/format/dtype.h"

#include <math.h>
#include <string.h>

#define QUANTA_PER_SECOND 4194304.0 /* 2^22 */

double sm_scalar_number(const struct sm_scalar_point *p)
{
    return sm_dtype_load((enum sm_dtype)p->dtype, p->element);
}

/* ---- integers along a line ---- */

#define LINE_MAX ((int64_t)1 << 60) /* between those, nothing overflows */

static bool all_equal(const int64_t *v, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (v[i] != v[0])
            return false;
    return true;
}

static bool all_small(const int64_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] < -LINE_MAX || v[i] > LINE_MAX)
            return false;
    return true;
}

static uint8_t width_of(int64_t low, int64_t high)
{
    return low == 0 && high == 0                   ? 0
           : low >= INT8_MIN && high <= INT8_MAX   ? 1
           : low >= INT16_MIN && high <= INT16_MAX ? 2
           : low >= INT32_MIN && high <= INT32_MAX ? 4
                                                   : 8;
}

static int64_t on_line(const struct sm_points_line *line, size_t i)
{
    return line->base + (int64_t)i * line->slope;
}

static struct sm_points_line fit_line(const int64_t *v, size_t n)
{
    struct sm_points_line line = {.base = v[0]};
    int64_t low = 0, high = 0;
    if (all_equal(v, n))
        return line;
    if (!all_small(v, n))
        return (struct sm_points_line){.width = 8};
    line.slope = (v[n - 1] - v[0]) / (int64_t)(n - 1);
    for (size_t i = 0; i < n; i++) {
        int64_t rest = v[i] - on_line(&line, i);
        low = rest < low ? rest : low;
        high = rest > high ? rest : high;
    }
    line.width = width_of(low, high);
    return line;
}

static void put_line(const struct sm_points_line *line, const int64_t *v, size_t n, uint8_t *out)
{
    for (size_t i = 0; i < n; i++) {
        int64_t rest = v[i] - on_line(line, i); /* little endian, as all we run on */
        memcpy(out + i * line->width, &rest, line->width);
    }
}

static int64_t get_line(const struct sm_points_line *line, const uint8_t *data, size_t i)
{
    const uint8_t *p = data + i * line->width;
    int16_t two;
    int32_t four;
    int64_t eight;
    switch (line->width) {
    case 0:
        return on_line(line, i);
    case 1:
        return on_line(line, i) + (int8_t)*p;
    case 2:
        memcpy(&two, p, sizeof two);
        return on_line(line, i) + two;
    case 4:
        memcpy(&four, p, sizeof four);
        return on_line(line, i) + four;
    default:
        memcpy(&eight, p, sizeof eight);
        return on_line(line, i) + eight;
    }
}

/* ---- times ---- */

static int64_t bits_of(double v)
{
    int64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* False: the time is no whole number of quanta. */
static bool to_quanta(double time, int64_t *out)
{
    double quanta = time * QUANTA_PER_SECOND;
    if (!(fabs(quanta) < 0x1p60))
        return false;
    *out = (int64_t)quanta;
    return bits_of((double)*out / QUANTA_PER_SECOND) == bits_of(time); /* not of -0.0 */
}

/* Returns whether v are the bits of the times. */
static bool read_times(const struct sm_scalar_point *p, size_t n, int64_t *v)
{
    for (size_t i = 0; i < n; i++)
        if (!to_quanta(p[i].time, &v[i])) {
            for (i = 0; i < n; i++)
                v[i] = bits_of(p[i].time);
            return true;
        }
    return false;
}

static double time_of(const struct sm_points_block *b, int64_t v)
{
    double time;
    memcpy(&time, &v, sizeof time);
    return b->time_bits ? time : (double)v / QUANTA_PER_SECOND;
}

/* ---- blocks ---- */

/* The columns lie one after the other: elements, parts, positions, times. */
static const uint8_t *parts_of(const struct sm_points_block *b)
{
    return b->data + (size_t)b->n * b->element;
}

size_t sm_points_packed_bytes(const struct sm_points_block *b)
{
    size_t each = b->element ? (size_t)b->element + b->part.width + b->seq.width + b->time.width
                             : sizeof(struct sm_scalar_point);
    return b->n * each;
}

static void note_extremes(const struct sm_scalar_point *p, size_t n, struct sm_points_block *b)
{
    double min = HUGE_VAL, max = -HUGE_VAL;
    b->low = b->high = b->first_bad = (uint8_t)n;
    b->bad = 0;
    for (size_t i = 0; i < n; i++) {
        double v = sm_scalar_number(&p[i]);
        if (!isfinite(v)) {
            b->first_bad = b->bad++ ? b->first_bad : (uint8_t)i;
            continue;
        }
        if (v < min || b->low == n) {
            min = v;
            b->low = (uint8_t)i;
        }
        if (v > max || b->high == n) {
            max = v;
            b->high = (uint8_t)i;
        }
    }
}

/* The bytes of an element; 0 if the points are of several types. */
static uint8_t element_bytes(const struct sm_scalar_point *p, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (p[i].dtype != p[0].dtype)
            return 0;
    uint8_t size = sm_dtype_info((enum sm_dtype)p[0].dtype)->size_bytes;
    return size <= sizeof p->element ? size : 0;
}

static void fill_block(const struct sm_scalar_point *p, struct sm_points_block *b,
                       const int64_t *part, const int64_t *seq, const int64_t *time)
{
    uint8_t *at = b->data;
    for (size_t i = 0; i < b->n; i++, at += b->element)
        memcpy(at, p[i].element, b->element);
    put_line(&b->part, part, b->n, at);
    put_line(&b->seq, seq, b->n, at += (size_t)b->n * b->part.width);
    put_line(&b->time, time, b->n, at + (size_t)b->n * b->seq.width);
}

bool sm_points_pack(const struct sm_scalar_point *p, size_t n, struct sm_points_block *b)
{
    int64_t part[SM_POINTS_BLOCK] = {0}, seq[SM_POINTS_BLOCK] = {0}, time[SM_POINTS_BLOCK] = {0};
    for (size_t i = 0; i < n; i++) {
        part[i] = p[i].part;
        seq[i] = p[i].seq;
    }
    bool bits = read_times(p, n, time);
    struct sm_points_block packed = {.start = b->start,
                                     .part = fit_line(part, n),
                                     .seq = fit_line(seq, n),
                                     .time = fit_line(time, n),
                                     .n = (uint8_t)n,
                                     .dtype = p[0].dtype,
                                     .element = element_bytes(p, n),
                                     .time_bits = bits};
    packed.data = sm_alloc(sm_points_packed_bytes(&packed));
    if (!packed.data)
        return false;
    note_extremes(p, n, &packed);
    if (packed.element)
        fill_block(p, &packed, part, seq, time);
    else
        memcpy(packed.data, p, n * sizeof *p);
    *b = packed;
    return true;
}

uint32_t sm_points_unpack_part(const struct sm_points_block *b, size_t i)
{
    struct sm_scalar_point p;
    if (b->element)
        return (uint32_t)get_line(&b->part, parts_of(b), i);
    memcpy(&p, b->data + i * sizeof p, sizeof p);
    return p.part;
}

struct sm_scalar_point sm_points_unpack(const struct sm_points_block *b, size_t i)
{
    struct sm_scalar_point p = {.dtype = b->dtype};
    if (!b->element) {
        memcpy(&p, b->data + i * sizeof p, sizeof p);
        return p;
    }
    const uint8_t *parts = parts_of(b), *seqs = parts + (size_t)b->n * b->part.width;
    memcpy(p.element, b->data + i * b->element, b->element);
    p.part = (uint32_t)get_line(&b->part, parts, i);
    p.seq = (uint16_t)get_line(&b->seq, seqs, i);
    p.time = time_of(b, get_line(&b->time, seqs + (size_t)b->n * b->seq.width, i));
    return p;
}

/* The integers of one column, the element width outside the loop. */
static void get_column(const struct sm_points_line *line, const uint8_t *data, size_t n,
                       int64_t out[SM_POINTS_BLOCK])
{
#define ADD(type)                                                                                  \
    for (size_t i = 0; i < n; i++) {                                                               \
        type rest;                                                                                 \
        memcpy(&rest, data + i * sizeof rest, sizeof rest);                                        \
        out[i] = on_line(line, i) + rest;                                                          \
    }                                                                                              \
    break
    switch (line->width) {
    case 1:
        ADD(int8_t);
    case 2:
        ADD(int16_t);
    case 4:
        ADD(int32_t);
    case 8:
        ADD(int64_t);
    default:
        for (size_t i = 0; i < n; i++)
            out[i] = on_line(line, i);
    }
#undef ADD
}

void sm_points_unpack_all(const struct sm_points_block *b, struct sm_scalar_point *out)
{
    int64_t part[SM_POINTS_BLOCK], seq[SM_POINTS_BLOCK], time[SM_POINTS_BLOCK];
    if (!b->element) {
        memcpy(out, b->data, b->n * sizeof *out);
        return;
    }
    const uint8_t *parts = parts_of(b), *seqs = parts + (size_t)b->n * b->part.width;
    get_column(&b->part, parts, b->n, part);
    get_column(&b->seq, seqs, b->n, seq);
    get_column(&b->time, seqs + (size_t)b->n * b->seq.width, b->n, time);
    for (size_t i = 0; i < b->n; i++) {
        struct sm_scalar_point p = {.part = (uint32_t)part[i],
                                    .seq = (uint16_t)seq[i],
                                    .time = time_of(b, time[i]),
                                    .dtype = b->dtype};
        memcpy(p.element, b->data + i * b->element, b->element);
        out[i] = p;
    }
}
