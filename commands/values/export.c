/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/values/export.h"

#include <string.h>

bool sm_export_npy(const struct sm_tensor *t, struct sm_str *out, struct sm_err *err)
{
    const struct sm_dtype_info *info = sm_dtype_info(t->dtype);
    struct sm_str header = {0};
    if (!info->npy)
        return sm_err_set(err, SM_ERR_USAGE, "%s has no .npy type; save it as .csv, .json or .bin.",
                          info->name);
    sm_str_printf(&header, "{'descr': '%s', 'fortran_order': False, 'shape': ", info->npy);
    sm_shape_text(&header, t->dims, t->n_dims);
    sm_str_add(&header, ", }");
    /* magic, version and length (10 bytes), header and newline together are a multiple of 64 */
    sm_str_fill(&header, ' ', 63 - (10 + header.len) % 64);
    sm_str_addc(&header, '\n');
    sm_str_addn(out, "\x93NUMPY\x01\x00", 8);
    sm_str_addc(out, (char)(header.len & 255));
    sm_str_addc(out, (char)(header.len >> 8));
    sm_str_addn(out, sm_str_text(&header), header.len);
    sm_str_clear(&header);
    sm_export_bin(t, out);
    return true;
}

static bool needs_quotes(struct sm_text s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] && strchr(",\"\r\n", s.p[i]))
            return true;
    return false;
}

/* RFC 4180. */
static void add_csv_string(struct sm_str *out, struct sm_text s)
{
    if (!needs_quotes(s)) {
        sm_str_addn(out, s.p, s.n);
        return;
    }
    sm_str_addc(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        sm_str_add(out, s.p[i] == '"' ? "\"" : "");
        sm_str_addc(out, s.p[i]);
    }
    sm_str_addc(out, '"');
}

static void add_element(struct sm_str *out, const struct sm_tensor *t, uint64_t i)
{
    const struct sm_dtype_info *info = sm_dtype_info(t->dtype);
    /* strings are stored elsewhere */
    const uint8_t *p = info->size_bytes ? t->data + i * info->size_bytes : NULL;
    char text[32];
    int64_t n;
    if (t->dtype == SM_DTYPE_STRING) {
        add_csv_string(out, t->strings[i]);
    } else if (sm_dtype_load_i64(t->dtype, p, &n)) {
        sm_str_printf(out, "%lld", (long long)n);
    } else if (t->dtype == SM_DTYPE_UINT64) {
        sm_str_printf(out, "%llu", (unsigned long long)sm_dtype_load_u64(p));
    } else {
        sm_format_double(sm_dtype_load(t->dtype, p), info->single ? 9 : 17, text);
        sm_str_add(out, text);
        if (info->kind != SM_KIND_COMPLEX)
            return;
        double im = sm_dtype_imag(t->dtype, p);
        sm_format_double(im, info->single ? 9 : 17, text);
        sm_str_printf(out, "%s%sj", im < 0 ? "" : "+", text);
    }
}

void sm_export_csv(const struct sm_tensor *t, struct sm_str *out)
{
    uint64_t across = t->n_dims ? t->dims[t->n_dims - 1] : 1;
    for (uint64_t i = 0; i < t->n; i++) {
        add_element(out, t, i);
        sm_str_addc(out, (i + 1) % across ? ',' : '\n');
    }
}

void sm_export_bin(const struct sm_tensor *t, struct sm_str *out)
{
    sm_str_addn(out, t->data, t->size_bytes);
}
