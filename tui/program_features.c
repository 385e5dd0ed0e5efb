/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/program_features.h"

#include "commands/compare/compare.h"
#include "commands/features.h"
#include "commands/judge/judge.h"
#include "commands/language/language.h"
#include "commands/origin/origin.h"
#include "commands/pictures/pictures.h"
#include "commands/profile/profile_commands.h"
#include "commands/run/run_state.h"
#include "commands/runs/runs.h"
#include "commands/session/session_settings.h"
#include "commands/stops/stops.h"
#include "commands/support/support.h"
#include "commands/trace/trace_commands.h"
#include "commands/trials/trials.h"
#include "commands/values/values.h"
#include "commands/verdict/verdict_command.h"
#include "tui/app/startup_settings.h"
#include "tui/dashboard/dashboard_feature.h"
#include "tui/frontends/frontend.h"
#include "tui/profile_panes/profile_view.h"
#include "tui/terminal/terminal_settings.h"

const struct sm_feature *const sm_program_features[] = {SM_COMMAND_FEATURES,
                                                        &sm_startup_feature,
                                                        &sm_terminal_feature,
                                                        &sm_dashboard_feature,
                                                        &sm_machine_feature,
                                                        &sm_profile_panes_feature,
                                                        NULL};
