/* SPDX-License-Identifier: Apache-2.0 */
/* Element types by the names that torch and numpy give them. */
#include "reader/torch/torch_reader.h"

#include <stdlib.h>
#include <string.h>

struct type_name {
    const char *name;
    enum sm_dtype dtype;
};

static enum sm_dtype find_type(const struct type_name *rows, size_t n, struct sm_text name)
{
    for (size_t i = 0; i < n; i++)
        if (sm_text_is(name, rows[i].name))
            return rows[i].dtype;
    return SM_DTYPE_UNKNOWN;
}

enum sm_dtype sm_torch_dtype(const struct sm_pickle *t, uint32_t global)
{
    static const struct type_name rows[] = {
        {"torch.float32", SM_DTYPE_FLOAT32},
        {"torch.bfloat16", SM_DTYPE_BFLOAT16},
        {"torch.float16", SM_DTYPE_FLOAT16},
        {"torch.float64", SM_DTYPE_FLOAT64},
        {"torch.int64", SM_DTYPE_INT64},
        {"torch.int32", SM_DTYPE_INT32},
        {"torch.int16", SM_DTYPE_INT16},
        {"torch.int8", SM_DTYPE_INT8},
        {"torch.uint8", SM_DTYPE_UINT8},
        {"torch.uint16", SM_DTYPE_UINT16},
        {"torch.uint32", SM_DTYPE_UINT32},
        {"torch.uint64", SM_DTYPE_UINT64},
        {"torch.bool", SM_DTYPE_BOOL},
        {"torch.complex64", SM_DTYPE_COMPLEX64},
        {"torch.complex128", SM_DTYPE_COMPLEX128},
        {"torch.float8_e4m3fn", SM_DTYPE_FLOAT8_E4M3FN},
        {"torch.float8_e5m2", SM_DTYPE_FLOAT8_E5M2},
        {"torch.float8_e4m3fnuz", SM_DTYPE_FLOAT8_E4M3FNUZ},
        {"torch.float8_e5m2fnuz", SM_DTYPE_FLOAT8_E5M2FNUZ},
        {"torch.float8_e8m0fnu", SM_DTYPE_FLOAT8_E8M0FNU},
        {"torch.float4_e2m1fn_x2", SM_DTYPE_FLOAT4_E2M1FN},
        {"torch.qint8", SM_DTYPE_INT8},
        {"torch.quint8", SM_DTYPE_UINT8},
        {"torch.qint32", SM_DTYPE_INT32},
    };
    return find_type(rows, sizeof rows / sizeof *rows, sm_pickle_text(t, global));
}

enum sm_dtype sm_torch_storage_dtype(const struct sm_pickle *t, uint32_t global)
{
    static const struct type_name rows[] = {
        {"FloatStorage", SM_DTYPE_FLOAT32},
        {"BFloat16Storage", SM_DTYPE_BFLOAT16},
        {"HalfStorage", SM_DTYPE_FLOAT16},
        {"DoubleStorage", SM_DTYPE_FLOAT64},
        {"LongStorage", SM_DTYPE_INT64},
        {"IntStorage", SM_DTYPE_INT32},
        {"ShortStorage", SM_DTYPE_INT16},
        {"CharStorage", SM_DTYPE_INT8},
        {"ByteStorage", SM_DTYPE_UINT8},
        {"BoolStorage", SM_DTYPE_BOOL},
        {"ComplexFloatStorage", SM_DTYPE_COMPLEX64},
        {"ComplexDoubleStorage", SM_DTYPE_COMPLEX128},
        {"QInt8Storage", SM_DTYPE_INT8},
        {"QUInt8Storage", SM_DTYPE_UINT8},
        {"QInt32Storage", SM_DTYPE_INT32},
        {"UntypedStorage", SM_DTYPE_NONE},
        {"_UntypedStorage", SM_DTYPE_NONE},
    };
    struct sm_text name = sm_pickle_text(t, global);
    for (size_t i = name.n; i > 0; i--)
        if (name.p[i - 1] == '.') {
            name = (struct sm_text){name.p + i, name.n - i};
            break;
        }
    return find_type(rows, sizeof rows / sizeof *rows, name);
}

/* numpy.dtype(code, align, copy), with the byte order as the second item of its state. */
enum sm_dtype sm_torch_numpy_dtype(const struct sm_pickle *t, uint32_t node, bool *big_endian)
{
    static const struct type_name rows[] = {
        {"f4", SM_DTYPE_FLOAT32},   {"f8", SM_DTYPE_FLOAT64},     {"f2", SM_DTYPE_FLOAT16},
        {"i8", SM_DTYPE_INT64},     {"i4", SM_DTYPE_INT32},       {"i2", SM_DTYPE_INT16},
        {"i1", SM_DTYPE_INT8},      {"u8", SM_DTYPE_UINT64},      {"u4", SM_DTYPE_UINT32},
        {"u2", SM_DTYPE_UINT16},    {"u1", SM_DTYPE_UINT8},       {"b1", SM_DTYPE_BOOL},
        {"c8", SM_DTYPE_COMPLEX64}, {"c16", SM_DTYPE_COMPLEX128},
    };
    const struct sm_pickle_object *o = sm_pickle_made_by(t, node, "numpy.dtype");
    *big_endian = false;
    if (!o)
        return SM_DTYPE_UNKNOWN;
    *big_endian = sm_text_is(sm_pickle_text(t, sm_pickle_item(t, o->state, 1)), ">");
    return find_type(rows, sizeof rows / sizeof *rows,
                     sm_pickle_text(t, sm_pickle_item(t, o->args, 0)));
}
