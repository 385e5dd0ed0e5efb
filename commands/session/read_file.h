/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a complete file of the user. */
#ifndef SM_READ_FILE_H
#define SM_READ_FILE_H

#include "reader/base/err.h"
#include "reader/base/str.h"

/* Appends the content to out. SM_ERR_USAGE if it cannot be read or is longer than max bytes. */
bool sm_read_file(const char *path, size_t max, struct sm_str *out, struct sm_err *err);

#endif
