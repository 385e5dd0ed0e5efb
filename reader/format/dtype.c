/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/dtype.h"

#include "reader/base/bytes.h"
#include "reader/format/minifloat.h"

#include <math.h>

static const struct sm_dtype_info table[SM_DTYPE_COUNT] = {
    [SM_DTYPE_NONE] = {"none", NULL, 0, 0, SM_KIND_OTHER, false},
    [SM_DTYPE_FLOAT16] = {"float16", "<f2", 2, 19, SM_KIND_FLOAT, true},
    [SM_DTYPE_BFLOAT16] = {"bfloat16", NULL, 2, 14, SM_KIND_FLOAT, true},
    [SM_DTYPE_FLOAT32] = {"float32", "<f4", 4, 1, SM_KIND_FLOAT, true},
    [SM_DTYPE_FLOAT64] = {"float64", "<f8", 8, 2, SM_KIND_FLOAT, false},
    [SM_DTYPE_INT8] = {"int8", "|i1", 1, 6, SM_KIND_INT, false},
    [SM_DTYPE_INT16] = {"int16", "<i2", 2, 5, SM_KIND_INT, false},
    [SM_DTYPE_INT32] = {"int32", "<i4", 4, 3, SM_KIND_INT, false},
    [SM_DTYPE_INT64] = {"int64", "<i8", 8, 9, SM_KIND_INT, false},
    [SM_DTYPE_UINT8] = {"uint8", "|u1", 1, 4, SM_KIND_UINT, false},
    [SM_DTYPE_UINT16] = {"uint16", "<u2", 2, 17, SM_KIND_UINT, false},
    [SM_DTYPE_UINT32] = {"uint32", "<u4", 4, 22, SM_KIND_UINT, false},
    [SM_DTYPE_UINT64] = {"uint64", "<u8", 8, 23, SM_KIND_UINT, false},
    [SM_DTYPE_BOOL] = {"bool", "|b1", 1, 10, SM_KIND_BOOL, false},
    [SM_DTYPE_COMPLEX64] = {"complex64", "<c8", 8, 8, SM_KIND_COMPLEX, true},
    [SM_DTYPE_COMPLEX128] = {"complex128", "<c16", 16, 18, SM_KIND_COMPLEX, false},
    [SM_DTYPE_STRING] = {"string", NULL, 0, 7, SM_KIND_STRING, false},
    [SM_DTYPE_FLOAT8_E4M3FN] = {"float8_e4m3fn", NULL, 1, 25, SM_KIND_FLOAT, true},
    [SM_DTYPE_FLOAT8_E5M2] = {"float8_e5m2", NULL, 1, 24, SM_KIND_FLOAT, true},
    [SM_DTYPE_FLOAT8_E4M3FNUZ] = {"float8_e4m3fnuz", NULL, 1, 26, SM_KIND_FLOAT, true},
    [SM_DTYPE_FLOAT8_E5M2FNUZ] = {"float8_e5m2fnuz", NULL, 1, 28, SM_KIND_FLOAT, true},
    [SM_DTYPE_FLOAT8_E8M0FNU] = {"float8_e8m0fnu", NULL, 1, 240, SM_KIND_FLOAT, true},
    [SM_DTYPE_FLOAT6_E2M3FN] = {"float6_e2m3fn", NULL, 1, 241, SM_KIND_FLOAT, true},
    [SM_DTYPE_FLOAT6_E3M2FN] = {"float6_e3m2fn", NULL, 1, 242, SM_KIND_FLOAT, true},
    [SM_DTYPE_FLOAT4_E2M1FN] = {"float4_e2m1fn", NULL, 1, 243, SM_KIND_FLOAT, true},
    [SM_DTYPE_UNKNOWN] = {"unknown", NULL, 0, 0, SM_KIND_OTHER, false},
};

const struct sm_dtype_info *sm_dtype_info(enum sm_dtype d)
{
    return &table[d];
}

enum sm_dtype sm_dtype_of_proto(int code)
{
    if (code == 0)
        return SM_DTYPE_NONE;
    for (int d = SM_DTYPE_FLOAT16; d < SM_DTYPE_UNKNOWN; d++)
        if (table[d].proto_code == code)
            return (enum sm_dtype)d;
    return SM_DTYPE_UNKNOWN;
}

enum sm_dtype sm_dtype_of_name(const char *name)
{
    for (int d = SM_DTYPE_FLOAT16; d < SM_DTYPE_UNKNOWN; d++)
        if (strcmp(table[d].name, name) == 0)
            return (enum sm_dtype)d;
    return SM_DTYPE_NONE;
}

static float float_of_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static double double_of_bits(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint16_t get_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

float sm_half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 0x3ff;
    if (exponent == 31)
        return float_of_bits(sign | 0x7f800000 | fraction << 13);
    if (exponent)
        return float_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
    float tiny = (float)fraction * 0x1p-24f; /* zero and subnormals, exactly */
    return sign ? -tiny : tiny;
}

uint16_t sm_half_of_double(double v)
{
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    int exponent;
    double magnitude = fabs(v), fraction = frexp(magnitude, &exponent);
    if (isnan(v))
        return 0x7e00;
    if (magnitude >= 65520)
        return sign | 0x7c00;
    if (magnitude < 0x1p-14) /* subnormal, or rounds up to the smallest normal */
        return (uint16_t)(sign | (uint16_t)rint(magnitude * 0x1p24));
    return (uint16_t)(sign |
                      (uint16_t)(((exponent + 14) << 10) + (int)rint(fraction * 2048) - 1024));
}

double sm_dtype_load(enum sm_dtype d, const uint8_t *p)
{
    switch (d) {
    case SM_DTYPE_FLOAT16:
        return (double)sm_half_to_float(get_u16(p));
    case SM_DTYPE_BFLOAT16:
        return (double)float_of_bits((uint32_t)get_u16(p) << 16);
    case SM_DTYPE_FLOAT32:
    case SM_DTYPE_COMPLEX64:
        return (double)float_of_bits(sm_get_u32(p));
    case SM_DTYPE_FLOAT64:
    case SM_DTYPE_COMPLEX128:
        return double_of_bits(sm_get_u64(p));
    case SM_DTYPE_INT8:
        return (int8_t)p[0];
    case SM_DTYPE_INT16:
        return (int16_t)get_u16(p);
    case SM_DTYPE_INT32:
        return (int32_t)sm_get_u32(p);
    case SM_DTYPE_INT64:
        return (double)(int64_t)sm_get_u64(p);
    case SM_DTYPE_UINT8:
        return p[0];
    case SM_DTYPE_UINT16:
        return get_u16(p);
    case SM_DTYPE_UINT32:
        return sm_get_u32(p);
    case SM_DTYPE_UINT64:
        return (double)sm_get_u64(p);
    case SM_DTYPE_BOOL:
        return p[0] != 0;
    default:
        return sm_minifloat_is(d) ? sm_minifloat_value(d, p[0]) : 0;
    }
}

double sm_dtype_imag(enum sm_dtype d, const uint8_t *p)
{
    if (d == SM_DTYPE_COMPLEX64)
        return (double)float_of_bits(sm_get_u32(p + 4));
    return d == SM_DTYPE_COMPLEX128 ? double_of_bits(sm_get_u64(p + 8)) : 0;
}

bool sm_dtype_load_i64(enum sm_dtype d, const uint8_t *p, int64_t *out)
{
    const struct sm_dtype_info *info = &table[d];
    if (info->kind != SM_KIND_INT && info->kind != SM_KIND_UINT && info->kind != SM_KIND_BOOL)
        return false;
    if (d == SM_DTYPE_UINT64 && p[7] & 0x80)
        return false;
    *out = d == SM_DTYPE_INT64 || d == SM_DTYPE_UINT64 ? (int64_t)sm_get_u64(p)
                                                       : (int64_t)sm_dtype_load(d, p);
    return true;
}

uint64_t sm_dtype_load_u64(const uint8_t *p)
{
    return sm_get_u64(p);
}

struct sm_exact sm_dtype_load_exact(enum sm_dtype d, const uint8_t *p)
{
    int64_t v;
    if (sm_dtype_load_i64(d, p, &v))
        return sm_exact_integer(sm_integer_of(v));
    if (d == SM_DTYPE_UINT64)
        return sm_exact_integer(sm_integer_of_unsigned(sm_get_u64(p)));
    return sm_exact_real(sm_dtype_load(d, p));
}

bool sm_dtype_is_wide(enum sm_dtype d)
{
    return d == SM_DTYPE_INT64 || d == SM_DTYPE_UINT64;
}

/* One loop per type, so that the compiler can unroll it. */
#define WIDEN(type)                                                                                \
    case type:                                                                                     \
        for (size_t i = 0; i < n; i++)                                                             \
            out[i] = sm_dtype_load(type, p + i * size);                                            \
        break

/* float32, eight at a time. Returns how many were done. */
static size_t widen_floats(const uint8_t *p, size_t n, double *out)
{
    enum { AT_ONCE = 8 };
    size_t i = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; i + AT_ONCE <= n; i += AT_ONCE) {
        float x[AT_ONCE];
        memcpy(x, p + i * sizeof *x, sizeof x);
        for (int k = 0; k < AT_ONCE; k++)
            out[i + (size_t)k] = (double)x[k];
    }
#endif
    return i;
}

unsigned sm_dtype_stored_bits(enum sm_dtype d)
{
    return sm_minifloat_is(d) ? sm_minifloat_bits(d) : 8u * table[d].size_bytes;
}

static void widen_minifloats(enum sm_dtype d, const uint8_t *p, size_t n, double *out)
{
    const float *values = sm_minifloat_values(d);
    for (size_t i = 0; i < n; i++)
        out[i] = (double)values[p[i]];
}

void sm_dtype_widen(enum sm_dtype d, const uint8_t *p, size_t n, double *out)
{
    size_t size = table[d].size_bytes, done = d == SM_DTYPE_FLOAT32 ? widen_floats(p, n, out) : 0;
    p += done * size;
    out += done;
    n -= done;
    switch (d) {
        WIDEN(SM_DTYPE_FLOAT16);
        WIDEN(SM_DTYPE_BFLOAT16);
        WIDEN(SM_DTYPE_FLOAT32);
        WIDEN(SM_DTYPE_FLOAT64);
        WIDEN(SM_DTYPE_INT8);
        WIDEN(SM_DTYPE_INT16);
        WIDEN(SM_DTYPE_INT32);
        WIDEN(SM_DTYPE_INT64);
        WIDEN(SM_DTYPE_UINT8);
        WIDEN(SM_DTYPE_UINT16);
        WIDEN(SM_DTYPE_UINT32);
        WIDEN(SM_DTYPE_UINT64);
        WIDEN(SM_DTYPE_BOOL);
    default:
        if (sm_minifloat_is(d))
            widen_minifloats(d, p, n, out);
        else
            memset(out, 0, n * sizeof *out);
    }
}
