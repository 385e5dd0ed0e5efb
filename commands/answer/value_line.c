/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/value_line.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool sm_value_integer(const struct sm_value *v, struct sm_integer *out)
{
    const struct sm_exact x = sm_value_exact(v);
    if (!x.is_int && !(fabs(v->number) < 0x1p63))
        return false;
    *out = x.is_int ? x.integer : sm_integer_of((int64_t)v->number);
    return true;
}

uint64_t sm_integer_bits(struct sm_integer v)
{
    return v.negative ? 0 - v.magnitude : v.magnitude;
}

/* The digits of an integer: %d. */
static void integer_text(struct sm_integer v, char out[SM_NUMBER_TEXT])
{
    snprintf(out, SM_NUMBER_TEXT, "%s%" PRIu64, v.negative ? "-" : "", v.magnitude);
}

/* As in gdb: 97 'a'. */
static void character_text(struct sm_integer v, char out[SM_NUMBER_TEXT])
{
    char digits[SM_NUMBER_TEXT];
    unsigned c = (unsigned)sm_integer_bits(v) & 0xff;
    bool shown = !v.negative && v.magnitude >= ' ' && v.magnitude <= '~';
    integer_text(v, digits);
    if (shown)
        snprintf(out, SM_NUMBER_TEXT, "%.24s '%s%c'", digits, c == '\'' || c == '\\' ? "\\" : "",
                 (int)c);
    else
        snprintf(out, SM_NUMBER_TEXT, "%.24s '\\%03o'", digits, c);
}

/* An integer without leading zeros; other numbers, and all stored as float32, as all of their
 * bits. */
static void bits_text(const struct sm_value *v, char letter, char out[SM_NUMBER_TEXT])
{
    uint64_t bits;
    float single = (float)v->number;
    uint32_t half;
    int bytes = 8;
    bool whole = v->is_int || v->is_uint ||
                 (!v->single && fabs(v->number) < 0x1p63 && trunc(v->number) == v->number);
    struct sm_integer integer = {0};
    if (whole) {
        sm_value_integer(v, &integer);
        bits = sm_integer_bits(integer);
    } else if (v->single) {
        memcpy(&half, &single, bytes = sizeof half);
        bits = half;
    } else {
        memcpy(&bits, &v->number, sizeof bits);
    }
    if (letter == 'x')
        snprintf(out, SM_NUMBER_TEXT, "0x%0*" PRIx64, whole ? 1 : 2 * bytes, bits);
    for (int k = 0; letter == 'r' && k < bytes; k++)
        snprintf(out + (k ? 3 * k - 1 : 0), 4, "%s%02x", k ? " " : "",
                 (unsigned)(bits >> 8 * k & 0xff));
    int n = whole ? 1 : 8 * bytes;
    while (whole && n < 64 && bits >> n)
        n++;
    for (int k = 0; letter == 't' && k <= n; k++)
        out[k] = k < n ? (char)('0' + (bits >> (n - 1 - k) & 1)) : 0;
}

static int precision_of(const struct sm_format *f)
{
    return f->precision < 0 ? 6 : f->precision > 20 ? 20 : f->precision;
}

/* The formats f and e. Without a precision f prints the digits that tell the number, as gdb does.
 */
static void float_text(const struct sm_value *v, const struct sm_format *f,
                       char out[SM_NUMBER_TEXT])
{
    struct sm_integer whole;
    bool short_f = f->letter == 'f' && f->precision < 0,
         integer = f->letter == 'f' && (v->is_int || v->is_uint) && sm_value_integer(v, &whole);
    int precision = precision_of(f);
    if (short_f && integer)
        integer_text(whole, out);
    else if (!isfinite(v->number))
        sm_format_double(v->number, precision, out);
    else if (short_f)
        snprintf(out, SM_NUMBER_TEXT, "%.*g", v->single ? 9 : 17, v->number);
    else if (integer)
        snprintf(out, SM_NUMBER_TEXT, "%s%" PRIu64 "%s%.*s", whole.negative ? "-" : "",
                 whole.magnitude, precision ? "." : "", precision, "00000000000000000000");
    else if (f->letter == 'f' && fabs(v->number) < 1e40)
        snprintf(out, SM_NUMBER_TEXT, "%.*f", precision, v->number);
    else
        snprintf(out, SM_NUMBER_TEXT, "%.*e", precision, v->number);
}

void sm_value_number_text(const struct sm_value *v, const struct sm_format *f,
                          char out[SM_NUMBER_TEXT])
{
    struct sm_integer whole;
    bool exact = v->is_int || v->is_uint;
    if (f->letter && strchr("fe", f->letter))
        float_text(v, f, out);
    else if (f->letter && strchr("xtr", f->letter))
        bits_text(v, f->letter, out);
    else if (f->letter == 'd' && sm_value_integer(v, &whole))
        integer_text(whole, out);
    else if (f->letter == 'u' && sm_value_integer(v, &whole))
        snprintf(out, SM_NUMBER_TEXT, "%" PRIu64, sm_integer_bits(whole));
    else if (f->letter == 'c' && sm_value_integer(v, &whole))
        character_text(whole, out);
    else if (f->precision >= 0 && isfinite(v->number))
        snprintf(out, SM_NUMBER_TEXT, "%.*g", precision_of(f), v->number);
    else if (exact && sm_value_integer(v, &whole))
        integer_text(whole, out);
    else
        sm_format_shortest(v->number, v->single, out);
}

void sm_value_line(struct sm_str *out, const struct sm_value *v, const struct sm_format *f)
{
    static const struct sm_format none = {.precision = -1};
    char number[SM_NUMBER_TEXT];
    switch (v->type) {
    case SM_NUMBER:
        sm_value_number_text(v, f ? f : &none, number);
        sm_str_add(out, number);
        break;
    case SM_BOOL:
        if (f && f->letter) {
            sm_value_number_text(&(struct sm_value){.is_int = true,
                                                    .integer = v->number != 0,
                                                    .number = v->number != 0},
                                 f, number);
            sm_str_add(out, number);
        } else {
            sm_str_add(out, v->number != 0 ? "true" : "false");
        }
        break;
    case SM_STRING:
        sm_str_addc(out, '"');
        sm_str_add_escaped(out, v->text.p, v->text.n);
        sm_str_addc(out, '"');
        break;
    case SM_TENSOR:
        sm_str_printf(out, "%s ", sm_dtype_info(v->tensor->dtype)->name);
        sm_shape_text(out, v->tensor->dims, v->tensor->n_dims);
        break;
    case SM_SERIES:
        sm_str_printf(out, "series of %zu points", v->n_points);
        break;
    case SM_UNAVAILABLE:
        sm_str_add(out, "unavailable: ");
        sm_str_add_escaped(out, v->text.p, v->text.n);
        break;
    default:
        sm_str_add(out, sm_value_type_name(v->type));
    }
}
