/* info: the table of its subcommands, which live in cmd_info_*.c or with the commands that they
 * resemble. */
#include "commands/trials/trials.h"

const struct sm_cmd sm_cmd_info = {
    .name = "info",
    .aliases = "i",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "What the trial and the session hold",
    .example = "info trial",
    .see_also = "show tensors",
};
