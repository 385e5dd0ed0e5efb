/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/float_format.h"

#include "reader/tensor/rounding.h"

#include <math.h>
#include <string.h>

void sm_float_format_count(struct sm_float_format *f, double v)
{
    double x = fabs(v);
    if (!isfinite(v)) {
        f->not_finite = true;
        f->neg_inf = f->neg_inf || (isinf(v) && v < 0);
        return;
    }
    f->finite = true;
    if (x == 0)
        return;
    if (f->max == 0 || x > f->max)
        f->max = x;
    if (f->min == 0 || x < f->min)
        f->min = x;
}

/* numpy divides in the array's own type. */
static double max_min_ratio(const struct sm_float_format *f)
{
    if (f->type == SM_FLOAT_DOUBLE)
        return f->max / f->min;
    float r = (float)f->max / (float)f->min;
    return f->type == SM_FLOAT_HALF ? sm_round_to(SM_DTYPE_FLOAT16, (double)r) : (double)r;
}

static void add_unpadded(const struct sm_float_format *f, double v, struct sm_str *s)
{
    if (f->plus && !signbit(v))
        sm_str_addc(s, '+');
    if (f->exponent)
        sm_digits_scientific(s, v, f->type, f->precision);
    else
        sm_digits_positional(s, v, f->type, f->precision, false);
}

void sm_float_format_measure(struct sm_float_format *f, double v, struct sm_str *s)
{
    if (!isfinite(v))
        return;
    sm_str_truncate(s, 0);
    add_unpadded(f, v, s);
    const char *text = sm_str_text(s), *point = strchr(text, '.'), *e = strchr(text, 'e');
    int left = (int)(point - text), after = (int)((e ? e : text + s->len) - point) - 1;
    int exp_digits = e ? (int)(text + s->len - e) - 2 : 0;
    f->left = left > f->left ? left : f->left;
    f->after = after > f->after ? after : f->after;
    f->exp_digits = exp_digits > f->exp_digits ? exp_digits : f->exp_digits;
}

void sm_float_format_choose_exponent(struct sm_float_format *f)
{
    f->exponent = f->max != 0 && (f->max >= 1e8 || f->min < 0.0001 || max_min_ratio(f) > 1000);
}

void sm_float_format_choose_width(struct sm_float_format *f)
{
    f->right = f->exponent && f->finite ? f->exp_digits + 2 + f->after : f->after;
    if (!f->not_finite)
        return;
    int right = f->right + 1, inf = 3 + (f->plus || f->neg_inf);
    f->left = 3 - right > f->left ? 3 - right : f->left;
    f->left = inf - right > f->left ? inf - right : f->left;
}

static void add_special(const struct sm_float_format *f, double v, struct sm_str *out)
{
    const char *text = isnan(v)  ? (f->plus ? "+nan" : "nan")
                       : v < 0   ? "-inf"
                       : f->plus ? "+inf"
                                 : "inf";
    int pad = f->left + f->right + 1 - (int)strlen(text);
    sm_str_fill(out, ' ', pad > 0 ? (size_t)pad : 0);
    sm_str_add(out, text);
}

void sm_float_format_add(const struct sm_float_format *f, double v, struct sm_str *out)
{
    if (!isfinite(v)) {
        add_special(f, v, out);
        return;
    }
    struct sm_str s = {0};
    if (f->plus && !signbit(v))
        sm_str_addc(&s, '+');
    if (f->exponent)
        sm_digits_exponent(&s, v, f->type, f->after, f->exp_digits);
    else
        sm_digits_positional(&s, v, f->type, f->precision, true);
    int left = (int)strcspn(sm_str_text(&s), "."), right = (int)s.len - left - 1;
    sm_str_fill(out, ' ', f->left > left ? (size_t)(f->left - left) : 0);
    sm_str_add(out, sm_str_text(&s));
    sm_str_fill(out, ' ', f->right > right ? (size_t)(f->right - right) : 0);
    sm_str_clear(&s);
}
