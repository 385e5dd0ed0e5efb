/* SPDX-License-Identifier: Apache-2.0 */
/* Element types: one table row per type. A new dtype is a row (and a case in stats.c if it needs
 * its own kernel). Codes are those of tensorflow.DataType (doc/formats.md); names are numpy's. */
#ifndef SM_DTYPE_H
#define SM_DTYPE_H

#include "reader/base/exact.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sm_dtype {
    SM_DTYPE_NONE, /* no value, or an unknown type: see code */
    SM_DTYPE_FLOAT16,
    SM_DTYPE_BFLOAT16,
    SM_DTYPE_FLOAT32,
    SM_DTYPE_FLOAT64,
    SM_DTYPE_INT8,
    SM_DTYPE_INT16,
    SM_DTYPE_INT32,
    SM_DTYPE_INT64,
    SM_DTYPE_UINT8,
    SM_DTYPE_UINT16,
    SM_DTYPE_UINT32,
    SM_DTYPE_UINT64,
    SM_DTYPE_BOOL,
    SM_DTYPE_COMPLEX64,
    SM_DTYPE_COMPLEX128,
    SM_DTYPE_STRING,
    /* Of less than 16 bits, named as in torch: one byte each in memory and in records, in the
     * lowest bits; files pack those of 4 and 6 bits (sm_dtype_stored_bits). */
    SM_DTYPE_FLOAT8_E4M3FN,
    SM_DTYPE_FLOAT8_E5M2,
    SM_DTYPE_FLOAT8_E4M3FNUZ,
    SM_DTYPE_FLOAT8_E5M2FNUZ,
    SM_DTYPE_FLOAT8_E8M0FNU,
    SM_DTYPE_FLOAT6_E2M3FN,
    SM_DTYPE_FLOAT6_E3M2FN,
    SM_DTYPE_FLOAT4_E2M1FN,
    SM_DTYPE_UNKNOWN, /* named by its code; raw bytes only */
    SM_DTYPE_COUNT
};

enum sm_dtype_kind {
    SM_KIND_OTHER,
    SM_KIND_FLOAT,
    SM_KIND_INT,
    SM_KIND_UINT,
    SM_KIND_BOOL,
    SM_KIND_COMPLEX,
    SM_KIND_STRING
};

struct sm_dtype_info {
    const char *name;   /* "float32" */
    const char *npy;    /* numpy's array-protocol string, "<f4"; NULL where .npy has none */
    uint8_t size_bytes; /* of one element; 0: variable or unknown */
    uint8_t proto_code; /* tensorflow.DataType; from 240 on ours, where that has none */
    enum sm_dtype_kind kind;
    bool single; /* printed with 9 digits: float32, float16, bfloat16, complex64, and smaller */
};

const struct sm_dtype_info *sm_dtype_info(enum sm_dtype d);
enum sm_dtype sm_dtype_of_proto(int code);        /* UNKNOWN for codes without a row; 0 is NONE. */
enum sm_dtype sm_dtype_of_name(const char *name); /* NONE if unknown */

/* One element at p (little endian, any alignment) as a double. Complex: the real part; see
 * sm_dtype_imag. */
double sm_dtype_load(enum sm_dtype d, const uint8_t *p);
double sm_dtype_imag(enum sm_dtype d, const uint8_t *p);
/* False: not an integer type, or too large (uint64). */
bool sm_dtype_load_i64(enum sm_dtype d, const uint8_t *p, int64_t *out);
uint64_t sm_dtype_load_u64(const uint8_t *p);
/* The element exactly: an integer for integers and bool, else its double. */
struct sm_exact sm_dtype_load_exact(enum sm_dtype d, const uint8_t *p);
/* Whether it has integers that a double does not: int64 and uint64. */
bool sm_dtype_is_wide(enum sm_dtype d);
/* Of one element in files of tensors that pack them: 4 and 6 for such types, else those of its
 * bytes. */
unsigned sm_dtype_stored_bits(enum sm_dtype d);
float sm_half_to_float(uint16_t h);   /* exact */
uint16_t sm_half_of_double(double v); /* to nearest, ties to even; infinite from 65520 on */

/* Widens n elements to double. FLOAT, INT, UINT and BOOL kinds only: the caller computes complex
 * magnitudes. */
void sm_dtype_widen(enum sm_dtype d, const uint8_t *p, size_t n, double *out);

#endif
