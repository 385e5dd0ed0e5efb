/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/torch/dcp_names.h"

#include <string.h>

bool sm_ckpt_is_metadata_of_rank(const char *name)
{
    size_t n = strncmp(name, "__", 2) == 0 ? strspn(name + 2, "0123456789") : 0;
    return n && strcmp(name + 2 + n, ".metadata") == 0;
}

bool sm_ckpt_is_metadata(const char *name)
{
    return strcmp(name, ".metadata") == 0 || sm_ckpt_is_metadata_of_rank(name);
}
