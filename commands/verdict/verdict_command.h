/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of an open trial: the cause of what went wrong, from the signals that are collected
 * in the background (rules/verdict/verdict.h).
 *
 * Provides: the verdict of a trial (session_verdict.h), the command verdict. */
#ifndef SM_VERDICT_COMMAND_H
#define SM_VERDICT_COMMAND_H

#include "commands/language/cmd.h"

/* Every command of the room. */
#define SM_VERDICT_COMMANDS(X)                                                                     \
    X(verdict)                                                                                     \
    X(verdict_signals)

SM_VERDICT_COMMANDS(SM_CMD_DECLARE)

extern const struct sm_feature sm_verdict_feature;

#endif
