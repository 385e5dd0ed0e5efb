/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#define ROW(name) &sm_cause_##name,
const struct sm_cause *const sm_cause_table[] = {SM_CAUSES(ROW) NULL};

size_t sm_cause_count(void)
{
    return sizeof sm_cause_table / sizeof *sm_cause_table - 1;
}
