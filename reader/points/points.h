/* SPDX-License-Identifier: Apache-2.0 */
/* The points of one scalar, in few bytes each and in the order that their owner gives them: a
 * trial's, by step, worker and file (reader/trial.h).
 *
 * They lie in blocks of at most SM_POINTS_BLOCK. One block at a time is open: its points are plain
 * records, and it is where points are added. The others are packed (points_block.h): 4 bytes for a
 * float32, 8 for a float64, and 0 to 4 for each of time and part, as these are about a straight
 * line; a block adds about 1 byte a point. Each packed block knows where its lowest and its highest
 * number are, so the extremes of a range cost its blocks, not its points. */
#ifndef SM_POINTS_H
#define SM_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SM_POINTS_BLOCK = 128 };

struct sm_scalar_point {
    double time;        /* seconds since 1970; NaN: not known */
    uint8_t element[8]; /* a real number as stored, little endian; the rest is 0 */
    uint32_t part;      /* of the owner */
    uint16_t seq;
    uint8_t dtype; /* enum sm_dtype */
};
double sm_scalar_number(const struct sm_scalar_point *p);

struct sm_scalar_points;
struct sm_scalar_points *sm_points_new(void); /* NULL: no memory */
void sm_points_free(struct sm_scalar_points *s);
size_t sm_points_count(const struct sm_scalar_points *s);
size_t sm_points_memory(const struct sm_scalar_points *s); /* bytes */
/* How often a block was told that it begins later; for tests. */
uint64_t sm_points_shifted(const struct sm_scalar_points *s);

/* i < count. Not from several threads at once: what was found last is remembered. */
struct sm_scalar_point sm_points_get(struct sm_scalar_points *s, size_t i);
uint32_t sm_points_part(struct sm_scalar_points *s, size_t i);

/* Opens the block of place `at` (0 to count) with room for `room` more points, at most half a
 * block. False: no memory; the points are as they were. */
bool sm_points_open(struct sm_scalar_points *s, size_t at, size_t room);
/* Inserts a point, so that it becomes number `at`. After sm_points_open for this place it does not
 * fail; otherwise it may, for lack of memory. */
bool sm_points_insert(struct sm_scalar_points *s, size_t at, const struct sm_scalar_point *p);
/* Removes the points from `from` on that `keep` does not want. False: no memory; then some of them
 * are still there. */
bool sm_points_filter(struct sm_scalar_points *s, size_t from,
                      bool (*keep)(const struct sm_scalar_point *p, void *user), void *user);

/* The first of the points [from, to) that is NaN or infinite; `to`: none is. */
size_t sm_points_finite_to(struct sm_scalar_points *s, size_t from, size_t to);

struct sm_points_range {
    size_t n, bad;    /* points; of those, NaN or infinite */
    size_t first_bad; /* SIZE_MAX: none */
    size_t low, high; /* the first with the lowest and the highest finite number; SIZE_MAX: none */
    double min, max;  /* of these; NaN without */
};
/* A range without points, and one more point with a larger number. */
void sm_points_range_begin(struct sm_points_range *r);
void sm_points_range_add(struct sm_points_range *r, size_t i, double v);
/* Of the points [from, to). */
void sm_points_range(struct sm_scalar_points *s, size_t from, size_t to,
                     struct sm_points_range *out);

#endif
