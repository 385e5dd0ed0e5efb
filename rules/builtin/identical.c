/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/identical.h"

#include "rules/builtin/close.h"

#include <string.h>

void sm_measure_identical(const struct sm_tensor *const *t, const double *args,
                          struct sm_numbers *out)
{
    struct sm_elements e = sm_elements(t[0]);
    size_t size = sm_dtype_info(e.dtype)->size_bytes;
    double close[] = {args[0], args[1], 0};
    bool last = args[3] != 0;
    if (!sm_numbers_alloc(out, SM_IDENTICAL_NUMBERS) || t[0]->n_dims < 2 || !t[0]->n)
        return;
    uint64_t units = t[0]->dims[last ? t[0]->n_dims - 1 : 0], inputs = e.n / units;
    bool alike = units > 1;
    for (uint64_t u = 0; u < units; u++) {
        bool constant = inputs > 1;
        for (uint64_t k = 0; k < inputs && (constant || alike); k++) {
            double v =
                sm_dtype_load(e.dtype, e.data + (last ? k * units + u : u * inputs + k) * size);
            double own = sm_dtype_load(e.dtype, e.data + (last ? u : u * inputs) * size);
            double other = sm_dtype_load(e.dtype, e.data + (last ? k * units : k) * size);
            constant = constant && sm_is_close(v, own, close);
            alike = alike && sm_is_close(v, other, close);
        }
        out->v[SM_IDENTICAL_CONSTANT] += constant;
    }
    out->v[SM_IDENTICAL_ALL] = alike;
    out->v[SM_IDENTICAL_UNITS] = (double)units;
}

bool sm_measure_identical_of(struct sm_rule_at *x, const struct sm_rule_item *it,
                             const struct sm_numbers **out)
{
    double args[] = {1e-5, 1e-8, 0, strstr(it->name, "kernel") != NULL};
    return sm_rule_measure(x, sm_measure_identical, args, 4, &it->value, 1, out);
}
