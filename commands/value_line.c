#include "commands/value_line.h"

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

/* As gdb shows it: 97 'a'. */
static void character_text(int64_t c, char out[64])
{
    if (c >= ' ' && c <= '~')
        snprintf(out, 64, "%" PRId64 " '%s%c'", c, c == '\'' || c == '\\' ? "\\" : "", (int)c);
    else
        snprintf(out, 64, "%" PRId64 " '\\%03o'", c, (unsigned)c & 0xff);
}

void sm_value_number_text(const struct sm_value *v, const struct sm_format *f, char out[64])
{
    int64_t whole;
    int precision = f->precision < 0 ? 6 : f->precision > 20 ? 20 : f->precision;
    if (f->letter && strchr("fe", f->letter) && !isfinite(v->number))
        sm_format_double(v->number, precision, out);
    else if (f->letter == 'f' && fabs(v->number) < 1e40)
        snprintf(out, 64, "%.*f", precision, v->number);
    else if (f->letter == 'e' || f->letter == 'f')
        snprintf(out, 64, "%.*e", precision, v->number);
    else if (f->letter == 'x' && sm_value_integer(v, &whole))
        snprintf(out, 64, "0x%" PRIx64, (uint64_t)whole);
    else if (f->letter == 'd' && sm_value_integer(v, &whole))
        snprintf(out, 64, "%" PRId64, whole);
    else if (f->letter == 'u' && sm_value_integer(v, &whole))
        snprintf(out, 64, "%" PRIu64, (uint64_t)whole);
    else if (f->letter == 'c' && sm_value_integer(v, &whole))
        character_text(whole, out);
    else if (v->is_int)
        snprintf(out, 64, "%" PRId64, v->integer);
    else
        sm_format_shortest(v->number, v->single, out);
}

void sm_value_line(struct sm_str *out, const struct sm_value *v, const struct sm_format *f)
{
    static const struct sm_format none = {.precision = -1};
    char number[64];
    switch (v->type) {
    case SM_NUMBER:
        sm_value_number_text(v, f ? f : &none, number);
        sm_str_add(out, number);
        break;
    case SM_BOOL:
        sm_str_add(out, v->number != 0 ? "true" : "false");
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
