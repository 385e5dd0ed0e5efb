/* SPDX-License-Identifier: Apache-2.0 */
/* The same steps as numpy.array2string in numpy/core/arrayprint.py of 1.24
 * (FloatingFormat.fillFormat, _formatArray, _extendLine, _leading_trailing).
 * tests/commands/test_print_array.c compares the output with that of numpy. */
#include "commands/answer/element_format.h"
#include "commands/answer/float_format.h"
#include "commands/answer/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct array_printer {
    const struct sm_tensor *t;
    const struct sm_dtype_info *info;
    bool summary;  /* elide long axes to 2 * edge elements */
    uint64_t edge; /* elements at each end of an elided axis */
    int line_width;
    struct sm_float_format re, im;
    int int_width;                  /* columns of an element that is not floating-point */
    const struct sm_format *format; /* of every element; NULL: as numpy */
    struct sm_str word;
};

/* ---- the elements to print ---- */

typedef void visit_fn(struct array_printer *a, uint64_t i);

static bool is_elided(const struct array_printer *a, uint64_t length)
{
    return a->summary && length > 2 * a->edge;
}

static void visit_shown(struct array_printer *a, unsigned axis, uint64_t base, visit_fn *visit)
{
    if (axis == a->t->n_dims) {
        visit(a, base);
        return;
    }
    uint64_t n = a->t->dims[axis];
    for (uint64_t i = 0; i < n; i++) {
        if (is_elided(a, n) && i == a->edge)
            i = n - a->edge;
        visit_shown(a, axis + 1, base * n + i, visit);
    }
}

/* ---- floating-point and complex elements ---- */

static double real_at(const struct array_printer *a, uint64_t i)
{
    return sm_dtype_load(a->t->dtype, a->t->data + i * a->info->size_bytes);
}

static double imag_at(const struct array_printer *a, uint64_t i)
{
    return sm_dtype_imag(a->t->dtype, a->t->data + i * a->info->size_bytes);
}

static void add_complex(struct array_printer *a, uint64_t i)
{
    struct sm_str s = {0};
    sm_float_format_add(&a->re, real_at(a, i), &a->word);
    sm_float_format_add(&a->im, imag_at(a, i), &s);
    size_t n = s.len;
    while (n && s.data[n - 1] == ' ')
        n--;
    sm_str_addn(&a->word, sm_str_text(&s), n);
    sm_str_addc(&a->word, 'j');
    sm_str_add(&a->word, sm_str_text(&s) + n);
    sm_str_clear(&s);
}

static void visit_range(struct array_printer *a, uint64_t i)
{
    sm_float_format_count(&a->re, real_at(a, i));
    if (a->info->kind == SM_KIND_COMPLEX)
        sm_float_format_count(&a->im, imag_at(a, i));
}

static void visit_width(struct array_printer *a, uint64_t i)
{
    sm_float_format_measure(&a->re, real_at(a, i), &a->word);
    if (a->info->kind == SM_KIND_COMPLEX)
        sm_float_format_measure(&a->im, imag_at(a, i), &a->word);
}

static void choose_float_format(struct array_printer *a, const struct sm_print_options *o)
{
    enum sm_float_type type = a->t->dtype == SM_DTYPE_FLOAT16 ? SM_FLOAT_HALF
                              : a->info->single               ? SM_FLOAT_SINGLE
                                                              : SM_FLOAT_DOUBLE;
    int precision = o->numpy_style && o->precision < 17 ? (int)o->precision : SM_DIGITS_UNIQUE;
    a->re = (struct sm_float_format){.type = type, .precision = precision};
    a->im = (struct sm_float_format){.type = type, .precision = precision, .plus = true};
    visit_shown(a, 0, 0, visit_range);
    sm_float_format_choose_exponent(&a->re);
    sm_float_format_choose_exponent(&a->im);
    visit_shown(a, 0, 0, visit_width);
    sm_float_format_choose_width(&a->re);
    sm_float_format_choose_width(&a->im);
}

/* ---- other kinds of elements ---- */

static void add_int(struct array_printer *a, uint64_t i)
{
    const uint8_t *p = a->t->data + i * a->info->size_bytes;
    int64_t v;
    char text[32];
    int n = sm_dtype_load_i64(a->t->dtype, p, &v)
                ? snprintf(text, sizeof text, "%" PRId64, v)
                : snprintf(text, sizeof text, "%" PRIu64, sm_dtype_load_u64(p));
    sm_str_fill(&a->word, ' ', a->int_width > n ? (size_t)(a->int_width - n) : 0);
    sm_str_add(&a->word, text);
}

static void add_formatted(struct array_printer *a, uint64_t i)
{
    struct sm_str s = {0};
    sm_element_text(a->t, i, a->format, &s);
    sm_str_fill(&a->word, ' ', (size_t)a->int_width > s.len ? (size_t)a->int_width - s.len : 0);
    sm_str_addn(&a->word, sm_str_text(&s), s.len);
    sm_str_clear(&s);
}

static void visit_word_width(struct array_printer *a, uint64_t i)
{
    sm_str_truncate(&a->word, 0);
    a->int_width = 0;
    if (a->format)
        add_formatted(a, i);
    else
        add_int(a, i);
    a->re.left = (int)a->word.len > a->re.left ? (int)a->word.len : a->re.left;
}

/* Appends Python's repr of a string; control characters of terminals are escaped. */
static void add_string(struct sm_str *out, struct sm_text s)
{
    char quote = s.n && memchr(s.p, '\'', s.n) && !memchr(s.p, '"', s.n) ? '"' : '\'';
    sm_str_addc(out, quote);
    for (size_t i = 0, used; i < s.n; i += used) {
        uint32_t rune;
        used = sm_utf8_decode(s.p + i, s.n - i, &rune);
        char c = s.p[i];
        if (used > 1)
            sm_str_add_escaped(out, s.p + i, used);
        else if (c == '\n' || c == '\t' || c == '\r')
            sm_str_printf(out, "\\%c", c == '\n' ? 'n' : c == '\t' ? 't' : 'r');
        else if (used && (c == quote || c == '\\'))
            sm_str_printf(out, "\\%c", c);
        else
            sm_str_add_escaped(out, s.p + i, 1);
        used = used ? used : 1;
    }
    sm_str_addc(out, quote);
}

static void add_element(struct array_printer *a, uint64_t i)
{
    if (a->format) {
        add_formatted(a, i);
        return;
    }
    switch (a->info->kind) {
    case SM_KIND_FLOAT:
        sm_float_format_add(&a->re, real_at(a, i), &a->word);
        break;
    case SM_KIND_COMPLEX:
        add_complex(a, i);
        break;
    case SM_KIND_INT:
    case SM_KIND_UINT:
        add_int(a, i);
        break;
    case SM_KIND_BOOL:
        sm_str_add(&a->word, !a->t->data[i] ? "False" : a->t->n_dims ? " True" : "True");
        break;
    default:
        add_string(&a->word, a->t->strings[i]);
    }
}

/* ---- lines and brackets ---- */

static size_t count_runes(const struct sm_str *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->len; i++)
        n += ((unsigned char)s->data[i] & 0xc0) != 0x80;
    return n;
}

struct row {
    struct sm_str done, line;
    size_t indent;
    int width;
};

/* Appends a word, on a new line if it does not fit (_extendLine). */
static void extend_line(struct row *r, const struct sm_str *word)
{
    size_t n = count_runes(&r->line);
    if ((int64_t)(n + count_runes(word)) > r->width && n > r->indent) {
        while (r->line.len && r->line.data[r->line.len - 1] == ' ')
            sm_str_truncate(&r->line, r->line.len - 1);
        sm_str_addn(&r->done, sm_str_text(&r->line), r->line.len);
        sm_str_addc(&r->done, '\n');
        sm_str_truncate(&r->line, 0);
        sm_str_fill(&r->line, ' ', r->indent);
    }
    sm_str_addn(&r->line, sm_str_text(word), word->len);
}

static void add_row(struct array_printer *a, uint64_t base, uint64_t n, size_t indent, int width,
                    struct sm_str *out)
{
    struct row r = {.indent = indent, .width = width - 1};
    sm_str_fill(&r.line, ' ', indent);
    for (uint64_t i = 0; i < n; i++) {
        sm_str_truncate(&a->word, 0);
        bool gap = is_elided(a, n) && i == a->edge;
        if (gap)
            sm_str_add(&a->word, "...");
        else
            add_element(a, base * n + i);
        extend_line(&r, &a->word);
        if (gap)
            i = n - a->edge - 1;
        if (i + 1 < n)
            sm_str_addc(&r.line, ' ');
    }
    sm_str_addn(&r.done, sm_str_text(&r.line), r.line.len);
    sm_str_addc(out, '[');
    sm_str_addn(out, r.done.data + indent, r.done.len - indent);
    sm_str_addc(out, ']');
    sm_str_clear(&r.done);
    sm_str_clear(&r.line);
}

static void add_axis(struct array_printer *a, unsigned axis, uint64_t base, size_t indent,
                     int width, struct sm_str *out)
{
    uint64_t n = a->t->dims[axis];
    unsigned left = a->t->n_dims - axis;
    if (left == 1) {
        add_row(a, base, n, indent, width, out);
        return;
    }
    sm_str_addc(out, '[');
    for (uint64_t i = 0; i < n; i++) {
        if (i) {
            sm_str_fill(out, '\n', left - 1);
            sm_str_fill(out, ' ', indent);
        }
        if (is_elided(a, n) && i == a->edge) {
            sm_str_add(out, "...");
            i = n - a->edge - 1;
        } else {
            add_axis(a, axis + 1, base * n + i, indent + 1, width - 1, out);
        }
    }
    sm_str_addc(out, ']');
}

void sm_print_array(const struct sm_tensor *t, const struct sm_print_options *o, bool whole,
                    struct sm_str *out)
{
    struct array_printer a = {
        .t = t,
        .info = sm_dtype_info(t->dtype),
        .edge = o->edgeitems ? o->edgeitems : 1,
        .line_width = (int)o->linewidth,
        .summary = !whole && t->n > o->threshold,
    };
    if (a.info->kind == SM_KIND_OTHER) {
        sm_str_printf(out, "<%zu bytes of %s %d>", t->size_bytes, "type", t->proto_dtype);
        return;
    }
    if (!t->n) {
        sm_str_add(out, "[]");
        return;
    }
    if (o->format && sm_format_is_written(o->format))
        a.format = o->format;
    if (a.format || a.info->kind == SM_KIND_INT || a.info->kind == SM_KIND_UINT)
        visit_shown(&a, 0, 0, visit_word_width);
    else if (a.info->kind == SM_KIND_FLOAT || a.info->kind == SM_KIND_COMPLEX)
        choose_float_format(&a, o);
    a.int_width = a.re.left;
    sm_str_truncate(&a.word, 0);
    if (t->n_dims) {
        add_axis(&a, 0, 0, 1, a.line_width, out);
    } else {
        add_element(&a, 0);
        sm_str_addn(out, sm_str_text(&a.word), a.word.len);
    }
    sm_str_clear(&a.word);
}
