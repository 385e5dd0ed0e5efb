/* Everything a session of the program is made of: the debugger's rooms and those of the terminal.
 */
#ifndef SM_PROGRAM_FEATURES_H
#define SM_PROGRAM_FEATURES_H

#include "commands/session/feature.h"

extern const struct sm_feature *const sm_program_features[]; /* NULL-terminated */

#endif
