/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/survey_limit.h"

#include "commands/session/session_settings.h"
#include "reader/s3/source_s3.h"

/* Whether the bucket's limit is the one that counts. */
static bool is_of_bucket(const struct sm_session *s, const struct sm_trial *t)
{
    const struct sm_session_settings *limit = sm_session_settings(s);
    return sm_is_s3(sm_trial_path(t)) && limit->s3_survey_limit < limit->survey_limit;
}

uint64_t sm_survey_limit(const struct sm_session *s, const struct sm_trial *t)
{
    const struct sm_session_settings *limit = sm_session_settings(s);
    return (uint64_t)(is_of_bucket(s, t) ? limit->s3_survey_limit : limit->survey_limit);
}

bool sm_survey_is_within(const struct sm_session *s, const struct sm_trial *t)
{
    return sm_trial_bytes(t) <= sm_survey_limit(s, t);
}

const char *sm_survey_limit_name(const struct sm_session *s, const struct sm_trial *t)
{
    return is_of_bucket(s, t) ? "s3-survey-limit" : "survey-limit";
}

bool sm_survey_is_costly(const struct sm_session *s, const struct sm_trial *t)
{
    return sm_is_s3(sm_trial_path(t)) && !sm_survey_is_within(s, t);
}
