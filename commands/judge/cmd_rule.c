/* SPDX-License-Identifier: Apache-2.0 */
/* rule: the parent of the commands about rules. */
#include "commands/judge/judge.h"

const struct sm_cmd sm_cmd_rule = {
    .name = "rule",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Rules that judge the run: list, attach, test, explain",
    .help = "\"help rule NAME\" describes a rule.",
    .example = "rule auto",
    .see_also = "info, report",
};
