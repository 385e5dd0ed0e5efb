/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/features.h"

#include "commands/session/session_settings.h"

#include "commands/compare/compare.h"
#include "commands/judge/judge.h"
#include "commands/language/language.h"
#include "commands/origin/origin.h"
#include "commands/pictures/pictures.h"
#include "commands/profile/profile_commands.h"
#include "commands/run/run_state.h"
#include "commands/runs/runs.h"
#include "commands/stops/stops.h"
#include "commands/support/support.h"
#include "commands/trace/trace_commands.h"
#include "commands/trials/trials.h"
#include "commands/values/values.h"
#include "commands/verdict/verdict_command.h"

const struct sm_feature *const sm_command_features[] = {SM_COMMAND_FEATURES, NULL};
