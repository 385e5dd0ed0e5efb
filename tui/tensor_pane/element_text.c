/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/tensor_pane/element_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 5, STRING_W = 12, COMPLEX_W = 21 };

static const uint8_t *element_at(const struct sm_tensor *t, uint64_t i)
{
    return t->data + i * sm_dtype_info(t->dtype)->size_bytes;
}

/* ---- the form ---- */

static struct sm_element_text_form form_of_float(const struct sm_stats *s)
{
    struct sm_element_text_form f = {.width = 10, .exponent = true, .decimals = 2};
    double most = s && s->finite ? s->abs_max : 0;
    if (!s || !s->finite || most >= 1e5 || (most > 0 && most < 1e-3))
        return f;
    int before = most < 1 ? 1 : (int)floor(log10(most)) + 1;
    f.exponent = false;
    f.decimals = DIGITS - before > 0 ? DIGITS - before : 0;
    f.width = 1 + before + (f.decimals ? 1 + f.decimals : 0);
    f.width = f.width < 6 ? 6 : f.width; /* "-3e-09" */
    return f;
}

static struct sm_element_text_form form_of_int(const struct sm_stats *s)
{
    struct sm_element_text_form f = {.width = 20};
    if (s && s->finite) {
        int lo = snprintf(NULL, 0, "%.0f", s->min), hi = snprintf(NULL, 0, "%.0f", s->max);
        f.width = lo > hi ? lo : hi;
    }
    return f;
}

struct sm_element_text_form sm_element_text_form(enum sm_dtype dtype, const struct sm_stats *s)
{
    switch (sm_dtype_info(dtype)->kind) {
    case SM_KIND_INT:
    case SM_KIND_UINT:
        return form_of_int(s);
    case SM_KIND_BOOL:
        return (struct sm_element_text_form){.width = 5};
    case SM_KIND_COMPLEX:
        return (struct sm_element_text_form){.width = COMPLEX_W, .exponent = true, .decimals = 2};
    case SM_KIND_STRING:
        return (struct sm_element_text_form){.width = STRING_W};
    default:
        return form_of_float(s);
    }
}

/* ---- the text ---- */

static void add_float(struct sm_str *out, double v, const struct sm_element_text_form *f)
{
    if (isnan(v))
        sm_str_add(out, "nan");
    else if (isinf(v))
        sm_str_add(out, v < 0 ? "-inf" : "inf");
    else if (v == 0)
        sm_str_add(out, "0");
    else if (f->exponent)
        sm_str_printf(out, "%.*e", f->decimals, v);
    else if (fabs(v) < 0.5 * pow(10, -f->decimals))
        sm_str_printf(out, "%.0e", v);
    else
        sm_str_printf(out, "%.*f", f->decimals, v);
}

static void add_int(struct sm_str *out, const struct sm_tensor *t, uint64_t i)
{
    int64_t v;
    if (sm_dtype_load_i64(t->dtype, element_at(t, i), &v))
        sm_str_printf(out, "%" PRId64, v);
    else
        sm_str_printf(out, "%" PRIu64, sm_dtype_load_u64(element_at(t, i)));
}

/* Cuts between characters, not within one. */
static void add_cut(struct sm_str *out, struct sm_text s, int width)
{
    struct sm_str text = {0};
    uint32_t rune;
    size_t n = 0;
    sm_str_add_escaped(&text, s.p, s.n < 4 * (size_t)width ? s.n : 4 * (size_t)width);
    for (size_t used; n < text.len && (used = sm_utf8_decode(text.data + n, text.len - n, &rune));
         n += used)
        if (sm_text_width(sm_str_text(&text), n + used) > (size_t)width)
            break;
    sm_str_addn(out, sm_str_text(&text), n);
    sm_str_clear(&text);
}

void sm_element_text_short(struct sm_str *out, const struct sm_tensor *t, uint64_t i,
                           const struct sm_element_text_form *f)
{
    switch (sm_dtype_info(t->dtype)->kind) {
    case SM_KIND_INT:
    case SM_KIND_UINT:
        add_int(out, t, i);
        break;
    case SM_KIND_BOOL:
        sm_str_add(out, *element_at(t, i) ? "True" : "False");
        break;
    case SM_KIND_STRING:
        add_cut(out, t->strings[i], f->width);
        break;
    case SM_KIND_COMPLEX: {
        double im = sm_dtype_imag(t->dtype, element_at(t, i));
        add_float(out, sm_dtype_load(t->dtype, element_at(t, i)), f);
        sm_str_add(out, signbit(im) ? "" : "+");
        add_float(out, im, f);
        sm_str_addc(out, 'j');
        break;
    }
    default:
        add_float(out, sm_dtype_load(t->dtype, element_at(t, i)), f);
    }
}

void sm_element_text_full(struct sm_str *out, const struct sm_tensor *t, uint64_t i)
{
    const struct sm_dtype_info *info = sm_dtype_info(t->dtype);
    char text[32];
    switch (info->kind) {
    case SM_KIND_FLOAT:
    case SM_KIND_COMPLEX:
        sm_format_shortest(sm_dtype_load(t->dtype, element_at(t, i)), info->single, text);
        sm_str_add(out, text);
        if (info->kind == SM_KIND_FLOAT)
            break;
        sm_format_shortest(sm_dtype_imag(t->dtype, element_at(t, i)), info->single, text);
        sm_str_printf(out, "%s%sj", *text == '-' ? "" : "+", text);
        break;
    case SM_KIND_STRING:
        sm_str_addc(out, '"');
        sm_str_add_escaped(out, t->strings[i].p, t->strings[i].n);
        sm_str_addc(out, '"');
        break;
    default:
        sm_element_text_short(out, t, i, &(struct sm_element_text_form){0});
    }
}

bool sm_element_text_is_odd(const struct sm_tensor *t, uint64_t i)
{
    enum sm_dtype_kind kind = sm_dtype_info(t->dtype)->kind;
    return (kind == SM_KIND_FLOAT || kind == SM_KIND_COMPLEX) &&
           !(isfinite(sm_dtype_load(t->dtype, element_at(t, i))) &&
             isfinite(sm_dtype_imag(t->dtype, element_at(t, i))));
}
