/* SPDX-License-Identifier: Apache-2.0 */
/* info: its subcommands are in cmd_info_*.c, or with the commands that they belong to. */
#include "commands/trials/trials.h"

const struct sm_cmd sm_cmd_info = {
    .name = "info",
    .aliases = "i",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show the state of the trial and the session",
    .example = "info trial",
    .see_also = "show, tensors",
};
