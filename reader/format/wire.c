/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/wire.h"

bool sm_wire_get(struct sm_bytes b, size_t *at, uint64_t *out)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 70 && *at < b.n; shift += 7) {
        uint8_t c = b.p[(*at)++];
        if (shift < 64)
            v |= (uint64_t)(c & 127) << shift;
        if (!(c & 128)) {
            *out = v;
            return true;
        }
    }
    return false;
}

void sm_wire_put(struct sm_str *out, uint64_t v)
{
    while (v >= 128) {
        sm_str_addc(out, (char)(v | 128));
        v >>= 7;
    }
    sm_str_addc(out, (char)v);
}

bool sm_wire_skip(struct sm_bytes b, size_t *at, unsigned wire, struct sm_bytes *inside)
{
    uint64_t n = 0;
    if (wire == 0)
        return sm_wire_get(b, at, &n);
    if (wire == 2 && !sm_wire_get(b, at, &n))
        return false;
    n = wire == 1 ? 8 : wire == 5 ? 4 : n;
    if (wire == 3 || wire == 4 || wire > 5 || n > b.n - *at)
        return false;
    *inside = (struct sm_bytes){b.p + *at, (size_t)n};
    *at += (size_t)n;
    return true;
}

/* Most varints have one byte. */
static bool get_short(struct sm_bytes b, size_t *at, uint64_t *out)
{
    if (*at < b.n && b.p[*at] < 128) {
        *out = b.p[(*at)++];
        return true;
    }
    return sm_wire_get(b, at, out);
}

bool sm_wire_next(struct sm_bytes *rest, struct sm_wire_field *f)
{
    struct sm_bytes b = *rest;
    size_t at = 0;
    uint64_t key, n = 0;
    if (!get_short(b, &at, &key))
        return false;
    f->number = key >> 3;
    f->wire = key & 7;
    if ((f->wire == 0 || f->wire == 2) && !get_short(b, &at, &n))
        return false;
    f->value = n;
    n = f->wire == 1 ? 8 : f->wire == 5 ? 4 : f->wire == 2 ? n : 0;
    if (f->wire == 3 || f->wire == 4 || f->wire > 5 || n > b.n - at)
        return false;
    f->bytes = (struct sm_bytes){b.p + at, (size_t)n};
    if (f->wire == 1)
        f->value = sm_get_u64(b.p + at);
    else if (f->wire == 5)
        f->value = sm_get_u32(b.p + at);
    *rest = (struct sm_bytes){b.p + at + n, b.n - at - (size_t)n};
    return true;
}

bool sm_wire_cut(struct sm_bytes b, const unsigned *path, struct sm_str *out,
                 struct sm_bytes *content, const uint8_t **bad)
{
    for (size_t at = 0; at < b.n;) {
        size_t start = at;
        uint64_t key;
        struct sm_bytes inside = {0};
        *bad = b.p + start;
        if (!sm_wire_get(b, &at, &key) || !sm_wire_skip(b, &at, key & 7, &inside))
            return false;
        bool ours = key == ((uint64_t)path[0] << 3 | 2);
        if (!ours) {
            sm_str_addn(out, b.p + start, at - start);
        } else if (!path[1]) {
            *content = inside;
        } else {
            struct sm_str part = {0};
            bool ok = sm_wire_cut(inside, path + 1, &part, content, bad);
            sm_wire_put(out, key);
            sm_wire_put(out, part.len);
            sm_str_addn(out, sm_str_text(&part), part.len);
            out->failed = out->failed || part.failed;
            sm_str_clear(&part);
            if (!ok)
                return false;
        }
    }
    return true;
}
