/* SPDX-License-Identifier: Apache-2.0 */
/* What the program was built with, for --version. */
#ifndef SM_BUILD_INFO_H
#define SM_BUILD_INFO_H

#include "reader/base/str.h"

/* Appends the version, the compiler, the C library, and the libraries as they are in this process.
 */
void sm_build_info(struct sm_str *out);

#endif
