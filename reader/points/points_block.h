/* SPDX-License-Identifier: Apache-2.0 */
/* A block of packed points. Integers are kept as a straight line through the first and the last of
 * them, and what is left over in 0, 1, 2, 4 or 8 bytes. A time is an integer of 2^-22 seconds,
 * which is exact for a double between the years 2004 and 2038; others are kept as their bits. */
#ifndef SM_POINTS_BLOCK_H
#define SM_POINTS_BLOCK_H

#include "reader/points/points.h"

struct sm_points_line {
    int64_t base, slope;
    uint8_t width; /* bytes of a remainder */
};
struct sm_points_block {
    size_t start;  /* number of the first point */
    uint8_t *data; /* NULL: it is open, its points are elsewhere */
    struct sm_points_line part, seq, time;
    uint8_t n, dtype, element; /* points; enum sm_dtype; bytes of an element, 0: they are plain */
    bool time_bits;            /* times are kept as the bits of a double */
    uint8_t low, high, bad, first_bad; /* as in sm_points_range; n: there is none */
};
_Static_assert(SM_POINTS_BLOCK <= UINT8_MAX, "a point of a block has a number of 8 bits");

/* Packs n points, at least one. False: no memory, *b is unchanged. b->start is not set. */
bool sm_points_pack(const struct sm_scalar_point *p, size_t n, struct sm_points_block *b);
struct sm_scalar_point sm_points_unpack(const struct sm_points_block *b, size_t i);
/* All of them, into room for SM_POINTS_BLOCK points. */
void sm_points_unpack_all(const struct sm_points_block *b, struct sm_scalar_point *out);
uint32_t sm_points_unpack_part(const struct sm_points_block *b, size_t i);
size_t sm_points_packed_bytes(const struct sm_points_block *b);

#endif
