/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/read_file.h"

#include <stdio.h>

bool sm_read_file(const char *path, size_t max, struct sm_str *out, struct sm_err *err)
{
    char chunk[1 << 14];
    FILE *f = fopen(path, "re");
    size_t n = 0, before = out->len;
    if (!f) {
        sm_err_errno(err, "%s", path);
        err->code = SM_ERR_USAGE;
        return false;
    }
    while (out->len - before <= max && (n = fread(chunk, 1, sizeof chunk, f)) > 0)
        sm_str_addn(out, chunk, n);
    bool bad = ferror(f);
    fclose(f);
    if (bad || out->len - before > max)
        return sm_err_set(err, SM_ERR_USAGE, "%s: %s", path, bad ? "cannot be read" : "too long");
    return true;
}
