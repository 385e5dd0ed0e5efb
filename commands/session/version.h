/* SPDX-License-Identifier: Apache-2.0 */
/* The version that `show version`, --version and the manual pages show. */
#ifndef SM_VERSION_H
#define SM_VERSION_H

#define SMDBG_VERSION "0.1.0"

#endif
