/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/values/list_cost.h"

#include "commands/place/describe.h"
#include "commands/session/survey_limit.h"

bool sm_list_is_by_statistics(const struct sm_call *c)
{
    const struct sm_word *sort = sm_call_option(c, "sort");
    return sort && (sm_text_is(sort->text, "mean") || sm_text_is(sort->text, "std") ||
                    sm_text_is(sort->text, "nan"));
}

bool sm_list_reads_all(const struct sm_call *c, const struct sm_trial *t)
{
    return sm_call_flag(c, "stats") || sm_survey_is_within(c->session, t);
}

bool sm_list_reads_newest(const struct sm_call *c, const struct sm_trial *t,
                          const struct sm_selection *sel)
{
    uint64_t bytes = 0, limit = sm_survey_limit(c->session, t);
    for (size_t i = 0; i < sel->n && !sm_list_reads_all(c, t); i++)
        if (sel->items[i]->unsettled)
            bytes += sm_newest_value(t, sel->items[i]).length;
    return bytes <= limit || sm_list_is_by_statistics(c);
}

void sm_list_report_limit(const struct sm_call *c, const struct sm_trial *t,
                          const struct sm_selection *sel, bool newest, struct sm_result *out)
{
    bool part = false;
    for (size_t i = 0; i < sel->n && !sm_list_reads_all(c, t); i++)
        part = part || sel->items[i]->unsettled;
    if (!newest)
        sm_result_dim(out,
                      "Statistics are omitted, because these values are larger than %s. -stats "
                      "reads them.",
                      sm_survey_limit_name(c->session, t));
    else if (part)
        sm_result_dim(out,
                      "TREND is of a part of the values: the trial is larger than %s. -stats reads "
                      "all.",
                      sm_survey_limit_name(c->session, t));
}
