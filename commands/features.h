/* The rooms of the debugger that a session is made of, lowest first. A front end adds its own. */
#ifndef SM_FEATURES_H
#define SM_FEATURES_H

#include "commands/session/feature.h"

/* For a list; the rooms' headers declare them. */
#define SM_COMMAND_FEATURES                                                                        \
    &sm_session_feature, &sm_language_feature, &sm_run_feature, &sm_judge_feature,                 \
        &sm_origin_feature, &sm_stops_feature, &sm_compare_feature, &sm_values_feature,            \
        &sm_trials_feature, &sm_support_feature

extern const struct sm_feature *const sm_command_features[]; /* NULL-terminated */

#endif
