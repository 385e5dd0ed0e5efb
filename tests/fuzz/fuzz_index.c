/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/index_json.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The input is an index file. If it parses, it is written and parsed again, with the same number of
 * entries. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_index x = {0}, again = {0};
    struct sm_err err;
    struct sm_str text = {0};
    if (sm_index_parse((const char *)data, n, &x, &err)) {
        sm_index_write(&text, &x);
        if (x.mode && x.mode_step >= 0 &&
            (!sm_index_parse(text.data, text.len, &again, &err) ||
             again.n_payloads != x.n_payloads || again.n_shapes != x.n_shapes))
            abort();
    }
    sm_index_clear(&x);
    sm_index_clear(&again);
    sm_str_clear(&text);
    return 0;
}
