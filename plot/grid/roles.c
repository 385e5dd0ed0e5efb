/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/roles.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <stdio.h>
#include <string.h>

void sm_roles_add(struct sm_str *out, const struct sm_role_run *look)
{
    sm_str_printf(out, "\033[%u;%u;%u;%u~", (unsigned)look->role, (unsigned)look->back,
                  (unsigned)look->attr, (unsigned)look->plain);
}

static const char *take_number(const char *p, const char *end, unsigned *out)
{
    for (*out = 0; p < end && *p >= '0' && *p <= '9' && *out < 100000; p++)
        *out = *out * 10 + (unsigned)(*p - '0');
    return p;
}

/* Bytes of the mark at p; 0 if there is none. */
static size_t take_mark(const char *p, size_t n, struct sm_role_run *look)
{
    unsigned v[4] = {0};
    const char *at = p + 2, *end = p + n;
    if (n < 3 || p[0] != '\033' || p[1] != '[')
        return 0;
    for (size_t i = 0; i < 4; i++) {
        at = take_number(at, end, &v[i]);
        if (at < end && *at == (i < 3 ? ';' : '~'))
            at++;
        else
            return 0;
    }
    *look = (struct sm_role_run){.role = (uint16_t)v[0],
                                 .back = (uint16_t)v[1],
                                 .attr = (uint8_t)v[2],
                                 .plain = (uint16_t)v[3]};
    return (size_t)(at - p);
}

void sm_roles_parse(const char *text, size_t n, struct sm_str *out, struct sm_role_run **looks,
                    size_t *n_looks)
{
    size_t cap = 0, count = 0;
    struct sm_role_run look;
    if (looks)
        *looks = NULL;
    while (n) {
        size_t k = take_mark(text, n, &look);
        if (k && looks && SM_VEC_ROOM(*looks, count, cap)) {
            look.from = out->len;
            (*looks)[count++] = look;
        }
        if (!k) {
            const char *next = memchr(text + 1, '\033', n - 1);
            k = next ? (size_t)(next - text) : n;
            sm_str_addn(out, text, k);
        }
        text += k;
        n -= k;
    }
    if (looks)
        *n_looks = count;
}

static size_t last_before(const struct sm_role_run *looks, size_t n, size_t at)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (looks[mid].from <= at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static int draw_alike(struct sm_grid *g, int x, int y, int w, const char *text, size_t n,
                      const struct sm_role_run *look)
{
    char *copy = sm_xstrndup(text, n);
    int columns = sm_grid_text(g, x, y, w, (enum sm_role)look->role, look->attr, copy);
    sm_free(copy);
    for (int i = 0; i < columns && (look->back || look->plain); i++) {
        struct sm_cell *c = sm_grid_at(g, x + i, y);
        if (!c)
            break;
        c->back = look->back;
        c->plain = look->plain;
    }
    return columns;
}

int sm_roles_draw(struct sm_grid *g, int x, int y, int w, const char *text, size_t from, size_t n,
                  const struct sm_role_run *looks, size_t n_looks)
{
    static const struct sm_role_run usual = {.role = SM_ROLE_TEXT};
    int used = 0;
    for (size_t end = from + n, next = last_before(looks, n_looks, from); from < end && used < w;
         next++) {
        size_t to = next < n_looks && looks[next].from < end ? looks[next].from : end;
        used += draw_alike(g, x + used, y, w - used, text + from, to - from,
                           next ? &looks[next - 1] : &usual);
        from = to;
    }
    return used;
}
