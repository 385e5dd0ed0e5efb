/* SPDX-License-Identifier: Apache-2.0 */
/* profile: its subcommands are in cmd_profile_*.c. */
#include "commands/profile/profile_commands.h"

const struct sm_cmd sm_cmd_profile = {
    .name = "profile",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show what machine and framework did: use, phases, steps",
    .help = "A profile is a profiler's tree (system/, framework/) in the directory of a run, in "
            "profiler-output in it\nor beside it (doc/profiler.md).",
    .example = "profile summary",
    .see_also = "info profiler",
};
