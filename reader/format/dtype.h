/* Element types: one table row a type. Adding a dtype is adding a row (and its case in stats.c if
 * it wants its own kernel). Codes are tensorflow.DataType's (doc/formats.md); names are numpy's. */
#ifndef SM_DTYPE_H
#define SM_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sm_dtype {
    SM_DTYPE_NONE, /* no value, or a type we do not know: see code */
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
    uint8_t size_bytes; /* of an element; 0: variable or unknown */
    uint8_t proto_code; /* tensorflow.DataType */
    enum sm_dtype_kind kind;
    bool single; /* printed with 9 digits: float32, float16, bfloat16, complex64 */
};

const struct sm_dtype_info *sm_dtype_info(enum sm_dtype d);
enum sm_dtype sm_dtype_of_proto(int code);        /* UNKNOWN for codes of no row; 0 is NONE */
enum sm_dtype sm_dtype_of_name(const char *name); /* NONE if there is none */

/* One element at p (little endian, any alignment) as a double; complex gives the real part, use
 * sm_dtype_imag. */
double sm_dtype_load(enum sm_dtype d, const uint8_t *p);
double sm_dtype_imag(enum sm_dtype d, const uint8_t *p);
/* false: not an integer type or too big (uint64) */
bool sm_dtype_load_i64(enum sm_dtype d, const uint8_t *p, int64_t *out);
uint64_t sm_dtype_load_u64(const uint8_t *p);
float sm_half_to_float(uint16_t h);   /* exact */
uint16_t sm_half_of_double(double v); /* the nearest, ties to even; infinite from 65520 on */

/* n elements widened to double; complex: magnitudes are the caller's business. For FLOAT, INT,
 * UINT, BOOL kinds. */
void sm_dtype_widen(enum sm_dtype d, const uint8_t *p, size_t n, double *out);

#endif
