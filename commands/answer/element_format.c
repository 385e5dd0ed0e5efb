/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/element_format.h"

#include "commands/answer/value_line.h"

#include <string.h>

void sm_element_text(const struct sm_tensor *t, uint64_t i, const struct sm_format *f,
                     struct sm_str *out)
{
    const struct sm_dtype_info *info = sm_dtype_info(t->dtype);
    size_t size = info->size_bytes;
    const uint8_t *p = size ? t->data + i * size : NULL;
    char text[SM_NUMBER_TEXT];
    if (t->dtype == SM_DTYPE_STRING) {
        sm_str_addc(out, '"');
        sm_str_add_escaped(out, t->strings[i].p, t->strings[i].n);
        sm_str_addc(out, '"');
    } else if (f->letter == 'r') {
        for (size_t k = 0; k < size; k++)
            sm_str_printf(out, "%s%02x", k ? " " : "", p[k]);
    } else if (f->letter == 'x') {
        sm_str_add(out, "0x");
        for (size_t k = size; k-- > 0;)
            sm_str_printf(out, "%02x", p[k]);
    } else if (f->letter == 't') {
        for (size_t bit = size * 8; bit-- > 0;)
            sm_str_addc(out, p[bit / 8] >> bit % 8 & 1 ? '1' : '0');
    } else {
        const struct sm_exact x = sm_dtype_load_exact(t->dtype, p);
        struct sm_value v;
        sm_value_set_exact(&v, &x);
        v.single = info->single;
        if (f->letter == 'u' && v.is_int && size < 8)
            v.integer &= ((int64_t)1 << size * 8) - 1;
        sm_value_number_text(&v, f, text);
        sm_str_add(out, text);
        if (info->kind == SM_KIND_COMPLEX)
            sm_str_printf(out, "%+gj", sm_dtype_imag(t->dtype, p));
    }
}

bool sm_format_is_written(const struct sm_format *f)
{
    if (f->letter && f->letter != 'g')
        return strchr("fexrtduc", f->letter) != NULL;
    return f->given && f->precision >= 0;
}

bool sm_format_is_drawn(const struct sm_format *f)
{
    return f->letter && strchr("hbm", f->letter);
}
