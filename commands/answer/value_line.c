#include "commands/answer/value_line.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool sm_value_integer(const struct sm_value *v, int64_t *out)
{
    if (!v->is_int && !(fabs(v->number) < 0x1p63))
        return false;
    *out = v->is_int ? v->integer : (int64_t)v->number;
    return true;
}

/* As in gdb: 97 'a'. */
static void character_text(int64_t c, char out[SM_NUMBER_TEXT])
{
    if (c >= ' ' && c <= '~')
        snprintf(out, SM_NUMBER_TEXT, "%" PRId64 " '%s%c'", c, c == '\'' || c == '\\' ? "\\" : "",
                 (int)c);
    else
        snprintf(out, SM_NUMBER_TEXT, "%" PRId64 " '\\%03o'", c, (unsigned)c & 0xff);
}

/* An integer without leading zeros; other numbers, and all stored as float32, as all of their
 * bits. */
static void bits_text(const struct sm_value *v, char letter, char out[SM_NUMBER_TEXT])
{
    uint64_t bits;
    float single = (float)v->number;
    uint32_t half;
    int bytes = 8;
    bool whole =
        v->is_int || (!v->single && fabs(v->number) < 0x1p63 && trunc(v->number) == v->number);
    if (whole) {
        bits = (uint64_t)(v->is_int ? v->integer : (int64_t)v->number);
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

void sm_value_number_text(const struct sm_value *v, const struct sm_format *f,
                          char out[SM_NUMBER_TEXT])
{
    int64_t whole;
    int precision = f->precision < 0 ? 6 : f->precision > 20 ? 20 : f->precision;
    if (f->letter == 'f' && f->precision < 0 && isfinite(v->number))
        snprintf(out, SM_NUMBER_TEXT, "%.*g", v->single ? 9 : 17, v->number); /* as in gdb */
    else if (f->letter && strchr("fe", f->letter) && !isfinite(v->number))
        sm_format_double(v->number, precision, out);
    else if (f->letter == 'f' && fabs(v->number) < 1e40)
        snprintf(out, SM_NUMBER_TEXT, "%.*f", precision, v->number);
    else if (f->letter == 'e' || f->letter == 'f')
        snprintf(out, SM_NUMBER_TEXT, "%.*e", precision, v->number);
    else if (f->letter && strchr("xtr", f->letter))
        bits_text(v, f->letter, out);
    else if (f->letter == 'd' && sm_value_integer(v, &whole))
        snprintf(out, SM_NUMBER_TEXT, "%" PRId64, whole);
    else if (f->letter == 'u' && sm_value_integer(v, &whole))
        snprintf(out, SM_NUMBER_TEXT, "%" PRIu64, (uint64_t)whole);
    else if (f->letter == 'c' && sm_value_integer(v, &whole))
        character_text(whole, out);
    else if (f->precision >= 0 && isfinite(v->number))
        snprintf(out, SM_NUMBER_TEXT, "%.*g", precision, v->number);
    else if (v->is_int)
        snprintf(out, SM_NUMBER_TEXT, "%" PRId64, v->integer);
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
