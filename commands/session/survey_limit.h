/* SPDX-License-Identifier: Apache-2.0 */
/* How much of a trial is read that nobody has asked for: the settings survey-limit and, for one in
 * a bucket, where bytes take long and may cost money, s3-survey-limit. */
#ifndef SM_SURVEY_LIMIT_H
#define SM_SURVEY_LIMIT_H

#include "commands/session/session.h"

/* Bytes of records. */
uint64_t sm_survey_limit(const struct sm_session *s, const struct sm_trial *t);
/* Whether all values of the trial may be read. */
bool sm_survey_is_within(const struct sm_session *s, const struct sm_trial *t);
/* The setting that limits it, for messages. */
const char *sm_survey_limit_name(const struct sm_session *s, const struct sm_trial *t);
/* A trial in a bucket that is larger than its limit: values are read on request only. */
bool sm_survey_is_costly(const struct sm_session *s, const struct sm_trial *t);

#endif
