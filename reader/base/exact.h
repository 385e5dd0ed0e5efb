/* SPDX-License-Identifier: Apache-2.0 */
/* Exact numbers: integers with 64 bits of magnitude and a sign, which hold every int64 and uint64,
 * and doubles. A double holds integers up to 2^53 only, so that 2^53 + 1 reads as 2^53: what is
 * compared, searched or printed goes through these. */
#ifndef SM_EXACT_H
#define SM_EXACT_H

#include <stdbool.h>
#include <stdint.h>

struct sm_integer {
    uint64_t magnitude;
    bool negative; /* never of 0 */
};

struct sm_integer sm_integer_of(int64_t v);
struct sm_integer sm_integer_of_unsigned(uint64_t v);
double sm_integer_double(struct sm_integer v); /* the nearest */
/* False: out of range. */
bool sm_integer_signed(struct sm_integer v, int64_t *out);
bool sm_integer_unsigned(struct sm_integer v, uint64_t *out);
int sm_integer_compare(struct sm_integer a, struct sm_integer b); /* -1, 0 or 1 */

/* False: the result does not fit, or there is none. The remainder has the sign of b, as in Python;
 * there is none of a division by 0, nor a power with a negative exponent. */
bool sm_integer_add(struct sm_integer a, struct sm_integer b, struct sm_integer *out);
bool sm_integer_subtract(struct sm_integer a, struct sm_integer b, struct sm_integer *out);
bool sm_integer_multiply(struct sm_integer a, struct sm_integer b, struct sm_integer *out);
bool sm_integer_remainder(struct sm_integer a, struct sm_integer b, struct sm_integer *out);
bool sm_integer_power(struct sm_integer a, struct sm_integer b, struct sm_integer *out);

struct sm_exact {
    double real; /* if is_int: the double nearest to the integer */
    bool is_int;
    struct sm_integer integer;
};

struct sm_exact sm_exact_real(double v);
struct sm_exact sm_exact_integer(struct sm_integer v);
/* Whether `real` alone says it: a double, or an integer within 2^53. */
bool sm_exact_is_real(const struct sm_exact *x);
enum { SM_UNORDERED = 2 };
/* -1, 0, 1, or SM_UNORDERED with NaN. */
int sm_exact_compare(const struct sm_exact *a, const struct sm_exact *b);
/* |a - b|, rounded once: of integers it is 0 only if they are equal. */
double sm_exact_distance(const struct sm_exact *a, const struct sm_exact *b);
/* Reads a number as sm_parse_double does; decimal and hexadecimal integers exactly. */
struct sm_exact sm_exact_parse(const char *s, char **end);

#endif
