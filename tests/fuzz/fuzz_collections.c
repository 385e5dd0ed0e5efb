/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/collections_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_arena arena = {0};
    struct sm_collections_def def;
    struct sm_err err;
    struct sm_str text = {0};
    if (sm_collections_parse((const char *)data, n, &arena, &def, &err))
        sm_collections_write(&text, &def);
    sm_arena_clear(&arena);
    sm_str_clear(&text);
    return 0;
}
