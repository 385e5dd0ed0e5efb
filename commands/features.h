/* SPDX-License-Identifier: Apache-2.0 */
/* The features of the debugger: one for each room that has state, commands or settings. A front end
 * appends its own features and passes the list to sm_session_new. */
#ifndef SM_FEATURES_H
#define SM_FEATURES_H

#include "commands/session/feature.h"

/* The elements of the list, lowest room first. The headers of the rooms declare them. */
#define SM_COMMAND_FEATURES                                                                        \
    &sm_session_feature, &sm_language_feature, &sm_run_feature, &sm_verdict_feature,               \
        &sm_judge_feature, &sm_origin_feature, &sm_stops_feature, &sm_compare_feature,             \
        &sm_pictures_feature, &sm_values_feature, &sm_trials_feature, &sm_runs_feature,            \
        &sm_trace_feature, &sm_profile_feature, &sm_support_feature

extern const struct sm_feature *const sm_command_features[]; /* the list alone, NULL-terminated */

#endif
