/* SPDX-License-Identifier: Apache-2.0 */
/* A profiling report that is there: the file of one rule, shown as text and as HTML. The first byte
 * says which rule it is of, the rest is the file. */
#include "commands/profile/report_read.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct sm_profile_report r;
    struct sm_result out;
    struct sm_str html = {0};
    struct sm_err err;
    if (!n)
        return 0;
    sm_result_init(&out);
    sm_profile_report_init(&r);
    struct sm_profile_report_rule *rule = &r.rules[data[0] % SM_PROFILE_REPORT_RULES];
    if (sm_report_rule_read(&out, (const char *)data + 1, n - 1, &rule->map, &err)) {
        sm_profile_report_write(&r, &(struct sm_sheet){.text = &out});
        sm_profile_report_write(&r, &(struct sm_sheet){.text = &out, .html = &html});
        if (html.len && memmem(html.data, html.len, "<script", 7))
            abort(); /* names are escaped */
    }
    sm_str_clear(&html);
    sm_result_clear(&out);
    return 0;
}
