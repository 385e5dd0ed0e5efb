/* SPDX-License-Identifier: Apache-2.0 */
/* All features of a session: those of commands/ and those of tui/. */
#ifndef SM_PROGRAM_FEATURES_H
#define SM_PROGRAM_FEATURES_H

#include "commands/session/feature.h"

extern const struct sm_feature *const sm_program_features[]; /* NULL-terminated */

#endif
