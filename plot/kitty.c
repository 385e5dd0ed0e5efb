/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/raster.h"

#include "reader/base/base64.h"

enum { CHUNK = 4096 / 4 * 3 };

/* q=2: the terminal must not answer, because its answer would be taken for keys. */
void sm_raster_kitty(const struct sm_raster *r, struct sm_str *out)
{
    size_t n = (size_t)r->w * (size_t)r->h * 4;
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t length = n - at < CHUNK ? n - at : CHUNK;
        sm_str_add(out, "\033_G");
        if (!at)
            sm_str_printf(out, "a=T,q=2,f=32,s=%d,v=%d,", r->w, r->h);
        sm_str_printf(out, "m=%d;", at + length < n);
        sm_base64_add(out, (const char *)r->rgba + at, length);
        sm_str_add(out, "\033\\");
    }
}
