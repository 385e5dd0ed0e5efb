/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor/slice.h"

#include "reader/base/mem.h"

#include <string.h>

/* ---- parsing ---- */

struct cursor {
    const char *p;
    size_t n, at;
    struct sm_err *err;
};

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->n && (c->p[c->at] == ' ' || c->p[c->at] == '\t'))
        c->at++;
}

static char peek(struct cursor *c)
{
    skip_blanks(c);
    return c->at < c->n ? c->p[c->at] : 0;
}

static bool bad(struct cursor *c, const char *what)
{
    return sm_err_set(c->err, SM_ERR_USAGE, "slice: %s at column %zu", what, c->at + 1);
}

static bool integer(struct cursor *c, bool *given, int64_t *out)
{
    char first = peek(c);
    bool negative = first == '-';
    *given = negative || first == '+' || (first >= '0' && first <= '9');
    if (!*given)
        return true;
    c->at += negative || first == '+';
    size_t digits = c->at;
    int64_t v = 0;
    for (; c->at < c->n && c->p[c->at] >= '0' && c->p[c->at] <= '9'; c->at++) {
        if (v > (INT64_MAX - 9) / 10)
            return bad(c, "number too large");
        v = v * 10 + (c->p[c->at] - '0');
    }
    *out = negative ? -v : v;
    return c->at > digits || bad(c, "digits expected");
}

static bool part(struct cursor *c, struct sm_slice_part *x)
{
    bool step_given = false;
    *x = (struct sm_slice_part){.kind = SM_SLICE_INDEX, .step = 1};
    skip_blanks(c);
    if (c->n - c->at >= 3 && memcmp(c->p + c->at, "...", 3) == 0) {
        x->kind = SM_SLICE_ELLIPSIS;
        c->at += 3;
        return true;
    }
    if (!integer(c, &x->has_start, &x->start))
        return false;
    if (peek(c) != ':')
        return x->has_start || bad(c, "index expected");
    x->kind = SM_SLICE_RANGE;
    c->at++;
    if (!integer(c, &x->has_stop, &x->stop))
        return false;
    if (peek(c) == ':') {
        c->at++;
        if (!integer(c, &step_given, &x->step))
            return false;
        if (!x->step)
            return bad(c, "the step cannot be zero");
    }
    return true;
}

bool sm_slice_parse(const char *text, size_t n, struct sm_slice *out, size_t *used,
                    struct sm_err *err)
{
    struct cursor c = {text, n, 0, err};
    out->n = 0;
    if (peek(&c) != '[')
        return bad(&c, "'[' expected");
    c.at++;
    unsigned ellipses = 0;
    while (peek(&c) != ']') {
        if (out->n > SM_DIMS_MAX)
            return bad(&c, "too many indices");
        if (!part(&c, &out->parts[out->n]))
            return false;
        ellipses += out->parts[out->n++].kind == SM_SLICE_ELLIPSIS;
        if (ellipses > 1)
            return bad(&c, "only one ... is possible");
        if (peek(&c) == ',')
            c.at++;
        else if (peek(&c) != ']')
            return bad(&c, "',' or ']' expected");
    }
    if (!out->n)
        return bad(&c, "index expected");
    *used = c.at + 1;
    return true;
}

/* ---- applying: each axis becomes start, step, count ---- */

static struct sm_slice_axis whole_axis(uint64_t size)
{
    return (struct sm_slice_axis){0, 1, size, true};
}

static int64_t clip(int64_t v, int64_t lo, int64_t hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

static struct sm_slice_axis range_axis(const struct sm_slice_part *p, int64_t size)
{
    bool up = p->step > 0;
    int64_t lo = up ? 0 : -1, hi = up ? size : size - 1;
    int64_t start = p->has_start ? clip(p->start < 0 ? p->start + size : p->start, lo, hi)
                    : up         ? 0
                                 : size - 1;
    int64_t stop = p->has_stop ? clip(p->stop < 0 ? p->stop + size : p->stop, lo, hi)
                   : up        ? size
                               : -1;
    uint64_t count = 0;
    if (up && stop > start)
        count = (uint64_t)(stop - start - 1) / (uint64_t)p->step + 1;
    else if (!up && start > stop)
        count = (uint64_t)(start - stop - 1) / (0 - (uint64_t)p->step) + 1;
    return (struct sm_slice_axis){start, p->step, count, true};
}

static bool axis_of(const struct sm_slice_part *p, unsigned number, uint64_t size,
                    struct sm_slice_axis *out, struct sm_err *err)
{
    if (p->kind == SM_SLICE_RANGE) {
        *out = range_axis(p, (int64_t)size);
        return true;
    }
    int64_t i = p->start < 0 ? p->start + (int64_t)size : p->start;
    if (i < 0 || i >= (int64_t)size)
        return sm_err_set(err, SM_ERR_USAGE,
                          "index %lld is out of bounds for axis %u with size %llu",
                          (long long)p->start, number, (unsigned long long)size);
    *out = (struct sm_slice_axis){i, 1, 1, false};
    return true;
}

bool sm_slice_axes(const struct sm_slice *s, unsigned n_dims, const uint64_t *dims,
                   struct sm_slice_axis *axes, struct sm_err *err)
{
    unsigned given = 0, k = 0;
    for (unsigned i = 0; i < s->n; i++)
        given += s->parts[i].kind != SM_SLICE_ELLIPSIS;
    if (given > n_dims)
        return sm_err_set(err, SM_ERR_USAGE,
                          "too many indices: the tensor has %u dimension%s, but %u were indexed",
                          n_dims, n_dims == 1 ? "" : "s", given);
    for (unsigned i = 0; i < s->n; i++) {
        if (s->parts[i].kind == SM_SLICE_ELLIPSIS) {
            for (unsigned fill = n_dims - given; fill--; k++)
                axes[k] = whole_axis(dims[k]);
        } else {
            if (!axis_of(&s->parts[i], k, dims[k], &axes[k], err))
                return false;
            k++;
        }
    }
    for (; k < n_dims; k++)
        axes[k] = whole_axis(dims[k]);
    return true;
}

static unsigned kept_dims(const struct sm_slice_axis *axes, unsigned n_dims, uint64_t *out)
{
    unsigned n = 0;
    for (unsigned i = 0; i < n_dims; i++)
        if (axes[i].kept)
            out[n++] = axes[i].count;
    return n;
}

bool sm_slice_dims(const struct sm_slice *s, unsigned *n_dims, uint64_t *dims)
{
    struct sm_slice_axis axes[SM_DIMS_MAX];
    if (!sm_slice_axes(s, *n_dims, dims, axes, NULL))
        return false;
    *n_dims = kept_dims(axes, *n_dims, dims);
    return true;
}

static uint64_t count_of(uint64_t size, int64_t step)
{
    return size / (uint64_t)step + (size % (uint64_t)step != 0);
}

/* Whether more than `most` elements are selected, and the axis with the most. */
static bool is_more(const struct sm_slice *s, const uint64_t *dims, uint64_t most,
                    unsigned *longest)
{
    uint64_t n = 1;
    bool over = false;
    *longest = 0;
    for (unsigned i = 0; i < s->n; i++) {
        uint64_t size = count_of(dims[i], s->parts[i].step);
        over = __builtin_mul_overflow(n, size, &n) || over;
        if (size > count_of(dims[*longest], s->parts[*longest].step))
            *longest = i;
    }
    return over || n > most;
}

void sm_slice_sample(unsigned n_dims, const uint64_t *dims, uint64_t most, struct sm_slice *out)
{
    unsigned longest;
    *out = (struct sm_slice){.n = n_dims};
    for (unsigned i = 0; i < n_dims; i++)
        out->parts[i] = (struct sm_slice_part){.kind = SM_SLICE_RANGE, .step = 1};
    while (is_more(out, dims, most, &longest) &&
           count_of(dims[longest], out->parts[longest].step) > 1)
        out->parts[longest].step *= 2;
}

/* Copies the selected elements in C order; item is the size of one in the source. */
static void gather(const struct sm_tensor *t, const struct sm_slice_axis *axes, unsigned axis,
                   uint64_t base, uint8_t **to, size_t size)
{
    if (axis == t->n_dims) {
        memcpy(*to, t->data + base * size, size);
        *to += size;
        return;
    }
    uint64_t stride = 1;
    for (unsigned i = axis + 1; i < t->n_dims; i++)
        stride *= t->dims[i];
    if (axis + 1 == t->n_dims && axes[axis].step == 1) {
        memcpy(*to, t->data + (base + (uint64_t)axes[axis].start) * size, axes[axis].count * size);
        *to += axes[axis].count * size;
        return;
    }
    for (uint64_t i = 0; i < axes[axis].count; i++)
        gather(t, axes, axis + 1,
               base + (uint64_t)(axes[axis].start + (int64_t)i * axes[axis].step) * stride, to,
               size);
}

static struct sm_tensor *view_of_strings(const struct sm_tensor *t, struct sm_tensor *out,
                                         const struct sm_slice_axis *axes)
{
    /* strings are selected by index: their texts stay in the parent */
    struct sm_tensor index = *t;
    uint64_t *numbers = sm_alloc((size_t)t->n * sizeof *numbers + 1);
    uint64_t *picked = sm_alloc((size_t)out->n * sizeof *picked + 1);
    struct sm_text *strings = sm_arena_alloc(&out->arena, (size_t)out->n * sizeof *strings);
    bool ok = numbers && picked && strings;
    if (ok) {
        for (uint64_t i = 0; i < t->n; i++)
            numbers[i] = i;
        index.data = (const uint8_t *)numbers;
        uint8_t *to = (uint8_t *)picked;
        gather(&index, axes, 0, 0, &to, sizeof *numbers);
        for (uint64_t i = 0; i < out->n; i++)
            strings[i] = t->strings[picked[i]];
        out->strings = strings;
    }
    sm_free(numbers);
    sm_free(picked);
    return ok ? out : NULL;
}

bool sm_slice_apply(const struct sm_slice *s, struct sm_tensor *t, struct sm_tensor **out,
                    struct sm_err *err)
{
    struct sm_slice_axis axes[SM_DIMS_MAX];
    uint64_t dims[SM_DIMS_MAX];
    if (!sm_slice_axes(s, t->n_dims, t->dims, axes, err))
        return false;
    unsigned n_dims = kept_dims(axes, t->n_dims, dims);
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    if (!size && t->dtype != SM_DTYPE_STRING)
        return sm_err_set(err, SM_ERR_USAGE, "elements of type %d cannot be indexed",
                          t->proto_dtype);
    struct sm_tensor *x;
    if (!sm_tensor_new(t->dtype, n_dims, dims, NULL, &x, err))
        return false;
    x->wall_time = t->wall_time;
    x->crc = t->crc;
    x->parent = sm_tensor_ref(t);
    if (t->dtype == SM_DTYPE_STRING && !view_of_strings(t, x, axes)) {
        sm_tensor_unref(x);
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a slice");
    }
    uint8_t *to = x->buffer;
    if (x->n && size)
        gather(t, axes, 0, 0, &to, size);
    *out = x;
    return true;
}

bool sm_slice_same(const struct sm_slice *a, const struct sm_slice *b)
{
    if (a->n != b->n)
        return false;
    for (unsigned i = 0; i < a->n; i++) {
        const struct sm_slice_part *x = &a->parts[i], *y = &b->parts[i];
        if (x->kind != y->kind || x->has_start != y->has_start || x->has_stop != y->has_stop ||
            x->start != y->start || x->stop != y->stop || x->step != y->step)
            return false;
    }
    return true;
}

void sm_slice_text(struct sm_str *out, const struct sm_slice *s)
{
    sm_str_addc(out, '[');
    for (unsigned i = 0; i < s->n; i++) {
        const struct sm_slice_part *p = &s->parts[i];
        sm_str_add(out, i ? "," : "");
        if (p->kind == SM_SLICE_ELLIPSIS)
            sm_str_add(out, "...");
        if (p->has_start)
            sm_str_printf(out, "%lld", (long long)p->start);
        if (p->kind != SM_SLICE_RANGE)
            continue;
        sm_str_addc(out, ':');
        if (p->has_stop)
            sm_str_printf(out, "%lld", (long long)p->stop);
        if (p->step != 1)
            sm_str_printf(out, ":%lld", (long long)p->step);
    }
    sm_str_addc(out, ']');
}
