/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes a new folder below $TMPDIR, or /tmp, and writes its path, of less than size bytes, into
 * dir. NULL: errno says why. Who calls it removes the folder. */
static inline char *make_scratch(char *dir, size_t size)
{
    static const char name[] = "/smdbg_test_XXXXXX";
    const char *place = getenv("TMPDIR");
    if (!place || *place != '/' || strlen(place) + sizeof name > size)
        place = "/tmp";
    snprintf(dir, size, "%s%s", place, name);
    return mkdtemp(dir);
}

#endif
