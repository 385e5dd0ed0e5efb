/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/printf_format.h"

#include "commands/answer/value_line.h"
#include "commands/language/command_line.h"
#include "commands/language/tokens.h"
#include "commands/place/evaluate.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FIELD_MAX = 1000 }; /* columns and digits */

/* The value of an expression, once it is known: a number or a text. */
struct argument {
    bool known;
    struct sm_value number; /* NUMBER or BOOL; VOID if it is a text */
    struct sm_text text;
};
struct sm_printf_format {
    struct sm_arena *arena;
    char *format;
    struct sm_text *exprs;
    struct argument *args;
    size_t n;
};

/* ---- the arguments ---- */

static void split_expressions(struct sm_printf_format *p, struct sm_text rest)
{
    size_t most = 1;
    for (size_t i = 0; i < rest.n; i++)
        most += rest.p[i] == ',';
    p->exprs = sm_arena_xalloc(p->arena, most * sizeof *p->exprs);
    p->args = sm_arena_xalloc(p->arena, most * sizeof *p->args);
    while (rest.n) { /* rest starts with a comma */
        rest = (struct sm_text){rest.p + 1, rest.n - 1};
        struct sm_text first = sm_evaluate_first(rest);
        p->exprs[p->n++] = sm_reader_trim(first.p, first.n);
        rest = (struct sm_text){rest.p + first.n, rest.n - first.n};
    }
}

static void set_argument(struct sm_arena *arena, const struct sm_value *v, struct argument *a)
{
    struct sm_str line = {0};
    a->known = true;
    if (v->type == SM_NUMBER || v->type == SM_BOOL)
        a->number = *v;
    else if (v->type == SM_STRING)
        sm_str_add_escaped(&line, v->text.p, v->text.n);
    else
        sm_value_line(&line, v, NULL);
    a->text = (struct sm_text){sm_arena_xstrndup(arena, sm_str_text(&line), line.len), line.len};
    sm_str_clear(&line);
}

static bool find_arguments(struct sm_printf_format *p, sm_printf_format_value *value, void *ctx,
                           struct sm_err *err)
{
    for (size_t i = 0; i < p->n; i++) {
        struct sm_value v;
        if (p->args[i].known)
            continue;
        if (!value(ctx, p->exprs[i], &v, err))
            return false;
        if (v.type == SM_UNAVAILABLE)
            sm_err_set(err, SM_ERR_MISSING, "%.*s", (int)v.text.n, v.text.p);
        else
            set_argument(p->arena, &v, &p->args[i]);
        sm_value_clear(&v);
        if (!p->args[i].known)
            return false;
    }
    return true;
}

/* ---- the format ---- */

struct conversion {
    bool left, zero, plus, space, other;
    int width, precision; /* precision -1: not given */
    char letter;
};

static int read_number(const char **p)
{
    int n = 0;
    for (; **p >= '0' && **p <= '9'; ++*p)
        n = n > FIELD_MAX ? n : n * 10 + (**p - '0');
    return n > FIELD_MAX ? FIELD_MAX : n;
}

/* *p points after the '%'. */
static bool read_conversion(const char **p, struct conversion *out, struct sm_err *err)
{
    *out = (struct conversion){.precision = -1};
    for (; **p && strchr("-0+ #", **p); ++*p) {
        out->left |= **p == '-';
        out->zero |= **p == '0';
        out->plus |= **p == '+';
        out->space |= **p == ' ';
        out->other |= **p == '#';
    }
    out->width = read_number(p);
    if (**p == '.') {
        ++*p;
        out->precision = read_number(p);
    }
    while (**p && strchr("hlzjt", **p))
        ++*p;
    out->letter = **p;
    if (!out->letter || !strchr("diuxocfegs", out->letter))
        return sm_err_set(err, SM_ERR_USAGE,
                          "Bad format \"%%%.*s\": use %%d %%u %%x %%o %%c %%f %%e %%g %%s or %%%%.",
                          out->letter != 0, *p);
    ++*p;
    return true;
}

static void write_real(char letter, int precision, double v, struct sm_str *out)
{
    char text[32];
    if (!isfinite(v)) {
        sm_format_double(v, precision, text);
        sm_str_add(out, text);
        return;
    }
    sm_str_printf(out, letter == 'f' ? "%.*f" : letter == 'e' ? "%.*e" : "%.*g", precision, v);
}

static bool write_number(const struct conversion *f, const struct sm_value *v, struct sm_str *out,
                         struct sm_err *err)
{
    struct sm_integer integer;
    int precision = f->precision < 0 ? 6 : f->precision;
    bool real = strchr("feg", f->letter) != NULL;
    if (!real && !sm_value_integer(v, &integer))
        return sm_err_set(err, SM_ERR_USAGE, "%%%c needs a number of 64 bits, not %g.", f->letter,
                          v->number);
    if (strchr("difeg", f->letter) && (f->plus || f->space) && !(v->number < 0))
        sm_str_addc(out, f->plus ? '+' : ' ');
    if (real)
        write_real(f->letter, precision, v->number, out);
    else if (f->letter == 'x')
        sm_str_printf(out, f->other ? "0x%" PRIx64 : "%" PRIx64, sm_integer_bits(integer));
    else if (f->letter == 'o')
        sm_str_printf(out, "%" PRIo64, sm_integer_bits(integer));
    else if (f->letter == 'u')
        sm_str_printf(out, "%" PRIu64, sm_integer_bits(integer));
    else if (f->letter == 'c')
        sm_str_addc(out, !integer.negative && integer.magnitude >= ' ' && integer.magnitude < 127
                             ? (char)integer.magnitude
                             : '?');
    else
        sm_str_printf(out, "%s%" PRIu64, integer.negative ? "-" : "", integer.magnitude);
    return true;
}

static bool write_argument(const struct conversion *f, const struct argument *a, struct sm_str *out,
                           struct sm_err *err)
{
    bool number = a->number.type != SM_VOID;
    if (f->letter != 's' && !number)
        return sm_err_set(err, SM_ERR_USAGE, "%%%c needs a number, not %.*s.", f->letter,
                          (int)a->text.n, a->text.p);
    if (f->letter != 's')
        return write_number(f, &a->number, out, err);
    if (number)
        sm_value_line(out, &a->number, NULL);
    else
        sm_str_addn(out, a->text.p, a->text.n);
    if (f->precision >= 0 && (size_t)f->precision < out->len)
        sm_str_truncate(out, (size_t)f->precision);
    return true;
}

static void add_padded(const struct conversion *f, const struct sm_str *text, struct sm_str *out)
{
    const char *p = sm_str_text(text);
    size_t columns = sm_text_width(p, text->len), width = (size_t)f->width;
    size_t missing = width > columns ? width - columns : 0, sign = 0;
    bool zeros = f->zero && !f->left && strchr("diuxofeg", f->letter);
    if (zeros)
        sign = strspn(p, "+- ");
    sm_str_addn(out, p, sign);
    if (!f->left)
        sm_str_fill(out, zeros ? '0' : ' ', missing);
    sm_str_addn(out, p + sign, text->len - sign);
    if (f->left)
        sm_str_fill(out, ' ', missing);
}

static bool add_conversion(const char **p, const struct sm_printf_format *args, size_t *used,
                           struct sm_str *out, struct sm_err *err)
{
    struct conversion f;
    struct sm_str text = {0};
    bool ok = read_conversion(p, &f, err) && write_argument(&f, &args->args[(*used)++], &text, err);
    if (ok)
        add_padded(&f, &text, out);
    sm_str_clear(&text);
    return ok;
}

static bool write_all(const char *format, const struct sm_printf_format *args, struct sm_str *out,
                      struct sm_err *err)
{
    size_t used = 0;
    for (const char *p = format; *p;) {
        if (*p != '%') {
            sm_str_addc(out, *p++);
        } else if (p[1] == '%') {
            sm_str_addc(out, '%');
            p += 2;
        } else {
            p++;
            if (!add_conversion(&p, args, &used, out, err))
                return false;
        }
    }
    return true;
}

static bool count_conversions(const char *format, size_t *n, struct sm_err *err)
{
    struct conversion f;
    *n = 0;
    for (const char *p = format; *p;) {
        if (*p++ != '%')
            continue;
        if (*p == '%')
            p++;
        else if (!read_conversion(&p, &f, err))
            return false;
        else
            ++*n;
    }
    return true;
}

/* Checks the format, the number of expressions, and their syntax. */
static bool check_format(const struct sm_printf_format *p, struct sm_err *err)
{
    struct sm_expr *parsed;
    size_t n;
    if (!count_conversions(p->format, &n, err))
        return false;
    if (n != p->n)
        return sm_err_set(err, SM_ERR_USAGE,
                          "Wrong number of arguments for the format: expected %zu, got %zu.", n,
                          p->n);
    for (size_t i = 0; i < n; i++)
        if (!sm_expr_parse(p->exprs[i].p, p->exprs[i].n, p->arena, &parsed, err))
            return false;
    return true;
}

/* ---- the interface ---- */

struct sm_printf_format *sm_printf_format_new(struct sm_arena *arena, struct sm_text text,
                                              const char *name, struct sm_err *err)
{
    struct sm_reader r = {.p = text.p, .n = text.n, .arena = arena};
    struct sm_str format = {0};
    struct sm_printf_format *p = NULL;
    if (!text.n || text.p[0] != '"') {
        sm_err_set(err, SM_ERR_USAGE, "Expected a format in double quotes: %s \"%%g\\n\", EXPR",
                   name);
        return NULL;
    }
    bool ok = sm_reader_quoted(&r, &format, err);
    struct sm_text rest = sm_reader_trim(text.p + r.at, text.n - r.at);
    if (ok && rest.n && rest.p[0] != ',')
        ok = sm_err_set(err, SM_ERR_USAGE, "Expected a comma after the format.");
    if (ok) {
        p = sm_arena_xalloc(arena, sizeof *p);
        p->arena = arena;
        p->format = sm_arena_xstrndup(arena, sm_str_text(&format), format.len);
        split_expressions(p, rest);
    }
    sm_str_clear(&format);
    return p && check_format(p, err) ? p : NULL;
}

bool sm_printf_format_expr(const struct sm_printf_format *p, size_t i, struct sm_text *out)
{
    *out = i < p->n ? p->exprs[i] : SM_TEXT("");
    return i < p->n;
}

bool sm_printf_format_make(struct sm_printf_format *p, sm_printf_format_value *value, void *ctx,
                           struct sm_str *out, struct sm_err *err)
{
    size_t before = out->len;
    if (!find_arguments(p, value, ctx, err) || !write_all(p->format, p, out, err)) {
        sm_str_truncate(out, before);
        return false;
    }
    return true;
}

bool sm_printf_format_line(struct sm_printf_format *p, sm_printf_format_value *value, void *ctx,
                           struct sm_str *out, struct sm_err *err)
{
    size_t before = out->len;
    bool ok = sm_printf_format_make(p, value, ctx, out, err);
    if (ok && out->len > before && out->data[out->len - 1] == '\n')
        sm_str_truncate(out, out->len - 1);
    return ok;
}
