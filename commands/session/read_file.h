/* A file of the person's, as a whole. */
#ifndef SM_READ_FILE_H
#define SM_READ_FILE_H

#include "reader/base/err.h"
#include "reader/base/str.h"

/* Appends it; SM_ERR_USAGE with the reason: not there, longer than max bytes. */
bool sm_read_file(const char *path, size_t max, struct sm_str *out, struct sm_err *err);

#endif
